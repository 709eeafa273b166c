/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_sender.c - output reaches slow readers whole, and none that has gone. */
#include "tests/unit/unit.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fd.h"
#include "wire/sender.h"

/* Kinds of descriptors: how they are made, and their flags. */
enum kind { PIPE, PIPE_NONBLOCK, PIPE_ALONE, SOCKET, TERMINAL };

static const enum kind kinds[] = {PIPE, PIPE_NONBLOCK, PIPE_ALONE, SOCKET,
                                  TERMINAL};

struct reader {
    struct loop *loop;
    enum kind kind;
    int fds[2]; /* [0]: read here */
    int changes;
    enum sender_state state;
    unsigned char next; /* the byte that must come next */
    size_t got;
};

static void
on_state(void *arg, enum sender_state state)
{
    struct reader *r = arg;

    r->changes++;
    r->state = state;
}

static void
open_terminal(int fds[2])
{
    struct termios t;

    fds[0] = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    assert_true(fds[0] >= 0);
    assert_int_equal(grantpt(fds[0]), 0);
    assert_int_equal(unlockpt(fds[0]), 0);
    fds[1] = open(ptsname(fds[0]), O_RDWR | O_NOCTTY | O_CLOEXEC);
    assert_true(fds[1] >= 0);
    assert_int_equal(tcgetattr(fds[1], &t), 0);
    cfmakeraw(&t);
    assert_int_equal(tcsetattr(fds[1], TCSANOW, &t), 0);
}

static void
reader_init(struct reader *r, enum kind kind)
{
    *r = (struct reader){.loop = loop_new(NULL), .kind = kind};
    assert_non_null(r->loop);
    if (kind == SOCKET)
        assert_int_equal(
            socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, r->fds), 0);
    else if (kind == TERMINAL)
        open_terminal(r->fds);
    else
        assert_int_equal(fd_pipe(r->fds, NULL), 0);
    if (kind == PIPE_NONBLOCK)
        assert_int_equal(fd_set_nonblock(r->fds[1], true, NULL), 0);
    assert_int_equal(fd_set_nonblock(r->fds[0], true, NULL), 0);
}

static void
reader_done(struct reader *r)
{
    if (r->fds[0] >= 0)
        close(r->fds[0]);
    close(r->fds[1]);
    loop_free(r->loop);
}

/* A pipe that is alone cannot be opened again, for want of descriptors. */
static struct sender *
send_to(struct reader *r, size_t max)
{
    struct rlimit before, none;
    struct sender *s;

    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    none = before;
    if (r->kind == PIPE_ALONE)
        none.rlim_cur = 3;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    s = sender_new(r->loop, r->fds[1], max, on_state, r, NULL);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    assert_non_null(s);
    return s;
}

/* Bytes that go on from those added before, so that each place is known: a
 * copy, or a buffer that is given up. */
static void
add_bytes(struct sender *s, size_t *added, size_t n)
{
    CLEANUP_BUF struct buf b = buf_of(n);

    if (*added % 3 == 0)
        b = buf_of_secret(n);
    for (size_t i = 0; i < n; i++)
        buf_ch(&b, (char)((*added + i) % 251));
    if (*added % 2) {
        sender_add(s, b.p, b.len);
    } else {
        sender_take(s, &b);
        assert_int_equal(b.len, 0);
    }
    *added += n;
}

static bool
read_some(struct reader *r, size_t most)
{
    unsigned char bytes[65536];
    ssize_t n = read(r->fds[0], bytes,
                     most < sizeof(bytes) ? most : sizeof(bytes));

    for (ssize_t i = 0; i < n; i++) {
        if (bytes[i] != r->next)
            fail_msg("byte %zu is %d", r->got, bytes[i]);
        r->next = (unsigned char)((r->next + 1) % 251);
        r->got++;
    }
    return n > 0;
}

/* Pieces of random sizes, and a reader that takes some now and then. */
static void
send_and_read(enum kind kind)
{
    struct reader r;
    struct sender *s;
    size_t added = 0;
    int64_t until = clock_ms() + 20000;

    reader_init(&r, kind);
    s = send_to(&r, SENDER_MAX);
    srandom(7);
    while (added < (4u << 20) || r.got < added) {
        if (added < (4u << 20) && r.state == SENDER_OPEN)
            add_bytes(s, &added,
                      (size_t)random() % (random() % 20 ? 300 : 70000));
        if (random() % 3)
            assert_true(loop_turn(r.loop, 0, NULL) >= 0);
        read_some(&r, (size_t)random() % 2500);
        assert_true(clock_ms() < until);
    }
    assert_true(sender_is_empty(s));
    assert_null(sender_error(s));
    assert_true(r.changes > 1); /* it was full, and went on */
    assert_int_equal(loop_turn(r.loop, 0, NULL), 0); /* nothing is watched */
    sender_free(s);
    reader_done(&r);
}

static void
a_slow_reader_of_any_kind_gets_all_bytes_in_order(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(kinds); i++)
        send_and_read(kinds[i]);
}

/* The loop would block for ever, and SIGALRM would end the test. */
static void
nobody_who_does_not_read_blocks_the_loop(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(kinds); i++) {
        struct reader r;
        struct sender *s;
        size_t added = 0;
        int flags;

        alarm(20);
        reader_init(&r, kinds[i]);
        flags = fcntl(r.fds[1], F_GETFL);
        s = send_to(&r, SENDER_MAX);
        add_bytes(s, &added, 5u << 20);
        while (loop_turn(r.loop, 20, NULL) > 0)
            ;
        assert_int_equal(r.state, SENDER_FULL);
        assert_false(sender_is_empty(s));
        assert_int_equal(fcntl(r.fds[1], F_GETFL), flags);
        sender_free(s);
        reader_done(&r);
        alarm(0);
    }
}

static void
the_producer_stops_above_the_high_mark_and_goes_on_at_the_low(void **state)
{
    struct reader r;
    struct sender *s;
    size_t added = 0;

    (void)state;
    reader_init(&r, PIPE);
    s = send_to(&r, SENDER_MAX);
    add_bytes(s, &added, SENDER_HIGH);
    assert_int_equal(r.changes, 0);
    add_bytes(s, &added, 1);
    assert_int_equal(r.state, SENDER_FULL);
    while (r.state == SENDER_FULL) {
        assert_true(r.got + SENDER_LOW < added);
        loop_turn(r.loop, 0, NULL);
        read_some(&r, 4096);
    }
    assert_int_equal(r.changes, 2);
    while (read_some(&r, 4096)) /* what the pipe holds */
        ;
    assert_between(added - r.got, SENDER_LOW - 65536, SENDER_LOW);
    sender_free(s);
    reader_done(&r);
}

static void
a_reader_that_leaves_loses_all_output_without_an_error(void **state)
{
    (void)state;
    for (size_t i = 0; kinds[i] != TERMINAL; i++) {
        struct reader r;
        struct sender *s;
        size_t added = 0;

        reader_init(&r, kinds[i]);
        s = send_to(&r, SENDER_MAX);
        add_bytes(s, &added, 100000);
        close(r.fds[0]);
        r.fds[0] = -1;
        assert_int_equal(loop_turn(r.loop, 1000, NULL), 1);
        assert_int_equal(r.state, SENDER_GONE);
        assert_null(sender_error(s));
        add_bytes(s, &added, 100000);
        assert_true(sender_is_empty(s));
        assert_int_equal(loop_turn(r.loop, 0, NULL), 0);
        assert_int_equal(r.changes, 1);
        sender_free(s);
        reader_done(&r);
    }
}

static void
a_reader_that_leaves_is_noticed_at_once_where_that_is_asked(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2 * N_OF(kinds); i++) {
        bool asked = i % 2;
        struct reader r;
        struct sender *s;
        size_t added = 0;

        reader_init(&r, kinds[i / 2]);
        s = send_to(&r, SENDER_MAX);
        if (asked)
            sender_notice_leaving(s);
        add_bytes(s, &added, 100);
        while (!sender_is_empty(s))
            assert_int_equal(loop_turn(r.loop, 1000, NULL), 1);
        assert_true(read_some(&r, 100));
        assert_int_equal(loop_turn(r.loop, 0, NULL), 0);
        close(r.fds[0]);
        r.fds[0] = -1;
        assert_int_equal(loop_turn(r.loop, asked ? 1000 : 0, NULL), asked);
        assert_int_equal(r.state, asked ? SENDER_GONE : SENDER_OPEN);
        assert_int_equal(loop_turn(r.loop, 0, NULL), 0);
        sender_free(s);
        reader_done(&r);
    }
}

static void
what_exceeds_the_maximum_loses_the_reader(void **state)
{
    struct reader r;
    struct sender *s;
    size_t added = 0;

    (void)state;
    reader_init(&r, PIPE);
    s = send_to(&r, 10000);
    add_bytes(s, &added, 10000);
    assert_int_equal(r.state, SENDER_OPEN);
    add_bytes(s, &added, 1);
    assert_int_equal(r.state, SENDER_GONE);
    assert_int_equal(sender_error(s)->code, ERR_NOMEM);
    sender_free(s);
    reader_done(&r);
}

static void
a_descriptor_that_is_watched_already_can_be_sent_to(void **state)
{
    struct reader r;
    struct watch *w;
    struct sender *s;
    size_t added = 0;

    (void)state;
    reader_init(&r, SOCKET);
    w = loop_fd(r.loop, r.fds[1], LOOP_READ, NULL, NULL, NULL);
    assert_non_null(w);
    s = send_to(&r, SENDER_MAX);
    add_bytes(s, &added, 5000);
    assert_int_equal(loop_turn(r.loop, 1000, NULL), 1);
    read_some(&r, 5000);
    assert_int_equal(r.got, 5000);
    sender_free(s);
    watch_free(w);
    reader_done(&r);
}

static void
count_call(void *arg, unsigned events)
{
    int *calls = arg;

    (void)events;
    ++*calls;
}

/* Which was paused when the sender began. */
static void
a_descriptor_that_is_sent_to_can_be_read_again(void **state)
{
    static const enum kind both[] = {SOCKET, TERMINAL};

    (void)state;
    for (size_t i = 0; i < N_OF(both); i++) {
        struct reader r;
        struct sender *s;
        struct watch *w;
        size_t added = 0;
        int calls = 0;

        reader_init(&r, both[i]);
        w = loop_fd(r.loop, r.fds[1], LOOP_READ, count_call, &calls, NULL);
        assert_non_null(w);
        watch_events(w, 0);
        s = send_to(&r, SENDER_MAX);
        add_bytes(s, &added, 4 << 20); /* more than is taken at once */
        watch_events(w, LOOP_READ);
        assert_int_equal(write(r.fds[0], "x", 1), 1);
        while (calls == 0) /* the sender goes on meanwhile */
            assert_true(loop_turn(r.loop, 10000, NULL) > 0);
        sender_free(s);
        watch_free(w);
        reader_done(&r);
    }
}

static void
a_file_is_written_at_once(void **state)
{
    struct reader r = {.loop = loop_new(NULL), .fds = {-1, -1}};
    char path[] = "test_sender.XXXXXX", text[8] = "";
    struct sender *s;

    (void)state;
    r.fds[1] = mkostemp(path, O_CLOEXEC);
    assert_true(r.fds[1] >= 0);
    s = send_to(&r, 4);
    sender_add(s, "hello", 5);
    assert_true(sender_is_empty(s));
    assert_int_equal(pread(r.fds[1], text, 7, 0), 5);
    assert_string_equal(text, "hello");
    assert_null(sender_error(s));
    sender_free(s);
    unlink(path);
    reader_done(&r);
}

static void
a_full_disk_is_the_first_error(void **state)
{
    struct reader r = {.loop = loop_new(NULL), .fds = {-1, -1}};
    struct sender *s;

    (void)state;
    r.fds[1] = open("/dev/full", O_WRONLY | O_CLOEXEC);
    if (r.fds[1] >= 0) {
        s = send_to(&r, SENDER_MAX);
        sender_add(s, "hello", 5);
        sender_add(s, "again", 5);
        assert_int_equal(sender_error(s)->sys, ENOSPC);
        assert_int_equal(r.changes, 0);
        sender_free(s);
        close(r.fds[1]);
    }
    loop_free(r.loop);
}

static void
a_closed_descriptor_is_refused(void **state)
{
    CLEANUP(loop_free_p) struct loop *l = loop_new(NULL);
    struct err e = {0};

    (void)state;
    assert_null(sender_new(l, 1000000, SENDER_MAX, on_state, NULL, &e));
    assert_int_equal(e.sys, EBADF);
}

/* A child reads all there is and throws it away. */
static pid_t
start_reader(struct reader *r)
{
    static char bytes[1 << 20];
    pid_t pid = fork();

    assert_true(pid >= 0);
    if (pid > 0)
        return pid;
    close(r->fds[1]);
    (void)fd_set_nonblock(r->fds[0], false, NULL);
    while (read(r->fds[0], bytes, sizeof(bytes)) > 0)
        ;
    _exit(0);
}

#define FLOW_BYTES (512u << 20)

/* The figure is for people: others may hold the machine. */
static void
a_fast_reader_is_kept_busy_and_the_loop_free(void **state)
{
    static char piece[65536];
    struct reader r;
    struct sender *s;
    int64_t from, ms;
    int status;
    pid_t pid;

    (void)state;
    reader_init(&r, PIPE);
    pid = start_reader(&r);
    s = send_to(&r, SENDER_MAX);
    from = clock_us();
    for (size_t sent = 0; sent < FLOW_BYTES || !sender_is_empty(s);) {
        while (r.state == SENDER_OPEN && sent < FLOW_BYTES) {
            sender_add(s, piece, sizeof(piece));
            sent += sizeof(piece);
        }
        assert_true(loop_turn(r.loop, 1000, NULL) >= 0);
    }
    ms = (clock_us() - from) / 1000 + 1;
    print_message("# %lld MB/s, longest hold %lld us\n",
                  (long long)(FLOW_BYTES / 1000 / ms),
                  (long long)(loop_longest_hold(r.loop) / 1000));
    assert_int_equal(r.state, SENDER_OPEN);
    sender_free(s);
    reader_done(&r);
    assert_int_equal(waitpid(pid, &status, 0), pid);
}

struct waiting {
    struct sender *sender;
    unsigned empty; /* calls */
};

/* Who waits may free the sender. */
static void
on_empty(void *arg)
{
    struct waiting *w = arg;

    w->empty++;
    sender_free(w->sender);
    w->sender = NULL;
}

static void
who_waits_hears_once_that_all_is_written(void **state)
{
    struct waiting w = {0};
    struct reader r;
    size_t added = 0;

    (void)state;
    reader_init(&r, PIPE);
    w.sender = send_to(&r, SENDER_MAX);
    add_bytes(w.sender, &added, SENDER_HIGH + 1);
    sender_on_empty(w.sender, on_empty, &w);
    while (!w.empty) {
        assert_true(r.got < added);
        assert_true(loop_turn(r.loop, 1000, NULL) >= 0);
        (void)read_some(&r, 65536);
    }
    assert_int_equal(w.empty, 1);
    assert_int_equal(r.state, SENDER_OPEN);
    reader_done(&r);
}

/* What the producer adds when it may go on is written before who waits hears of
 * it. */
struct going_on {
    struct sender *sender;
    bool added, empty;
};

static void
add_once_more(void *arg, enum sender_state state)
{
    struct going_on *g = arg;

    if (state == SENDER_OPEN && !g->added) {
        g->added = true;
        sender_add(g->sender, "more", 4);
    }
}

static void
note_empty(void *arg)
{
    struct going_on *g = arg;

    assert_true(sender_is_empty(g->sender));
    g->empty = true;
}

static void
who_waits_hears_of_no_end_where_the_producer_goes_on(void **state)
{
    CLEANUP_BUF struct buf b = buf_of(SENDER_MAX);
    const int room = 1 << 20;
    struct going_on g = {0};
    struct reader r;
    char bytes[65536];
    size_t got = 0;

    (void)state;
    reader_init(&r, SOCKET);
    /* all at once, from beyond the high mark to nothing */
    (void)setsockopt(r.fds[1], SOL_SOCKET, SO_SNDBUF, &room, sizeof(room));
    buf_blanks(&b, SENDER_HIGH + 1);
    g.sender = sender_new(r.loop, r.fds[1], SENDER_MAX, add_once_more, &g,
                          NULL);
    sender_add(g.sender, b.p, b.len);
    sender_on_empty(g.sender, note_empty, &g);
    while (!g.empty) {
        ssize_t n;

        assert_true(loop_turn(r.loop, 1000, NULL) > 0);
        while ((n = read(r.fds[0], bytes, sizeof(bytes))) > 0)
            got += (size_t)n;
    }
    while (got < SENDER_HIGH + 5) {
        ssize_t n = read(r.fds[0], bytes, sizeof(bytes));

        assert_true(n > 0);
        got += (size_t)n;
    }
    assert_true(g.added);
    sender_free(g.sender);
    reader_done(&r);
}

static void
who_waits_hears_of_a_reader_that_leaves(void **state)
{
    struct waiting w = {0};
    struct reader r;
    size_t added = 0;

    (void)state;
    reader_init(&r, PIPE);
    w.sender = send_to(&r, SENDER_MAX);
    add_bytes(w.sender, &added, SENDER_HIGH);
    sender_on_empty(w.sender, on_empty, &w);
    close(r.fds[0]);
    r.fds[0] = -1;
    while (!w.empty)
        assert_true(loop_turn(r.loop, 1000, NULL) > 0);
    assert_int_equal(w.empty, 1);
    assert_int_equal(r.state, SENDER_GONE);
    reader_done(&r);
}

static void
what_has_room_is_written_without_the_loop(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(kinds); i++) {
        char got[1000];
        struct reader r;
        struct sender *s;
        size_t added = 0;

        reader_init(&r, kinds[i]);
        s = send_to(&r, SENDER_MAX);
        add_bytes(s, &added, sizeof(got));
        sender_flush(s);
        assert_true(sender_is_empty(s));
        assert_int_equal(read(r.fds[0], got, sizeof(got)), sizeof(got));
        add_bytes(s, &added, 4 << 20);
        sender_flush(s); /* does not wait for the reader */
        assert_false(sender_is_empty(s));
        assert_int_equal(r.state, SENDER_FULL);
        close(r.fds[0]);
        r.fds[0] = -1;
        sender_flush(s);
        assert_int_equal(r.state, SENDER_GONE);
        sender_free(s);
        reader_done(&r);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_slow_reader_of_any_kind_gets_all_bytes_in_order),
        cmocka_unit_test(nobody_who_does_not_read_blocks_the_loop),
        cmocka_unit_test(
            the_producer_stops_above_the_high_mark_and_goes_on_at_the_low),
        cmocka_unit_test(
            a_reader_that_leaves_loses_all_output_without_an_error),
        cmocka_unit_test(
            a_reader_that_leaves_is_noticed_at_once_where_that_is_asked),
        cmocka_unit_test(what_exceeds_the_maximum_loses_the_reader),
        cmocka_unit_test(a_descriptor_that_is_watched_already_can_be_sent_to),
        cmocka_unit_test(a_descriptor_that_is_sent_to_can_be_read_again),
        cmocka_unit_test(a_file_is_written_at_once),
        cmocka_unit_test(a_full_disk_is_the_first_error),
        cmocka_unit_test(a_closed_descriptor_is_refused),
        cmocka_unit_test(who_waits_hears_once_that_all_is_written),
        cmocka_unit_test(who_waits_hears_of_no_end_where_the_producer_goes_on),
        cmocka_unit_test(who_waits_hears_of_a_reader_that_leaves),
        cmocka_unit_test(what_has_room_is_written_without_the_loop),
        cmocka_unit_test(a_fast_reader_is_kept_busy_and_the_loop_free),
    };

    (void)signal(SIGPIPE, SIG_IGN);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
