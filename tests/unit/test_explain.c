/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_explain.c - command lines explained from pages of our own. */
#include "unit.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "offline/explain.h"
#include "offline/page_cache.h"

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
    {"ls # all", "ls | # all"},
    {"frobnicate -x y", "frobnicate | -x | y"},
    {"./x y", "./x | y"},
    {"/usr/bin/spin -a w", "/usr/bin/spin | -a | w"},
    {"$x y", "$x | $x | y"},
    {"", ""},
};

static const struct meaning_row meanings[] = {
    {"spin w", "spin", "turn wheels"},
    {"spin -a w", "-a", "Turn all wheels."},
    {"spin --colo w", "--colo", "not in spin(1)"},
    {"spin --colos w", "--colos", "big ones"},
    {"spin -z w", "-z", "an option that is not in spin(1)"},
    {"spin -n 3 w", "3", "COUNT, for -n"},
    {"spin w f", "w", "the argument WHEEL"},
    {"spin w f", "f", "a file"},
    {"spin fast -q x", "fast", "in a hurry"},
    {"spin fast --no-quiet x", "--no-quiet", "Say nothing about it."},
    {"spin fast x", "x", "the argument axle"},
    {"spin keygen", "keygen", "the argument WHEEL"},
    {"whirl -a w", "whirl", "turn wheels"},
    {"turnctl -d 3 start x", "-d", "Tell more, up to level."},
    {"turnctl start x", "start", "Begin to turn it."},
    {"tar xf a b", "b", "what to take from the archive"},
    {"tar cf a b", "b", "what goes into the archive"},
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
    {"cat -", "-", "standard input"},
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
     "no manual page for frobnicate on this machine, and no table of ours"},
    {"echo 'a", "", "bash would not read this: a single quote"},
};

static char cache[] = "/tmp/agentsh-explain-XXXXXX";

static int
set_up(void **state)
{
    const char *src = getenv("top_srcdir");
    char path[4096];

    (void)state;
    snprintf(path, sizeof(path), "%s/tests/data/man", src ? src : ".");
    if (!mkdtemp(cache))
        return -1;
    return setenv("MANPATH", path, 1) | setenv("XDG_CACHE_HOME", cache, 1);
}

/* Calls f with the path of each file of the cache; returns how many. */
static int
each_cached(void (*f)(const char *path))
{
    char dir[256], path[600];
    struct dirent *de;
    int n = 0;
    DIR *d;

    snprintf(dir, sizeof(dir), "%s/agentsh/pages", cache);
    d = opendir(dir);
    while (d && (de = readdir(d))) {
        if (de->d_name[0] == '.')
            continue;
        snprintf(path, sizeof(path), "%s/%s", dir, de->d_name);
        f(path);
        n++;
    }
    if (d)
        closedir(d);
    return n;
}

static void
remove_file(const char *path)
{
    unlink(path);
}

static void
spoil_file(const char *path)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);

    assert_int_equal(pwrite(fd, "XX", 2, 30), 2);
    close(fd);
}

static void
cut_file(const char *path)
{
    assert_int_equal(truncate(path, 100), 0);
}

static int
tear_down(void **state)
{
    char path[256];

    (void)state;
    each_cached(remove_file);
    snprintf(path, sizeof(path), "%s/agentsh/pages", cache);
    rmdir(path);
    snprintf(path, sizeof(path), "%s/agentsh", cache);
    rmdir(path);
    return rmdir(cache);
}

static void
lines_are_explained_part_by_part(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        struct explain x;
        struct buf got;
        struct err e;

        buf_init(&got, 4096);
        assert_int_equal(explain_line(rows[i].line, &x, &e), 0);
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

        assert_int_equal(explain_line(meanings[i].line, &x, &e), 0);
        p = find_part(&x, meanings[i].part);
        if (!p || !strstr(p->meaning, meanings[i].meaning))
            fail_msg("%s: %s: %s", meanings[i].line, meanings[i].part,
                     p ? p->meaning : "no such part");
        explain_done(&x);
    }
}

static void
what_is_not_known_is_said(void **state)
{
    struct explain x;
    struct err e;

    (void)state;
    assert_int_equal(explain_line("frobnicate -x", &x, &e), 0);
    assert_false(x.known);
    assert_string_equal(x.source, "");
    assert_false(x.parts[0].known);
    assert_false(x.parts[1].known);
    explain_done(&x);
    assert_int_equal(explain_line("spin -az w | tar xf -", &x, &e), 0);
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
    assert_int_equal(explain_line(line, &x, &e), 0);
    for (size_t i = 0; i < N_OF(want); i++) {
        const struct explain_part *p = find_part(&x, want[i].what);

        assert_non_null(p);
        if (p->from != want[i].from || p->to != want[i].to ||
            p->depth != want[i].depth)
            fail_msg("%s: %zu-%zu, %u", want[i].what, p->from, p->to, p->depth);
    }
    explain_done(&x);
}

/* How "spin -a w" is explained now. */
static char *
explained(void)
{
    struct explain x;
    struct buf text;
    struct err e;

    buf_init(&text, 4096);
    assert_int_equal(explain_line("spin -a w", &x, &e), 0);
    explain_text(&x, 60, &text);
    explain_done(&x);
    return buf_take(&text);
}

static void
a_cache_that_is_damaged_is_made_anew(void **state)
{
    void (*const harms[])(const char *) = {spoil_file, cut_file, remove_file};
    char *want;

    (void)state;
    each_cached(remove_file);
    want = explained();
    assert_string_equal(want, "spin      turn wheels [spin(1)]\n"
                              "  -a      Turn all wheels.\n"
                              "  w       the argument WHEEL\n");
    for (size_t i = 0; i < N_OF(harms); i++) {
        char *got;

        assert_true(each_cached(harms[i]) >= 1);
        got = explained();
        assert_string_equal(got, want);
        free(got);
    }
    free(want);
}

static void
a_page_that_changed_is_read_again(void **state)
{
    static const char old[] = ".TH A 1\n.SH NAME\na \\- first\n";
    static const char new[] = ".TH A 1\n.SH NAME\na \\- second\n";
    char dir[256], path[300], *manpath = strdup(getenv("MANPATH"));
    struct explain x;
    struct err e;

    (void)state;
    snprintf(dir, sizeof(dir), "%s/man1", cache);
    snprintf(path, sizeof(path), "%s/a.1", dir);
    assert_int_equal(mkdir(dir, 0700), 0);
    setenv("MANPATH", cache, 1);
    for (int i = 0; i < 2; i++) {
        const char *text = i ? new : old;

        assert_int_equal(file_write(path, text, strlen(text), 0600, &e), 0);
        assert_int_equal(explain_line("a", &x, &e), 0);
        assert_string_equal(x.parts[0].meaning, i ? "second" : "first");
        explain_done(&x);
    }
    unlink(path);
    rmdir(dir);
    setenv("MANPATH", manpath, 1);
    free(manpath);
}

static void
hostile_bytes_are_shown_as_escapes(void **state)
{
    struct explain x;
    struct buf text;
    struct err e;

    (void)state;
    buf_init(&text, 4096);
    assert_int_equal(explain_line("ls 'a\033[2J\342\200\256'", &x, &e), 0);
    explain_text(&x, 80, &text);
    assert_null(strchr(text.p, '\033'));
    assert_non_null(strstr(text.p, "\\x1b[2J\\u202e"));
    buf_done(&text);
    explain_done(&x);
}

static void
the_text_has_two_columns(void **state)
{
    struct explain x;
    struct buf text;
    struct err e;

    (void)state;
    buf_init(&text, 4096);
    assert_int_equal(
        explain_line("spin -vn3 --number=4 --number 5 w | wc -l", &x, &e), 0);
    explain_text(&x, 44, &text);
    assert_string_equal(text.p, "spin          turn wheels [spin(1)]\n"
                                "  -v          Say what is done.\n"
                                "  -n3         Turn COUNT times, which may be\n"
                                "              a number or the word always.\n"
                                "  --number=4  Turn COUNT times, which may be\n"
                                "              a number or the word always.\n"
                                "  --number 5  Turn COUNT times, which may be\n"
                                "              a number or the word always.\n"
                                "  w           the argument WHEEL\n"
                                "  |           what the command before writes\n"
                                "              is what the next one reads\n"
                                "wc            counts lines, words and bytes\n"
                                "              [our table for wc]\n"
                                "  -l          lines\n");
    buf_done(&text);
    explain_done(&x);
}

static void
json_names_every_part(void **state)
{
    struct json_writer w;
    struct explain x;
    struct buf out;
    struct err e;

    (void)state;
    buf_init(&out, 4096);
    json_write_init(&w, &out);
    assert_int_equal(explain_line("spin -z", &x, &e), 0);
    explain_json(&x, &w);
    assert_string_equal(out.p,
                        "{\"known\":true,\"source\":\"spin(1)\",\"parts\":["
                        "{\"kind\":\"command\",\"from\":0,\"to\":4,\"depth\":0,"
                        "\"text\":\"spin\",\"meaning\":\"turn wheels\","
                        "\"source\":\"spin(1)\",\"known\":true},"
                        "{\"kind\":\"option\",\"from\":5,\"to\":7,\"depth\":0,"
                        "\"text\":\"-z\","
                        "\"meaning\":\"an option that is not in spin(1)\","
                        "\"known\":false}]}");
    buf_done(&out);
    explain_done(&x);
}

static void
questions_are_told_from_commands(void **state)
{
    static const char *const commands[] = {
        "tar -xzvf a.tgz -C /srv",
        "ls",
        "ls | wc",
        "git status",
        "tar xzf a.tgz",
        "A=1 env",
        "for i in a b; do ls $i; done",
        "find . -name '*.c'",
        "sudo ls",
        "cd ..",
        "cat a.txt",
        "ps aux",
        "find /etc",
        "sort -u",
        "frobnicate -x | sort",
    };
    static const char *const questions[] = {
        "what is a symlink?",
        "how do I unpack a tarball",
        "find the largest files",
        "find large files",
        "why",
        "which process uses port 80",
        "sort lines of a file by size",
        "kill all chrome processes",
        "what does tar -x do",
        "who is logged in",
        "show me the disk usage",
    };

    (void)state;
    for (size_t i = 0; i < N_OF(commands); i++)
        if (!explain_is_command(commands[i]))
            fail_msg("%s", commands[i]);
    for (size_t i = 0; i < N_OF(questions); i++)
        if (explain_is_command(questions[i]))
            fail_msg("%s", questions[i]);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_explained_part_by_part),
        cmocka_unit_test(each_part_has_its_meaning),
        cmocka_unit_test(what_is_not_known_is_said),
        cmocka_unit_test(parts_know_their_bytes),
        cmocka_unit_test(a_cache_that_is_damaged_is_made_anew),
        cmocka_unit_test(a_page_that_changed_is_read_again),
        cmocka_unit_test(hostile_bytes_are_shown_as_escapes),
        cmocka_unit_test(the_text_has_two_columns),
        cmocka_unit_test(json_names_every_part),
        cmocka_unit_test(questions_are_told_from_commands),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
