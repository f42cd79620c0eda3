# The Debian packages that tests of the binding need. Sourced after lib.sh.

# librdmacm, and the driver for the simulated device.
RDMA_LIBRARIES=(librdmacm1 libibverbs1 ibverbs-providers)
RDMA_HEADERS=(librdmacm-dev libibverbs-dev)
# Programs of Debian's that tests of the C interface run.
RDMA_PROGRAMS=(rdmacm-utils)
# What the crate rdma-sys is built with; its bindgen panics with libclang 16 and newer.
RDMA_SYS=("${RDMA_HEADERS[@]}" pkg-config libclang-14-dev)

# is_there PACKAGE: what the package is needed for. Its name is not the same in each release, as librdmacm1t64.
is_there() {
    local files
    case $1 in
        librdmacm1) files=(/usr/lib/*/librdmacm.so.1 /usr/lib*/librdmacm.so.1) ;;
        libibverbs1) files=(/usr/lib/*/libibverbs.so.1 /usr/lib*/libibverbs.so.1) ;;
        ibverbs-providers) files=(/usr/lib/*/libibverbs/librxe-*.so /usr/lib*/libibverbs/librxe-*.so) ;;
        librdmacm-dev) files=(/usr/include/rdma/rdma_cma.h) ;;
        libibverbs-dev) files=(/usr/include/infiniband/verbs.h) ;;
        rdmacm-utils) files=(/usr/bin/rdma_client) ;;
        *)
            [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
            return
            ;;
    esac
    local file
    for file in "${files[@]}"; do
        if [ -e "$file" ]; then return 0; fi
    done
    return 1
}

# have_packages PACKAGE...: installs missing packages; fails if it cannot.
have_packages() {
    local package absent=()
    for package in "$@"; do
        is_there "$package" || absent+=("$package")
    done
    if [ ${#absent[@]} = 0 ]; then return 0; fi
    if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then return 1; fi
    if [ -z "${APT_UPDATED:-}" ]; then retry apt-get -qq update || true; fi
    APT_UPDATED=1
    retry env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "${absent[@]}"
}

# need_packages PACKAGE...: the check cannot run without them.
need_packages() {
    have_packages "$@" || missing "one of the Debian packages $*"
}
