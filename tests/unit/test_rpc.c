/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_rpc.c - a connection answers every message, and survives every peer. */
#include "tests/unit/unit.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <malloc.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/rpc_sides.h"
#include "wire/sender.h"

static const struct {
    const char *line, *answer; /* without newlines; "": none */
} rows[] = {
    {RPC_ECHO, RPC_ECHOED},
    {RPC_HEAD "\"id\":18446744073709551615,\"method\":\"echo\"}",
     RPC_HEAD "\"id\":18446744073709551615,\"result\":null}"},
    {" {\"id\" : \"\\u0061\\u0000\\/\",\"jsonrpc\":\"2.0\",\"method\":\"any\","
     "\"params\":3}\r",
     RPC_HEAD "\"id\":\"\\u0061\\u0000\\/\",\"result\":null}"},
    {"", ""},
    {" \t\r", ""},
    {"CONNECT x", "OK 52"},
    {RPC_HEAD "\"method\":\"note\",\"params\":[2]}", ""},
    {RPC_HEAD "\"method\":\"echo\",\"params\":[2]}", ""},
    {RPC_HEAD "\"method\":\"nobody\"}", ""},
    {RPC_HEAD "\"method\":\"note\",\"params\":2}", ""},
    {RPC_HEAD "\"id\":2,\"method\":\"note\"}",
     RPC_HEAD "\"id\":2,\"error\":{\"code\":-32601,"
              "\"message\":\"method not found: note\"}}"},
    {RPC_HEAD "\"id\":3,\"method\":\"nobody\",\"params\":3}",
     RPC_HEAD "\"id\":3,\"error\":{\"code\":-32601,"
              "\"message\":\"method not found: nobody\"}}"},
    {RPC_HEAD "\"id\":4,\"method\":\"echo\",\"params\":null}",
     RPC_HEAD "\"id\":4,\"error\":{\"code\":-32602,"
              "\"message\":\"params: must be an object or an array\"}}"},
    {RPC_HEAD "\"id\":5,\"method\":\"refused\"}",
     RPC_HEAD "\"id\":5,\"error\":{\"code\":-32042,"
              "\"message\":\"no \\\"more\\\"\",\"data\":[1]}}"},
    {"[" RPC_HEAD "\"id\":1,\"method\":\"echo\"}]",
     RPC_HEAD "\"id\":null,\"error\":{\"code\":-32600,"
              "\"message\":\"batches are not supported\"}}"},
    {RPC_HEAD "\"id\":1.5,\"method\":\"echo\"}",
     RPC_HEAD "\"id\":null,\"error\":{\"code\":-32600,"
              "\"message\":\"id: must be a string or an integer\"}}"},
    {"{\"jsonrpc\":\"1.0\",\"id\":6,\"method\":\"echo\"}",
     RPC_HEAD "\"id\":6,\"error\":{\"code\":-32600,"
              "\"message\":\"jsonrpc: must be \\\"2.0\\\"\"}}"},
    {RPC_HEAD "\"id\":6}",
     RPC_HEAD "\"id\":6,\"error\":{\"code\":-32600,"
              "\"message\":\"neither a request nor a response\"}}"},
    {RPC_HEAD "\"id\":8,\"method\":\"strict\"}",
     RPC_HEAD "\"id\":8,\"error\":{\"code\":-32001,"
              "\"message\":\"strictly no\"}}"},
    {RPC_HEAD "\"id\":7,\"method\":\"strict\"}",
     RPC_HEAD "\"id\":null,\"error\":{\"code\":-32001,"
              "\"message\":\"strictly no\"}}"},
    {RPC_HEAD "\"method\":\"strict\"}",
     RPC_HEAD "\"id\":null,\"error\":{\"code\":-32001,"
              "\"message\":\"strictly no\"}}"},
    {RPC_HEAD "\"id\":9,\"result\":1}", ""},
    {RPC_HEAD "\"id\":null,\"error\":{\"code\":1,\"message\":\"\"}}", ""},
    {RPC_HEAD "\"method\":\"$/cancel\",\"params\":{\"requestId\":77}}", ""},
    {RPC_HEAD "\"method\":\"$/cancel\",\"params\":[]}", ""},
};

static void
every_message_has_its_answer_and_the_connection_lives(void **state)
{
    struct rpc_served s;

    (void)state;
    rpc_served_init(&s, 0);
    for (size_t i = 0; i < N_OF(rows); i++) {
        size_t n = strlen(rows[i].answer);

        buf_clear(&s.got);
        rpc_served_line(&s, rows[i].line);
        rpc_served_settle(&s);
        if (s.got.len != n + (n > 0) || memcmp(s.got.p, rows[i].answer, n) != 0)
            fail_msg("%s: %s", rows[i].line, s.got.p);
    }
    assert_int_equal(s.side.n_strays, 2);
    assert_int_equal(s.side.n_notices, 1);
    buf_clear(&s.got);
    rpc_served_line(&s, "{\"jsonrpc");
    rpc_served_settle(&s);
    assert_non_null(strstr(s.got.p, "\"id\":null,\"error\":{\"code\":-32700,"));
    rpc_served_done(&s);
}

static void
put_rows(struct buf *input, struct buf *want)
{
    for (int i = 0; i < 60; i++) {
        size_t at = (size_t)random() % N_OF(rows);

        buf_str(input, rows[at].line);
        buf_ch(input, '\n');
        if (rows[at].answer[0]) {
            buf_str(want, rows[at].answer);
            buf_ch(want, '\n');
        }
    }
}

static void
however_the_input_is_split_the_answers_are_the_same(void **state)
{
    (void)state;
    for (unsigned seed = 1; seed <= 200; seed++) {
        CLEANUP_BUF struct buf input = buf_of(1u << 20);
        CLEANUP_BUF struct buf want = buf_of(1u << 20);
        struct rpc_served s;

        srandom(seed);
        rpc_served_init(&s, 0);
        put_rows(&input, &want);
        for (size_t at = 0; at < input.len;) {
            size_t n = 1 + (size_t)random() % (random() % 2 ? 20 : 900);

            if (n > input.len - at)
                n = input.len - at;
            rpc_served_send(&s, input.p + at, n);
            at += n;
            if (random() % 4)
                (void)loop_turn(s.loop, 0, NULL);
            rpc_pause(s.side.rpc, random() % 5 == 0);
        }
        rpc_pause(s.side.rpc, false);
        rpc_served_settle(&s);
        if (s.got.len != want.len || memcmp(s.got.p, want.p, want.len) != 0)
            fail_msg("seed %u: %s instead of %s", seed, s.got.p, want.p);
        rpc_served_done(&s);
    }
}

/* A request whose line has n bytes. */
static void
put_request_of(struct buf *out, size_t n)
{
    static const char head[] = RPC_HEAD
        "\"id\":1,\"method\":\"echo\",\"params\":[\"";

    buf_str(out, head);
    for (size_t i = sizeof(head) - 1 + 3; i < n; i++)
        buf_ch(out, 'x');
    buf_str(out, "\"]}");
}

static void
a_message_of_16_mib_is_answered_and_a_longer_one_refused(void **state)
{
    CLEANUP_BUF struct buf line = buf_of(64u << 20);
    struct rpc_served s;

    (void)state;
    rpc_served_init(&s, 0);
    put_request_of(&line, 16u << 20);
    rpc_served_line(&s, line.p);
    rpc_served_await(&s, "xx\"]}\n");
    assert_true(s.got.len > (16u << 20) - 100);
    assert_string_equal(s.got.p + s.got.len - 6, "xx\"]}\n");
    buf_clear(&line);
    buf_clear(&s.got);
    put_request_of(&line, RPC_LINE_MAX + 1);
    rpc_served_line(&s, line.p);
    rpc_served_line(&s, rows[0].line);
    rpc_served_settle(&s);
    assert_non_null(strstr(s.got.p,
                           "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":"
                           "{\"code\":-32600,"));
    assert_non_null(strstr(s.got.p, rows[0].answer));
    rpc_served_done(&s);
}

/* A line that is parsed in a thread, and comes in several reads. */
#define LONG_LINE (300u << 10)

static void
what_comes_behind_a_long_message_waits_for_it(void **state)
{
    CLEANUP_BUF struct buf line = buf_of(64u << 20);
    const char *first, *second;
    struct rpc_served s;

    (void)state;
    rpc_served_init(&s, 0);
    put_request_of(&line, LONG_LINE);
    for (int i = 0; i < 2; i++) {
        rpc_served_line(&s, line.p);
        rpc_served_line(&s, RPC_HEAD "\"id\":2,\"method\":\"echo\"}");
    }
    rpc_served_line(&s, RPC_HEAD "\"id\":3,\"method\":\"echo\"}");
    rpc_served_await(&s, "\"id\":3,");
    first = strstr(s.got.p, "\"id\":2,");
    assert_non_null(first);
    assert_true(first > s.got.p + LONG_LINE - 100);
    second = strstr(first + 1, "\"id\":2,");
    assert_non_null(second);
    assert_true(second > first + LONG_LINE - 100);
    rpc_served_done(&s);
}

static void
a_long_message_that_is_none_is_told(void **state)
{
    CLEANUP_BUF struct buf line = buf_of(1u << 20);
    struct rpc_served s;

    (void)state;
    rpc_served_init(&s, 0);
    put_request_of(&line, LONG_LINE);
    line.p[line.len - 1] = ']';
    rpc_served_line(&s, line.p);
    rpc_served_await(&s, "\"error\":{\"code\":-32700,");
    rpc_served_done(&s);
}

static void
a_connection_can_end_while_a_long_message_is_parsed(void **state)
{
    CLEANUP_BUF struct buf line = buf_of(1u << 20);
    struct rpc_served s;

    (void)state;
    put_request_of(&line, LONG_LINE);
    for (int turns = 0; turns < 8; turns++) {
        rpc_served_init(&s, 0);
        rpc_served_line(&s, line.p);
        for (int i = 0; i < turns; i++)
            (void)loop_turn(s.loop, 0, NULL);
        rpc_served_done(&s);
    }
}

/* The end of the input is told behind the message. */
static void
a_long_message_without_a_newline_counts(void **state)
{
    CLEANUP_BUF struct buf line = buf_of(1u << 20);
    struct rpc_served s;

    (void)state;
    rpc_served_init(&s, 0);
    put_request_of(&line, LONG_LINE);
    rpc_served_send(&s, line.p, line.len);
    assert_int_equal(shutdown(s.fd, SHUT_WR), 0);
    rpc_served_await(&s, "xx\"]}\n");
    while (s.side.ends[RPC_INPUT_ENDED] == 0)
        assert_true(loop_turn(s.loop, RPC_WAIT_MS, NULL) >= 0);
    rpc_served_done(&s);
}

/* No process and no thread can be made from here on. */
static bool
refuse_threads(void)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EAGAIN),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog program = {.len = N_OF(code), .filter = code};

    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

/* In a process of its own; its exit status. */
static int
answer_without_threads(const struct buf *line)
{
    struct rpc_served s;

    rpc_served_init(&s, 0);
    if (!refuse_threads())
        return 2;
    rpc_served_line(&s, line->p);
    rpc_served_line(&s, RPC_HEAD "\"id\":2,\"method\":\"echo\"}");
    rpc_served_settle(&s);
    return s.got.len > LONG_LINE && strstr(s.got.p, "\"id\":2,\"result\"") ? 0
                                                                           : 1;
}

static void
a_long_message_is_answered_where_no_thread_can_be_had(void **state)
{
    CLEANUP_BUF struct buf line = buf_of(1u << 20);
    int status;
    pid_t pid;

    (void)state;
    put_request_of(&line, LONG_LINE);
    pid = fork();
    if (pid == 0)
        _exit(answer_without_threads(&line));
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
}

static void
an_id_is_cancelled_however_it_is_written(void **state)
{
    struct rpc_served s;

    (void)state;
    rpc_served_init(&s, 0);
    s.side.answers_cancel = true;
    rpc_served_line(&s, RPC_HEAD "\"id\":\"1\",\"method\":\"cancellable\"}");
    rpc_served_line(&s, RPC_HEAD "\"id\":1,\"method\":\"cancellable\"}");
    rpc_served_line(&s,
                    RPC_HEAD "\"id\":\"a\\u0062\",\"method\":\"cancellable\"}");
    rpc_served_line(&s, RPC_HEAD "\"method\":\"$/cancel\","
                                 "\"params\":{\"requestId\":\"\\u0061b\"}}");
    rpc_served_settle(&s);
    assert_int_equal(s.side.n_cancelled, 1);
    assert_string_equal(s.got.p,
                        RPC_HEAD "\"id\":\"a\\u0062\",\"error\":{\"code\":"
                                 "-32800,\"message\":\"cancelled\"}}\n");
    rpc_served_line(&s, RPC_HEAD
                    "\"method\":\"$/cancel\",\"params\":{\"requestId\":1}}");
    rpc_served_line(&s, RPC_HEAD
                    "\"method\":\"$/cancel\",\"params\":{\"requestId\":1}}");
    rpc_served_settle(&s);
    assert_int_equal(s.side.n_cancelled, 2);
    rpc_cancel_all(s.side.rpc);
    assert_int_equal(s.side.n_cancelled, 3);
    assert_int_equal(rpc_open_requests(s.side.rpc), 0);
    rpc_served_done(&s);
}

static void
each_open_request_is_cancelled_once(void **state)
{
    static const char cancel[] = RPC_HEAD "\"method\":\"$/cancel\","
                                          "\"params\":{\"requestId\":1}}";
    struct rpc_served s;

    (void)state;
    rpc_served_init(&s, 0);
    for (int i = 0; i < 4; i++)
        rpc_served_line(&s, RPC_HEAD "\"id\":1,\"method\":\"cancellable\"}");
    for (size_t i = 1; i <= 2; i++) { /* the oldest with this id first */
        rpc_served_line(&s, cancel);
        rpc_served_settle(&s);
        assert_int_equal(s.side.n_cancelled, i);
    }
    rpc_cancel_all(s.side.rpc);
    assert_int_equal(s.side.n_cancelled, 4);
    rpc_cancel_all(s.side.rpc);
    rpc_served_line(&s, cancel);
    rpc_served_settle(&s);
    assert_int_equal(s.side.n_cancelled, 4);
    assert_int_equal(rpc_open_requests(s.side.rpc), 4);
    rpc_side_answer_open(&s.side);
    assert_int_equal(rpc_open_requests(s.side.rpc), 0);
    rpc_served_done(&s);
}

static void
requests_beyond_the_limit_are_refused(void **state)
{
    struct rpc_served s;

    (void)state;
    rpc_served_init(&s, 0);
    for (int i = 0; i < RPC_OPEN_MAX; i++)
        rpc_served_line(&s, RPC_HEAD "\"id\":1,\"method\":\"wait\"}");
    rpc_served_settle(&s);
    assert_int_equal(s.got.len, 0);
    rpc_served_line(&s, RPC_HEAD "\"id\":\"more\",\"method\":\"wait\"}");
    rpc_served_settle(&s);
    assert_string_equal(s.got.p, RPC_HEAD
                        "\"id\":\"more\",\"error\":{\"code\":-32603,"
                        "\"message\":\"more than 1000 requests are open\"}"
                        "}\n");
    rpc_side_answer_open(&s.side);
    buf_clear(&s.got);
    rpc_served_line(&s, RPC_HEAD "\"id\":\"again\",\"method\":\"echo\"}");
    rpc_served_settle(&s);
    assert_non_null(strstr(s.got.p, "\"id\":\"again\",\"result\":null"));
    rpc_served_done(&s);
}

/* Writes requests for as long as the server takes them. */
static size_t
flood(struct rpc_served *s)
{
    static const char line[] = RPC_HEAD
        "\"id\":1,\"method\":\"echo\",\"params\":[\"some text\"]}\n";
    CLEANUP_BUF struct buf many = buf_of(100000);
    size_t sent = 0;
    ssize_t n;

    while (many.len < 60000)
        buf_str(&many, line);
    while (sent < (64u << 20)) {
        n = write(s->fd, many.p, many.len);
        sent += n > 0 ? (size_t)n : 0;
        if (loop_turn(s->loop, 0, NULL) == 0 && n < 0)
            break;
    }
    return sent;
}

static size_t
allocated(void)
{
    struct mallinfo2 m = mallinfo2();

    return m.uordblks + m.hblkhd;
}

static void
a_peer_that_never_reads_costs_little_and_is_lost_in_the_end(void **state)
{
    size_t before, grown;
    struct rpc_served s;

    (void)state;
    rpc_served_init(&s, 50);
    before = allocated();
    assert_true(flood(&s) < (8u << 20));
    grown = allocated() - before;
    /* the queue, one read of lines that wait, and what lies between them */
    assert_true(grown < 3 * SENDER_HIGH);
    assert_int_equal(s.side.full, 1);
    while (s.side.ends[RPC_OUTPUT_LOST] == 0)
        assert_true(loop_turn(s.loop, RPC_WAIT_MS, NULL) >= 0);
    assert_int_equal(s.side.end_why, ERR_PEER);
    rpc_served_done(&s);
}

/* The same with a peer that reads at last: nothing is lost. */
static void
a_slow_peer_gets_every_answer(void **state)
{
    size_t sent, lines = 0;
    struct rpc_served s;

    (void)state;
    rpc_served_init(&s, 0);
    sent = flood(&s);
    rpc_served_settle(&s);
    for (size_t i = 0; i < s.got.len; i++)
        lines += s.got.p[i] == '\n';
    assert_true(sent > 100000);
    assert_true(lines >= sent / 80);
    assert_int_equal(s.side.full, 2);
    rpc_served_done(&s);
}

static void
what_we_send_to_one_who_does_not_read_is_bounded(void **state)
{
    CLEANUP_BUF struct buf params = buf_of(2u << 20);
    struct rpc_served s;
    int sent = 0;

    (void)state;
    rpc_served_init(&s, 0);
    buf_ch(&params, '"');
    while (params.len < (1u << 20))
        buf_ch(&params, 'x');
    buf_ch(&params, '"');
    while (rpc_notify(s.side.rpc, "x", &params, NULL) == 0)
        sent++;
    assert_between(sent, 30, 41);
    assert_int_equal(s.side.ends[RPC_OUTPUT_LOST], 0); /* told from the loop */
    rpc_turn(s.loop);
    assert_int_equal(s.side.ends[RPC_OUTPUT_LOST], 1);
    assert_int_equal(s.side.end_why, ERR_NOMEM);
    rpc_served_done(&s);
}

/* An answer in parts: numbers in an array. */
struct numbers {
    int next, last;
    int done;
};

static bool
next_number(void *arg, struct buf *out)
{
    struct numbers *n = arg;

    buf_printf(out, "%s%d", n->next ? "," : "[", n->next);
    if (n->next++ < n->last)
        return true;
    buf_ch(out, ']');
    return false;
}

static void
count_numbers(void *arg)
{
    struct numbers *n = arg;

    n->done++;
}

static void
an_answer_in_parts_is_whole_and_other_output_is_behind_it(void **state)
{
    CLEANUP_BUF struct buf params = buf_of(16);
    struct numbers n = {.last = 200000};
    struct rpc_served s;
    const char *end;

    (void)state;
    rpc_served_init(&s, 0);
    rpc_served_line(&s, RPC_HEAD "\"id\":1,\"method\":\"wait\"}");
    rpc_served_settle(&s);
    rpc_answer_parts(s.side.open[0], next_number, count_numbers, &n);
    assert_int_equal(n.done, 0); /* it stops where the queue is full */
    assert_true(n.next < n.last && rpc_is_full(s.side.rpc));
    buf_str(&params, "[]");
    assert_int_equal(rpc_notify(s.side.rpc, "later", &params, NULL), 0);
    rpc_served_line(&s, RPC_ECHO);
    rpc_served_settle(&s);
    assert_int_equal(n.done, 1);
    end = strstr(s.got.p, "199999,200000]}\n");
    assert_non_null(end);
    assert_string_equal(end + strlen("199999,200000]}\n"), RPC_HEAD
                        "\"method\":\"later\",\"params\":[]}\n" RPC_ECHOED
                        "\n");
    assert_false(rpc_is_full(s.side.rpc));
    rpc_served_done(&s);
}

static void
an_answer_in_parts_ends_once_with_its_connection(void **state)
{
    (void)state;
    for (int frees = 0; frees < 2; frees++) {
        struct numbers n = {.last = 10000000};
        struct rpc_served s;

        rpc_served_init(&s, 0);
        rpc_served_line(&s, RPC_HEAD "\"id\":1,\"method\":\"wait\"}");
        rpc_served_settle(&s);
        rpc_answer_parts(s.side.open[0], next_number, count_numbers, &n);
        if (frees) {
            rpc_free(s.side.rpc);
            s.side.rpc = NULL;
        } else {
            (void)close(s.fd);
            s.fd = -1;
            rpc_turn(s.loop);
            assert_int_equal(s.side.ends[RPC_OUTPUT_LOST], 1);
        }
        assert_int_equal(n.done, 1);
        rpc_served_done(&s);
    }
}

static void
a_bad_result_is_an_internal_error(void **state)
{
    CLEANUP_BUF struct buf small = buf_of(1);
    struct rpc_served s;

    (void)state;
    rpc_served_init(&s, 0);
    rpc_served_line(&s, RPC_HEAD "\"id\":1,\"method\":\"wait\"}");
    rpc_served_settle(&s);
    buf_str(&small, "123");
    rpc_answer(s.side.open[0], &small);
    assert_int_equal(rpc_notify(s.side.rpc, "x", &small, NULL), -1);
    rpc_served_settle(&s);
    assert_non_null(strstr(s.got.p, "\"id\":1,\"error\":{\"code\":-32603,"));
    rpc_served_done(&s);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_message_has_its_answer_and_the_connection_lives),
        cmocka_unit_test(however_the_input_is_split_the_answers_are_the_same),
        cmocka_unit_test(
            a_message_of_16_mib_is_answered_and_a_longer_one_refused),
        cmocka_unit_test(what_comes_behind_a_long_message_waits_for_it),
        cmocka_unit_test(a_long_message_that_is_none_is_told),
        cmocka_unit_test(a_connection_can_end_while_a_long_message_is_parsed),
        cmocka_unit_test(a_long_message_without_a_newline_counts),
        cmocka_unit_test(a_long_message_is_answered_where_no_thread_can_be_had),
        cmocka_unit_test(an_id_is_cancelled_however_it_is_written),
        cmocka_unit_test(each_open_request_is_cancelled_once),
        cmocka_unit_test(requests_beyond_the_limit_are_refused),
        cmocka_unit_test(
            a_peer_that_never_reads_costs_little_and_is_lost_in_the_end),
        cmocka_unit_test(a_slow_peer_gets_every_answer),
        cmocka_unit_test(what_we_send_to_one_who_does_not_read_is_bounded),
        cmocka_unit_test(
            an_answer_in_parts_is_whole_and_other_output_is_behind_it),
        cmocka_unit_test(an_answer_in_parts_ends_once_with_its_connection),
        cmocka_unit_test(a_bad_result_is_an_internal_error),
    };

    (void)signal(SIGPIPE, SIG_IGN);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
