/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_rpc_calls.c - calls of ours end once: by an answer, the time, the end.
 */
#include "tests/unit/unit.h"

#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/unit/rpc_sides.h"

static void
both_sides_call_and_answer(void **state)
{
    struct rpc_joined j;

    (void)state;
    rpc_joined_init(&j);
    assert_non_null(rpc_side_call(&j.a, "echo", "{\"from\":\"a\"}", 0));
    assert_non_null(rpc_side_call(&j.b, "echo", "[\"b\"]", RPC_WAIT_MS));
    assert_non_null(rpc_side_call(&j.b, "refused", "", RPC_WAIT_MS));
    assert_int_equal(j.a.n_answers, 0);
    rpc_turn(j.loop);
    assert_string_equal(j.a.text.p, "{\"from\":\"a\"}");
    assert_int_equal(j.a.n_answers, 1);
    assert_int_equal(j.b.n_answers, 2);
    assert_int_equal(j.b.code, -32042);
    assert_int_equal(rpc_notify(j.a.rpc, "note", NULL, NULL), 0);
    rpc_turn(j.loop);
    assert_int_equal(j.b.n_notices, 1);
    assert_true(rpc_is_drained(j.a.rpc));
    rpc_joined_done(&j);
}

/* Each cancels the one it names; what is answered later is a stray answer. */
static void
a_thousand_calls_are_cancelled_one_by_one(void **state)
{
    struct rpc_call *calls[RPC_OPEN_MAX];
    struct rpc_joined j;

    (void)state;
    rpc_joined_init(&j);
    for (size_t i = 0; i < RPC_OPEN_MAX; i++)
        calls[i] = rpc_side_call(&j.a, "cancellable", "", 0);
    assert_null(rpc_side_call(&j.a, "echo", "", 0));
    rpc_turn(j.loop);
    assert_int_equal(rpc_open_requests(j.b.rpc), RPC_OPEN_MAX);
    for (size_t i = 0; i < RPC_OPEN_MAX; i++) {
        rpc_call_cancel(calls[(i * 7) % RPC_OPEN_MAX]);
        rpc_turn(j.loop);
        assert_int_equal(j.b.n_cancelled, i + 1);
    }
    rpc_side_answer_open(&j.b);
    rpc_turn(j.loop);
    assert_int_equal(rpc_open_requests(j.b.rpc), 0);
    assert_int_equal(j.a.n_strays, RPC_OPEN_MAX);
    assert_int_equal(j.a.n_answers + j.a.n_failed, 0);
    rpc_joined_done(&j);
}

static void
late_double_and_wrong_answers_do_no_harm(void **state)
{
    struct rpc_served s;

    (void)state;
    rpc_served_init(&s, 0);
    assert_non_null(rpc_side_call(&s.side, "x", "", 0)); /* id 1 */
    assert_non_null(rpc_side_call(&s.side, "x", "", 0));
    rpc_served_line(&s, RPC_HEAD "\"id\":1,\"result\":\"first\"}");
    rpc_served_line(&s, RPC_HEAD "\"id\":1,\"result\":\"second\"}");
    rpc_served_line(&s, RPC_HEAD "\"id\":\"2\",\"result\":\"a string\"}");
    rpc_served_line(&s, RPC_HEAD "\"id\":99,\"result\":\"invented\"}");
    rpc_served_settle(&s);
    assert_int_equal(s.side.n_answers, 1);
    assert_string_equal(s.side.text.p, "\"first\"");
    assert_int_equal(s.side.n_strays, 3);
    rpc_served_line(&s, RPC_HEAD "\"id\":2,\"result\":1,\"error\":{}}");
    rpc_served_settle(&s);
    assert_int_equal(s.side.n_failed, 1);
    assert_int_equal(s.side.failed, ERR_PEER);
    assert_non_null(rpc_side_call(&s.side, "x", "", 10));
    while (s.side.n_failed < 2)
        assert_true(loop_turn(s.loop, RPC_WAIT_MS, NULL) > 0);
    assert_int_equal(s.side.failed, ERR_TIMEOUT);
    rpc_served_line(&s, RPC_HEAD "\"id\":3,\"result\":\"late\"}");
    rpc_served_settle(&s);
    assert_non_null(strstr(s.got.p, "\n" RPC_HEAD "\"method\":\"$/cancel\","
                                    "\"params\":{\"requestId\":3}}\n"));
    assert_int_equal(s.side.n_strays, 4);
    rpc_served_done(&s);
}

static void
the_end_fails_all_calls_and_is_told_once(void **state)
{
    struct rpc_served s;

    (void)state;
    rpc_served_init(&s, 0);
    for (int i = 0; i < 10; i++)
        assert_non_null(rpc_side_call(&s.side, "x", "", RPC_WAIT_MS));
    /* the last line has no newline, and is answered */
    rpc_served_line(&s, RPC_HEAD "\"id\":1,\"method\":\"wait\"}");
    rpc_served_send(&s, RPC_ECHO, strlen(RPC_ECHO));
    assert_int_equal(shutdown(s.fd, SHUT_WR), 0);
    rpc_served_settle(&s);
    assert_int_equal(s.side.n_failed, 10);
    assert_int_equal(s.side.failed, ERR_PEER);
    assert_int_equal(s.side.ends[RPC_INPUT_ENDED], 1);
    assert_int_equal(s.side.end_why, ERR_NONE);
    assert_non_null(strstr(s.got.p, RPC_ECHOED));
    assert_null(rpc_side_call(&s.side, "x", "", 0));
    buf_clear(&s.got);
    rpc_side_answer_open(&s.side); /* the output lives on */
    rpc_served_settle(&s);
    assert_string_equal(s.got.p, RPC_HEAD "\"id\":1,\"result\":true}\n");
    close(s.fd);
    s.fd = -1;
    assert_int_equal(rpc_notify(s.side.rpc, "x", NULL, NULL), 0);
    rpc_turn(s.loop);
    assert_int_equal(s.side.ends[RPC_OUTPUT_LOST], 1);
    assert_int_equal(s.side.ends[RPC_INPUT_ENDED], 1);
    assert_int_equal(rpc_notify(s.side.rpc, "x", NULL, NULL), -1);
    assert_true(rpc_is_drained(s.side.rpc));
    rpc_served_done(&s);
}

/* Its request is running, and no other is read meanwhile. */
static void
a_peer_that_leaves_is_noticed_while_the_connection_is_paused(void **state)
{
    struct rpc_served s;

    (void)state;
    rpc_served_init(&s, 0);
    rpc_served_line(&s, RPC_HEAD "\"id\":1,\"method\":\"wait\"}");
    rpc_served_settle(&s);
    rpc_pause(s.side.rpc, true);
    assert_non_null(rpc_side_call(&s.side, "x", "", 0));
    rpc_served_settle(&s);
    close(s.fd);
    s.fd = -1;
    rpc_turn(s.loop);
    assert_int_equal(s.side.ends[RPC_OUTPUT_LOST], 1);
    assert_int_equal(s.side.n_failed, 1);
    rpc_side_answer_open(&s.side); /* without effect */
    assert_int_equal(rpc_open_requests(s.side.rpc), 0);
    rpc_served_done(&s);
}

static void
what_a_peer_sends_before_it_leaves_is_read(void **state)
{
    struct rpc_served s;

    (void)state;
    rpc_served_init(&s, 0);
    for (int i = 0; i < 1000; i++)
        rpc_served_line(&s, RPC_HEAD "\"method\":\"note\"}");
    close(s.fd);
    s.fd = -1;
    rpc_turn(s.loop);
    assert_int_equal(s.side.n_notices, 1000);
    assert_int_equal(s.side.ends[RPC_OUTPUT_LOST], 1);
    assert_int_equal(s.side.ends[RPC_INPUT_ENDED], 1);
    rpc_served_done(&s);
}

static const struct {
    const char *callback, *line;
} freeing[] = {
    {"method", RPC_HEAD "\"id\":1,\"method\":\"echo\"}"},
    {"wait", RPC_HEAD "\"id\":1,\"method\":\"wait\"}"},
    {"notice", RPC_HEAD "\"method\":\"note\"}"},
    {"check", RPC_HEAD "\"method\":\"note\"}"},
    {"raw", "CONNECT"},
    {"stray", RPC_HEAD "\"id\":55,\"result\":1}"},
    {"answer", RPC_HEAD "\"id\":1,\"result\":1}"},
    {"answer", RPC_HEAD "\"id\":1,\"result\":1,\"error\":1}"},
    {"answer", NULL},
    {"ended", NULL},
    {"cancel",
     RPC_HEAD "\"id\":\"c\",\"method\":\"cancellable\"}\n" RPC_HEAD
              "\"method\":\"$/cancel\",\"params\":{\"requestId\":\"c\"}}"},
};

static void
any_callback_may_free_the_connection(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(freeing); i++) {
        struct rpc_served s;

        rpc_served_init(&s, 0);
        s.side.frees = freeing[i].callback;
        assert_non_null(rpc_side_call(&s.side, "x", "", 0));
        assert_non_null(rpc_side_call(&s.side, "x", "", RPC_WAIT_MS));
        rpc_served_send(&s, freeing[i].line ? freeing[i].line : "",
                        freeing[i].line ? strlen(freeing[i].line) : 0);
        if (freeing[i].line)
            rpc_served_line(&s, "\n" RPC_HEAD "\"id\":2,\"method\":\"echo\"}");
        else
            assert_int_equal(shutdown(s.fd, SHUT_WR), 0);
        rpc_turn(s.loop);
        if (s.side.rpc)
            fail_msg("%s was not called", freeing[i].callback);
        rpc_side_answer_open(&s.side); /* without effect */
        rpc_served_done(&s);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_sides_call_and_answer),
        cmocka_unit_test(a_thousand_calls_are_cancelled_one_by_one),
        cmocka_unit_test(late_double_and_wrong_answers_do_no_harm),
        cmocka_unit_test(the_end_fails_all_calls_and_is_told_once),
        cmocka_unit_test(
            a_peer_that_leaves_is_noticed_while_the_connection_is_paused),
        cmocka_unit_test(what_a_peer_sends_before_it_leaves_is_read),
        cmocka_unit_test(any_callback_may_free_the_connection),
    };

    (void)signal(SIGPIPE, SIG_IGN);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
