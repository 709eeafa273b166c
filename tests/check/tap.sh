# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh disable=SC2034
# tap.sh - what the checks of the source share: where it is, TAP, scratch.
#
# A check first shows on planted files that it sees what it looks for, then
# looks at the tree itself. What it finds does not depend on the machine, unless
# it says so by by_machine=1: else it is skipped where AGENTSH_TEST_SAMPLE says
# that it was tried on another one (tests/lib/tap.py).

if [ -n "${AGENTSH_TEST_SAMPLE-}" ] && [ -z "${by_machine-}" ]; then
    echo '1..0 # SKIP tried on another machine'
    exit 0
fi
root=${top_srcdir:-$(cd "$(dirname "$0")/../.." && pwd)}
checks=$root/tests/check
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM
tap_n=0
tap_bad=0

# ok NAME: one more result, good.
ok() {
    tap_n=$((tap_n + 1))
    echo "ok $tap_n - $1"
}

# not_ok NAME: one more result, bad; standard input says why.
not_ok() {
    tap_n=$((tap_n + 1))
    tap_bad=$((tap_bad + 1))
    echo "not ok $tap_n - $1"
    sed 's/^/# /'
}

# skip NAME REASON
skip() {
    tap_n=$((tap_n + 1))
    echo "ok $tap_n - $1 # SKIP $2"
}

# clean NAME FILE: good when the file of complaints is empty.
clean() {
    if [ -s "$2" ]; then
        not_ok "$1" <"$2"
    else
        ok "$1"
    fi
}

# sees NAME COMPLAINT FILE: good when the complaint is a line of the file.
sees() {
    if grep -q -x -F -e "$2" "$3"; then
        ok "$1"
    else
        { echo "expected: $2" && sed 's/^/found: /' "$3"; } | not_ok "$1"
    fi
}

# plant PATH: standard input becomes that file below the scratch directory.
plant() {
    mkdir -p "$scratch/$(dirname "$1")" && cat >"$scratch/$1"
}

done_testing() {
    echo "1..$tap_n"
    [ "$tap_bad" -eq 0 ]
    exit
}
