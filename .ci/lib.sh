# Shared by .ci/run, .ci/deep, .ci/test and the checks. Sourced, with the repository's root as the working directory.
#
# A check ends with 0 (passed), 77 (skipped) or anything else (failed).

export CARGO_TERM_COLOR=never CARGO_NET_RETRY=5 CARGO_INCREMENTAL=0
# Also stores the state of one run: test counts, and that rustup did not respond.
CI_STATE=${CI_STATE:-}
TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/target}
SKIPPED=77

# In CI the lock file must be up to date; elsewhere a new dependency may just be being added.
LOCKED=()
if [ "${CI:-}" = true ]; then LOCKED=(--locked); fi

say() { printf '%s\n' "$*"; }
loud() { printf '\n!!!!! %s !!!!!\n\n' "$*"; }

# skip REASON: this machine cannot provide what the check needs.
skip() {
    loud "SKIPPED: $*"
    exit "$SKIPPED"
}

# missing WHAT: a tool is missing and could not be installed. In CI that is a failure.
missing() {
    if [ "${CI:-}" = true ]; then
        loud "MISSING: $*"
        exit 1
    fi
    skip "$* is missing"
}

# retry COMMAND...: three tries, for commands that use the network.
retry() {
    local try
    for try in 1 2 3; do
        if "$@"; then return 0; fi
        say "try $try of 3 failed: $*"
        sleep $((try * 2))
    done
    return 1
}

# tool COMMAND PACKAGE: installs Debian's package of this name if the command is missing.
tool() {
    if command -v "$1" >/dev/null; then return 0; fi
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        if [ -z "${APT_UPDATED:-}" ]; then retry apt-get -qq update || true; fi
        APT_UPDATED=1
        retry env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "$2" || true
    fi
    command -v "$1" >/dev/null || missing "$1 (Debian package $2)"
}

# tests_counted PASSED FAILED SKIPPED: tests that a check ran; without a call it counts as one.
tests_counted() {
    if [ -n "$CI_STATE" ]; then say "$1 $2 $3" >>"$CI_STATE/counts"; fi
}

# count_cargo_tests LOG: sums the counts that nextest ("Summary") and cargo's own harness ("test result:") print; fails if
# there are none. nextest also counts tests that a filter leaves out as skipped.
count_cargo_tests() {
    local counts
    counts=$(awk '/^test result: / { for (i = 1; i < NF; i++) {
            if ($(i + 1) == "passed;") p += $i
            if ($(i + 1) == "failed;") f += $i
            if ($(i + 1) == "ignored;") s += $i } n++ }
        # "Summary [ 1.2s] 3 tests run: 1 passed (1 slow), 1 failed, 1 timed out, 2 skipped", or "2/3 tests run".
        /^ *Summary \[/ { for (i = 1; i < NF; i++) {
            if ($(i + 1) ~ /^tests?$/) { split($i, run, "/"); f += run[2] ? run[2] : run[1] }
            if ($(i + 1) ~ /^passed/) { p += $i; f -= $i }
            if ($(i + 1) ~ /^skipped/) s += $i } n++ }
        # Tests that passed without a test, as .ci/skipped counts them.
        /^Skipped themselves: / { s += $3; p -= $3 }
        END { if (n) print p + 0, f + 0, s + 0 }' "$1")
    if [ -z "$counts" ]; then return 1; fi
    # shellcheck disable=SC2086 # three words
    tests_counted $counts
}
