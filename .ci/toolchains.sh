# The one place that pins toolchains. Sourced after lib.sh.

STABLE=1.95.0
MSRV=1.88.0
NIGHTLY=nightly-2026-05-20
NIGHTLY_COMPONENTS=(miri rust-src)
BARE_TARGETS=(x86_64-unknown-none thumbv7em-none-eabi)
HOSTED_TARGETS=(i686-unknown-linux-gnu aarch64-unknown-linux-gnu x86_64-unknown-linux-musl)
CARGO_FUZZ=0.13.2
CARGO_DENY=0.20.2
CARGO_MUTANTS=27.1.0
CARGO_SEMVER_CHECKS=0.51.0

# The checks must not depend on which stable release is the newest.
if ! rustc --version 2>/dev/null | grep "^rustc $STABLE " >/dev/null; then
    if rustup run "$STABLE" rustc --version >/dev/null 2>&1; then export RUSTUP_TOOLCHAIN=$STABLE; fi
fi

# rustup_get ARGUMENTS...: an install by rustup. Once it has not answered, the rest of the run does not ask again.
rustup_get() {
    if [ -n "$CI_STATE" ] && [ -e "$CI_STATE/no-rustup" ]; then return 1; fi
    if retry timeout 400 rustup "$@"; then return 0; fi
    if [ -n "$CI_STATE" ]; then : >"$CI_STATE/no-rustup"; fi
    return 1
}

# need_toolchain NAME: the check is skipped where rustup cannot bring it.
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

# have_target TARGET: installs the target's libraries for the stable toolchain where they are missing.
have_target() {
    if rustup target list --installed | grep -x "$1" >/dev/null; then return 0; fi
    rustup_get target add "$1"
}

# need_cargo_tool NAME VERSION: cargo's subcommand of this version.
need_cargo_tool() {
    if cargo "$1" --version 2>/dev/null | grep -x "cargo-$1 $2" >/dev/null; then return 0; fi
    retry cargo install --quiet --locked "cargo-$1" --version "$2" || missing "cargo-$1 $2"
}
