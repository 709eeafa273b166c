/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_explain.c - command lines are explained from pages of the test. */
#include "unit_seat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "offline/explain/explain.h"
#include "tests/unit/pages.h"

struct row {
    const char *line;
    const char *parts; /* what is explained, in order, " | " between */
};

struct meaning_row {
    const char *line, *part, *meaning; /* a part of the meaning */
};

/* spin, spin-fast, spin-keygen, whirl and turnctl have pages in
 * tests/data/man; for all others there are our tables. */
static const struct row rows[] = {
    {"spin w", "spin | w"},
    {"spin -av w", "spin | -a | -v | w"},
    {"spin -n 3 w", "spin | -n | 3 | w"},
    {"spin -vn3 w", "spin | -v | -n | 3 | w"},
    {"spin --number=3 w", "spin | --number | 3 | w"},
    {"spin --number 3 w", "spin | --number | 3 | w"},
    {"spin --number='3 4' w", "spin | --number | '3 4' | w"},
    {"spin -n'3 4' w", "spin | -n | '3 4' | w"},
    {"spin '--number'=3 w", "spin | --number | '--number'=3 | w"},
    {"spin --num 3 w", "spin | --num | 3 | w"},
    {"spin --colour w", "spin | --colour | w"},
    {"spin --colour=red w", "spin | --colour | red | w"},
    {"spin -s5 -20 w", "spin | -s | 5 | -20 | w"},
    {"spin -silent -rate 5 w", "spin | -silent | -rate | 5 | w"},
    {"spin -- -a", "spin | -- | -a"},
    {"spin fast -q x", "spin | fast | -q | x"},
    {"spin keygen", "spin | keygen"},
    {"whirl -a w", "whirl | -a | w"},
    {"turnctl start a b", "turnctl | start | a | b"},
    {"tar -xzvf a.tgz -C /srv", "tar | -x | -z | -v | -f | a.tgz | -C | /srv"},
    {"tar xzf a.tgz b", "tar | x | z | f | a.tgz | b"},
    {"tar cbf 20 a.tar d", "tar | cbf | 20 | a.tar | d"},
    {"tar cfC a.tar /srv d", "tar | c | f | C | a.tar | /srv | d"},
    {"ps aux", "ps | a | u | x"},
    {"ps -ef", "ps | -e | -f"},
    {"dd if=a of=b", "dd | if= | a | of= | b"},
    {"find . -name '*.c' ! -size +5k -delete",
     "find | . | -name | '*.c' | ! | -size | +5k | -delete"},
    {"find . -exec rm -f {} \\;", "find | . | -exec | rm | -f | {} | \\;"},
    {"find . -execdir tar cf x {} + -print",
     "find | . | -execdir | tar | c | f | x | {} | + | -print"},
    {"sudo -u bob env A=1 ls -l", "sudo | -u | bob | env | A=1 | ls | -l"},
    {"timeout -k 5 10 nice -n 3 ls",
     "timeout | -k | 5 | 10 | nice | -n | 3 | ls"},
    {"xargs -0 -I{} mv {} /srv", "xargs | -0 | -I | {} | mv | {} | /srv"},
    {"ssh -p 22 host ls -l", "ssh | -p | 22 | host | ls | -l"},
    {"ssh host 'ls -l | wc'", "ssh | host | ls | -l | | | wc"},
    {"bash -c 'ls -l' x", "bash | -c | 'ls -l' | ls | -l | x"},
    {"docker run --rm -it img ls -l",
     "docker | run | --rm | -i | -t | img | ls | -l"},
    {"ls | wc -l > out 2>&1 &", "ls | | | wc | -l | > out | 2>&1 | &"},
    {"LANG=C sort a", "LANG=C | sort | a"},
    {"ls $(pwd) *.c ~", "ls | $(pwd) | $(pwd) | pwd | *.c | *.c | ~ | ~"},
    {"cat <<E\nx\nE", "cat | <<E | x"},
    {"if ls; then cd /; fi", "if | ls | ; | then | cd | / | ; | fi"},
    {"for i in a b; do rm $i; done",
     "for | i | in | a | b | ; | do | rm | $i | $i | ; | done"},
    {"case $x in a|b) ls;; esac",
     "case | $x | $x | in | a | b | ls | ;; | esac"},
    {"f() { ls; }", "f | { | ls | ; | }"},
    {"[[ -f a && $b == c ]]", "[[ | -f | a | && | $b | $b | == | c | ]]"},
    {"((i++)); ls", "((i++)) | ; | ls"},
    {"for ((i=0;;)); do ls; done", "for | ((i=0;;)) | ; | do | ls | ; | done"},
    {"function f { ls; } >a", "function | f | { | ls | ; | } | >a"},
    {"! time (ls) &", "! | time | ( | ls | ) | &"},
    {"echo `ls | wc` `ls \\`pwd\\``",
     "echo | `ls | wc` | `ls | wc` | ls | | | wc | `ls \\`pwd\\`` | "
     "`ls \\`pwd\\`` | ls | `pwd` | `ls \\`pwd\\`` | pwd"},
    {"(cat <<E\nif x; y\nE\n) # c", "( | cat | <<E | if x; y | ) | # c"},
    {"ls ${x:-$(pwd)}", "ls | ${x:-$(pwd)} | ${x:-$(pwd)} | $(pwd) | pwd"},
    {"ls # all", "ls | # all"},
    {"echo -n -x --- a", "echo | -n | -x | --- | a"},
    {"killall -USR1 -9 dd", "killall | -USR1 | -9 | dd"},
    {"command time -f %e ls -l", "command | time | -f | %e | ls | -l"},
    {"/bin/kill -x 1", "/bin/kill | -x | 1"},
    {"sudo !!", "sudo | !!"},
    {"trap 'rm x' EXIT", "trap | 'rm x' | rm | x | EXIT"},
    {"frobnicate -x y", "frobnicate | -x | y"},
    {"./x y", "./x | y"},
    {"/usr/bin/spin -a w", "/usr/bin/spin | -a | w"},
    {"$x y", "$x | $x | y"},
    {"kill -9 -1", "kill | -9 | -1"},
    {"git push --force-with-lease o m",
     "git | push | --force-with-lease | o | m"},
    {"command -v ls -x", "command | -v | ls | -x"},
    {"time -p ls", "time | -p | ls"},
    {"docker compose up -d", "docker | compose | up | -d"},
    {"gcc -O2 -Wall -lm", "gcc | -O | 2 | -Wall | -l | m"},
    {"make -j 4 all", "make | -j | 4 | all"},
    {"make -j all", "make | -j | all"},
    {"kubectl exec -it p -- ls -l",
     "kubectl | exec | -i | -t | p | -- | ls | -l"},
    {"spin --signed o", "spin | --signed | o"},
    {"spin --signed=o", "spin | --signed | o"},
    {"", ""},
};

static const struct meaning_row meanings[] = {
    {"spin w", "spin", "turn wheels"},
    {"spin -a w", "-a", "Turn all wheels."},
    {"spin --colo w", "--colo", "not found in spin(1)"},
    {"spin --colos w", "--colos", "big ones"},
    {"spin -z w", "-z", "an option not found in spin(1)"},
    {"spin -n 3 w", "3", "COUNT, for -n"},
    {"spin -n 3 w", "-n", "Turn 3 times, which"},
    {"spin -n -3 w", "-n", "Turn COUNT times, which"},
    {"spin --number='a b' w", "--number", "Turn 'a b' times, which"},
    {"spin -at 7 w", "-at", "The mode is exactly 7."},
    {"spin -at -7 w", "-at", "All of 7 is there, and more may be."},
    {"spin -at /7 w", "-at", "Some of 7 is there."},
    {"spin -but -at 7 w", "7", "mode, for -at"},
    {"spin -but -at 7 w", "-at", "The mode is exactly 7."},
    {"spin -azq w", "-azq", "an option not found in spin(1)"},
    {"find . -namefoo", "-namefoo", "an option not found in our table"},
    {"find . -foo", "-foo", "an option not found in our table"},
    {"find . -not -path ./x", "./x", "PATTERN, for -path"},
    {"lsof -sTCP:LISTEN -i", "TCP:LISTEN", "PROTOCOL:STATES, for -s"},
    {"lsof -sTCP:LISTEN -i", "-s", "only sockets of this protocol in"},
    {"spin w f", "w", "the argument WHEEL"},
    {"spin w f", "f", "a file"},
    {"spin fast -q x", "fast", "in a hurry"},
    {"spin fast --no-quiet x", "--no-quiet", "Say nothing about it."},
    {"spin fast x", "x", "the argument axle"},
    {"spin keygen", "keygen", "the argument WHEEL"},
    {"whirl -a w", "whirl", "turn wheels"},
    {"turnctl -d 3 start x", "-d", "Tell more, up to 3."},
    {"turnctl start x", "start", "Begin to turn it."},
    {"tar xf a b", "b", "what to take from the archive"},
    {"tar cf a b", "b", "what goes into the archive"},
    {"tar cf - a", "f", "writes the archive to standard output"},
    {"tar xf - a", "f", "reads the archive from standard input"},
    {"tar xf a", "f", "the archive is a"},
    {"find -mtime +7 -mtime -9", "-mtime", "it changed in the last 9 days"},
    {"find -type f", "-type", "it is a regular file"},
    {"git log x -- y", "x", "these commits"},
    {"git log x -- y", "y", "only commits that changed this"},
    {"spin w -- f", "f", "a file"},
    {"sh -c x a b c", "a", "$0 in the commands"},
    {"sh -c x a b c", "c", "$2 in the commands"},
    {"find -exec sh -c x _ {} \\;", "{}",
     "stands for each name: $1 in the commands"},
    {":(){ :|:& };:", ":", "the function that this line makes"},
    {"f() { f; }", "f", "this function itself, called again"},
    {"f() { ls; }; f a b", "b", "$2 in the function"},
    {"f() { ls; }; command f -v", "f", "no manual page for f"},
    {"sh x a b", "b", "$2 in the commands"},
    {"sed -i s/a/b/ c.ini", "c.ini", "what is changed"},
    {"sed -n -e 3p f", "-e", "the lines, only line 3"},
    {"sed -i.old d f", "-i", "with the old text kept in *.old"},
    {"sed p a.txt b.txt", "a.txt", "what is read"},
    {"python3 a.py -v x", "-v", "for the program: its argument 1"},
    {"bash a.sh -x", "-x", "$1 in the commands"},
    {"spin -when 7 w", "-when", "Turn until 7."},
    {"spin -s", "-s", "Turn at this speed; its value is missing here"},
    {"tar -xf", "-f", "its value is missing here"},
    {"spin -s 7 w", "-s", "Turn at this speed."},
    {"cp a b", "a", "what is copied"},
    {"cp a b", "b", "where the copy goes"},
    {"cp a b c", "b", "what is copied"},
    {"cp -t d a", "a", "what is copied"},
    {"grep x y", "x", "what is looked for"},
    {"grep x y", "y", "where it is looked for"},
    {"grep -e x y", "y", "where it is looked for"},
    {"chmod 644 a", "644", "the mode"},
    {"head -5 a", "-5", "so many lines"},
    {"kill -9 1", "-9", "SIGKILL"},
    {"cd -", "-", "the directory before"},
    {"trap - INT", "-", "what was there before"},
    {"trap x INT", "INT", "Ctrl-C was typed"},
    {"timeout -s 9 1 ls", "9", "this signal: kill at once"},
    {"sed s/a/b/g f", "s/a/b/g", "the lines, with every a made b"},
    {"sed '2,$d' f", "'2,$d'", "the lines, without lines 2 to the last"},
    {"sed -n /x/p f", "/x/p", "the lines, only lines that contain x"},
    {"awk '{print $1, $3}' f", "'{print $1, $3}'",
     "writes field 1 and field 3 of each line"},
    {"awk '{n+=$2} END {print n}' f", "'{n+=$2} END {print n}'",
     "adds up field 2 of the lines"},
    {"awk '/x/' f", "'/x/'", "writes the lines, only those that match x"},
    {"awk 'END{print NR}' f", "'END{print NR}'", "counts the lines"},
    {"awk '{x}' f", "'{x}'", "the program"},
    {"awk '{print $1}' f", "f", "what is read"},
    {"sed s/a/b/ s/c/d/", "s/c/d/", "what is read"},
    {"cat -", "-", "standard input"},
    {"ls -", "-", "what to list"},
    {"rm -- -", "-", "what is removed"},
    {"cp - b", "-", "what is copied"},
    {"touch -", "-", "standard input or output instead of a file"},
    {"ls 2>/dev/null", "2>/dev/null", "error messages are thrown away"},
    {"ls >&2", ">&2", "what is written goes where error messages go"},
    {"ls 2>&1", "2>&1", "error messages go where what is written goes"},
    {"ls >>a", ">>a", "added at the end of a"},
    {"ls &>a", "&>a", "error messages too, goes to a"},
    {"wc <<<x", "<<<x", "the text x is the input"},
    {"echo ${x:-y}", "${x:-y}", "the value of x, or what stands behind :-"},
    {"echo $?", "$?", "the exit status of the last command"},
    {"echo ${#x}", "${#x}", "the length of x"},
    {"echo $1", "$1", "argument 1"},
    {"diff <(a) b", "<(a)", "a file from which"},
    {"frobnicate -x", "frobnicate",
     "no manual page for frobnicate on this machine, and not in the built-in "
     "tables"},
    {"echo -n -x", "-x", "what it writes"},
    {"cd -x", "-x", "an option not found in the builtin"},
    {"killall -USR1 a", "-USR1", "this signal, by name"},
    {"turnctl --verbose a", "--verbose", "Say more."},
    {"kill -9 -1", "-1", "every process that you may signal"},
    {"kill -HUP 0", "0", "every process of the shell's own group"},
    {"/bin/kill -s INT -7", "-7", "every process of the group 7"},
    {"kill -1 7", "-1", "SIGHUP"},
    {"git push --force-with-lease o m", "o", "where to"},
    {"spin --signed o", "o", "the argument WHEEL"},
    {"time -p ls", "-p", "POSIX"},
    {"echo 'a", "", "bash would not read this: unclosed single"},
};

static void
lines_are_explained_part_by_part(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        struct explain x;
        struct buf got;
        struct err e;

        buf_init(&got, 4096);
        assert_int_equal(explain_line(unit_seat(), rows[i].line, &x, &e), 0);
        for (size_t k = 0; k < x.n; k++)
            buf_printf(&got, "%s%s", k ? " | " : "", x.parts[k].what);
        if (strcmp(got.p, rows[i].parts) != 0)
            fail_msg("%s: %s", rows[i].line, got.p);
        buf_done(&got);
        explain_done(&x);
    }
}

static const struct explain_part *
find_part(const struct explain *x, const char *what)
{
    const struct explain_part *found = NULL;

    for (size_t i = 0; i < x->n; i++)
        if (strcmp(x->parts[i].what, what) == 0)
            found = &x->parts[i];
    return found;
}

static void
each_part_has_its_meaning(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(meanings); i++) {
        const struct explain_part *p;
        struct explain x;
        struct err e;

        assert_int_equal(explain_line(unit_seat(), meanings[i].line, &x, &e),
                         0);
        p = find_part(&x, meanings[i].part);
        if (!p || !strstr(p->meaning, meanings[i].meaning))
            fail_msg("%s: %s: %s", meanings[i].line, meanings[i].part,
                     p ? p->meaning : "no such part");
        explain_done(&x);
    }
}

static void
what_is_not_known_is_reported(void **state)
{
    struct explain x;
    struct err e;

    (void)state;
    assert_int_equal(explain_line(unit_seat(), "frobnicate -x", &x, &e), 0);
    assert_false(x.known);
    assert_string_equal(x.source, "");
    assert_false(x.parts[0].known);
    assert_false(x.parts[1].known);
    explain_done(&x);
    assert_int_equal(explain_line(unit_seat(), "spin -az w | tar xf -", &x, &e),
                     0);
    assert_true(x.known);
    assert_string_equal(x.source, "spin(1), our table for tar");
    assert_true(find_part(&x, "-a")->known);
    assert_false(find_part(&x, "-z")->known);
    explain_done(&x);
}

static void
parts_know_their_bytes(void **state)
{
    static const char line[] = "tar -xzf 'a b' $(ls -l)";
    static const struct {
        const char *what;
        size_t from, to;
        unsigned depth;
    } want[] = {
        {"tar", 0, 3, 0},  {"-x", 4, 6, 0},     {"-z", 6, 7, 0},
        {"-f", 7, 8, 0},   {"'a b'", 9, 14, 0}, {"$(ls -l)", 15, 23, 0},
        {"ls", 17, 19, 1}, {"-l", 20, 22, 1},
    };
    struct explain x;
    struct err e;

    (void)state;
    assert_int_equal(explain_line(unit_seat(), line, &x, &e), 0);
    for (size_t i = 0; i < N_OF(want); i++) {
        const struct explain_part *p = find_part(&x, want[i].what);

        assert_non_null(p);
        if (p->from != want[i].from || p->to != want[i].to ||
            p->depth != want[i].depth)
            fail_msg("%s: %zu-%zu, %u", want[i].what, p->from, p->to, p->depth);
    }
    explain_done(&x);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_explained_part_by_part),
        cmocka_unit_test(each_part_has_its_meaning),
        cmocka_unit_test(what_is_not_known_is_reported),
        cmocka_unit_test(parts_know_their_bytes),
    };

    return cmocka_run_group_tests(tests, pages_of_ours, NULL);
}
