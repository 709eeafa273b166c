#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# manual.sh - the manual pages are sound, and say what the tables say. TAP.
set -u
src=${top_srcdir:-.} build=${top_builddir:-build}
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

# differ WANTED GIVEN TEXT: the words of WANTED that GIVEN lacks
differ() {
    for word in $1; do
        echo "$2" | grep -q -x -e "$word" || echo "$3: $word"
    done
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
known=$(settings)
result 'every setting is in agentsh-config(5)' \
    "$(differ "$known" "$told" 'not in the page')"

result 'agentsh-config(5) tells of no setting that is not there' \
    "$(differ "$told" "$known" 'no such setting')"

# The long options of a program's help, and those of its page's lists.
options() { # options PROGRAM
    "$build/$1" --help | sed -n 's/^  [-a-zA-Z, ]*--\([a-z-]*\).*/\1/p' | sort -u
}

options_told() { # options_told PAGE
    sed -n 's/^\.It .*Fl -\([a-z-]*\).*/\1/p; s/^\.It Fl -\([a-z-]*\).*/\1/p' \
        "$1" | sort -u
}

if [ -x "$build/ai" ]; then
    has=$(options ai)
    tells=$(options_told "$src/man/ai.1")
    result 'every option of ai is in ai(1)' \
        "$(differ "$has" "$tells" 'not in the page')"
    result 'ai(1) tells of no option that is not there' \
        "$(differ "$tells" "$has" 'no such option')"
    tells=$(grep -o '[A-Za-z0-9-]*' "$src/man/agentsh.1")
    result 'every option and verb of agentsh is in agentsh(1)' "$(differ \
        "$("$build/agentsh" --help | sed -n 's/^  \([a-z ]*[a-z]\)  .*/\1/p') \
        $(options agentsh | sed 's/^/-/')" "$tells" 'not in the page')"
fi

echo "1..$n"
