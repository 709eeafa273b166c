#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# plain.sh - what is drawn is drawn by src/term/ alone, which knows whether the
# terminal is plain: no other file has an escape sequence, a carriage return or
# a sign of its own in a string. tests/tty/test_plain.py looks at every view.
# shellcheck disable=SC2154 # tap.sh sets root, checks and scratch
set -u
. "$(dirname "$0")/tap.sh"

# The line editor of the REPL draws by Readline, and is plain by itself; the
# terminal there is raw, where a line ends with both.
excused='src/frontend/repl/\(line_editor\.c\|repl_state\.c\|bash_protocol\.h\)'

# complaints DIR: about the sources below DIR. "…" in the words of a usage is
# replaced where it is printed.
complaints() {
    (cd "$1" && find src/ui src/frontend -name '*.[ch]' |
        LC_ALL=C sort | grep -v "^$excused\$" |
        while read -r file; do
            grep -n -a '"' "$file" | LC_ALL=C grep -a -v \
                -e 'strspn(\|strcspn(\|strpbrk(\|strchr(' \
                -e '^[0-9]*: \*' -e '^[0-9]*: */\*' |
                LC_ALL=C grep -a \
                    -e '"[^"]*\\033' -e '"[^"]*\\x1[bB]' -e '"[^"]*\\r' \
                    -e '"[^"]*[^ -~	][^"]*"' |
                grep -v -e '\.args = "' -e 'VERB(.*…' -e 'usage_words(.*…' \
                    -e '^[0-9]*: *static const char more\[\] = "…"' \
                    -e '"TEXT…"\|"\[TEXT…\]"' |
                sed "s|^|$file:|"
        done)
}

plant src/ui/a.c <<'END'
x = "\033[1m";
y = "50%\r";
z = "a — b";
END
plant src/frontend/b.c <<'END'
    .args = "TEXT…",
 * "…" is said of it
END
complaints "$scratch" >"$scratch/out"
sees 'it sees an escape sequence' 'src/ui/a.c:1:x = "\033[1m";' \
    "$scratch/out"
sees 'it sees a carriage return' 'src/ui/a.c:2:y = "50%\r";' \
    "$scratch/out"
sees 'it sees a sign' 'src/ui/a.c:3:z = "a — b";' \
    "$scratch/out"
[ "$(wc -l <"$scratch/out")" -eq 3 ] || sed 's/^/found: /' "$scratch/out" |
    not_ok 'and nothing else'

complaints "$root" >"$scratch/out"
clean 'only src/term/ draws' "$scratch/out"

done_testing
