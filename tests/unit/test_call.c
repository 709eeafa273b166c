/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_call.c - whatever a plugin does, its call ends, and so does it. */
#include "tests/unit/unit.h"

#include <poll.h>
#include <signal.h>

#include "base/clock.h"
#include "tests/unit/called.h"

#define BIG (1u << 20) /* of an argument: more than a pipe holds */

#define PIDS   "echo $$ >>pids\n"
#define SLEEPS "sleep 1000 & echo $! >>pids\n"
#define FINE                                                                   \
    "{\"id\":1,\"ok\":true,\"stdout\":\"x\",\"stderr\":\"\",\"meta\":{}}"

/* What it does, and what comes of it: all of them at once. */
static const struct fault_row {
    const char *name, *script;
    int64_t timeout_ms;
    enum err_code code; /* ERR_NONE: a good answer */
    const char *says;
} faults[] = {
    {"answers", PIDS "read x; echo '" FINE "'", -1, ERR_NONE, "x"},
    {"leaves out the id and the last newline",
     PIDS "printf '{\"ok\":true,\"stdout\":\"x\",\"stderr\":\"\","
          "\"meta\":{}}'",
     -1, ERR_NONE, "x"},
    {"does not read a request that fits the pipe",
     PIDS "exec <&-; echo '" FINE "'", -1, ERR_NONE, "x"},
    {"writes a long log",
     PIDS "read x; head -c 300000 /dev/zero | tr '\\0' l >&2; "
          "echo '" FINE "'",
     -1, ERR_NONE, "x"},
    {"does not end after its answer", PIDS SLEEPS "echo '" FINE "'; wait", -1,
     ERR_NONE, "x"},
    {"hangs", PIDS SLEEPS "wait", 50, ERR_TIMEOUT, "within 50 ms"},
    {"ignores the signals that end a program",
     PIDS "trap '' TERM HUP INT\n" SLEEPS "while :; do wait; sleep 1; done", 50,
     ERR_TIMEOUT, "within 50 ms"},
    {"stops itself", PIDS SLEEPS "kill -STOP $$", 50, ERR_TIMEOUT, "50 ms"},
    {"leaves its session", PIDS "setsid sh -c '" SLEEPS "wait' & wait", 50,
     ERR_TIMEOUT, "50 ms"},
    {"dies", PIDS SLEEPS "read x; echo why it did >&2; exit 3", -1, ERR_PEER,
     "made: ended without an answer (status 3): why it did"},
    {"is killed", PIDS SLEEPS "kill -KILL $$", -1, ERR_PEER, "status 137"},
    {"says nothing", PIDS "read x", -1, ERR_PEER, "status 0"},
    {"closes its output", PIDS "exec >&-; sleep 1000", 50, ERR_TIMEOUT,
     "50 ms"},
    {"floods with one line", PIDS "exec tr '\\0' a </dev/zero", -1, ERR_PEER,
     "a line is longer"},
    {"floods with lines",
     PIDS "exec yes '{\"event\":\"output\",\"stream\":"
          "\"stdout\",\"data\":\"x\"}'",
     -1, ERR_PEER, "unrequested output event"},
    {"writes garbage", PIDS SLEEPS "echo oops; wait", -1, ERR_PARSE,
     "not a response"},
    {"writes half an answer", PIDS "printf '{\"ok\":true,'", -1, ERR_PARSE,
     "not a response"},
    {"answers twice", PIDS SLEEPS "echo '" FINE "'; echo '" FINE "'; wait", -1,
     ERR_PEER, "continued after its response"},
    {"goes on after its answer", PIDS "echo '" FINE "'; echo oops", -1,
     ERR_PEER, "continued after its response"},
    {"answers another's request",
     PIDS SLEEPS "echo '{\"id\":2,\"ok\":true,\"stdout\":\"\",\"stderr\":"
                 "\"\",\"meta\":{}}'; wait",
     -1, ERR_PEER, "another request (id 2)"},
    {"needs what it did not name",
     PIDS SLEEPS "echo '{\"event\":\"need\",\"argv\":[\"/bin/true\"],"
                 "\"privileged\":true}'; wait",
     -1, ERR_PEER, "needs /bin/true, which its manifest does not name"},
    {"answers against its schema",
     PIDS "echo '{\"ok\":true,\"stdout\":\"\",\"stderr\":\"\",\"meta\":"
          "{\"size\":\"big\"}}'",
     -1, ERR_PEER, "meta: size: must be an integer"},
};

#define ACTION                                                                 \
    "\"args\":{\"type\":\"object\",\"properties\":{\"text\":{\"type\":"        \
    "\"string\"},\"n\":{\"type\":\"integer\"}},"                               \
    "\"additionalProperties\":false},"                                         \
    "\"meta\":{\"type\":\"object\",\"properties\":{\"size\":"                  \
    "{\"type\":\"integer\"}}},"

static void
check_fault(const struct fault_row *row, const struct called *c,
            const struct called_tool *t)
{
    if (c->failed != row->code ||
        !strstr(row->code ? c->err : c->out, row->says))
        print_message("# %s: %d, '%s' '%s'\n", row->name, (int)c->failed,
                      c->out, c->err);
    assert_int_equal(c->failed, row->code);
    assert_non_null(strstr(row->code ? c->err : c->out, row->says));
    assert_true(called_count(t) > 0);
    assert_true(called_gone(t));
}

/* Waits for a file of the plugin's, while the loop stands still. */
static bool
made(const struct called_tool *t, const char *name)
{
    int64_t until = clock_ms() + CALLED_MS;
    char path[PATH_MAX];

    tree_path(&t->tree, name, path);
    while (access(path, F_OK) < 0 && clock_ms() < until)
        (void)poll(NULL, 0, 5);
    return access(path, F_OK) == 0;
}

static void
each_fault_has_its_code_and_leaves_nothing(void **state)
{
    struct loop *loop = *state;
    static struct called_tool tools[N_OF(faults)];
    static struct called calls[N_OF(faults)];
    int waited;

    for (size_t i = 0; i < N_OF(faults); i++) {
        const struct called_request wish = {.timeout_ms = faults[i].timeout_ms};

        assert_int_equal(called_script(&tools[i], faults[i].script, "", ACTION),
                         0);
        assert_int_equal(called_start(&calls[i], loop, &tools[i], &wish, NULL),
                         0);
    }
    waited = called_wait(calls, N_OF(faults), loop);
    for (size_t i = 0; i < N_OF(faults); i++) {
        if (!calls[i].over)
            print_message("# goes on for ever: %s\n", faults[i].name);
    }
    assert_int_equal(waited, 0);
    for (size_t i = 0; i < N_OF(faults); i++) {
        check_fault(&faults[i], &calls[i], &tools[i]);
        called_tool_drop(&tools[i]);
    }
}

/* Its input ends when its first answer was taken. However late it is, an
 * answer that is there is seen. */
static void
a_second_answer_after_the_first_was_taken_is_seen(void **state)
{
    struct loop *loop = *state;
    const struct called_request wish = {.timeout_ms = -1};
    struct called_tool t;
    struct called c;

    assert_int_equal(
        called_script(&t,
                      PIDS "read x; echo '" FINE "'; echo 1 >first\n"
                           "read x; echo '" FINE
                           "'; echo 1 >second; sleep 1000",
                      "\"needs\":{\"privileged\":[\"/bin/true\"]},", ACTION),
        0);
    assert_int_equal(called_start(&c, loop, &t, &wish, NULL), 0);
    assert_true(made(&t, "first"));
    (void)loop_turn(loop, 0, NULL);
    assert_true(made(&t, "second"));
    assert_int_equal(called_wait(&c, 1, loop), 0);
    assert_int_equal(c.failed, ERR_PEER);
    assert_string_equal(c.err, "made: continued after its response");
    assert_true(called_gone(&t));
    called_tool_drop(&t);
}

/* Its pipe is full, and the loop goes on. */
static void
one_that_never_reads_holds_nobody_up(void **state)
{
    struct loop *loop = *state;
    struct called_tool deaf, fine;
    struct called calls[2];
    CLEANUP(free_p) char *args = malloc(BIG + 32);
    const struct called_request big = {.args = args, .timeout_ms = -1},
                                small = {.timeout_ms = -1};
    int64_t from = clock_ms();

    assert_non_null(args);
    snprintf(args, BIG, "{\"text\":\"%0*d\"}", BIG - 32, 0);
    assert_int_equal(called_script(&deaf, PIDS "sleep 1000", "", ACTION), 0);
    assert_int_equal(
        called_script(&fine, "read x; echo '" FINE "'", "", ACTION), 0);
    assert_int_equal(called_start(&calls[0], loop, &deaf, &big, NULL), 0);
    assert_int_equal(called_once(&calls[1], loop, &fine, &small), 0);
    assert_int_equal(calls[1].failed, ERR_NONE);
    assert_false(calls[0].over);
    assert_true(clock_ms() - from < 4000);
    assert_int_equal(called_wait(calls, 1, loop), 0);
    assert_int_equal(calls[0].failed, ERR_PEER);
    assert_string_equal(calls[0].err, "made: it does not read its request");
    assert_true(called_gone(&deaf));
    called_tool_drop(&deaf);
    called_tool_drop(&fine);
}

static void
a_request_larger_than_the_pipe_arrives_whole(void **state)
{
    struct loop *loop = *state;
    struct called_tool t;
    struct called c;
    CLEANUP(free_p) char *args = malloc(BIG + 32);
    const struct called_request wish = {.args = args, .timeout_ms = -1};

    assert_non_null(args);
    snprintf(args, BIG, "{\"text\":\"%0*d\"}", BIG - 32, 0);
    assert_int_equal(
        called_script(&t,
                      "sleep 0.1; n=$(tr -dc 0 | wc -c)\n"
                      "printf '{\"ok\":true,\"stdout\":\"%s\",\"stderr\":"
                      "\"\",\"meta\":{}}' \"$n\"",
                      "", ACTION),
        0);
    assert_int_equal(called_once(&c, loop, &t, &wish), 0);
    assert_int_equal(c.failed, ERR_NONE);
    assert_int_equal(strtol(c.out, NULL, 10), BIG - 32);
    called_tool_drop(&t);
}

static void
arguments_that_do_not_fit_start_nothing(void **state)
{
    struct loop *loop = *state;
    static const struct {
        const char *args, *says;
    } rows[] = {
        {"{\"n\":\"1\"}", "made go: args: n: must be an integer"},
        {"{\"m\":1}", "made go: args: "},
        {"[]", "made go: args: must be an object"},
    };
    struct called_tool t;
    struct called c;

    assert_int_equal(called_script(&t, PIDS, "", ACTION), 0);
    for (size_t i = 0; i < N_OF(rows); i++) {
        const struct called_request wish = {.args = rows[i].args};
        struct err e = {0};

        assert_int_equal(called_start(&c, loop, &t, &wish, &e), -1);
        assert_int_equal(e.code, ERR_INVALID);
        assert_memory_equal(e.text, rows[i].says, strlen(rows[i].says));
    }
    assert_int_equal(called_count(&t), 0);
    called_tool_drop(&t);
}

/* What it is told. */
static void
a_request_says_what_is_asked_and_what_may_be_touched(void **state)
{
    struct loop *loop = *state;
    static const char *const roots[] = {"/a", "/b c", NULL};
    const struct tool_setting set = {.sandbox = called_open()->sandbox,
                                     .read_roots = roots};
    const struct called_request wish = {
        .set = &set, .args = "{\"n\":1}", .timeout_ms = 5000};
    struct called_tool t;
    struct called c;

    assert_int_equal(
        called_script(&t,
                      "read -r x; y=$(printf %s \"$x\" | sed 's/\"/\\\\\"/g')\n"
                      "printf '{\"ok\":true,\"stdout\":\"%s\",\"stderr\":"
                      "\"\",\"meta\":{}}' \"$y\"",
                      "\"needs\":{\"time_limit_ms\":700},", ACTION),
        0);
    assert_int_equal(called_once(&c, loop, &t, &wish), 0);
    assert_string_equal(
        c.out, "{\"id\":1,\"tool\":\"made\",\"action\":\"go\",\"args\":"
               "{\"n\":1},\"step_id\":\"s\",\"stream\":false,\"timeout_ms\":"
               "700,\"roots\":{\"read\":[\"/a\",\"/b c\"],\"write\":[]}}");
    assert_true(c.duration_ms >= 0);
    called_tool_drop(&t);
}

/* Both run at once, of one process that is in neither directory. */
static void
each_session_has_its_own_directory_and_variables(void **state)
{
    static const char *const marks[][2] = {{"MARK=one", NULL},
                                           {"MARK=two", NULL}};
    static const char *const dirs[] = {"/usr", "/etc"};
    static const char *const expected[] = {"/usr one", "/etc two"};
    struct seat *seats[N_OF(dirs)];
    struct called_tool t;
    struct called c[N_OF(dirs)];

    assert_int_equal(called_script(&t,
                                   "read -r x; printf '{\"ok\":true,\"stdout\":"
                                   "\"%s %s\",\"stderr\":\"\",\"meta\":{}}' "
                                   "\"$OLDPWD\" \"$MARK\"",
                                   "", ACTION),
                     0);
    for (size_t i = 0; i < N_OF(dirs); i++) {
        const struct seat_params p = {.dir = dirs[i], .variables = marks[i]};
        const struct tool_setting set = {.sandbox = called_open()->sandbox,
                                         .seat = seats[i] = seat_new(&p, NULL)};
        const struct called_request wish = {.set = &set, .timeout_ms = 5000};

        assert_non_null(seats[i]);
        assert_int_equal(called_start(&c[i], *state, &t, &wish, NULL), 0);
    }
    assert_int_equal(called_wait(c, N_OF(c), *state), 0);
    for (size_t i = 0; i < N_OF(dirs); i++) {
        assert_string_equal(c[i].out, expected[i]);
        seat_free(seats[i]);
    }
    called_tool_drop(&t);
}

static void
output_comes_while_it_runs(void **state)
{
    struct loop *loop = *state;
    const struct called_request wish = {.timeout_ms = -1, .stream = true};
    struct called_tool t;
    struct called c;

    assert_int_equal(
        called_script(&t,
                      "read -r x; for i in 1 2 3; do echo '{\"event\":"
                      "\"output\",\"step_id\":\"s\",\"stream\":\"stdout\","
                      "\"data\":\"'$i'.\"}'; done; echo '" FINE "'",
                      "", ACTION),
        0);
    assert_int_equal(called_once(&c, loop, &t, &wish), 0);
    assert_int_equal(c.failed, ERR_NONE);
    assert_string_equal(c.live, "1.2.3.");
    called_tool_drop(&t);
}

/* A number that is another each time, and the same for the same seed. */
static unsigned
next(unsigned *seed)
{
    *seed = *seed * 1103515245u + 12345u;
    return *seed >> 16;
}

static void
a_call_can_be_ended_at_any_moment(void **state)
{
    struct loop *loop = *state;
    const struct called_request wish = {.timeout_ms = -1, .stream = true};
    struct called_tool t;
    unsigned seed = 7;

    assert_int_equal(
        called_script(&t,
                      PIDS SLEEPS
                      "read -r x; for i in 1 2 3 4 5 6 7 8; do echo '{"
                      "\"event\":\"output\",\"stream\":\"stdout\","
                      "\"data\":\"x\"}'; done; echo '" FINE "'; wait",
                      "", ACTION),
        0);
    for (int i = 0; i < 60; i++) {
        struct called c;

        assert_int_equal(called_start(&c, loop, &t, &wish, NULL), 0);
        for (unsigned turns = next(&seed) % 12; turns > 0; turns--)
            (void)loop_turn(loop, (int)(next(&seed) % 2), NULL);
        tool_call_free(c.call);
    }
    assert_true(called_gone(&t));
    called_tool_drop(&t);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_fault_has_its_code_and_leaves_nothing),
        cmocka_unit_test(a_second_answer_after_the_first_was_taken_is_seen),
        cmocka_unit_test(one_that_never_reads_holds_nobody_up),
        cmocka_unit_test(a_request_larger_than_the_pipe_arrives_whole),
        cmocka_unit_test(arguments_that_do_not_fit_start_nothing),
        cmocka_unit_test(a_request_says_what_is_asked_and_what_may_be_touched),
        cmocka_unit_test(each_session_has_its_own_directory_and_variables),
        cmocka_unit_test(output_comes_while_it_runs),
        cmocka_unit_test(a_call_can_be_ended_at_any_moment),
    };

    return cmocka_run_group_tests(tests, called_open_loop, called_close_loop);
}
