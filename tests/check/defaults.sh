#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# defaults.sh - which models that are asked by default were not looked up for
# half a year. They are named in comments and fail nothing: an old tarball stays
# good. With CHECK_DEFAULTS=1 they fail; set it before a release.
# shellcheck disable=SC2154 # tap.sh sets root, checks and scratch
set -u
. "$(dirname "$0")/tap.sh"

# old DATE FILE: the rows of the table that were looked up before DATE.
old() {
    sed -n 's/^    {"\([^"]*\)", "\([^"]*\)", "\([0-9-]*\)", .*/\3 \1 \2/p' "$2" |
        while read -r date provider model; do
            [ "$(printf '%s\n' "$date" "$1" | sort | head -n 1)" = "$1" ] ||
                echo "$provider: $model was looked up on $date"
        done
}

table=src/model/provider/default_models.c
plant "$table" <<'END'
    {"openai", "gpt-old", "2026-01-31", "somewhere"},
    {"openai", "gpt-new", "2026-08-01", "somewhere"},
END
old 2026-08-01 "$scratch/$table" >"$scratch/out"
sees 'it sees a default that is old' \
    'openai: gpt-old was looked up on 2026-01-31' "$scratch/out"
[ "$(wc -l <"$scratch/out")" -eq 1 ] || sed 's/^/found: /' "$scratch/out" |
    not_ok 'and nothing else'

limit=$(date -u -d '183 days ago' +%Y-%m-%d 2>/dev/null)
if [ -z "$limit" ]; then
    skip 'defaults are younger than half a year' 'date(1) has no -d'
else
    old "$limit" "$root/$table" >"$scratch/out"
    if [ "${CHECK_DEFAULTS:-0}" = 1 ]; then
        clean 'defaults are younger than half a year' "$scratch/out"
    else
        sed 's/^/# old: /' "$scratch/out"
        ok 'defaults that are older than half a year are named'
    fi
fi
done_testing
