/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_slot_fill.c - a value stays inside the word it belongs to. */
#include "unit_seat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "guard/syntax/syntax.h"
#include "offline/engine/slot_fill.h"

static bool
little_is_there(void *arg, const char *path, bool *is_dir)
{
    (void)arg;
    *is_dir = strcmp(path, "docs") == 0;
    return *is_dir || strcmp(path, "run.sh") == 0;
}

static const struct request_world nowhere = {.path = little_is_there};

static void
fill(const char *phrase, const char *command, const char *request,
     struct buf *out, struct slot_fill_result *result)
{
    const struct recipe r = {
        .phrases = {phrase},
        .n_phrases = 1,
        .steps = {{.command = command}},
        .n_steps = 1,
        .needs = "",
    };
    struct request q = {0};
    struct slot_fill f;
    struct err e = {0};

    assert_int_equal(request_read(request, &nowhere, &q, &e), 0);
    slot_fill_choose(&q, index_builtin(), NULL, &r, 0, &f);
    buf_clear(out);
    assert_int_equal(slot_fill_command(&f, command, out, result, &e), 0);
    request_done(&q);
}

/* A home of its own, and a clock that nobody knows: the form alone. */
static void
what_is_known_is_filled_in_before_anybody_reads_it(void **state)
{
    CLEANUP_BUF struct buf out = buf_of(1024);
    struct slot_fill f = {.n = 0};
    struct slot_fill_result result;
    struct request q = {.text = (char *)""};
    struct err e = {0};
    int year, month, day, all;

    (void)state;
    f.q = &q;
    f.plain = true;
    setenv("HOME", "/home/a b", 1);
    q.seat = unit_seat();
    assert_int_equal(
        slot_fill_command(&f,
                          "x {@home}/y '{@home!}' {path:~/z/n} "
                          "{path.d:~/z/n} {path.n:~/z/n} {path.d:n}",
                          &out, &result, &e),
        0);
    assert_string_equal(out.p, "x '/home/a b'/y '/home/a b' '/home/a b/z/n' "
                               "'/home/a b/z' n .");
    f.plain = false;
    buf_clear(&out);
    assert_int_equal(slot_fill_command(&f, "{path:~/z}", &out, &result, &e), 0);
    assert_string_equal(out.p, "~/z");
    buf_clear(&out);
    assert_int_equal(
        slot_fill_command(&f, "{@today} {@day}", &out, &result, &e), 0);
    assert_int_equal(sscanf(out.p, "%d-%d-%d %d", &year, &month, &day, &all),
                     4);
    assert_int_equal(year * 10000 + month * 100 + day, all);
    assert_true(year >= 2020);
}

static const struct row {
    const char *phrase, *command, *request, *filled;
    unsigned open;
} rows[] = {
    {"count lines of {path}", "wc -l {path}", "count the lines of a.txt",
     "wc -l a.txt", 0},
    {"count lines of {path}", "wc -l {path}", "count lines", "wc -l PATH", 1},
    {"list {path}", "ls {path:.}", "list", "ls .", 0},
    {"first {number} lines", "head -n {number:10} {path}",
     "the first 3 lines of a.txt", "head -n 3 a.txt", 0},
    {"copy {path} to {path2}", "cp {path} {path2}", "copy a.txt to b.txt",
     "cp a.txt b.txt", 0},
    {"copy {path} to {path2}", "cp {path} {path2}", "copy to b.txt a.txt",
     "cp a.txt b.txt", 0},
    {"copy {path} to {path2}", "cp {path} {path2}", "copy a.txt",
     "cp a.txt PATH2", 1},
    {"delete {path}", "rm -i {path}", "delete *.tmp", "rm -i *.tmp", 0},
    {"find {glob}", "find . -name {glob}", "find *.tmp", "find . -name '*.tmp'",
     0},
    {"find {ext} files", "find . -name '*.{ext!}'", "find .jpg files",
     "find . -name '*.jpg'", 0},
    {"older than {age}", "find . -mtime +{age.d}", "older than 2 weeks",
     "find . -mtime +14", 0},
    {"bigger than {size}", "find . -size +{size}", "bigger than 5 MB",
     "find . -size +5M", 0},
    {"search {text}", "grep {text} {path}", "search \"a b\" in x.log",
     "grep 'a b' x.log", 0},
    {"braces", "echo {{a,b}} {path:.}", "braces", "echo {a,b} .", 0},
    {"clear {path}", "rm {path}/*", "clear build/", "rm build/*", 0},
    {"time {path}", "time {path}", "time run.sh", "time ./run.sh", 0},
    {"start {path}", "sudo nohup {path} &", "start run.sh",
     "sudo nohup ./run.sh &", 0},
    {"show {path}", "cat {path}", "show run.sh", "cat run.sh", 0},
    {"all but {glob}", "rm -- !({glob})", "all but *.md", "rm -- !(*.md)", 0},
    {"add {user}", "useradd {user}", "add files", "useradd USER", 1},
    {"replace {text} by {text2}", "sed 's/{text!}/{text2!}/' {path}",
     "replace \"a/b\" by \"c\" in x.txt", "sed 's/a\\/b/c/' x.txt", 0},
    /* a name with a newline: bash reads it, and no other shell would */
    {"delete {path}", "rm {path}", "delete 'a\nb.txt'", "rm $'a\\nb.txt'", 0},
    {"delete {path}", "rm {path}", "delete $'a\\033b.txt'", "rm $'a\\eb.txt'",
     0},
    {"delete {path}", "rm '{path!}'", "delete 'a\nb.txt'", "rm 'PATH'", 1},
    {"delete {path}", "sh -c 'rm {path}'", "delete 'a\nb.txt'",
     "sh -c 'rm PATH'", 1},
    {"delete {path}", "ssh h rm {path}", "delete 'a\nb.txt'", "ssh h rm PATH",
     1},
};

static void
slots_are_filled_as_the_phrase_says(void **state)
{
    CLEANUP_BUF struct buf out = buf_of(65536);
    struct slot_fill_result result;

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        fill(rows[i].phrase, rows[i].command, rows[i].request, &out, &result);
        assert_string_equal(out.p, rows[i].filled);
        assert_int_equal(result.open, rows[i].open);
    }
}

/* What a request could say to have something run. */
static const char *const hostile[] = {
    "$(touch pwned)",
    "`touch pwned`",
    "a; touch pwned",
    "a' ; touch pwned ; '",
    "a\\' ; touch pwned ; \\'",
    "| touch pwned",
    "&& touch pwned",
    "> pwned",
    "<(touch pwned)",
    "${x:=$(touch pwned)}",
    "a)touch pwned(",
    "$'\\x27' ; touch pwned",
    "!touch",
    "{a,b}",
};

static const char *const templates[] = {
    "grep {text} x",        "grep '{text!}' x",
    "grep '{text}' x",      "grep \"a{text}\" x",
    "grep \"{text!}\" x",   "sed -n '/{text!}/p' x",
    "sed 's|{text!}|b|' x", "awk '$1 == \"{text!}\"' x",
    "echo {text!} x",       "find . -name {text}",
};

/* One call, no redirect, and nothing inside its words that would run. */
static void
runs_nothing_else(const char *command)
{
    struct syntax s = {0};
    struct err e = {0};

    assert_int_equal(syntax_read(command, strlen(command), &s, &e), 0);
    assert_null(s.fault);
    assert_non_null(s.top);
    assert_int_equal(s.top->kind, SYNTAX_CALL);
    assert_null(s.top->redirects);
    for (const struct syntax_word *w = s.top->words; w; w = w->next)
        assert_false(w->flags & (SYNTAX_RUNS | SYNTAX_EXPANDS));
    syntax_done(&s);
}

static void
no_value_leaves_its_word(void **state)
{
    CLEANUP_BUF struct buf request = buf_of(4096);
    CLEANUP_BUF struct buf out = buf_of(65536);
    struct slot_fill_result result;

    (void)state;
    for (size_t t = 0; t < N_OF(templates); t++) {
        for (size_t i = 0; i < N_OF(hostile); i++) {
            buf_clear(&request);
            buf_printf(&request, "search \"%s\"", hostile[i]);
            fill("search {text}", templates[t], request.p, &out, &result);
            assert_int_equal(result.open, 0);
            runs_nothing_else(out.p);
        }
    }
}

/* In "$(…)" the quotes of the outside do not hold. */
static void
no_value_leaves_a_substitution(void **state)
{
    CLEANUP_BUF struct buf request = buf_of(4096);
    CLEANUP_BUF struct buf out = buf_of(65536);
    struct slot_fill_result result;

    (void)state;
    for (size_t i = 0; i < N_OF(hostile); i++) {
        struct syntax s = {0};
        struct err e = {0};
        size_t calls = 0;

        buf_clear(&request);
        buf_printf(&request, "search \"%s\"", hostile[i]);
        fill("search {text}", "echo _U=\"$(id -u {text})\"", request.p, &out,
             &result);
        assert_int_equal(syntax_read(out.p, out.len, &s, &e), 0);
        assert_null(s.fault);
        for (const struct syntax_node *n = s.all; n; n = n->after)
            calls += n->kind == SYNTAX_CALL;
        assert_int_equal(calls, 2);
        syntax_done(&s);
    }
}

static void
a_path_runs_nothing(void **state)
{
    CLEANUP_BUF struct buf request = buf_of(4096);
    CLEANUP_BUF struct buf out = buf_of(65536);
    struct slot_fill_result result;

    (void)state;
    for (size_t i = 0; i < N_OF(hostile); i++) {
        struct syntax s = {0};
        struct err e = {0};

        buf_clear(&request);
        buf_printf(&request, "delete \"./%s\"", hostile[i]);
        fill("delete {path}", "rm {path}", request.p, &out, &result);
        assert_int_equal(syntax_read(out.p, out.len, &s, &e), 0);
        assert_null(s.fault);
        assert_int_equal(s.top->kind, SYNTAX_CALL);
        assert_null(s.top->redirects);
        assert_int_equal(s.top->n_words, 2);
        assert_false(s.top->words->next->flags & SYNTAX_RUNS);
        syntax_done(&s);
    }
}

static void
a_file_called_like_an_option_is_none(void **state)
{
    CLEANUP_BUF struct buf out = buf_of(4096);
    const struct slot_position at = {.before = "rm ", .n_before = 3};

    (void)state;
    slot_shell_text(&out, SLOT_PATH, "-rf", &at);
    assert_string_equal(out.p, "./-rf");
}

static const struct {
    const char *phrase, *command, *request;
    bool harms;
} places[] = {
    {"write {path} to {path2}", "cat {path} > {path2}",
     "write a.iso to /dev/sdc", true},
    {"write {path} to {path2}", "cat {path} > {path2}", "write a.txt to b.txt",
     false},
    {"write {path} to {path2}", "cat {path} > {path2}", "write a to /dev/null",
     false},
    {"copy {path} to {path2}", "cp {path} {path2}", "copy a.txt to box:/etc",
     true},
    {"get {url} to {path}", "wget -O {path} {url}", "get http://a.b/c to docs",
     true},
    {"get {url} to {path}", "wget -P {path} {url}", "get http://a.b/c to docs",
     false},
    {"delete all except {path}", "rm {path}", "delete all except a.txt", true},
    {"delete all but {path}", "rm {path}", "delete everything but a.txt", true},
};

static void
what_does_harm_is_known(void **state)
{
    CLEANUP_BUF struct buf out = buf_of(65536);
    struct slot_fill_result result;

    (void)state;
    for (size_t i = 0; i < N_OF(places); i++) {
        fill(places[i].phrase, places[i].command, places[i].request, &out,
             &result);
        assert_int_equal(result.harms, places[i].harms);
    }
}

/* Each way to the same has the value, whatever slot is there for it. */
static void
ways_do_not_take_values_from_each_other(void **state)
{
    CLEANUP_BUF struct buf out = buf_of(4096);
    CLEANUP(request_done) struct request q = {0};
    const struct recipe r = {
        .phrases = {"keep {path}"},
        .n_phrases = 1,
        .steps = {{.command = "find ! -name {glob}"}, {.command = "ls {path}"}},
        .n_steps = 2,
        .needs = "",
    };
    struct slot_fill_result result;
    struct slot_fill f;
    struct err e = {0};

    (void)state;
    assert_int_equal(request_read("keep a.txt", &nowhere, &q, &e), 0);
    slot_fill_choose(&q, index_builtin(), NULL, &r, 0, &f);
    for (size_t i = 0; i < r.n_steps; i++) {
        assert_int_equal(
            slot_fill_command(&f, r.steps[i].command, &out, &result, &e), 0);
        assert_int_equal(result.open, 0);
        assert_false(slot_fill_leaves(&q, &result));
    }
}

/* Each command with one value in its slot, as text of that type. */
static const struct read_again {
    enum slot_type slot;
    const char *command, *value, *filled;
} again[] = {
    {SLOT_PATH, "watch -n 2 ls -lh {path}", "a;b",
     "watch -n 2 ls -lh ''\\''a;b'\\'''"},
    {SLOT_PATH, "watch -x ls {path}", "a;b", "watch -x ls 'a;b'"},
    {SLOT_PATH, "ssh {host} tail -f {path}", "a b",
     "ssh HOST tail -f ''\\''a b'\\'''"},
    {SLOT_PATH, "ssh -i {path} {host}", "a b", "ssh -i 'a b' HOST"},
    {SLOT_PATH, "ssh {host} cat {path} | diff {path} -", "a b",
     "ssh HOST cat ''\\''a b'\\''' | diff 'a b' -"},
    {SLOT_PATH, "ssh {host} cat x > {path}", "a b", "ssh HOST cat x > 'a b'"},
    {SLOT_PATH, "ssh {host} 'cd {path!} && ls'", "a;b",
     "ssh HOST 'cd '\\''a;b'\\'' && ls'"},
    {SLOT_PATH, "ssh {host} cat {path}", "~/x", "ssh HOST cat '~/x'"},
    {SLOT_TEXT, "ssh {host} {text}", "df -h; ls", "ssh HOST 'df -h; ls'"},
    {SLOT_PATH, "trap 'rm -rf {path!}' EXIT", "a b",
     "trap 'rm -rf '\\''a b'\\''' EXIT"},
    {SLOT_PATH, "echo {path} | at noon", "a b",
     "echo ''\\''a b'\\''' | at noon"},
    {SLOT_PATH, "(crontab -l; echo '@daily {path!}') | crontab -", "a %;b",
     "(crontab -l; echo '@daily '\\''a \\%;b'\\''') | crontab -"},
    {SLOT_PATH, "crontab -l | grep -vF {path} | crontab -", "a b",
     "crontab -l | grep -vF 'a b' | crontab -"},
    {SLOT_PATH, "sqlite3 x '{path!}'", "|id", "sqlite3 x './|id'"},
    {SLOT_TEXT, "sed 's/{text!}/b/'", "a\\/e", "sed 's/a\\/e/b/'"},
    {SLOT_TEXT, "sed 's/{text!}/b/'", "a\\", "sed 's/a\\\\/b/'"},
    {SLOT_TEXT, "perl -pe 's/x/{text!}/'", "@{[`id`]} $1",
     "perl -pe 's/x/\\@{[\\x60id\\x60]} $1/'"},
    {SLOT_TEXT, "perl -pe 's/{text!}/x/'", "(?{id})$",
     "perl -pe 's/(?\\{id})$/x/'"},
    {SLOT_TEXT, "grep -i {text} x", "-f", "grep -i -e -f x"},
    {SLOT_TEXT, "grep -e {text} x", "-f", "grep -e -f x"},
    {SLOT_TEXT, "git commit -m {text}", "-f", "git commit -m -f"},
    {SLOT_TEXT, "foo {text}", "-f", "foo TEXT"},
    {SLOT_TEXT, "sed 's/x/{text!}/'", "", "sed 's/x//'"},
    {SLOT_TEXT, "foo {text}", "", "foo TEXT"},
    {SLOT_PATH, "rm {path}/*", "", "rm PATH/*"},
    {SLOT_HOST, "ssh {host} uptime", "-oProxyCommand=id", "ssh HOST uptime"},
    {SLOT_HOST, "ssh {host} uptime", "a@-oProxyCommand=id", "ssh HOST uptime"},
    {SLOT_HOST, "ssh {host} uptime", "a;id", "ssh HOST uptime"},
    {SLOT_HOST, "ssh {host} uptime", "a@box-1.net", "ssh a@box-1.net uptime"},
    {SLOT_USER, "useradd {user}", "-o", "useradd USER"},
    {SLOT_NAME, "apt install {name}", "-y", "apt install NAME"},
    {SLOT_NAME, "apt install {name}", "g++", "apt install g++"},
    {SLOT_NAME, "{name:x}=$(pwd)", "a-b", "NAME=$(pwd)"},
    {SLOT_NAME, "echo \"${{{name!}}}\"", "a[0]", "echo \"${NAME}\""},
    {SLOT_PORT, "fuser {port}/tcp", "99999", "fuser PORT/tcp"},
    {SLOT_PORT, "fuser {port}/tcp", "65535", "fuser 65535/tcp"},
    {SLOT_MODE, "chmod {mode} x", "--reference=y", "chmod MODE x"},
    {SLOT_MODE, "chmod {mode} x", "-w", "chmod -w x"},
};

static void
a_value_is_quoted_for_all_who_read_it(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(again); i++) {
        CLEANUP_BUF struct buf out = buf_of(4096);
        struct request_value v = {.types = 1u << again[i].slot,
                                  .is = again[i].slot,
                                  .text = (char *)again[i].value,
                                  .quoted = true};
        const struct request q = {
            .text = (char *)"", .n = 1, .values = &v, .n_values = 1};
        const struct slot_fill f = {
            .q = &q,
            .slots = {{.slot = {.type = again[i].slot, .nth = 1}}},
            .n = 1};
        struct slot_fill_result result;
        struct err e;

        assert_int_equal(
            slot_fill_command(&f, again[i].command, &out, &result, &e), 0);
        assert_string_equal(out.p, again[i].filled);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slots_are_filled_as_the_phrase_says),
        cmocka_unit_test(no_value_leaves_its_word),
        cmocka_unit_test(no_value_leaves_a_substitution),
        cmocka_unit_test(a_path_runs_nothing),
        cmocka_unit_test(a_file_called_like_an_option_is_none),
        cmocka_unit_test(what_does_harm_is_known),
        cmocka_unit_test(ways_do_not_take_values_from_each_other),
        cmocka_unit_test(a_value_is_quoted_for_all_who_read_it),
        cmocka_unit_test(what_is_known_is_filled_in_before_anybody_reads_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
