# The Debian packages that tests of the binding need. Sourced after lib.sh.

# librdmacm, and the driver for the simulated device.
RDMA_LIBRARIES=(librdmacm1 libibverbs1 ibverbs-providers)
RDMA_HEADERS=(librdmacm-dev libibverbs-dev)
# Programs of Debian's that tests of the C interface run.
RDMA_PROGRAMS=(rdmacm-utils)
# What the crate rdma-sys is built with; its bindgen panics with libclang 16 and newer.
RDMA_SYS=("${RDMA_HEADERS[@]}" pkg-config libclang-14-dev)

# have_packages PACKAGE...: installs missing packages; fails if it cannot.
have_packages() {
    local package absent=()
    command -v dpkg-query >/dev/null || return 1
    for package in "$@"; do
        if [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" != installed ]; then absent+=("$package"); fi
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
