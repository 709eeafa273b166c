/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_cmd_run.c - one cmd.run process runs commands that are independent of
 * each other. */
#include "tests/unit/unit.h"

#include <signal.h>

#include "sandbox/probe.h"
#include "tests/unit/called.h"
#include "json/write.h"

/* What the tests share: cmd.run, a workspace, a pool. */
struct scene {
    struct loop *loop;
    struct tool_pool *pool;
    struct tree tree;
    struct called_tool t;
    char *programs; /* where the plugins are */
    struct sandbox_spec spec;
    struct tool_setting set;
    bool reduced; /* without namespaces here */
};

static int
open_scene(void **state)
{
    struct scene *s = calloc(1, sizeof(*s));

    (void)signal(SIGPIPE, SIG_IGN);
    if (!s || tree_make(&s->tree) < 0 || !(s->loop = loop_new(NULL)) ||
        called_builtin(&s->t, "cmd.run", NULL) < 0)
        return -1;
    s->programs = strdup(s->t.program);
    *strstr(s->programs, "/cmd.run/") = '\0';
    s->spec = (struct sandbox_spec){.profile = PROFILE_WORKSPACE_WRITE,
                                    .workspace = s->tree.top,
                                    .report = true};
    if (probe_machine(false) != PROBE_WHOLE) {
        s->spec.profile = PROFILE_REDUCED;
        s->reduced = s->spec.reduced = true;
    }
    s->spec.programs[0] = s->programs;
    s->pool = tool_pool_new(s->loop, NULL);
    s->set = (struct tool_setting){.sandbox = &s->spec, .pool = s->pool};
    *state = s;
    return 0;
}

static int
close_scene(void **state)
{
    struct scene *s = *state;

    tool_pool_free(s->pool);
    loop_free(s->loop);
    called_tool_drop(&s->t);
    tree_drop(&s->tree);
    free(s->programs);
    free(s);
    return 0;
}

/* Runs the command; what it wrote is in c. */
static void
run(struct scene *s, const char *command, bool stream, int64_t timeout_ms,
    struct called *c)
{
    CLEANUP_BUF struct buf args = buf_of(65536);
    struct called_request wish = {.action = "execute",
                                  .set = &s->set,
                                  .stream = stream,
                                  .timeout_ms = timeout_ms};
    struct json_writer w;

    json_write_init(&w, &args);
    json_open_object(&w);
    json_member_str(&w, "command", command);
    json_member_str(&w, "working_directory", s->tree.top);
    json_close_object(&w);
    wish.args = args.p;
    assert_int_equal(called_once(c, s->loop, &s->t, &wish), 0);
    if (c->failed)
        print_message("# %s: %s\n", command, c->err);
    assert_int_equal(c->failed, ERR_NONE);
}

/* The number of the command's parent, which is cmd.run. In a pid namespace of
 * its own that is the second process. */
static long
parent(struct scene *s)
{
    struct called c;
    long number;

    run(s, "echo $PPID", false, 5000, &c);
    number = strtol(c.out, NULL, 10);
    if (!s->reduced)
        assert_int_equal(number, 2);
    assert_true(number > 0);
    return number;
}

/* One process serves them all; but where no namespace ends what a command
 * left, each gets its own. */
static void
one_process_runs_them_all(void **state)
{
    struct scene *s = *state;
    struct called c;
    long number = parent(s), first, second;

    if (s->reduced) {
        assert_int_not_equal(parent(s), number);
        return;
    }
    run(s, "echo $$", false, 5000, &c);
    first = strtol(c.out, NULL, 10);
    run(s, "echo $$", false, 5000, &c);
    second = strtol(c.out, NULL, 10);
    assert_true(second > first);
    assert_int_equal(parent(s), number);
}

static void
what_a_command_leaves_behind_is_ended(void **state)
{
    static const char *const leave[] = {
        "sleep 1000 & echo $! >left",
        "setsid sleep 1000 & echo $! >left",
        "(setsid sh -c 'trap \"\" TERM HUP; echo $$ >left; while :; do sleep "
        "1; done' & ) ; while ! test -s left; do :; done",
    };
    struct scene *s = *state;
    struct called c;

    for (size_t i = 0; i < N_OF(leave); i++) {
        run(s, "rm -f left", false, 5000, &c);
        run(s, leave[i], false, 5000, &c);
        run(s,
            "p=$(cat left); test \"$p\" || exit 1; kill -0 $p 2>&1; "
            "ls /proc | grep -c '^[0-9]'",
            false, 5000, &c);
        assert_non_null(strstr(c.out, "No such process"));
    }
}

/* What one command could do to the tool in which the next one runs. */
static void
a_command_cannot_reach_into_the_tool(void **state)
{
    static const char *const reach[] = {
        "echo '{}' >/proc/$PPID/fd/1",
        "cat /proc/$PPID/mem",
        "cat /proc/$PPID/environ",
    };
    struct scene *s = *state;
    struct called c;

    for (size_t i = 0; i < N_OF(reach); i++) {
        run(s, reach[i], false, 5000, &c);
        assert_non_null(strstr(c.err, "ermission denied"));
    }
}

static void
one_that_ends_its_tool_is_a_fault_and_the_next_one_runs(void **state)
{
    struct scene *s = *state;
    struct called_request wish = {.set = &s->set,
                                  .action = "execute",
                                  .args = "{\"command\":\"kill -KILL $PPID\"}",
                                  .timeout_ms = 5000};
    struct called c;

    assert_int_equal(called_once(&c, s->loop, &s->t, &wish), 0);
    assert_int_equal(c.failed, ERR_PEER);
    run(s, "echo on", false, 5000, &c);
    assert_string_equal(c.out, "on\n");
}

static void
a_time_limit_ends_the_command_with_what_it_wrote(void **state)
{
    struct scene *s = *state;
    struct called c;

    run(s, "echo so far; exec sleep 1000", false, 100, &c);
    assert_false(c.ok);
    assert_string_equal(c.code, "TIMEOUT");
    assert_string_equal(c.out, "so far\n");
    run(s, "echo on", false, 5000, &c);
    assert_string_equal(c.out, "on\n");
}

static void
both_streams_are_drained_and_bounded(void **state)
{
    struct scene *s = *state;
    struct called c;

    run(s,
        "head -c 3000000 /dev/zero | tr '\\0' e >&2; "
        "head -c 5000000 /dev/zero | tr '\\0' o",
        true, 20000, &c);
    assert_int_equal(c.live_bytes, 8000000);
    assert_true(c.ok);
    run(s, "head -c 5000000 /dev/zero | tr '\\0' o", false, 20000, &c);
    assert_true(c.ok);
    assert_int_equal(c.live_bytes, 0);
}

/* And a workspace holds nothing of ours in between. */
static void
walls_may_change_from_command_to_command(void **state)
{
    struct scene *s = *state;
    const struct sandbox_spec none = {.profile = PROFILE_FULL};
    const struct sandbox_spec *const walls = s->set.sandbox;
    struct called c;

    run(s, "test -e .agentsh; echo $?", false, 5000, &c);
    assert_string_equal(c.out, "1\n");
    s->set.sandbox = &none;
    run(s, "test -e .agentsh; echo $?", false, 5000, &c);
    s->set.sandbox = walls;
    assert_string_equal(c.out, "1\n");
    (void)parent(s);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_process_runs_them_all),
        cmocka_unit_test(what_a_command_leaves_behind_is_ended),
        cmocka_unit_test(a_command_cannot_reach_into_the_tool),
        cmocka_unit_test(
            one_that_ends_its_tool_is_a_fault_and_the_next_one_runs),
        cmocka_unit_test(a_time_limit_ends_the_command_with_what_it_wrote),
        cmocka_unit_test(both_streams_are_drained_and_bounded),
        cmocka_unit_test(walls_may_change_from_command_to_command),
    };

    return cmocka_run_group_tests(tests, open_scene, close_scene);
}
