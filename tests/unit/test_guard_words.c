/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_guard_words.c - command lines and the words bash sees in them. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "guard/words.h"

struct row {
    const char *name, *line, *want;
};

/* Flags as letters before the bracket: q quoted, n $'…', a assignment,
 * v variable, c command, i arithmetic, p process, g glob, b brace, t tilde,
 * T inside [[ ]]. R is a redirection, > its target, H a here-document. */
static const struct row rows[] = {
    {"plain words are split at blanks", "ls -l  /tmp\t.",
     "[ls] [-l] [/tmp] [.]"},
    {"an empty line has no words", " \t ", ""},
    {"operators need no blanks", "a|b&&c||d;e&",
     "[a] | [b] && [c] || [d] ; "
     "[e] &"},
    {"the longest operator wins", "a|&b;;c;;&d;&e",
     "[a] |& [b] ;; [c] ;;& "
     "[d] ;& [e]"},
    {"single quotes hide everything", "echo 'a b|c$x'", "[echo] q[a b|c$x]"},
    {"double quotes hide blanks", "echo \"a b\" c", "[echo] q[a b] [c]"},
    {"quotes join with what is beside", "e'ch'\"o\" a", "q[echo] [a]"},
    {"an empty quoted word is a word", "a '' b", "[a] q[] [b]"},
    {"a backslash hides one byte", "r\\m a\\ b", "q[rm] q[a b]"},
    {"a backslash in double quotes hides few", "\"a\\n\\$x\\\\\"",
     "q[a\\n$x\\]"},
    {"a continued line is one line", "echo a\\\nb \\\n c", "[echo] [ab] [c]"},
    {"a newline is an operator", "a\nb", "[a] NL [b]"},
    {"ANSI quotes are decoded", "$'r\\x6d' $'\\u00e9\\n'",
     "qn[rm] qn[\303\251\n]"},
    {"a NUL ends an ANSI quote's text", "$'ab\\0cd'e", "qn[abe]"},
    {"variables are seen bare and quoted", "$a \"$b\" '$c'",
     "v[$a] qv[$b] q[$c]"},
    {"braced variables reach their brace", "${a:-\"}\"}b", "v[${a:-\"}\"}b]"},
    {"a lone dollar is text", "a$ '$'", "[a$] q[$]"},
    {"command substitutions stand whole", "a$(b | c \")\")d e",
     "c[a$(b | c \")\")d] [e]"},
    {"backticks too", "`id -u`x", "c[`id -u`x]"},
    {"a substitution in quotes is seen", "\"$(id)\"", "qc[$(id)]"},
    {"arithmetic is no command", "$((1+(2))) $[3]", "i[$((1+(2)))] i[$[3]]"},
    {"two subshells are no arithmetic", "$((a);(b))", "c[$((a);(b))]"},
    {"process substitutions are words", "diff <(a) >(b)",
     "[diff] p[<(a)] p[>(b)]"},
    {"globs are marked", "*.c a? [ab] [ ]", "g[*.c] g[a?] g[[ab]] [[] []]"},
    {"quoted globs are not", "'*' \\* \"?\"", "q[*] q[*] q[?]"},
    {"braces count with a list", "{a,b} {1..3} {} {a}",
     "b[{a,b}] b[{1..3}] [{}] [{a}]"},
    {"a tilde counts in front", "~ ~me/x a~ '~'", "t[~] t[~me/x] [a~] q[~]"},
    {"a tilde counts in assignments", "A=~/x:~/y b:~", "at[A=~/x:~/y] [b:~]"},
    {"assignments are marked", "A=1 B+=2 c[1]=3 1d=4",
     "a[A=1] a[B+=2] ag[c[1]=3] [1d=4]"},
    {"an array is one word", "a=(b 'c d') e", "av[a=(b 'c d')] [e]"},
    {"redirections keep descriptor and target", "a >b 2>&1 3<c",
     "[a] R> >[b] R2>& >[1] R3< >[c]"},
    {"digits apart are words", "a 2 >b", "[a] [2] R> >[b]"},
    {"a named descriptor is one", "{fd}>x", "Rv> >[x]"},
    {"all the redirections", "a &>b >>c >|d <>e <<<f &>>g",
     "[a] R&> >[b] R>> >[c] R>| >[d] R<> >[e] R<<< >[f] R&>> >[g]"},
    {"a here-document follows its line", "cat <<E; b\nx $y\nE\nc",
     "[cat] R<< >[E] ; [b] NL vH[x $y\n] [c]"},
    {"a quoted mark keeps the body as it is", "cat <<'E'\n$y `z`\nE\n",
     "[cat] R<< q>[E] NL qH[$y `z`\n]"},
    {"tabs are skipped before the mark", "cat <<-E\n\tx\n\tE\n",
     "[cat] R<<- >[E] NL H[\tx\n]"},
    {"two here-documents come in order", "a <<X <<Y\n1\nX\n2\nY\n",
     "[a] R<< >[X] R<< >[Y] NL H[1\n] H[2\n]"},
    {"comments end with the line", "a #b |\nc#d", "[a] #[#b |] NL [c#d]"},
    {"a comment may hold anything in $(…)", "$(a # )\n)b", "c[$(a # )\n)b]"},
    {"braces group only in front", "{ a; }; echo { }",
     "{ [a] ; } ; [echo] [{] [}]"},
    {"! negates only in front", "! a !", "! [a] [!]"},
    {"parentheses are operators", "(a;b)", "( [a] ; [b] )"},
    {"between [[ and ]] nothing redirects", "[[ a < b && -n c ]] > d",
     "[[[] T[a] T[<] T[b] T[&&] T[-n] T[c] []]] R> >[d]"},
    {"arithmetic commands are one word", "((a<b)) && for ((;;)) do x",
     "i[((a<b))] && [for] i[((;;))] [do] [x]"},
    {"a reserved word begins a command", "if { a; } then { b; } fi",
     "[if] { [a] ; } [then] { [b] ; } [fi]"},
    {"an extended glob is one word", "ls !(a|b).c", "[ls] g[!(a|b).c]"},
};

static const struct row faults[] = {
    {"an open single quote", "a 'b", "a single quote that is not closed"},
    {"an open double quote", "a \"b", "a double quote that is not closed"},
    {"an open ANSI quote", "a $'b\\'", "a $' quote that is not closed"},
    {"an open backtick", "a `b", "a backtick that is not closed"},
    {"an open substitution", "a $(b", "a bracket that is not closed"},
    {"an open brace", "a ${b", "a bracket that is not closed"},
    {"a redirection to nothing", "a >", "a redirection without a target"},
    {"a redirection to an operator", "a > | b",
     "a redirection without a target"},
    {"a here-document without its end", "a <<E\nb",
     "a here-document without its end"},
    {"a here-document without a body", "a <<E",
     "a here-document without its end"},
    {"an open test", "[[ a", "[[ without ]]"},
    {"an unclosed bracket in a body", "a <<E\n$(\nE\nb c d e f g\n",
     "a bracket that is not closed"},
};

static void
show_word(struct buf *out, const struct word *w)
{
    static const char letters[] = "qnavcipgbtT";

    if (w->kind == WORD_OPERATOR) {
        buf_str(out, w->text[0] == '\n' ? "NL" : w->text);
        return;
    }
    if (w->kind == WORD_REDIRECT) {
        buf_ch(out, 'R');
        if (w->fd >= 0)
            buf_printf(out, "%d", w->fd);
        buf_printf(out, "%s%s", w->fd == WORD_FD_NAMED ? "v" : "", w->text);
        return;
    }
    for (unsigned i = 0; letters[i]; i++)
        if (w->flags >> i & 1 && !(letters[i] == 'T' && word_is(w, "]]")))
            buf_ch(out, letters[i]);
    if (w->kind != WORD_PLAIN)
        buf_ch(out, w->kind == WORD_TARGET    ? '>'
                    : w->kind == WORD_HEREDOC ? 'H'
                                              : '#');
    buf_printf(out, "[%s]", w->text);
}

static void
lines_are_cut_as_bash_cuts_them(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        struct words w;
        struct buf out;
        struct err e;

        buf_init(&out, 4096);
        assert_int_equal(
            words_split(rows[i].line, strlen(rows[i].line), &w, &e), 0);
        for (size_t k = 0; k < w.n; k++) {
            buf_str(&out, k ? " " : "");
            show_word(&out, &w.v[k]);
        }
        if (w.fault || strcmp(out.p, rows[i].want) != 0)
            fail_msg("%s: got %s (%s), not %s", rows[i].name, out.p,
                     w.fault ? w.fault : "no fault", rows[i].want);
        words_done(&w);
        buf_done(&out);
    }
}

static void
what_bash_rejects_is_a_fault(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(faults); i++) {
        struct words w;
        struct err e;

        assert_int_equal(
            words_split(faults[i].line, strlen(faults[i].line), &w, &e), 0);
        if (!w.fault || strcmp(w.fault, faults[i].want) != 0)
            fail_msg("%s: %s", faults[i].name, w.fault ? w.fault : "none");
        assert_true(w.fault_at <= strlen(faults[i].line));
        words_done(&w);
    }
}

static void
words_know_their_bytes(void **state)
{
    const char *line = "a 'b c' 2>>d";
    struct words w;
    struct err e;

    (void)state;
    assert_int_equal(words_split(line, strlen(line), &w, &e), 0);
    assert_int_equal(w.n, 4);
    assert_int_equal(w.v[1].from, 2);
    assert_int_equal(w.v[1].to, 7);
    assert_int_equal(w.v[2].from, 8);
    assert_int_equal(w.v[2].to, 11);
    assert_int_equal(w.v[3].from, 11);
    words_done(&w);
}

static void
parts_name_the_outer_expansions(void **state)
{
    const char *line = "a \"x$(b $(c))\" ${d} $((1))";
    struct words w;
    struct err e;

    (void)state;
    assert_int_equal(words_split(line, strlen(line), &w, &e), 0);
    assert_int_equal(w.n_parts, 3);
    assert_int_equal(w.parts[0].flag, WORD_COMMAND);
    assert_int_equal(w.parts[0].word, 1);
    assert_memory_equal(line + w.parts[0].in, "b $(c)", 6);
    assert_int_equal(w.parts[0].in_to - w.parts[0].in, 6);
    assert_int_equal(w.parts[1].flag, WORD_VARIABLE);
    assert_memory_equal(line + w.parts[2].in, "1", 1);
    assert_int_equal(w.parts[2].in_to - w.parts[2].in, 1);
    words_done(&w);
}

static void
deep_nesting_is_a_fault_and_no_crash(void **state)
{
    size_t n = 100 * 1000;
    char *line = malloc(n);
    struct words w;
    struct err e;

    (void)state;
    assert_non_null(line);
    for (size_t i = 0; i < n; i++)
        line[i] = "$("[i % 2];
    assert_int_equal(words_split(line, n, &w, &e), 0);
    assert_string_equal(w.fault, "brackets nested too deeply");
    words_done(&w);
    free(line);
}

static void
a_line_too_long_is_refused(void **state)
{
    size_t n = WORDS_LINE_MAX + 1;
    char *line = calloc(1, n);
    struct words w;
    struct err e;

    (void)state;
    assert_non_null(line);
    assert_int_equal(words_split(line, n, &w, &e), -1);
    assert_int_equal(e.code, ERR_INVALID);
    free(line);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_cut_as_bash_cuts_them),
        cmocka_unit_test(what_bash_rejects_is_a_fault),
        cmocka_unit_test(words_know_their_bytes),
        cmocka_unit_test(parts_name_the_outer_expansions),
        cmocka_unit_test(deep_nesting_is_a_fault_and_no_crash),
        cmocka_unit_test(a_line_too_long_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
