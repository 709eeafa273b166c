/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_ai_line.c - lines for the assistant, quotes, and the history. */
#include "tests/unit/unit.h"

#include <fcntl.h>
#include <readline/history.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "base/path.h"
#include "frontend/repl/ai_line.h"
#include "frontend/repl/complete.h"
#include "frontend/repl/history.h"
#include "frontend/repl/pipe_target.h"
#include "ui/options.h"

/* A line, and its words with a bar between. */
static const struct row {
    const char *line, *words;
} rows[] = {
    {"ai", "ai"},
    {"  ai   do   free the port 8080  ", "ai|do|free the port 8080"},
    {"ai do what's up", "ai|do|what's up"},
    {"ai do --plan $DIR/p $DIR", "ai|do|--plan|/a b/p|$DIR"},
    {"ai do --plan \"${DIR}/p\" x", "ai|do|--plan|/a b/p|x"},
    {"ai do --plan '$DIR/p' x", "ai|do|--plan|$DIR/p|x"},
    {"ai do --plan=$DIR/p", "ai|do|--plan=/a b/p"},
    {"ai do --plan \\$DIR", "ai|do|--plan|$DIR"},
    {"ai do --plan $NONE/p$", "ai|do|--plan|/p$"},
    {"ai do --plan ${DIR", "ai|do|--plan|${DIR"},
    {"ai do --plan $DIRx$1", "ai|do|--plan|$1"},
    {"ai run list it --plan $DIR", "ai|run|list|it|--plan|/a b"},
    {"ai $DIR", "ai|$DIR"},
    {"ai run list files of 1MB?", "ai|run|list files of 1MB?"},
    {"ai explain tar -xzvf \"a b\" 'c'", "ai|explain|tar|-xzvf|\"a b\"|'c'"},
    {"ai run list  files -y", "ai|run|list|files|-y"},
    {"ai run 'list  files' -y", "ai|run|list  files|-y"},
    {"ai run 'a'  'b' -y", "ai|run|a|'b'|-y"},
    {"ai run list  it - or not", "ai|run|list|it|-|or|not"},
    {"ai run well-known  names", "ai|run|well-known  names"},
    {"ai explain echo \"a -b\"  c", "ai|explain|echo \"a -b\"  c"},
    {"ai do 'free the port'", "ai|do|free the port"},
    {"ai do \"it's late\"", "ai|do|it's late"},
    {"ai do 'a' and 'b'", "ai|do|'a' and 'b'"},
    {"ai do '", "ai|do|'"},
    {"ai do -y --model m free it", "ai|do|-y|--model|m|free it"},
    {"ai run --plan-out 'my plan' -o json list", "ai|run|--plan-out|my plan|-o|"
                                                 "json|list"},
    {"ai run -m", "ai|run|-m"},
    {"ai run -ym x list it", "ai|run|-ym|x|list it"},
    {"ai run --offline --model=m a b", "ai|run|--offline|--model=m|a b"},
    {"ai do -- -v is loud", "ai|do|--|-v is loud"},
    {"ai -y list the  files", "ai|-y|list|the|files"},
    {"ai list  files --dry-run", "ai|list|files|--dry-run"},
    {"ai -q do a b", "ai|-q|do|a b"},
    {"ai --model x explain ls -l", "ai|--model|x|explain|ls|-l"},
    {"ai log 3 --verify", "ai|log|3|--verify"},
    {"ai log  'a b'", "ai|log|a b"},
    {"ai log a\\ b", "ai|log|a b"},
    {"ai what's up", "ai|what's|up"},
    {"ai what's in dad's", "ai|what's|in|dad's"},
    {"ai what's this | grep dad's", "ai|what's|this|||grep|dad's"},
    {"ai dad's 'a b' it's", "ai|dad's|'a b'|it's"},
    {"ai 'a b'c d", "ai|'a|b'c|d"},
    {"ai 'run' a b", "ai|run|a b"},
    {"ai 'list it' now", "ai|list it|now"},
    {"ai a\\ b c", "ai|a b|c"},
    {"ai ls -la  x", "ai|ls|-la|x"},
    {"ai echo 'a b'", "ai|echo|'a b'"},
    {"ai log", "ai|log"},
    {"ai do one\ntwo", "ai|do|one\ntwo"},
    {"ai list the  files here", "ai|list|the|files|here"},
    {"ai delete \"a b\" now", "ai|delete|\"a b\"|now"},
    {"ai do --plan ~/p.json", "ai|do|--plan|/h/me/p.json"},
    {"ai do --plan ~", "ai|do|--plan|/h/me"},
    {"ai do --plan '~/p'", "ai|do|--plan|~/p"},
    {"ai do --plan ~root/p", "ai|do|--plan|~root/p"},
    {"ai do --plan a~/p", "ai|do|--plan|a~/p"},
    {"ai do list it --plan-out ~/p", "ai|do|list|it|--plan-out|/h/me/p"},
    {"ai do list it --plan-out 'my p'", "ai|do|list|it|--plan-out|my p"},
    {"ai list it --plan-out ~/p", "ai|list|it|--plan-out|/h/me/p"},
    {"ai do list files in ~/p", "ai|do|list files in ~/p"},
};

static void
a_wish_needs_no_quotes(void **state)
{
    static char fields[] = "DIR=/a b\0DIRX=no";
    const struct buf variables = {.p = fields, .len = sizeof(fields)};

    (void)state;
    assert_int_equal(setenv("HOME", "/h/me", 1), 0);
    for (size_t i = 0; i < N_OF(rows); i++) {
        char **words = ai_line_split(rows[i].line, &variables, NULL);
        char got[256] = "";
        size_t n = 0;

        assert_non_null(words);
        for (char **w = words; *w; w++)
            n += (size_t)snprintf(got + n, sizeof(got) - n, "%s%s",
                                  n ? "|" : "", *w);
        assert_string_equal(got, rows[i].words);
        free(words);
    }
}

static void
the_verbs_are_those_that_there_are(void **state)
{
    static const char *const names[] = {"do",   "run", "explain", "fix",
                                        "undo", "log", "help",    NULL};

    (void)state;
    for (size_t i = 0; i < N_OF(names); i++) {
        const char *name = options_verb_name(i);

        assert_true(name == names[i] ||
                    (name && names[i] && strcmp(name, names[i]) == 0));
    }
    assert_false(options_verb_takes_text("undo"));
    assert_true(options_verb_takes_text("do"));
    assert_true(options_verb_takes_text("fix"));
}

static void
there_is_room_for_all_words(void **state)
{
    char line[400] = "ai run x -";
    char **words;
    size_t n = strlen(line);

    (void)state;
    for (; n + 3 < sizeof(line); n += 2)
        memcpy(line + n, " x", 3);
    words = ai_line_split(line, NULL, NULL);
    assert_non_null(words);
    for (n = 0; words[n]; n++)
        continue;
    assert_int_equal(n, strlen(line) / 2 - 1);
    free(words);
}

/* A line, and what bash runs for it; NULL: the line has nothing of bash's. */
static const struct row shell_rows[] = {
    {"ai explain ls | head", "ai explain ls | head"},
    {"ai explain ls>f", "ai explain ls >f"},
    {"ai explain what's this > f", "ai explain 'what'\\''s this' > f"},
    {"ai explain ls 2>&1 | cat", "ai explain ls 2>&1 | cat"},
    {"ai explain ls2>f", "ai explain ls2 >f"},
    {"ai explain $x *.c; ls *.c", "ai explain '$x *.c' ; ls *.c"},
    {"ai log && echo yes", "ai log && echo yes"},
    {"ai run -y list files || echo no", "ai run -y 'list files' || echo no"},
    {"ai list files &", "ai list files &"},
    {"ai explain <f", "ai explain <f"},
    {"ai explain 'ls | head' | wc", "ai explain 'ls | head' | wc"},
    {"ai explain it's; echo it's", NULL},
    {"ai explain 'ls | head'", NULL},
    {"ai explain grep \"a|b\" f", NULL},
    {"ai explain find -exec ls {} \\;", NULL},
    {"ai explain echo $(ls | wc)", NULL},
    {"ai explain echo `ls | wc`", NULL},
    {"ai explain diff <(ls) <(ls -a)", NULL},
    {"ai run what's there?", NULL},
    {"ai what's dad's | head", "ai 'what'\\''s' 'dad'\\''s' | head"},
    {"ai what's this | grep dad", "ai 'what'\\''s' this | grep dad"},
    {"ai what's this | grep dad's", NULL},
    /* arrows and comparisons */
    {"ai run rename a -> b", NULL},
    {"ai run map x => y", NULL},
    {"ai run files > 100", NULL},
    {"ai run files > 100M or < 5GB", NULL},
    {"ai run disks >10%, by name", NULL},
    {"ai run files > 1.5GiB?", NULL},
    {"ai run files older than >= 30d", NULL},
    {"ai run x <= y", NULL},
    {"ai run files > 100M > out", "ai run 'files > 100M' > out"},
    {"ai run files > 100 | wc", "ai run 'files > 100' | wc"},
    {"ai run files > 5; ls", "ai run 'files > 5' ; ls"},
    {"ai run files > 100.txt", "ai run files > 100.txt"},
    {"ai run files > 2024-log", "ai run files > 2024-log"},
    {"ai run files >> 100", "ai run files >> 100"},
    {"ai run list >", "ai run list >"},
    /* the ampersand within a word */
    {"ai run fetch http://h/?a=1&b=2", NULL},
    {"ai run files of R&D", NULL},
    {"ai run list& ls", "ai run list & ls"},
    {"ai run list &ls", "ai run list &ls"},
    {"ai run list&", "ai run list &"},
    {"ai run list&&ls", "ai run list &&ls"},
    {"ai run list &>f", "ai run list &>f"},
    {"ai run list&>f", "ai run list &>f"},
    /* a comment, to bash */
    {"ai run list # a | b > c; d", NULL},
    {"ai run job #3 | wc", NULL},
    {"ai run a#b | wc", "ai run 'a#b' | wc"},
    {"ai run list | wc # a > b", "ai run list | wc # a > b"},
    /* expansions */
    {"ai explain echo ${x:-a|b}", NULL},
    {"ai explain echo ${x:-${y:-a;b}}", NULL},
    {"ai explain echo ${x:-a} | wc", "ai explain 'echo ${x:-a}' | wc"},
    {"ai explain echo ${x | wc", "ai explain 'echo ${x' | wc"},
};

static void
what_is_the_shells_goes_to_the_shell(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(shell_rows); i++) {
        const struct row *row = &shell_rows[i];
        CLEANUP_BUF struct buf out = buf_of(400);

        if (ai_line_for_shell(row->line, NULL, &out) != (row->words != NULL))
            fail_msg("%s: %s", row->line, out.p);
        assert_string_equal(out.p, row->words ? row->words : "");
    }
}

/* A line of bash, and the program that would run the assistant's words. */
static const struct row pipe_rows[] = {
    {"ai run x | sh", "sh"},
    {"ai run x |& bash -s", "bash"},
    {"ai run x 2>&1 | zsh", "zsh"},
    {"ai run x | tee f | fish", "fish"},
    {"ai run x | /usr/bin/dash", "dash"},
    {"ai run x | 's'h", "sh"},
    {"ai run x | A=1 sh && ls", "sh"},
    {"ai run x | ( cat; sh )", "sh"},
    {"ai run x | { sh; }", "sh"},
    {"ai run x | while read l; do eval \"$l\"; done", "eval"},
    {"ai run x > >(sh)", "sh"},
    {"ai run x | tee >(sh)", "sh"},
    {"ai run x | env sh", "sh"},
    {"ai run x | xargs sh -c", "a shell"},
    {"ai run x | xargs sh", "sh"},
    {"ai run x | sudo tee f", "sudo"},
    {"ai run x | sudo", "sudo"},
    {"ai run x | python3.11 -", "python3.11"},
    {"ai run x | python", "python"},
    {"ai run x | perl", "perl"},
    {"ai run x | ruby", "ruby"},
    {"ai run x | node", "node"},
    {"ai run x | $SHELL", "bash"},
    {"ai run x | sh '", "sh"},
    {"ai run x | head", NULL},
    {"ai run x | grep sh", NULL},
    {"ai run x | xargs ls", NULL},
    {"ai run x | shuf", NULL},
    {"ai run x | $PAGER", NULL},
    {"ai run 'x | sh'", NULL},
    {"ai run x > f; sh f", NULL},
    {"ai run x || sh f", NULL},
    {"ai run x && python3 f", NULL},
    {"ai log | head; ls | sh", NULL},
};

static void
no_words_of_a_model_are_piped_into_a_shell(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(pipe_rows); i++) {
        const struct row *row = &pipe_rows[i];
        CLEANUP_BUF struct buf name = buf_of(400);

        if (pipe_target_runs(row->line, &name) != (row->words != NULL) ||
            (row->words && strcmp(name.p, row->words) != 0))
            fail_msg("%s: %s", row->line, name.p);
    }
}

static void
only_the_exact_first_word_calls_the_assistant(void **state)
{
    (void)state;
    assert_true(ai_line_is("ai do x", "ai"));
    assert_true(ai_line_is("  ai\tx", "ai"));
    assert_true(ai_line_is("ai", "ai"));
    assert_false(ai_line_is("air", "ai"));
    assert_false(ai_line_is("ai=3", "ai"));
    assert_false(ai_line_is("./ai do", "ai"));
    assert_false(ai_line_is("", "ai"));
}

static void
quotes_are_seen_as_bash_sees_them(void **state)
{
    static const char line[] = "a\\ b 'c d\\' \"e\\\" f\" g \\\\ 'h";
    /*                          a \ _ b _ ' c _ d \ ' _ " e \ " _ f " _ g */
    static const char map[] = "00100"
                              "111111"
                              "0"
                              "1111111"
                              "000"
                              "01"
                              "0"
                              "11";

    (void)state;
    for (int i = 0; line[i]; i++) {
        if (complete_is_quoted(line, i) != (map[i] == '1'))
            fail_msg("character %d, %c", i, line[i]);
    }
}

static void
collect(void *arg, const char *entry)
{
    struct buf *b = arg;

    buf_printf(b, "[%s]", entry);
}

static void
a_history_file_is_read(void **state)
{
    static const struct {
        const char *text, *entries;
    } files[] = {
        {"#1\nls\n#2\ncd /\n", "[ls][cd /]"},
        {"#1\nfor i in 1\ndo x\ndone\n#2\nls\n",
         "[for i in 1\ndo x\ndone][ls]"},
        {"old\nolder\n#1\nnew\n", "[old][older][new]"},
        {"#1\n#2\nls", "[ls]"},
        {"# a comment\nls\n", "[# a comment][ls]"},
        {"#1\n", ""},
        {"", ""},
    };

    (void)state;
    for (size_t i = 0; i < N_OF(files); i++) {
        CLEANUP_BUF struct buf got = buf_of(100);
        char text[100];

        snprintf(text, sizeof(text), "%s", files[i].text);
        history_parse(text, strlen(text), collect, &got);
        assert_string_equal(got.p, files[i].entries);
    }
}

struct place {
    char dir[64], path[80];
};

static int
make_place(void **state)
{
    static struct place p;

    snprintf(p.dir, sizeof(p.dir), "/tmp/agentsh-test-XXXXXX");
    if (!mkdtemp(p.dir))
        return -1;
    snprintf(p.path, sizeof(p.path), "%s/history", p.dir);
    *state = &p;
    return 0;
}

static int
clear_place(void **state)
{
    struct place *p = *state;

    unlink(p->path);
    return rmdir(p->dir);
}

/* The entries of the file, each in brackets. */
static void
entries(const char *path, struct buf *out)
{
    CLEANUP_BUF struct buf text = buf_of(8 << 20);

    assert_int_equal(file_read(path, &text, NULL), 0);
    buf_clear(out);
    history_parse(text.p, text.len, collect, out);
}

static void
lines_are_kept_in_a_private_file(void **state)
{
    const struct place *p = *state;
    CLEANUP_BUF struct buf out = buf_of(1000);
    struct history *h = history_new(p->path, NULL);
    struct stat st;

    history_enter(h, "one", false);
    assert_int_equal(history_keep(h, NULL), 0);
    history_enter(h, " secret", false);
    history_enter(h, "one", false); /* again */
    history_enter(h, "for x", false);
    history_enter(h, "done", true);
    history_enter(h, "last", false);
    history_free(h);
    entries(p->path, &out);
    assert_string_equal(out.p, "[one][for x\ndone][last]");
    assert_int_equal(stat(p->path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
}

static void
two_sessions_share_the_file(void **state)
{
    const struct place *p = *state;
    CLEANUP_BUF struct buf out = buf_of(1000);
    struct history *a = history_new(p->path, NULL);
    struct history *b = history_new(p->path, NULL);

    history_enter(a, "from a", false);
    history_keep(a, NULL);
    history_enter(b, "from b", false);
    history_keep(b, NULL);
    /* as when a third has cut the file: a rename puts another in its place */
    assert_int_equal(file_write(p->path, "#1\ncut\n", 7, 0600, NULL), 0);
    history_enter(a, "a again", false);
    history_free(a);
    history_free(b);
    entries(p->path, &out);
    assert_string_equal(out.p, "[cut][a again]");
}

/* The editor's entries, each in brackets. */
static void
listed(struct buf *out)
{
    HIST_ENTRY **list = history_list();

    buf_clear(out);
    for (size_t i = 0; list && list[i]; i++)
        collect(out, list[i]->line);
}

/* As another REPL does. */
static void
append_line(const char *path, const char *text)
{
    FILE *f = fopen(path, "a");

    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

static void
lines_of_others_are_followed(void **state)
{
    const struct place *p = *state;
    CLEANUP_BUF struct buf out = buf_of(1000);
    struct history *h;

    clear_history();
    h = history_new(p->path, NULL);
    history_enter(h, "ours", false);
    append_line(p->path, "#1\ntheirs\n#2\nfor x\ndone\n");
    listed(&out);
    assert_string_equal(out.p, "[ours]");
    history_keep(h, NULL);
    listed(&out);
    assert_string_equal(out.p, "[theirs][for x\ndone][ours]");
    append_line(p->path, "#3\nmore\n");
    history_follow(h);
    history_follow(h);
    listed(&out);
    assert_string_equal(out.p, "[theirs][for x\ndone][ours][more]");
    /* cut: another file is in its place, of which the old lines are known */
    assert_int_equal(file_save(p->path, "#3\nmore\n", 8, 0600, NULL), 0);
    history_follow(h);
    append_line(p->path, "#4\nnew\n");
    history_follow(h);
    listed(&out);
    assert_string_equal(out.p, "[theirs][for x\ndone][ours][more][new]");
    history_free(h);
}

static void
a_borrowed_history_is_ours_from_then_on(void **state)
{
    const struct place *p = *state;
    CLEANUP_BUF struct buf out = buf_of(1000);
    char theirs[100];
    struct history *h;

    snprintf(theirs, sizeof(theirs), "%s.bash", p->path);
    append_line(theirs, "old\n#1\nolder"); /* bash was killed */
    clear_history();
    h = history_new(p->path, NULL);
    history_borrow(h, theirs);
    history_follow(h);
    history_enter(h, "ours", false);
    history_free(h);
    listed(&out);
    assert_string_equal(out.p, "[old][older][ours]");
    entries(p->path, &out);
    assert_string_equal(out.p, "[old][older][ours]");
    unlink(theirs);
}

static void
a_file_that_grew_too_large_is_cut(void **state)
{
    const struct place *p = *state;
    CLEANUP_BUF struct buf text = buf_of(2 * HISTORY_BYTES);
    struct stat st;

    while (text.len <= HISTORY_BYTES)
        buf_printf(&text, "#1700000000\necho %zu\n", text.len);
    buf_str(&text, "#1700000000\nnewest\n");
    assert_int_equal(file_write(p->path, text.p, text.len, 0644, NULL), 0);
    history_free(history_new(p->path, NULL));
    assert_int_equal(stat(p->path, &st), 0);
    assert_true(st.st_size < HISTORY_BYTES * 2 / 3);
    assert_int_equal(st.st_mode & 0777, 0600);
    buf_clear(&text);
    assert_int_equal(file_read(p->path, &text, NULL), 0);
    assert_memory_equal(text.p, "#1700000000\necho ", 17);
    assert_string_equal(text.p + text.len - 7, "newest\n");
}

static void
of_a_far_too_large_file_the_end_is_read(void **state)
{
    const struct place *p = *state;
    CLEANUP_BUF struct buf text = buf_of(6 * HISTORY_BYTES);
    struct err e = {0};
    struct stat st;

    while (text.len <= 5 * HISTORY_BYTES)
        buf_printf(&text, "#1700000000\necho %zu\n", text.len);
    buf_str(&text, "#1700000000\nnewest\n");
    assert_int_equal(file_write(p->path, text.p, text.len, 0600, NULL), 0);
    history_free(history_new(p->path, &e));
    assert_int_equal(e.code, ERR_NONE);
    assert_int_equal(stat(p->path, &st), 0);
    assert_true(st.st_size <= HISTORY_BYTES);
    buf_clear(&text);
    assert_int_equal(file_read(p->path, &text, NULL), 0);
    assert_memory_equal(text.p, "#1700000000\necho ", 17);
    assert_string_equal(text.p + text.len - 7, "newest\n");
}

static void
a_long_session_cuts_its_file_through_a_link(void **state)
{
    const struct place *p = *state;
    CLEANUP_BUF struct buf line = buf_of(HISTORY_BYTES / 8);
    CLEANUP(free_p) char *file = path_join(p->dir, "file");
    struct history *h;
    struct stat st;

    while (buf_ch(&line, 'x') == 0)
        ;
    assert_int_equal(symlink("file", p->path), 0);
    h = history_new(p->path, NULL);
    for (int i = 0; i < 20; i++) {
        line.p[0] = (char)('a' + i);
        history_enter(h, line.p, false);
        assert_int_equal(history_keep(h, NULL), 0);
    }
    history_free(h);
    assert_int_equal(lstat(p->path, &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    assert_int_equal(stat(p->path, &st), 0);
    assert_true(st.st_size > HISTORY_BYTES / 2);
    assert_true(st.st_size < 2 * HISTORY_BYTES);
    unlink(file);
}

static void
a_directory_in_its_place_is_an_error(void **state)
{
    const struct place *p = *state;
    struct err e = {0};
    struct history *h;

    assert_int_equal(mkdir(p->path, 0700), 0);
    h = history_new(p->path, &e);
    assert_non_null(h);
    assert_int_not_equal(e.code, 0);
    history_enter(h, "still works", false);
    assert_int_equal(history_keep(h, NULL), 0);
    history_free(h);
    assert_int_equal(rmdir(p->path), 0);
}

int
main(void)
{
#define IN_A_PLACE(f)                                                          \
    cmocka_unit_test_setup_teardown(f, make_place, clear_place)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wish_needs_no_quotes),
        cmocka_unit_test(the_verbs_are_those_that_there_are),
        cmocka_unit_test(there_is_room_for_all_words),
        cmocka_unit_test(what_is_the_shells_goes_to_the_shell),
        cmocka_unit_test(no_words_of_a_model_are_piped_into_a_shell),
        cmocka_unit_test(only_the_exact_first_word_calls_the_assistant),
        cmocka_unit_test(quotes_are_seen_as_bash_sees_them),
        cmocka_unit_test(a_history_file_is_read),
        IN_A_PLACE(lines_are_kept_in_a_private_file),
        IN_A_PLACE(two_sessions_share_the_file),
        IN_A_PLACE(lines_of_others_are_followed),
        IN_A_PLACE(a_borrowed_history_is_ours_from_then_on),
        IN_A_PLACE(a_file_that_grew_too_large_is_cut),
        IN_A_PLACE(of_a_far_too_large_file_the_end_is_read),
        IN_A_PLACE(a_long_session_cuts_its_file_through_a_link),
        IN_A_PLACE(a_directory_in_its_place_is_an_error),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
