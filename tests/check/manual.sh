#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# manual.sh - the manual pages are sound, and say what the tables say. TAP.
set -u
src=${top_srcdir:-.}
n=0

# result NAME DETAILS: passed when there are no details
result() {
    n=$((n + 1))
    if [ -z "$2" ]; then
        printf 'ok %d - %s\n' "$n" "$1"
    else
        printf 'not ok %d - %s\n' "$n" "$1"
        printf '%s\n' "$2" | sed 's/^/# /'
    fi
}

skip() {
    n=$((n + 1))
    printf 'ok %d - %s # SKIP %s\n' "$n" "$1" "$2"
}

lint_mandoc() {
    if ! command -v mandoc >/dev/null; then
        skip "${1##*/} has no mandoc warnings" 'no mandoc'
        return
    fi
    result "${1##*/} has no mandoc warnings" \
        "$(mandoc -T lint -W warning "$1" 2>&1)"
}

lint_man() {
    if ! man --version >/dev/null 2>&1 || ! command -v groff >/dev/null; then
        skip "${1##*/} has no groff warnings" 'no man-db'
        return
    fi
    result "${1##*/} has no groff warnings" "$(LC_ALL=C.UTF-8 MANROFFSEQ='' \
        man --warnings -E UTF-8 -l -Tutf8 -Z "$1" 2>&1 >/dev/null)"
}

# The settings of the code: CONFIG_MODEL_BASE_URL is base_url.
settings() {
    sed -n 's/^ *CONFIG_\(MODEL\|SHELL\)_\([A-Z0-9_]*\),.*/\2/p' \
        "$src/src/config/config.h" | tr '[:upper:]' '[:lower:]' | sort
}

# Those of the page: a tag of the lists below "SETTINGS".
settings_told() {
    sed -n '/^\.Sh SETTINGS/,/^\.Sh EXAMPLES/s/^\.It Cm //p' \
        "$src/man/agentsh-config.5" | sed 's/ , /\n/g' | sort
}

for page in "$src"/man/*.[1-8]; do
    lint_mandoc "$page"
    lint_man "$page"
done

told=$(settings_told)
missing=$(settings | while read -r name; do
    echo "$told" | grep -q -x "$name" || echo "not in the page: $name"
done)
result 'every setting is in agentsh-config(5)' "$missing"

known=$(settings)
extra=$(settings_told | while read -r name; do
    echo "$known" | grep -q -x "$name" || echo "no such setting: $name"
done)
result 'agentsh-config(5) tells of no setting that is not there' "$extra"

echo "1..$n"
