/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_evaluate.c - tests that what bash runs by evaluating text is found, or
 * makes the line opaque, and that harmless text stays harmless. */
#include "tests/unit/unit.h"

#include <string.h>

#include "guard/risk/risk.h"

/* Lines whose own text runs rm: it is among the calls. */
static const char *const found[] = {
    "x='a[$(rm M)]'; echo $((x))",
    "x='a[$(rm M)]'; echo $(( $x ))",
    "x='a[$(rm M)]'; echo $[x + 1]",
    "x='a[$(rm M)]'; ((x))",
    "x='a[$(rm M)]'; let y=x",
    "x='a[$(rm M)]'; declare -i y; y=x",
    "x='a[$(rm M)]'; declare -i y=$x",
    "x='a[$(rm M)]'; f() { local -i y=x; }; f",
    "x='a[$(rm M)]'; y=abc; echo ${y:x}",
    "x='a[$(rm M)]'; y=abc; echo ${y:0:x}",
    "x='a[$(rm M)]'; y=(1 2); echo ${y[x]}",
    "x='a[$(rm M)]'; y[x]=1",
    "x='a[$(rm M)]'; y=([x]=1)",
    "x='a[$(rm M)]'; [[ x -eq 1 ]]",
    "x='a[$(rm M)]'; [[ 1 -lt $x ]]",
    "x='a[$(rm M)]'; [[ -v $x ]]",
    "x='a[$(rm M)]'; test -v \"$x\"",
    "x='a[$(rm M)]'; printf -v \"$x\" 1",
    "x='a[$(rm M)]'; read \"$x\" <<< 1",
    "x='a[$(rm M)]'; unset \"$x\"",
    "x='a[$(rm M)]'; wait -n -p \"$x\"",
    "x='a[$(rm M)]'; for ((i=x;0;)); do :; done",
    "x='a[$(rm M)]'; echo ${!x}",
    "x='a[$(rm M)]'; y=x; z=y; echo $((z))",
    "x='a[$(rm M)]'; echo {1..$((x))}",
    "x='a[$(rm M)]'; : {y[x]}> o",
    "x='a[$(rm M)]'; cat <<E\n$((x))\nE",
    "x='a[$(rm M)]' bash -c '((x))'",
    "export x='a[$(rm M)]'; bash -c 'echo $((x))'",
    "echo $((x)); x='a[$(rm M)]'; echo $((x))",
    "for i in 1 2; do echo $((x)); x='a[$(rm M)]'; done",
    "f() { echo $((x)); }; f; x='a[$(rm M)]'; f",
    "f() { echo $(($1)); }; f 'a[$(rm M)]'",
    "for x in 1 'a[$(rm M)]'; do ((x)); done",
    "trap 'echo $((x))' EXIT; x='a[$(rm M)]'",
    "a=(1 'a[$(rm M)]'); echo $((a[1]))",
    ": ${x:=1}; x='a[`rm M`]'; ((x))",
    "y=1; x='a[$(rm M)]'; declare -i y; y+=x",
    "x='a[$(rm M)]'; eval eval 'declare -ir y=x'",
    "y='1 + a[$(rm M)]'; x=y; echo $(( ${q:--x} ))",
    "let 'a[$(rm M)]'",
    "unset 'a[$(rm M)]'",
    "declare 'a[$(rm M)]=1'",
    "mapfile -C 'rm M;:' -c 1 < t",
    "compgen -W '$(rm M)'",
    "f() { rm M; }; compgen -F f x",
    "RANDOM='a[$(rm M)]'",
    "PS4='$(rm M)'; set -x; :",
    "PS4='+$(rm \"M\")'; set -x; :",
    "trap 'rm M' usr1",
    "bash +x -c 'rm M'",
    "bash -ox errexit -c 'rm M'",
    "f() { f() { rm M; }; f; }; f",
    "trap f EXIT; f() { rm M; }",
    "f() { rm M; }; trap f EXIT",
    "x=ls; rm() { ls; }; bash -c 'rm M'",
    "x=; $x rm M",
    "echo ${ rm M; }",
    "echo \"a${| rm M; }b\"",
    "echo \"${x:-${ rm M; }}\"",
    "x=ls; f() { local x; $x rm M; }; f",
    "x=rm; f() { local x=ls; }; f; $x M",
    "x=rm; (x=ls); $x M",
    "x=rm; x=ls true; $x M",
    "x=rm; x=ls || y & $x M",
    "rm() { :; } || y & rm M",
    "{,rm} M",
    "jobs -x rm M",
    "eval() { :; }; eval 'rm M'",
    "f() { rm M; }; readonly -f f; f() { :; }; f",
    "f() { rm M; }; { f() { :; }; } < N; f",
    "declare -a x='($(rm M))'",
    "f() { local -a 'x=(`rm M`)'; }; f",
    "y='($(rm M))'; declare -a x=\"$y\"",
    "x=(); declare x='([0]=$(rm M))'",
    "x='b[$(rm M)]'; echo $((${y}x))",
    "typeset x='b[$(rm M)]'; coproc let \"$1x\"; wait",
    "bash -posix -c 'rm M'",
    "bash -norc -c 'rm M'",
    "compgen -W'$(rm M)'",
    "compgen -aW '$(rm M)' x",
    "f() { rm M; }; compgen -Ff",
    "echo `f() { :; }; echo \\$(rm M)`",
    "echo \"`f() { echo \\$(rm M); }; f`\"",
    "echo `f() { :; }; f; g() { :; }; echo \\`rm M\\``",
    "x='b[$(rm M)]'; echo $((\"$y\"x))",
    "x='b[$(rm M)]'; f() { let \"$1x\"; }; f",
    "shopt -s extglob\necho @($(bash -posix -c 'rm M')|x)",
    ": $((y))\nrm() { :; }; : $((y)); rm() { :; }\nunset -f rm\nrm M",
    "f() { $* M; }; f rm",
    "x=rm; f() { declare -p x; $x M; }; f",
    "x=rm; f() { declare -f x; $x M; }; f",
};

/* Lines in which it is not known what is evaluated, or what a name is. */
static const char *const opaque[] = {
    "read -r x < f; echo $((x))",
    "x=$(<f); ((x))",
    "mapfile -t x < f; [[ ${x[0]} -eq 1 ]]",
    "while read -r n; do s=$((s + n)); done < f",
    "x=$(cat f); y=abc; echo ${y:x}",
    "x=$(cat f); a[$x]=1",
    "printf -v \"$(cat f)\" 1",
    "read -r x < f; unset \"$x\"",
    "read -r x < f; printf -v\"y[$x]\" 1",
    "read -r x < f; declare \"$x=1\"",
    "read -r x < f; [[ -v $x ]]",
    "read -r x < f; echo ${!x}",
    "read -r x < f; echo \"${x@P}\"",
    "echo $((BASH_COMMAND))",
    "echo $((PWD))",
    "x=ev; ev='a[$(rm M)]'; echo $((${x}))$((a$i))",
    "x='a['; y='$(rm M)]'; echo $((${x}${y}))",
    "declare -A m; unset m; k=$(cat f); m[$k]=1",
    "false && declare -A m; k=$(cat f); m[$k]=1",
    "x=ls; y=rm; declare -n x=y; $x M",
    "y=x; eval $y=a[\\$\\(rm\\ M\\)]",
    "{\"rm\",M}",
    "eval {a,'$(rm M)'}",
    "declare -l x=RM; $x M",
    "declare -a x=('1 + b[$(rm M)]'); declare -i \"y=$x\"",
    "x=ls; x=rm bash -c '$x M'",
    "x=echo; bash -c '$x rm M'",
    "x=ls; for i in 1 2; do $x M; x=rm; done",
    "x=ls y=ls z=rm; for i in 1 2 3; do $x M; x=$y; y=$z; done",
    "x=rm_M; for i in 1 2; do $x; IFS=_; done",
    "for i in 1 2; do echo $(( $* )); set -- 'a[$(rm M)]'; done",
    "x=ls; trap '$x M' EXIT; x=rm",
    "x=ls; trap 'x=rm' DEBUG; $x M",
    "x=ls; read x <<< rm; $x M",
    "x=ls; export $(cat f); $x M",
    "x=rm; false && declare x=ls; $x M",
    "readonly x=rm; declare x=ls; $x M",
    "false && x=ls; $x rm M",
    "_=ls; : rm; $_ M",
    "BASH_ALIASES[z]='rm M'",
    "BASH_CMDS[z]=/bin/rm; z M",
    "shopt -s expand_aliases\nalias x='('\nx rm M )",
    "f() { $1 M; f rm; }; f ls",
    "for i in 1 2; do f; f() { rm M; }; done",
    "echo \"${x:-$'\\x24(rm M)'}\"",
    "(( $'\\x24(rm M)' ))",
    "echo \"$(echo ${y:-$'$(rm M)'})\"",
    "x=ls; : ${ x=rm; }; $x M",
    "command() { echo rm; }; $(command -v ls) M",
    "HOME=rm; ~ M",
    "OLDPWD=rm; ~- M",
    "exec < u; bash",
    "f() { exec 0<u; }; f; sh",
    "shopt -s extdebug; trap '[[ $BASH_COMMAND != x=ls ]]' DEBUG; x=rm; x=ls; "
    "$x M",
    "x=rm; { x=ls; } < N; $x M",
    "x=rm; export x=ls > D; $x M",
    "exec 2>&-; x=rm; { x=ls; } >&2; $x M",
    "x=rm\n: $((y)); x=ls\n$x M",
    "x=rm\n: ${!y}; x=ls\n$x M",
    "x=rm\nUID=1; x=ls\n$x M",
    "x=rm\nf() { : $((y)); }; f; x=ls\n$x M",
    "x=(1); declare x=\"$(cat t)\"",
    "read -a x < t; declare x=$y",
    "sh -c '[[ a || rm M ]]'",
    "sh -c '((rm M))'",
    "sh -c 'echo $[ 1; rm M; echo ]'",
    "sh -c \"echo \\$'\\\\''; rm M #'\"",
    "sh -c 'x=rm; x+=Z; $x M'",
    "sh -c 'x=rm; declare x=ls; $x M'",
    "sh -c 'echo \"rm\\tM\" | sh'",
    "read PATH <<< D; ls",
    "for PATH in D; do ls; done",
    ": ${BASH_ENV:=u}; bash -c :",
    "printf -v PS4 %s \"$y\"; set -x; :",
    "PATH=$(pwd)/D:$PATH; ls",
    "x=D; PATH=$x ls",
    "PATH=${PATH/#/D:}; ls",
    "HOME=$PWD/D; PATH=$HOME; ls",
    "IFS=o; y=(m v); \"${y[*]}\" M",
    "IFS=o; set -- a b; f() { \"$*\" M; }; f m v",
    "set -- -v 'x[$(rm M)]'; test \"$@\"",
    "read -r x < t; [ $x = 1 ]",
    "x=$(cat t); eval echo $x",
    "eval l {a,'; rm M'}",
    "env -S 'rm\\_M'",
    "flock t -c '((rm M))'",
    "echo $((rm M)\\\n)",
    "{\\\nz}<&0 rm M",
    "declare -a x='([$\\(rm M)0]=1)'",
    "shopt -s localvar_inherit; f() { local x; $x M; }; x=rm; f",
    "select i in 1; do exec 3<<< 'rm M'; . /dev/fd/3; break; done <<< 1",
    "printf $x-v x[0] %s $'b[$(rm M)]'; printf '%s' $((x))",
    "/bin/sh -c 'alias l\"$x\"s=\"rm M\"\nls'",
    "x=rm\n: ${1:}=a}; x=echo\n$x M",
    "x=rm\n: $((1+)); x=echo\n$x M",
    "x=rm\n: $((08)); x=echo\n$x M",
    "trap 'echo $(( $* ))' EXIT; set -- \"a[\\$(rm M)]\"",
    "x=rm\n: ${,!nosuch}; x=echo\n$x M",
    "x=rm\n: ${#y:-3}; x=echo\n$x M",
    "x=rm\n: ${y z}; x=echo\n$x M",
    "eval 'x=rm\n: ${ylocal :1/0}; x=echo\n$x M'",
    "read -r < t; x=$REPLY\necho $(( ${q:-$!x} ))",
    "read -r x < t; echo $(( $!x ))",
    "x=rm; local x=ls; $x M",
    "y=rm; f() { local x=ls; }; local y=ls; $y M",
};

/* Lines that people write every day. */
static const char *const plain[] = {
    "for i in 1 2 3; do echo $((i + 1)); done",
    "for i in {1..9}; do ((i % 2)) && echo $i; done",
    "for i in $(seq 1 5); do echo $((i * i)); done",
    "i=0; while [ $i -lt 5 ]; do echo $i; i=$((i + 1)); done",
    "i=0; while (( i++ < 5 )); do echo $i; done",
    "for ((i = 0; i < 10; i++)); do echo \"$i\"; done",
    "a=(*.txt); for ((i = 0; i < ${#a[@]}; i++)); do echo \"${a[i]}\"; done",
    "a=(1 2); for i in \"${!a[@]}\"; do echo $((a[i])); done",
    "n=$(wc -l < f); echo $((n / 2))",
    "n=$(ls | wc -l); [[ $n -gt 3 ]] && echo many",
    "start=$(date +%s); sleep 1; echo $(( $(date +%s) - start ))",
    "f=a.txt; n=0; n=$((n + $(wc -l < \"$f\"))); echo $n",
    "n=$(find . -type d | wc -l); let n--; echo $n",
    "echo $((COLUMNS / 2)) $((RANDOM % 6 + 1)) $((SECONDS))",
    "echo $((x + 1)) ${y:1:2} ${#z}",
    "total=0; for n in 3 4; do ((total += n)); done; echo $total",
    "x=5; [[ $x -ge 3 && -n $HOME ]]",
    "f() { local n=$1; echo $((n * 2)); }; f 21",
    "declare -A m; while read -r k; do m[$k]=1; done < f",
    "declare -A m=([a]=1); echo ${m[a]} ${m[$1]}",
    "read -r -p 'Name: ' name; echo \"$name\"",
    "printf -v s '%03d' 7; echo \"$s\"",
    "while IFS= read -r line; do echo \"$line\"; done < f",
    "unset x y; unset 'a[0]'; unset -f g",
    "test -v HOME && [ -n \"$x\" ] && [ \"$a\" = \"$b\" ]",
    "trap - INT; trap '' TERM",
    "trap 'rm -f \"$t\"' EXIT; t=$(mktemp)",
    "export A=1 B=\"$x\"; declare -x C=$HOME",
    "b() { b; }; b",
    "x=ls; $x -l",
    "c=(ls -l); \"${c[@]}\"",
    "echo \"${ date; }\"",
    "for d in a b; do (cd \"$d\" && ls); done",
    "shopt -s nullglob; echo *.c",
    "PS1='\\u@\\h:\\w\\$ '; echo hi",
    "echo \"${x//$'\\n'/ }\" $'a\\tb'",
    "{ x=a; echo $x; } > log; ls",
    "{ x=ls; } 2>/dev/null; $x",
    "{ x=ls; } >&2; $x",
    "n=$((2 + 3))\nx=ls\n$x",
    "x=ls; echo $((n + 1)); $x",
    "exec 3< t; read -u 3 x",
    "exec > log 2>&1; echo a",
    "declare -a x=(a $HOME)",
    "declare -A m=([a]='($x)')",
    "f() { local x='(a b)'; ls; }; f",
    "sh -c 'test -f a && ls \"$1\"' x y",
    "sh -c 'ls > /dev/null 2>&1'",
    "bash -c '[[ -f a ]] && ls'",
    "export PATH=$PATH:/usr/local/bin",
    "PATH=$HOME/bin:~/x:$PATH ls",
    "export PATH=$GOPATH/bin:$PATH",
    "shopt -s nullglob; ls *.c",
    "jobs -l",
    "echo {,a}",
    "cd ~; ls",
    "f() { ls; }\nf",
    "[ $? -eq 0 ] && ls",
    "[ \"$x\" = 1 ] && ls",
    "[ $HOME = / ]",
    "{\\\n ls; }",
    "f() { eval \"x=1\"; }; f",
    "set -- a b; echo \"$*\"",
    "env -S 'ls -l' a",
    "x=ls; y=$HOME; x=ls; $x",
    "x=ls; declare -p x; $x",
    "f() { local x=ls; $x; }; f",
};

static unsigned
facts_of(const char *line, bool *removes)
{
    static const struct path_context where = {
        .cwd = "/nowhere/cwd", .home = "/home/nobody", .path = "/usr/bin:/bin"};
    struct syntax s;
    struct risk r;
    struct err e;
    unsigned facts;

    assert_int_equal(syntax_read(line, strlen(line), &s, &e), 0);
    assert_int_equal(risk_read(&s, &where, &r, &e), 0);
    facts = r.facts;
    *removes = false;
    for (size_t i = 0; i < r.n_calls; i++)
        *removes = *removes || strcmp(r.calls[i].name, "rm") == 0;
    risk_done(&r);
    syntax_done(&s);
    return facts;
}

static void
what_is_evaluated_is_found(void **state)
{
    bool removes;

    (void)state;
    for (size_t i = 0; i < N_OF(found); i++) {
        facts_of(found[i], &removes);
        if (!removes)
            fail_msg("%s", found[i]);
    }
}

static void
what_nobody_knows_is_opaque(void **state)
{
    bool removes;

    (void)state;
    for (size_t i = 0; i < N_OF(opaque); i++)
        if (!(facts_of(opaque[i], &removes) & RISK_OPAQUE))
            fail_msg("%s", opaque[i]);
}

static void
everyday_lines_are_not(void **state)
{
    bool removes;

    (void)state;
    for (size_t i = 0; i < N_OF(plain); i++)
        if (facts_of(plain[i], &removes) & RISK_OPAQUE)
            fail_msg("%s", plain[i]);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_evaluated_is_found),
        cmocka_unit_test(what_nobody_knows_is_opaque),
        cmocka_unit_test(everyday_lines_are_not),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
