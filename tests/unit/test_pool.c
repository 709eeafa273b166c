/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_pool.c - a persistent plugin serves the next call, or a new one does. */
#include "tests/unit/unit.h"

#include <signal.h>

#include "base/clock.h"
#include "tests/unit/called.h"
#include "tool/call_queue.h"

#define TOOLS 12 /* more than wait at a time */

/* Reads a request, finds its id and the argument n. */
#define TURN                                                                   \
    "read -r x || exit 0\n"                                                    \
    "id=${x#*:}; id=${id%%,*}; n=${x#*\\\"n\\\":}; n=${n%%}*}\n"
#define SAY                                                                    \
    "printf '{\"id\":%s,\"ok\":true,\"stdout\":\"%s\",\"stderr\":\"\","        \
    "\"meta\":{}}\\n' "
#define PERSISTENT "\"persistent\":true,"
#define ARGS       "\"args\":{\"type\":\"object\"},"

/* Each process answers with its own number. */
static const char serves[] = "echo $$ >>pids\nwhile :; do\n" TURN SAY
                             "$id $$\ndone";

/* What the plugin does in its first turn, after which a good one follows. */
static const struct turn_row {
    const char *name, *does;
    enum err_code code;
    const char *says;
} turns[] = {
    {"says a word too many later", SAY "$id 1; sleep 0.05; echo oops", ERR_NONE,
     "1"},
    {"answers twice at once",
     "y=$(" SAY "$id 1); printf '%s\\n%s\\n' \"$y\" "
     "\"$y\"",
     ERR_PEER, "continued after its response"},
    {"ends after its answer", SAY "$id 1; exit 0", ERR_NONE, "1"},
    {"is killed after its answer", SAY "$id 1; kill -KILL $$", ERR_NONE, "1"},
    {"answers the one before", SAY "$((id - 1)) 1", ERR_PEER,
     "another request"},
    {"leaves out the id",
     "echo '{\"ok\":true,\"stdout\":\"\",\"stderr\":\"\",\"meta\":{}}'",
     ERR_PEER, "without the request's id"},
    {"ends without an answer", "exit 4", ERR_PEER, "status 4"},
    {"hangs", "sleep 1000", ERR_TIMEOUT, "within 50 ms"},
};

static struct tool_setting
pooled(struct tool_pool *pool)
{
    struct tool_setting set = *called_open();

    set.pool = pool;
    return set;
}

static void
one_process_serves_many_calls_and_ends_with_the_pool(void **state)
{
    CLEANUP(tool_pool_free_p) struct tool_pool *pool = NULL;
    struct tool_setting set;
    struct called_request wish = {.set = &set, .timeout_ms = 5000};
    struct called_tool t;
    struct called c;

    pool = tool_pool_new(*state, NULL);
    set = pooled(pool);
    assert_int_equal(called_script(&t, serves, PERSISTENT, ARGS), 0);
    for (int i = 0; i < 20; i++) {
        assert_int_equal(called_once(&c, *state, &t, &wish), 0);
        assert_int_equal(c.failed, ERR_NONE);
    }
    assert_int_equal(called_count(&t), 1);
    set.colour = true; /* another environment: another process */
    assert_int_equal(called_once(&c, *state, &t, &wish), 0);
    assert_int_equal(called_count(&t), 2);
    tool_pool_free(TAKE_PTR(pool));
    assert_true(called_gone(&t));
    called_tool_drop(&t);
}

static void
two_calls_at_once_have_a_process_each(void **state)
{
    CLEANUP(tool_pool_free_p) struct tool_pool *pool = NULL;
    struct tool_setting set;
    struct called_request wish = {.set = &set, .timeout_ms = 5000};
    struct called_tool t;
    struct called c[10];

    pool = tool_pool_new(*state, NULL);
    set = pooled(pool);
    assert_int_equal(called_script(&t, serves, PERSISTENT, ARGS), 0);
    for (size_t i = 0; i < N_OF(c); i++)
        assert_int_equal(called_start(&c[i], *state, &t, &wish, NULL), 0);
    assert_int_equal(called_wait(c, N_OF(c), *state), 0);
    for (size_t i = 0; i < N_OF(c); i++)
        assert_int_equal(c[i].failed, ERR_NONE);
    assert_int_equal(called_count(&t), N_OF(c));
    /* those that wait serve the next ones */
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(called_start(&c[i], *state, &t, &wish, NULL), 0);
    assert_int_equal(called_wait(c, 5, *state), 0);
    assert_int_equal(called_count(&t), N_OF(c));
    tool_pool_free(TAKE_PTR(pool));
    assert_true(called_gone(&t));
    called_tool_drop(&t);
}

/* Answers with n of its request. */
#define ECHO "n=${n%%[!0-9]*}\n" SAY "$id $n\n"

static void
start_queued(struct called *c, size_t n, struct loop *l,
             const struct called_tool *t, const struct tool_setting *set,
             int64_t timeout_ms)
{
    struct called_request wish = {
        .set = set, .timeout_ms = timeout_ms, .queued = true};

    for (size_t i = 0; i < n; i++) {
        char args[32];

        snprintf(args, sizeof(args), "{\"n\":%zu}", i);
        wish.args = args;
        assert_int_equal(called_start(&c[i], l, t, &wish, NULL), 0);
    }
}

static void
check_answers(const struct called *c, size_t from, size_t n)
{
    for (size_t i = from; i < n; i++) {
        char text[32];

        snprintf(text, sizeof(text), "%zu", i);
        if (c[i].failed)
            fail_msg("%zu: %s", i, c[i].err);
        assert_string_equal(c[i].out, text);
    }
}

/* A few are allowed for, since nobody joins one that seems to be slow. */
static void
calls_that_read_are_answered_by_one_process(void **state)
{
    CLEANUP(tool_pool_free_p) struct tool_pool *pool = NULL;
    struct tool_setting set;
    struct called_tool t;
    struct called c[100];

    pool = tool_pool_new(*state, NULL);
    set = pooled(pool);
    assert_int_equal(
        called_script(&t, "echo $$ >>pids\nwhile :; do\n" TURN ECHO "done",
                      PERSISTENT, ARGS),
        0);
    for (int i = 0; i < 3; i++) {
        start_queued(c, N_OF(c), *state, &t, &set, -1);
        assert_int_equal(called_wait(c, N_OF(c), *state), 0);
        check_answers(c, 0, N_OF(c));
    }
    assert_true(called_count(&t) < N_OF(c) / 4);
    tool_pool_free(TAKE_PTR(pool));
    assert_true(called_gone(&t));
    called_tool_drop(&t);
}

/* In the queue they would wait for one another, and not be sent at once. */
static void
large_requests_wait_for_no_other(void **state)
{
    struct tool_pool *pool = tool_pool_new(*state, NULL);
    const struct tool_setting set = pooled(pool);
    CLEANUP_BUF struct buf args = buf_of(CALL_QUEUE_BYTES);
    struct called_request wish = {
        .set = &set, .timeout_ms = -1, .queued = true};
    struct called_tool t;
    struct called c[3];

    buf_str(&args, "{\"n\":0,\"pad\":\"");
    assert_int_equal(buf_blanks(&args, CALL_QUEUE_BYTES / 2), 0);
    buf_str(&args, "\"}");
    wish.args = args.p;
    assert_int_equal(called_script(&t,
                                   "echo $$ >>pids\nwhile :; do\n" TURN SAY
                                   "$id 0\ndone",
                                   PERSISTENT, ARGS),
                     0);
    for (size_t i = 0; i < N_OF(c); i++)
        assert_int_equal(called_start(&c[i], *state, &t, &wish, NULL), 0);
    assert_int_equal(called_wait(c, N_OF(c), *state), 0);
    for (size_t i = 0; i < N_OF(c); i++)
        assert_string_equal(c[i].out, "0");
    assert_int_equal(called_count(&t), N_OF(c));
    tool_pool_free(pool);
    assert_true(called_gone(&t));
    called_tool_drop(&t);
}

/* What the first process does after it has got many requests, and what comes
 * of the first two; all others are answered. */
static const struct queue_row {
    const char *name, *does;
    enum err_code first, second;
} queues[] = {
    {"ends after its answer", ECHO "exit 0", ERR_NONE, ERR_NONE},
    {"is killed after its answer", ECHO "kill -KILL $$", ERR_NONE, ERR_NONE},
    {"answers without the end of the line, and ends",
     "printf '{\"id\":%s,\"ok\":true,\"stdout\":\"0\",\"stderr\":\"\","
     "\"meta\":{}}' $id; exit 0",
     ERR_NONE, ERR_NONE},
    {"ends without an answer", "exit 4", ERR_PEER, ERR_NONE},
    {"hangs", "sleep 1000", ERR_TIMEOUT, ERR_NONE},
    {"writes garbage", "echo oops", ERR_PARSE, ERR_NONE},
    {"answers twice", ECHO ECHO, ERR_NONE, ERR_PEER},
};

/* False: starting the calls took so long that some are in another queue. */
static bool
queue_is_tried(const struct queue_row *row, struct loop *l)
{
    struct tool_pool *pool = tool_pool_new(l, NULL);
    const struct tool_setting set = pooled(pool);
    CLEANUP_BUF struct buf text = buf_of(8192);
    struct called_tool t;
    struct called c[8];
    int64_t began;
    bool together;

    buf_printf(&text,
               "echo $$ >>pids\nif mkdir first 2>/dev/null; then\n%s\n%s\n"
               "fi\nwhile :; do\n%s%sdone",
               TURN, row->does, TURN, ECHO);
    assert_int_equal(called_script(&t, text.p, PERSISTENT, ARGS), 0);
    began = clock_ms();
    start_queued(c, N_OF(c), l, &t, &set, row->first == ERR_TIMEOUT ? 50 : -1);
    together = clock_ms() - began < CALL_QUEUE_STALL_MS;
    assert_int_equal(called_wait(c, N_OF(c), l), 0);
    if (together && (c[0].failed != row->first || c[1].failed != row->second))
        fail_msg("%s: '%s' '%s'", row->name, c[0].err, c[1].err);
    if (together)
        check_answers(c, 2, N_OF(c));
    tool_pool_free(pool);
    assert_true(called_gone(&t));
    called_tool_drop(&t);
    return together;
}

static void
one_that_fails_a_call_costs_the_next_ones_nothing(void **state)
{
    for (size_t i = 0; i < N_OF(queues); i++) {
        int tries = 0;

        while (!queue_is_tried(&queues[i], *state))
            assert_true(++tries < 50);
    }
}

/* The first, one that waits, the last, and all. */
static void
calls_may_leave_before_or_in_their_turn(void **state)
{
    static const struct {
        size_t from, to;
    } rows[] = {{0, 1}, {1, 2}, {0, 2}, {3, 6}, {9, 10}, {0, 9}, {0, 10}};

    for (size_t i = 0; i < N_OF(rows); i++) {
        struct tool_pool *pool = tool_pool_new(*state, NULL);
        const struct tool_setting set = pooled(pool);
        struct called_tool t;
        struct called c[10];

        assert_int_equal(
            called_script(&t, "echo $$ >>pids\nwhile :; do\n" TURN ECHO "done",
                          PERSISTENT, ARGS),
            0);
        start_queued(c, N_OF(c), *state, &t, &set, -1);
        for (size_t k = rows[i].from; k < rows[i].to; k++) {
            tool_call_free(TAKE_PTR(c[k].call));
            c[k].over = true;
        }
        assert_int_equal(called_wait(c, N_OF(c), *state), 0);
        check_answers(c, 0, rows[i].from);
        check_answers(c, rows[i].to, N_OF(c));
        tool_pool_free(pool);
        assert_true(called_gone(&t));
        called_tool_drop(&t);
    }
}

/* A plugin that does so in its first process, and serves in the next. */
static int
make_turn(struct called_tool *t, const struct turn_row *row)
{
    CLEANUP_BUF struct buf text = buf_of(8192);

    buf_printf(&text,
               "echo $$ >>pids\nif mkdir first 2>/dev/null; then\n%s\n%s\n"
               "fi\nwhile :; do\n%s%s $id 2\ndone",
               TURN, row->does, TURN, SAY);
    return called_script(t, text.p, PERSISTENT, ARGS);
}

/* What it does while it waits is seen by the loop. */
static void
settle(struct loop *l, const struct called_tool *t)
{
    int64_t until = clock_ms() + CALLED_MS;

    while (!called_are_gone(t)) {
        assert_true(clock_ms() < until);
        (void)loop_turn(l, 10, NULL);
    }
}

static void
try_turn(const struct turn_row *row, struct loop *l, struct tool_pool *pool)
{
    const struct tool_setting set = pooled(pool);
    struct called_request wish = {
        .set = &set, .timeout_ms = row->code == ERR_TIMEOUT ? 50 : 5000};
    struct called_tool t;
    struct called c;

    assert_int_equal(make_turn(&t, row), 0);
    assert_int_equal(called_once(&c, l, &t, &wish), 0);
    if (c.failed != row->code)
        print_message("# %s: %s\n", row->name, c.err);
    assert_int_equal(c.failed, row->code);
    assert_non_null(strstr(row->code ? c.err : c.out, row->says));
    wish.timeout_ms = 5000;
    settle(l, &t);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(called_once(&c, l, &t, &wish), 0);
        assert_string_equal(c.out, "2");
    }
    assert_int_equal(called_count(&t), 2);
    called_tool_drop(&t);
}

static void
after_each_fault_the_next_call_has_a_new_process(void **state)
{
    CLEANUP(tool_pool_free_p)
    struct tool_pool *pool = tool_pool_new(*state, NULL);

    assert_non_null(pool);
    for (size_t i = 0; i < N_OF(turns); i++)
        try_turn(&turns[i], *state, pool);
}

static void
only_so_many_wait(void **state)
{
    CLEANUP(tool_pool_free_p) struct tool_pool *pool = NULL;
    struct tool_setting set;
    struct called_request wish = {.set = &set, .timeout_ms = 5000};
    struct called_tool tools[TOOLS];
    struct called c;

    pool = tool_pool_new(*state, NULL);
    set = pooled(pool);
    for (size_t i = 0; i < TOOLS; i++) {
        assert_int_equal(called_script(&tools[i], serves, PERSISTENT, ARGS), 0);
        assert_int_equal(called_once(&c, *state, &tools[i], &wish), 0);
    }
    assert_true(called_gone(&tools[0]));
    assert_int_equal(called_once(&c, *state, &tools[TOOLS - 1], &wish), 0);
    assert_int_equal(called_count(&tools[TOOLS - 1]), 1);
    assert_int_equal(called_once(&c, *state, &tools[0], &wish), 0);
    assert_int_equal(called_count(&tools[0]), 2);
    tool_pool_free(TAKE_PTR(pool));
    for (size_t i = 0; i < TOOLS; i++) {
        assert_true(called_gone(&tools[i]));
        called_tool_drop(&tools[i]);
    }
}

static void
one_that_is_not_persistent_or_a_step_without_walls_is_not_kept(void **state)
{
    static const char *const members[] = {"", PERSISTENT
                                          "\"confinement\":\"step\","};
    CLEANUP(tool_pool_free_p) struct tool_pool *pool = NULL;
    struct tool_setting set;
    struct called_request wish = {.set = &set, .timeout_ms = 5000};

    pool = tool_pool_new(*state, NULL);
    set = pooled(pool);
    for (size_t i = 0; i < N_OF(members); i++) {
        struct called_tool t;
        struct called c;

        assert_int_equal(called_script(&t, serves, members[i], ARGS), 0);
        for (int k = 0; k < 2; k++) {
            assert_int_equal(called_once(&c, *state, &t, &wish), 0);
            assert_int_equal(c.failed, ERR_NONE);
        }
        assert_int_equal(called_count(&t), 2);
        assert_true(called_gone(&t));
        called_tool_drop(&t);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_process_serves_many_calls_and_ends_with_the_pool),
        cmocka_unit_test(two_calls_at_once_have_a_process_each),
        cmocka_unit_test(calls_that_read_are_answered_by_one_process),
        cmocka_unit_test(large_requests_wait_for_no_other),
        cmocka_unit_test(one_that_fails_a_call_costs_the_next_ones_nothing),
        cmocka_unit_test(calls_may_leave_before_or_in_their_turn),
        cmocka_unit_test(after_each_fault_the_next_call_has_a_new_process),
        cmocka_unit_test(only_so_many_wait),
        cmocka_unit_test(
            one_that_is_not_persistent_or_a_step_without_walls_is_not_kept),
    };

    return cmocka_run_group_tests(tests, called_open_loop, called_close_loop);
}
