# Toolchains, pinned here, and tools, pinned in `.ci/tools`. Sourced after lib.sh.

STABLE=1.95.0
MSRV=1.88.0
NIGHTLY=nightly-2026-05-20
NIGHTLY_COMPONENTS=(miri rust-src)
BARE_TARGETS=(x86_64-unknown-none thumbv7em-none-eabi)
HOSTED_TARGETS=(i686-unknown-linux-gnu aarch64-unknown-linux-gnu x86_64-unknown-linux-musl)

# The checks must not depend on which stable release is the newest.
if ! rustc --version 2>/dev/null | grep "^rustc $STABLE " >/dev/null; then
    if rustup run "$STABLE" rustc --version >/dev/null 2>&1; then export RUSTUP_TOOLCHAIN=$STABLE; fi
fi

# rustup_get ARGUMENTS...: an install by rustup. After one failure the rest of the run does not retry.
rustup_get() {
    if [ -n "$CI_STATE" ] && [ -e "$CI_STATE/no-rustup" ]; then return 1; fi
    if retry timeout 400 rustup "$@"; then return 0; fi
    if [ -n "$CI_STATE" ]; then : >"$CI_STATE/no-rustup"; fi
    return 1
}

# need_toolchain NAME: the check is skipped if rustup cannot install it.
need_toolchain() {
    if rustup run "$1" rustc --version >/dev/null 2>&1; then return 0; fi
    rustup_get toolchain install "$1" --profile minimal --no-self-update || skip "rustup does not bring $1"
}

# need_nightly: the pinned nightly with its components.
need_nightly() {
    local have component absent=()
    need_toolchain "$NIGHTLY"
    have=$(rustup component list --toolchain "$NIGHTLY" --installed)
    for component in "${NIGHTLY_COMPONENTS[@]}"; do
        if ! grep -q "^$component" <<<"$have"; then absent+=("$component"); fi
    done
    if [ ${#absent[@]} = 0 ]; then return 0; fi
    rustup_get component add --toolchain "$NIGHTLY" "${absent[@]}" || skip "rustup does not bring ${absent[*]}"
}

# need_component NAME: of the stable toolchain. Part of every common installation: its absence is a failure.
need_component() {
    if rustup component list --installed | grep "^$1" >/dev/null; then return 0; fi
    rustup_get component add "$1" || missing "$1"
}

# have_target TARGET: installs the target's libraries for the stable toolchain if they are missing.
have_target() {
    if rustup target list --installed | grep -x "$1" >/dev/null; then return 0; fi
    rustup_get target add "$1"
}

# need_tool PROGRAM: puts the program in the path, in the version of `.ci/tools`. It is installed once for all clones, in
# a directory of its name and version: from a wheel by pip, which takes seconds, or else by building it.
TOOLS=${RDMA_ADDRINFO_TOOLS:-${XDG_CACHE_HOME:-$HOME/.cache}/rdma-addrinfo/tools}
need_tool() {
    local program=$1 version package digest home new
    read -r _ version package digest < <(grep "^$program " .ci/tools) || missing "$program in .ci/tools"
    home=$TOOLS/$program-$version
    if [ ! -x "$home/bin/$program" ]; then
        mkdir -p "$TOOLS"
        new=$(mktemp -d "$TOOLS/new.XXXXXX")
        tool_wheel "$new" || tool_build "$new" || {
            rm -rf "$new"
            missing "$program $version"
        }
        # Another run may have been faster.
        mv -T "$new" "$home" 2>/dev/null || rm -rf "$new"
    fi
    PATH=$home/bin:$PATH
}

# Part of need_tool.
tool_wheel() { # folder
    if [ -z "$digest" ] || [ "$(uname -m)" != x86_64 ]; then return 1; fi
    if ! python3 -m pip --version >/dev/null 2>&1; then (tool pip3 python3-pip) || return 1; fi
    retry python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --target "$1" --no-deps \
        --only-binary :all: --require-hashes -r <(say "$package==$version --hash=sha256:$digest") &&
        [ -x "$1/bin/$program" ]
}

# Part of need_tool. Without optimization: these build longer than they run.
tool_build() { # folder
    local name=$program
    if [ "$name" = typos ]; then name=typos-cli; fi
    CARGO_PROFILE_RELEASE_OPT_LEVEL=0 CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 \
        retry cargo install --quiet --locked --root "$1" --target-dir "$1/build" "$name" --version "$version" &&
        rm -rf "$1/build"
}
