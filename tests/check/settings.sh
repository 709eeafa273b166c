#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# settings.sh - every setting that can be written in a file is read somewhere.
# shellcheck disable=SC2154 # tap.sh sets root, checks and scratch
set -u
. "$(dirname "$0")/tap.sh"

# complaints DIR: about the settings of the source below DIR: the enum of
# config.h up to CONFIG_N, without its brace.
complaints() {
    find "$1/src" "$1/plugins" -name '*.c' ! -path '*/src/config/*' \
        -exec grep -o -h -w 'CONFIG_[A-Z_]*' {} + 2>/dev/null |
        sort -u >"$scratch/read"
    sed -n '/^enum config_key/,/^    CONFIG_N/p' "$1/src/config/config.h" |
        grep -o 'CONFIG_[A-Z_]*' | grep -v '^CONFIG_N$' |
        grep -v -x -F -f "$scratch/read" | sed 's/$/ is read by nothing/'
}

plant src/config/config.h <<'END'
enum config_key {
    CONFIG_A_READ, /* [a] read */
    CONFIG_A_LOST,
    CONFIG_N
};
enum config_type { CONFIG_TEXT };
END
plant src/config/config.c <<'END'
x = CONFIG_A_LOST;
END
plant src/guard/a.c <<'END'
x = CONFIG_A_READ;
y = CONFIG_A_LOST_TOO;
END
complaints "$scratch" >"$scratch/out"
sees 'it sees a setting that nothing reads' 'CONFIG_A_LOST is read by nothing' \
    "$scratch/out"
[ "$(wc -l <"$scratch/out")" -eq 1 ] || sed 's/^/found: /' "$scratch/out" |
    not_ok 'and nothing else'

complaints "$root" >"$scratch/out"
clean 'every setting is read outside of src/config/' "$scratch/out"

done_testing
