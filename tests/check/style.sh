#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# style.sh - the house rules of HACKING that a program can see.
# shellcheck disable=SC2154 # tap.sh sets root, checks and scratch
set -u
. "$(dirname "$0")/tap.sh"

# Words that no file may hold: notes to oneself, numbers of somebody's tracker,
# and folders of the machine that a line was written on.
words='(^|[^A-Za-z])(TO''DO|FIX''ME|XX''X)([^A-Za-z]|$)'
words="$words|[Ii]ssue #?[0-9]|[Pp]ull request [#0-9]"
words="$words|/(Users|wor""k)/[a-z.]"

# files DIR GLOB…: the files of the source below DIR with such names.
files() {
    (
        cd "$1" || exit
        shift
        for glob; do
            find src plugins tests hooks prompts man -name "$glob" \
                ! -path '*/corpus/*' -type f 2>/dev/null
        done | LC_ALL=C sort
    )
}

# c_complaints DIR
c_complaints() {
    (cd "$1" && files . '*.[ch]' | LC_ALL=C xargs awk \
        -f "$checks/code.awk" -f "$checks/style.awk")
}

# script_complaints DIR: every script says its licence in its first two lines.
script_complaints() {
    files "$1" '*.sh' '*.bats' '*.py' '*.awk' '*.mk' '*.bash' '*.zsh' '*.fish' |
        while read -r file; do
            head -n 2 "$1/$file" | grep -q -F \
                '# SPDX-License-Identifier: GPL-3.0-or-later' ||
                echo "$file:1: no SPDX line"
        done
}

# word_complaints DIR
word_complaints() {
    (
        cd "$1" || exit
        files . '*' | xargs grep -I -n -E -e "$words" /dev/null
        grep -s -H -n -E -e "$words" README HACKING SECURITY bootstrap \
            configure.ac Makefile.am packages.txt .ci/run
    )
}

# ---- it sees what it looks for

# spdx NAME: the head of a file that is as it should be.
spdx() {
    echo '/* SPDX-License-Identifier: GPL-3.0-or-later */'
    echo "/* $1 - planted. */"
}

{
    spdx calls.c
    cat <<'END'
static void
f(int fd)
{
    strcpy(a, b);
    x->system(1); /* strcpy(a, b); */
    puts("sprintf(a)");
    my_strcpy(a); c = '"'; sprintf(a, "%s", "it's");
    if (fork() < 0)
        exit(1);
    _exit(2);
    fd = open(path,
              O_RDONLY);
    fd = open(path, O_RDONLY |
                        O_CLOEXEC);
    f = fopen(path, "rb");
    f = fopen(path, "rbe");
    fd = socket(AF_UNIX, SOCK_STREAM, 0);
    pipe(fds);
    fd = dup(dup2(0, 1));
    CLEANUP_BUF struct buf late = {0};
    CLEANUP_BUF struct buf never;
    CLEANUP_BUF struct buf good = buf_of(1);
    pw = getpwnam(name) ? x : getpwnam_r(name);
}
extern int counter;
extern int function(void);
extern char **environ;
/* ---- a part of it */
END
} | plant src/guard/calls.c
{
    spdx proc.c
    echo 'int'
    echo 'f(void)'
    echo '{'
    echo '    return fork() < 0 ? dup2(0, 1) : 0;'
    echo '}'
} | plant src/base/proc.c
{
    spdx main.c
    printf 'int\nmain(void)\n{\n    exit(0);\n}\n'
} | plant src/frontend/cli/main.c
{
    spdx long.c
    printf 'static int\ngood(void)\n{\n'
    yes '    one();' | head -n 57
    printf '}\n\nstatic int\nbad(void)\n{\n'
    yes '    one();' | head -n 58
    printf '}\n'
    printf '/* %s */\n' "$(printf 'é%.0s' $(seq 74))"
    printf '/* %s */\n' "$(printf 'é%.0s' $(seq 75))"
    printf '            if (three)\n                if (four)\n'
    printf 'static int\ntable(void)\n{\n'
    printf '    static const struct row rows[] = {\n'
    yes '        {1},' | head -n 90
    printf '    };\n}\n'
    yes '' | head -n 603
} | plant tests/unit/long.c
{
    spdx long.h
    printf 'static const int numbers[] = {\n'
    yes '    1,' | head -n 99
    printf '};\n'
    yes '' | head -n 198
} | plant src/base/long.h
printf 'int a;\nint b;\n' | plant plugins/x/bare.c
printf '#!/bin/sh\n# nothing\n' | plant tests/cli/bare.bats
printf '#!/bin/sh\n# SPDX-License-Identifier: GPL-3.0-or-later\n' |
    plant tests/lib/good.sh
printf 'a\n# %s: later\n' 'TO''DO' | plant src/json/local.mk
printf '# see issue ''#12\n' | plant man/x.1
printf 'all is well\n%s\n' 'FIX''ME' | plant README
printf 'cd /wor''k/here\nmktemp x.XXXXXX\n' | plant tests/cli/path.py

{
    c_complaints "$scratch"
    script_complaints "$scratch"
    word_complaints "$scratch"
} >"$scratch/out"
while IFS='|' read -r name place complaint; do
    sees "it sees $name" "$place: $complaint" "$scratch/out"
done <<'END'
a banned call|src/guard/calls.c:6|strcpy() is banned
a banned call behind a quote|src/guard/calls.c:9|sprintf() is banned
a fork|src/guard/calls.c:10|fork() belongs in base/ and sandbox/
an exit outside main.c|src/guard/calls.c:11|exit() belongs in main.c
an open without O_CLOEXEC|src/guard/calls.c:13|open() without O_CLOEXEC
an fopen without e|src/guard/calls.c:17|fopen() without "e" in its mode
a socket without SOCK_CLOEXEC|src/guard/calls.c:19|socket() without SOCK_CLOEXEC
a pipe|src/guard/calls.c:20|pipe() leaves out CLOEXEC
a dup|src/guard/calls.c:21|dup() leaves out CLOEXEC
a dup2|src/guard/calls.c:21|dup2() belongs in base/ and sandbox/
memory that threads share|src/guard/calls.c:25|getpwnam() returns memory that all threads share
an extern variable|src/guard/calls.c:27|an extern variable
a buffer that begins later|src/guard/calls.c:22|a CLEANUP_BUF that buf_of() does not begin
a buffer that never begins|src/guard/calls.c:23|a CLEANUP_BUF that buf_of() does not begin
a banner|src/guard/calls.c:30|a banner: a file of several parts is several files
a long function|tests/unit/long.c:66|a function of 61 lines
a long line|tests/unit/long.c:128|81 columns
deep nesting|tests/unit/long.c:130|nested deeper than 3
a long file|tests/unit/long.c:829|a file of more than 800 lines
a long header|src/base/long.h:301|a file of more than 200 lines
a file without a licence|plugins/x/bare.c:1|no SPDX line
a file without a sentence|plugins/x/bare.c:2|no "/* bare.c - one sentence. */"
a script without a licence|tests/cli/bare.bats:1|no SPDX line
END
for place in src/json/local.mk:2 man/x.1:1 tests/cli/path.py:1 README:2; do
    if grep -q "^$place:" "$scratch/out"; then
        ok "it sees the word in $place"
    else
        not_ok "it sees the word in $place" <"$scratch/out"
    fi
done
# path.py and local.mk have no licence line either: 23 + 4 + 2
if [ "$(wc -l <"$scratch/out")" -eq 29 ]; then
    ok 'it sees nothing else'
else
    not_ok 'it sees nothing else' <"$scratch/out"
fi

# ---- the tree

c_complaints "$root" >"$scratch/c"
clean 'the C is as HACKING says' "$scratch/c"
script_complaints "$root" >"$scratch/scripts"
clean 'every script says its licence' "$scratch/scripts"
word_complaints "$root" >"$scratch/words"
clean 'no file holds a note to oneself or a folder of somebody' \
    "$scratch/words"
done_testing
