/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_elevate.c - which programs run as root for a plugin. */
#include "tests/unit/unit.h"

#include <signal.h>

#include "base/clock.h"
#include "tests/unit/called.h"

#define ARGS "\"args\":{\"type\":\"object\"},"
#define NAMED                                                                  \
    "\"needs\":{\"privileged\":[\"/bin/sh\",\"/usr/bin/env\"],"                \
    "\"time_limit_ms\":20000},"

/* Asks for the words, and answers with what it was told, quotes escaped. */
#define ASKS(words)                                                            \
    "echo $$ >>pids\nread -r x\n"                                              \
    "printf '%s\\n' '{\"event\":\"need\",\"argv\":[" words                     \
    "],\"privileged\":true}'\n"                                                \
    "read -r x; y=$(printf %s \"$x\" | sed 's/[\\\\\"]/\\\\&/g')\n"            \
    "printf '{\"ok\":true,\"stdout\":\"%s\",\"stderr\":\"\",\"meta\":{}}' "    \
    "\"$y\""

static const struct tool_setting *
agreed(void)
{
    static const struct sandbox_spec none = {.profile = PROFILE_FULL};
    static const struct tool_setting set = {.sandbox = &none,
                                            .privileged = true};

    return &set;
}

/* What comes back where it is run: by root. */
static const struct run_row {
    const char *script, *answer, *live;
    bool stream;
} runs[] = {
    {ASKS("\"/bin/sh\",\"-c\",\"echo a b; echo c >&2; exit 3\""),
     "{\"exit_code\":3,\"stdout\":\"a b\\n\",\"stderr\":\"c\\n\"}", "", false},
    {ASKS("\"/bin/sh\",\"-c\",\"echo live; pwd\""),
     "{\"exit_code\":0,\"stdout\":\"live\\n/\\n\",\"stderr\":\"\"}",
     "live\n/\n", true},
    {ASKS("\"/bin/sh\",\"-c\",\"kill -TERM $$\""),
     "{\"exit_code\":143,\"stdout\":\"\",\"stderr\":\"\"}", "", false},
    {ASKS("\"/usr/bin/env\",\"no-such-program\""), "{\"exit_code\":127,", "",
     false},
    {ASKS("\"/bin/sh\",\"-c\",\"setsid sleep 1000 & echo $! >>$0\",\"pids\""),
     "{\"exit_code\":0,", "", false},
};

static void
root_with_a_yes_has_it_run(void **state)
{
    if (geteuid() != 0)
        return;
    for (size_t i = 0; i < N_OF(runs); i++) {
        const struct called_request wish = {.set = agreed(),
                                            .agree = TOOL_ELEVATE_YES,
                                            .timeout_ms = 9000,
                                            .stream = runs[i].stream};
        struct called_tool t;
        struct called c;

        assert_int_equal(called_script(&t, runs[i].script, NAMED, ARGS), 0);
        assert_int_equal(called_once(&c, *state, &t, &wish), 0);
        assert_int_equal(c.failed, ERR_NONE);
        assert_memory_equal(c.out, runs[i].answer, strlen(runs[i].answer));
        assert_string_equal(c.live, runs[i].live);
        assert_memory_equal(c.need, " /", 2); /* it was told of */
        assert_true(called_gone(&t));
        called_tool_drop(&t);
    }
}

static void
anyone_else_is_told_what_to_type(void **state)
{
    const struct tool_setting *const settings[] = {called_open(), agreed()};
    const bool root = geteuid() == 0;

    for (size_t i = 0; i < N_OF(settings) - root; i++) {
        const struct called_request wish = {.set = settings[i],
                                            .timeout_ms = 9000};
        struct called_tool t;
        struct called c;

        assert_int_equal(
            called_script(&t, ASKS("\"/bin/sh\",\"-c\",\"a b; $c\",\"\""),
                          NAMED, ARGS),
            0);
        assert_int_equal(called_once(&c, *state, &t, &wish), 0);
        assert_int_equal(c.failed, ERR_NONE);
        assert_non_null(strstr(c.out, "{\"exit_code\":-1,\"stdout\":\"\","));
        assert_non_null(
            strstr(c.out, root ? "you did not approve it. To do: /bin/sh -c "
                               : "needs root. To do: sudo /bin/sh -c "));
        assert_non_null(strstr(c.out, "-c 'a b; $c' ''\""));
        assert_non_null(strstr(c.out, "\"error_code\":\"PERMISSION_DENIED\""));
        called_tool_drop(&t);
    }
}

/* Nobody is asked about what will not run in any case; who says no has it not
 * run; the words are told as they would be run. */
static void
what_is_not_agreed_to_does_not_run(void **state)
{
    const struct called_request wish = {.set = agreed(), .timeout_ms = 9000};
    const struct called_request shut = {.agree = TOOL_ELEVATE_YES,
                                        .timeout_ms = 9000};
    struct called_tool t;
    struct called c;

    if (geteuid() != 0)
        return;
    assert_int_equal(called_script(&t,
                                   ASKS("\"/bin/sh\",\"-c\",\"echo x >&2\""),
                                   NAMED, ARGS),
                     0);
    assert_int_equal(called_once(&c, *state, &t, &wish), 0);
    assert_string_equal(c.need, " /bin/sh -c echo x >&2");
    assert_non_null(strstr(c.out, "you did not approve it"));
    assert_int_equal(called_once(&c, *state, &t, &shut), 0);
    assert_string_equal(c.need, "");
    assert_non_null(strstr(c.out, "you did not approve it"));
    called_tool_drop(&t);
}

static void
wait_for_need(struct called *c, struct loop *l)
{
    int64_t until = clock_ms() + CALLED_MS;

    while (!c->need[0] && !c->over && clock_ms() < until)
        (void)loop_turn(l, 100, NULL);
}

/* Longer than the call may take: a person who thinks is not its time. */
static void
think(struct loop *l)
{
    int64_t until = clock_ms() + 1500;

    while (clock_ms() < until)
        (void)loop_turn(l, 50, NULL);
}

static void
an_answer_may_take_its_time(void **state)
{
    static const char *const answer[] = {"you did not approve it",
                                         "{\"exit_code\":0,\"stdout\":\"ran"};
    const struct called_request wish = {
        .set = agreed(), .agree = TOOL_ELEVATE_LATER, .timeout_ms = 200};

    if (geteuid() != 0)
        return;
    for (int yes = 0; yes < 2; yes++) {
        struct called_tool t;
        struct called c;

        assert_int_equal(called_script(&t,
                                       ASKS("\"/bin/sh\",\"-c\",\"echo ran\""),
                                       NAMED, ARGS),
                         0);
        assert_int_equal(called_start(&c, *state, &t, &wish, NULL), 0);
        wait_for_need(&c, *state);
        think(*state);
        assert_false(c.over);
        tool_call_elevate(c.call, yes);
        assert_int_equal(called_wait(&c, 1, *state), 0);
        assert_int_equal(c.failed, ERR_NONE);
        assert_non_null(strstr(c.out, answer[yes]));
        called_tool_drop(&t);
    }
}

/* Nothing of its own stands below the question. */
static void
one_that_talks_while_a_person_is_asked_is_at_fault(void **state)
{
    const struct called_request wish = {.set = agreed(),
                                        .agree = TOOL_ELEVATE_LATER,
                                        .timeout_ms = 9000,
                                        .stream = true};
    struct called_tool t;
    struct called c;

    if (geteuid() != 0)
        return;
    assert_int_equal(
        called_script(&t,
                      "read -r x; echo '{\"event\":\"need\",\"argv\":["
                      "\"/bin/sh\"],\"privileged\":true}'; echo '{\"event\":"
                      "\"output\",\"stream\":\"stdout\",\"data\":\"yes\"}';"
                      "read -r x; read -r x",
                      NAMED, ARGS),
        0);
    assert_int_equal(called_once(&c, *state, &t, &wish), 0);
    assert_int_equal(c.failed, ERR_PEER);
    assert_non_null(strstr(c.err, "continued while you were asked"));
    assert_string_equal(c.live, "");
    called_tool_drop(&t);
}

/* What asks beyond its manifest, or out of turn: in one write, since anyone but
 * root is answered at once. */
static const struct {
    const char *script, *says;
} wrong[] = {
    {ASKS("\"/bin/ls\""), "needs /bin/ls, which its manifest does not name"},
    {ASKS("\"sh\",\"-c\",\"true\""), "needs sh, which its manifest"},
    {ASKS("\"/bin/../bin/sh\""), "needs /bin/../bin/sh, which"},
    {"x='{\"event\":\"need\",\"argv\":[\"/bin/sh\",\"-c\",\"sleep 1000\"],"
     "\"privileged\":true}'; printf '%s\\n%s\\n' \"$x\" \"$x\"; read x; read x",
     "requested two commands at a time"},
    {"printf '%s\\n' '{\"event\":\"need\",\"argv\":[\"/bin/sh\",\"-c\","
     "\"sleep 1000\"],\"privileged\":true}' '{\"ok\":true,\"stdout\":\"\","
     "\"stderr\":\"\",\"meta\":{}}'; read x",
     "responded while waiting for a command that it requested"},
};

static void
one_that_asks_beyond_its_manifest_is_at_fault(void **state)
{
    for (size_t i = 0; i < N_OF(wrong); i++) {
        const struct called_request wish = {
            .set = agreed(), .agree = TOOL_ELEVATE_YES, .timeout_ms = 9000};
        struct called_tool t;
        struct called c;

        assert_int_equal(called_script(&t, wrong[i].script, NAMED, ARGS), 0);
        assert_int_equal(called_once(&c, *state, &t, &wish), 0);
        assert_int_equal(c.failed, ERR_PEER);
        assert_non_null(strstr(c.err, wrong[i].says));
        called_tool_drop(&t);
    }
}

static void
what_runs_for_a_call_ends_with_it(void **state)
{
    const struct called_request wish = {
        .set = agreed(), .agree = TOOL_ELEVATE_YES, .timeout_ms = 100};
    struct called_tool t;
    struct called c;

    if (geteuid() != 0)
        return;
    /* the file is named by its whole path: it runs in / */
    assert_int_equal(
        called_script(
            &t,
            "echo $$ >>pids\nprintf '{\"event\":\"need\",\"argv\":["
            "\"/bin/sh\",\"-c\",\"echo $$ >>%s/pids; setsid sleep 1000 & "
            "echo $! >>%s/pids; wait\"],\"privileged\":true}\\n' \"$PWD\" "
            "\"$PWD\"; read x; read x",
            NAMED, ARGS),
        0);
    assert_int_equal(called_once(&c, *state, &t, &wish), 0);
    assert_int_equal(c.failed, ERR_TIMEOUT);
    assert_int_equal(called_count(&t), 3);
    assert_true(called_gone(&t));
    called_tool_drop(&t);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(root_with_a_yes_has_it_run),
        cmocka_unit_test(anyone_else_is_told_what_to_type),
        cmocka_unit_test(what_is_not_agreed_to_does_not_run),
        cmocka_unit_test(an_answer_may_take_its_time),
        cmocka_unit_test(one_that_talks_while_a_person_is_asked_is_at_fault),
        cmocka_unit_test(one_that_asks_beyond_its_manifest_is_at_fault),
        cmocka_unit_test(what_runs_for_a_call_ends_with_it),
    };

    return cmocka_run_group_tests(tests, called_open_loop, called_close_loop);
}
