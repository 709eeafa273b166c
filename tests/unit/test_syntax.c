/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_syntax.c - tests the trees that the parser makes of command lines. */
#include "unit.h"

#include <string.h>

#include "syntax_show.h"

struct row {
    const char *name, *line, *want;
};

static const struct row calls[] = {
    {"words are cut at blanks", "ls -l\t/tmp", "[ls -l /tmp]"},
    {"an empty line is nothing", "", ""},
    {"a comment is nothing", " # a | b", ""},
    {"a comment ends with its line", "a # b\nc", "(list [a] ; [c])"},
    {"# inside a word is none", "a#b c", "[a#b c]"},
    {"single quotes hide everything", "a 'b; $c'", "[a q:b; $c]"},
    {"double quotes hide blanks", "a \"b  c\"", "[a q:b  c]"},
    {"quotes join with what is beside", "r'm'\"\" x", "[q:rm x]"},
    {"an empty quoted word is a word", "a ''", "[a q:]"},
    {"a backslash hides one character", "r\\m a\\ b", "[q:rm q:a b]"},
    {"in double quotes a backslash hides few", "\"a\\n\\$x\"", "[q:a\\n$x]"},
    {"ANSI quotes are decoded", "$'r\\x6d'", "[qn:rm]"},
    {"a quote for translators is one", "$\"a b\"", "[q:a b]"},
    {"a lone dollar is text", "a$ $", "[a$ $]"},
    {"a command may stand in ${ }", "${ a; } \"${| b; }c\"",
     "[xr:${ a; }<[a]> qxr:${| b; }c<[b]>]"},
    {"lines go on behind a backslash", "a\\\nb &\\\n& c\\\n d",
     "(list [ab] && [c d])"},
    {"a name may be continued", "$H\\\nOME", "[x:$H\\\nOME]"},
    {"assignments stand in front", "A=1 b+=2 c d=3", "[A=1 b+=2 c d=3]"},
    {"assignments may stand alone", "A= B='x y'", "[A= B=q:x y]"},
    {"an index may hold blanks", "a[1 2]=3", "[a[1 2]=3]"},
    {"an index runs what is in it", "a[$(b)]=3", "[a[$(b)]<[b]>=3]"},
    {"without = it is a word", "a[1]b c", "[p:a[1]b c]"},
    {"arrays have words", "a=(b 'c d' # e\n [3]=f) g", "[a=(b q:c d [3]=f) g]"},
    {"an index of an element runs", "a=([$(b)]=c)", "[a=(xr:[$(b)]=c<[b]>)]"},
    {"a declaration takes an array", "declare -a x=(a \"b c\") y",
     "[declare -a q:x=(a b c) y]"},
    {"redirections stand anywhere", ">a b 2>&1 <c d", "[b d >a 2>&1 <c]"},
    {"all redirections", "a <b >c >|d >>e <>f <<<g <&3 >&4 &>h &>>i >&j",
     "[a <b >c >|d >>e <>f <<<g <&3 >&4 &>h &>>i &>j]"},
    {"descriptors have numbers and names", "a 2>b {fd}>c 3>&- 4 >d",
     "[a 4 2>b {fd}>c 3>&- >d]"},
    {"a redirection may stand alone", ">a", "[>a]"},
    {"a minus ends its redirection", ">&-a >& -b", "[a b >&- >&-]"},
    {"a copy may have another right behind", "a >&2>b", "[a >&2 >b]"},
    {"if<(a) is a word", "if<(a)", "[xr:if<(a)<[a]>]"},
    {"$$ is a variable before a bracket too", "a $${b}", "[a x:$${b}]"},
    {"a number before <( is part of a word", "2<(a)", "[xr:2<(a)<[a]>]"},
    {"patterns are marked", "a *.c b? [a-z] @(x|y)",
     "[a p:*.c p:b? p:[a-z] p:@(x|y)]"},
    {"quoted patterns are not", "a '*' \\? \"[a]\"", "[a q:* q:? q:[a]]"},
    {"braces count with a list", "{a,b} {1..3} {} {a}",
     "[p:{a,b} p:{1..3} {} {a}]"},
    {"a tilde expands", "~/a ~b c~ \"~\"", "[x:~/a x:~b c~ q:~]"},
    {"a reserved word elsewhere is a word", "echo if then }",
     "[echo if then }]"},
    {"a quoted reserved word is a command", "'if' a", "[q:if a]"},
};

static const struct row lists[] = {
    {"all that joins commands", "a && b || c; d & e\nf",
     "(list [a] && [b] || [c] ; [d] & [e] ; [f])"},
    {"pipes", "a | b |& c", "(pipe [a] | [b] |& [c])"},
    {"pipes bind more than lists", "a | b && c",
     "(list (pipe [a] | [b]) && [c])"},
    {"a list goes on behind its operator", "a &&\n\n# c\nb |\nc",
     "(list [a] && (pipe [b] | [c]))"},
    {"one command is no list", "a;", "[a]"},
    {"one in the background is known", "a &", "[a] &"},
    {"! and time are of the pipeline", "! a | b; time -p c",
     "(list ! (pipe [a] | [b]) ; time [c])"},
    {"! twice is none", "! ! a", "[a]"},
    {"! and time may stand alone", "!; time", "(list ! [] ; time [])"},
    {"! is a word elsewhere", "a ! b", "[a ! b]"},
    {"time is a word behind a pipe", "a | time b", "(pipe [a] | [time b])"},
    {"! before a bracket negates", "!(a)", "! (sub [a])"},
    {"subshells and groups", "(a; b) | { c; }",
     "(pipe (sub (list [a] ; [b])) | (group [c]))"},
    {"they may be redirected", "{ a; } >b 2>c", "(group [a] >b 2>c)"},
    {"a reserved word follows a bracket", "{ (a) }", "(group (sub [a]))"},
    {"functions, in both forms", "f() { a; }; function g (b)",
     "(list (function f (group [a])) ; (function g (sub [b])))"},
    {"a function's body may be redirected", "f() { a; } >b",
     "(function f (group [a] >b))"},
    {"coprocesses, with and without a name", "coproc n { a; }; coproc b c",
     "(list (coproc n (group [a])) ; (coproc [b c]))"},
};

static const struct row compounds[] = {
    {"if", "if a; then b; elif c\nthen d; else e; fi >f",
     "(if [a] [b] [c] [d] [e] >f)"},
    {"for", "for x in a b*; do c $x; done", "(for x a p:b* [c x:$x])"},
    {"for without a list", "for x; do a; done; for x\ndo b; done",
     "(list (for x [a]) ; (for x [b]))"},
    {"for with braces", "for x in a; { b; }", "(for x a [b])"},
    {"for in arithmetic", "for ((i=0; i<3; i++)); do a; done",
     "(for(( x:i=0; i<3; i++ [a])"},
    {"select", "select x in a b; do c; done", "(select x a b [c])"},
    {"while and until", "while a; do b; done; until c; do d; done <e",
     "(list (while [a] [b]) ; (until [c] [d] <e))"},
    {"case, with all ends of an item",
     "case $x in a|b) c;; (d) e;& f*) ;;& g) h\nesac",
     "(case x:$x (item a b [c]) (item d [e]) (item p:f*) (item g [h]))"},
    {"an empty case", "case a in esac", "(case a)"},
    {"a test", "[[ -f a && ( $b == c* || ! d ) ]] && e",
     "(list (test o:-f a o:&& o:( x:$b o:== p:c* o:|| o:! d o:)) && [e])"},
    {"a regular expression has brackets", "[[ a =~ (b c)d|e ]]",
     "(test a o:=~ p:(b c)d|e)"},
    {"< in a test compares", "[[ a<b ]]", "(test a o:< b)"},
    {"arithmetic", "((a > 1)) && b", "(list (arith x:a > 1) && [b])"},
    {"two subshells are no arithmetic", "((a); (b))",
     "(sub (list (sub [a]) ; (sub [b])))"},
};

static const struct row inside[] = {
    {"substitutions run", "a $(b | c) `d` \"$(e)\"",
     "[a xr:$(b | c)<(pipe [b] | [c])> xr:`d`<[d]> qxr:$(e)<[e]>]"},
    {"quotes nest in them", "\"$(a \"b\" \"$(c)\")\"",
     "[qxr:$(a \"b\" \"$(c)\")<[a q:b qxr:$(c)<[c]>]>]"},
    {"an empty one runs nothing", "$( ) ``", "[x:$( ) x:``]"},
    {"backticks nest behind backslashes", "`a \\`b \\\\\\`c\\\\\\`\\``",
     "[xr:`a \\`b \\\\\\`c\\\\\\`\\``<[a xr:`b \\`c\\``<[b xr:`c`<[c]>]>]>]"},
    {"processes for files", "a <(b) > >(c)", "[a xr:<(b)<[b]> >xr:>(c)<[c]>]"},
    {"what a parameter falls back on runs", "${x:-$(a)} ${y:-<(b)}",
     "[xr:${x:-$(a)}<[a]> xr:${y:-<(b)}<[b]>]"},
    {"single quotes in quotes hide nothing", "\"${x:-'$(a)'}\"",
     "[qxr:${x:-'$(a)'}<[a]>]"},
    {"nor in an index and an offset", "${x['$(a)']} ${x:'$(b)'} ${x[0]:'$(c)'}",
     "[xr:${x['$(a)']}<[a]> xr:${x:'$(b)'}<[b]> xr:${x[0]:'$(c)'}<[c]>]"},
    {"outside quotes they do", "${x:-'$(a)'}", "[x:${x:-'$(a)'}]"},
    {"but do in a pattern", "\"${x#'$(a)'}\"", "[qx:${x#'$(a)'}]"},
    {"arithmetic runs what is in it", "$((1 + $(a))) $[`b`]",
     "[xr:$((1 + $(a)))<[a]> xr:$[`b`]<[b]>]"},
    {"an escape in it hides a quote", "$((1 + $(a $'b\\'')))",
     "[xr:$((1 + $(a $'b\\'')))<[a qn:b']>]"},
    {"two brackets are no arithmetic", "$((a); (b))",
     "[xr:$((a); (b))<(list (sub [a]) ; (sub [b]))>]"},
    {"patterns run what is in them", "a @(b|$(c))* {d,`e`}",
     "[a pr:@(b|$(c))*<[c]> pr:{d,`e`}<[e]>]"},
    {"a case is no end of a substitution", "$(case a in b) c;; esac)",
     "[xr:$(case a in b) c;; esac)<(case a (item b [c]))>]"},
    {"nor is a comment", "$(a # )\n)", "[xr:$(a # )\n)<[a]>]"},
    {"a here-document follows its line", "a <<E | b\nx $(y)\nE\nc",
     "(list (pipe [a <<E(xr:x $(y)\n<[y]>)] | [b]) ; [c])"},
    {"a quoted one is text", "a <<'E'\n$(b)\nE", "[a <<q:E($(b)\n)]"},
    {"two come in order", "a <<E <<F\n1\nE\n2\nF\n", "[a <<E(1\n) <<F(2\n)]"},
    {"tabs are stripped", "a <<-E\n\tb\n\t\t$c\n\tE\n", "[a <<E(x:b\n$c\n)]"},
    {"one in a substitution", "$(a <<E\nb\nE\n) c",
     "[xr:$(a <<E\nb\nE\n)<[a <<E(b\n)]> c]"},
    {"its end may have the bracket behind it", "$(a <<E\nb\nE)\nc",
     "(list [xr:$(a <<E\nb\nE)<[a <<E(b\n)]>] ; [c])"},
    {"one without an end takes the rest", "a <<E\nb\n", "[a <<E(b\n)]"},
    {"a continued line is no end", "a <<E\nb\\\nE\nE\nc",
     "(list [a <<E(bE\n)] ; [c])"},
};

static const struct row faults[] = {
    {"an open single quote", "a 'b", "[a] !unclosed single quote"},
    {"an open double quote", "a \"b", "[a q:b] !unclosed double quote"},
    {"an open ANSI quote", "a $'b\\'", "[a] !unclosed $' quote"},
    {"an open backtick", "a `b", "[a] !unclosed backtick"},
    {"an open substitution", "a $(b", "[a xr:$(b<[b]>] !unclosed substitution"},
    {"a command in ${ } that is not closed", "${ a;",
     "[xr:${ a;<[a]>] !unclosed substitution"},
    {"an open parameter", "${a", "[x:${a] !unclosed ${"},
    {"an open bracket", "a; (b",
     "(list [a] ; (sub [b])) "
     "!unclosed ("},
    {"an open group", "{ a }", "(group [a }]) !unclosed {"},
    {"an open array", "a=(b", "[a=(b)] !unclosed ("},
    {"an open if", "if a; then b", "(if [a] [b]) !an \"if\" without \"fi\""},
    {"a list that does not go on", "a &&", "[a] !unexpected end"},
    {"an operator in front", "| a", " !an unexpected \"|\""},
    {"two operators", "a && || b", "[a] !an unexpected \"||\""},
    {"an empty subshell", "()", "(sub) !an unexpected \")\""},
    {"a reserved word alone", "a; then b", "[a] !an unexpected \"then\""},
    {"a redirection to nothing", "a >", "[a] !unexpected end"},
    {"a word behind a subshell", "(a) b", "(sub [a]) !an unexpected \"b\""},
    {"a function of a simple command", "f() a",
     "(function f) !an unexpected \"a\""},
    {"a for that is not of three parts", "for ((a;b)); do c; done",
     "(for(( x:a;b) !a \"for ((\" that is not of three parts"},
    {"an operator in an array", "declare a=(b;c)",
     "[declare a=(b] !an unexpected \";c\""},
    {"]] as a command", "]] a", " !an unexpected \"]]\""},
    {"a descriptor for a target", "a >2>b", "[a] !an unexpected \"2\""},
    {"a function of a coprocess", "f() coproc a",
     "(function f) !an unexpected \"coproc\""},
    {"! behind a pipe", "a | ! b", "[a] !an unexpected \"!\""},
    {"a test of two words", "[[ a b ]]", "(test a) !an unexpected \"b\""},
};

static void
check_row(void **state)
{
    const struct row *row = *state;
    CLEANUP(syntax_done) struct syntax s = {0};
    CLEANUP_BUF struct buf b = buf_of(65536);
    size_t n = strlen(row->line);
    struct err e;

    assert_int_equal(syntax_read(row->line, n, &s, &e), 0);
    syntax_show(&b, &s);
    assert_string_equal(b.p, row->want[0] == ' ' ? row->want + 1 : row->want);
    assert_null(syntax_wrong(&s, n));
}

struct table {
    const struct row *rows;
    size_t n;
};

static const struct table tables[] = {
    {calls, N_OF(calls)},         {lists, N_OF(lists)},
    {compounds, N_OF(compounds)}, {inside, N_OF(inside)},
    {faults, N_OF(faults)},
};

int
main(void)
{
    struct CMUnitTest tests[N_OF(calls) + N_OF(lists) + N_OF(compounds) +
                            N_OF(inside) + N_OF(faults)];
    size_t n = 0;

    for (size_t t = 0; t < N_OF(tables); t++)
        for (size_t i = 0; i < tables[t].n; i++)
            tests[n++] = (struct CMUnitTest){
                .name = tables[t].rows[i].name,
                .test_func = check_row,
                .initial_state = (void *)(uintptr_t)&tables[t].rows[i]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
