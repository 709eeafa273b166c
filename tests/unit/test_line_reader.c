/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_line_reader.c - every line arrives whole, once, and starves nobody. */
#include "tests/unit/unit.h"

#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/fd.h"
#include "wire/line_reader.h"

#define MAX 100 /* bytes of a line, unless said otherwise */

/* What a reader has handed out, as text: "<line>", "!" for one that is too
 * long, "(rest)" and "$" at the end, "#" where it cannot be read. */
struct peer {
    struct loop *loop;
    struct read_buffer *buffer;
    bool alone; /* the two are its own */
    struct line_reader *reader;
    int in; /* written to by the test; -1: closed */
    int out;
    struct buf seen;
    size_t lines;
    const char *last_at; /* where the last line lay */
    bool ended;
    bool frees, nests; /* in the callback of a line */
    bool frees_buffer; /* with the reader */
    bool keeps;        /* the line as it is */
    int pause_every;   /* lines; 0: never */
    int64_t work_us;   /* a line takes so long */
};

static void
put_seen(struct peer *p, const char *before, const char *s, size_t n,
         const char *after)
{
    buf_str(&p->seen, before);
    buf_add(&p->seen, s, n);
    buf_str(&p->seen, after);
}

static void
work(int64_t us)
{
    int64_t until = clock_us() + us;

    while (clock_us() < until)
        ;
}

static void
on_line(void *arg, char *line, size_t n)
{
    struct peer *p = arg;

    assert_int_equal(line[n], '\0');
    assert_false(p->ended);
    p->last_at = line;
    p->lines++;
    put_seen(p, "<", line, n, ">");
    if (!p->keeps)
        memset(line, '?', n); /* it may be written to */
    work(p->work_us);
    if (p->nests)
        assert_true(loop_turn(p->loop, 0, NULL) >= 0);
    if (p->frees) {
        line_reader_free(p->reader);
        p->reader = NULL;
        if (p->frees_buffer) {
            read_buffer_free(p->buffer);
            p->buffer = NULL;
        }
    } else if (p->pause_every && p->lines % (size_t)p->pause_every == 0) {
        line_reader_pause(p->reader, true);
    }
}

static void
on_too_long(void *arg)
{
    struct peer *p = arg;

    put_seen(p, "!", "", 0, "");
    if (p->frees) {
        line_reader_free(p->reader);
        p->reader = NULL;
    }
}

static void
on_end(void *arg, char *rest, size_t n, const struct err *why)
{
    struct peer *p = arg;

    assert_false(p->ended);
    p->ended = true;
    if (rest)
        put_seen(p, "(", rest, n, ")");
    put_seen(p, why ? "#" : "$", "", 0, "");
    if (p->frees) {
        line_reader_free(p->reader);
        p->reader = NULL;
    }
}

static const struct line_reader_events events = {
    .line = on_line, .too_long = on_too_long, .end = on_end};

static void
peer_init(struct peer *p, struct loop *l, struct read_buffer *b, size_t max)
{
    int fds[2];

    assert_int_equal(fd_pipe(fds, NULL), 0);
    *p = (struct peer){.loop = l, .buffer = b, .in = fds[1], .out = fds[0]};
    buf_init(&p->seen, 64u << 20);
    p->reader = line_reader_new(l, p->out, b, max, &events, p, NULL);
    assert_non_null(p->reader);
}

/* With a loop and a buffer of its own. */
static void
lone_peer_init(struct peer *p, size_t max)
{
    peer_init(p, loop_new(NULL), read_buffer_new(NULL), max);
    p->alone = true;
}

static void
end_peer_input(struct peer *p)
{
    close(p->in);
    p->in = -1;
}

static void
peer_done(struct peer *p)
{
    line_reader_free(p->reader);
    if (p->in >= 0)
        close(p->in);
    close(p->out);
    buf_done(&p->seen);
    if (p->alone) {
        read_buffer_free(p->buffer);
        loop_free(p->loop);
    }
}

static void
send_text(struct peer *p, const char *text, size_t n)
{
    assert_int_equal(write(p->in, text, n), n);
}

static void
turn(struct loop *l)
{
    while (loop_turn(l, 0, NULL) > 0)
        ;
}

static void
assert_seen(struct peer *p, const char *what)
{
    if (p->seen.len != strlen(what) || memcmp(p->seen.p, what, p->seen.len))
        fail_msg("%s instead of %s", p->seen.p, what);
}

#define A10  "aaaaaaaaaa"
#define A98  A10 A10 A10 A10 A10 A10 A10 A10 A10 "aaaaaaaa"
#define A100 A98 "aa"

static const struct {
    const char *input, *seen;
} rows[] = {
    {"", "$"},
    {"a\n", "<a>$"},
    {"a\r\n\n\r\nb\rc\n", "<a><><><b\rc>$"},
    {"a\nb", "<a>(b)$"},
    {"a\nb\r", "<a>(b)$"},
    {"\r", "$"},
    {A100 "\n", "<" A100 ">$"},
    {A100 "\r\nb\n", "<" A100 "><b>$"},
    {A100 "\r", "(" A100 ")$"},
    {A100, "(" A100 ")$"},
    {A100 "b\nc\n", "!<c>$"},
    {A100 "b\r\nc\n", "!<c>$"},
    {A100 "\r\r\nc\n", "!<c>$"},
    {A100 "b", "!$"},
    {A100 A100 A100 A100 "\n" A100 "b\n\n", "!!<>$"},
};

/* In one write, and byte by byte. */
static void
lines_are_those_of_the_table(void **state)
{
    CLEANUP(loop_free_p) struct loop *l = loop_new(NULL);
    CLEANUP(read_buffer_free_p) struct read_buffer *b = read_buffer_new(NULL);

    (void)state;
    for (size_t i = 0; i < 2 * N_OF(rows); i++) {
        const char *input = rows[i / 2].input;
        size_t step = i % 2 ? 1 : strlen(input);
        struct peer p;

        peer_init(&p, l, b, MAX);
        for (size_t at = 0; at < strlen(input); at += step) {
            send_text(&p, input + at, step);
            turn(l);
        }
        end_peer_input(&p);
        turn(l);
        assert_seen(&p, rows[i / 2].seen);
        peer_done(&p);
    }
}

/* What must be seen of an input, found in the simplest way. */
static void
expect(struct buf *out, const char *p, size_t n, size_t max)
{
    while (n > 0) {
        const char *end = memchr(p, '\n', n);
        size_t len = end ? (size_t)(end - p) : n, line = len;

        if (line > 0 && p[line - 1] == '\r')
            line--;
        if (line > max) {
            buf_str(out, "!");
        } else if (end || line > 0) {
            buf_str(out, end ? "<" : "(");
            buf_add(out, p, line);
            buf_str(out, end ? ">" : ")");
        }
        len += end != NULL;
        p += len;
        n -= len;
    }
    buf_str(out, "$");
}

static void
put_random_input(struct buf *b)
{
    static const char few[] = "\n\n\r\n\0ab";
    size_t lines = (size_t)random() % 40;

    for (size_t i = 0; i < lines; i++) {
        size_t n = (size_t)random() % (random() % 4 ? 20 : 220);

        while (n-- > 0)
            buf_ch(b, random() % 9 ? 'x' : few[random() % 7]);
        buf_str(b, random() % 5 ? "\n" : "\r\n");
    }
}

static void
send_in_random_parts(struct peer *p, const struct buf *input)
{
    for (size_t at = 0; at < input->len;) {
        size_t n = 1 + (size_t)random() % (random() % 3 ? 30 : 5000);

        if (n > input->len - at)
            n = input->len - at;
        send_text(p, input->p + at, n);
        at += n;
        if (random() % 3)
            (void)loop_turn(p->loop, 0, NULL);
        if (random() % 2)
            line_reader_pause(p->reader, random() % 2);
    }
    end_peer_input(p);
    while (!p->ended) {
        line_reader_pause(p->reader, false);
        (void)loop_turn(p->loop, 0, NULL);
    }
}

static void
however_it_is_split_and_paused_the_same_lines_arrive(void **state)
{
    CLEANUP(loop_free_p) struct loop *l = loop_new(NULL);
    CLEANUP(read_buffer_free_p) struct read_buffer *b = read_buffer_new(NULL);

    (void)state;
    for (unsigned seed = 1; seed <= 1500; seed++) {
        CLEANUP_BUF struct buf input = buf_of(60000);
        CLEANUP_BUF struct buf want = buf_of(200000);
        struct peer p;

        srandom(seed);
        put_random_input(&input);
        if (input.len > 0 && random() % 2)
            buf_cut(&input, (size_t)random() % input.len);
        expect(&want, input.p, input.len, MAX);
        peer_init(&p, l, b, MAX);
        p.pause_every = (int)random() % 4;
        p.nests = random() % 4 == 0;
        send_in_random_parts(&p, &input);
        if (p.seen.len != want.len || memcmp(p.seen.p, want.p, want.len))
            fail_msg("seed %u: \"%s\" instead of \"%s\"", seed, p.seen.p,
                     want.p);
        peer_done(&p);
    }
}

static void
a_line_may_be_large_and_its_memory_is_given_back(void **state)
{
    static char part[32768];
    const size_t size = 16u << 20;
    struct peer p;

    (void)state;
    memset(part, 'p', sizeof(part));
    lone_peer_init(&p, size);
    for (int round = 0; round < 3; round++) {
        for (size_t sent = 0; sent < size; sent += sizeof(part)) {
            send_text(&p, part, sizeof(part));
            turn(p.loop);
        }
        if (round == 1)
            send_text(&p, "one more", 8);
        send_text(&p, "\nx\n", 3);
        turn(p.loop);
        assert_int_equal(p.seen.len, (round == 1 ? 1 : size + 2) + 3);
        buf_clear(&p.seen);
    }
    peer_done(&p);
}

static void
a_reader_may_be_freed_by_any_of_its_events(void **state)
{
    static const char *const inputs[] = {"a\nb\n", A100 "b", "", "rest",
                                         A100 "b\nc\n"};
    static const char *const seen[] = {"<a>", "!", "$", "(rest)$", "!"};
    CLEANUP(loop_free_p) struct loop *l = loop_new(NULL);
    CLEANUP(read_buffer_free_p) struct read_buffer *b = read_buffer_new(NULL);

    (void)state;
    for (size_t i = 0; i < N_OF(inputs); i++) {
        struct peer p;

        peer_init(&p, l, b, MAX);
        p.frees = true;
        send_text(&p, inputs[i], strlen(inputs[i]));
        if (seen[i][strlen(seen[i]) - 1] == '$')
            end_peer_input(&p);
        turn(l);
        assert_null(p.reader);
        assert_seen(&p, seen[i]);
        peer_done(&p);
    }
}

static void
connections_share_what_they_read_into(void **state)
{
    CLEANUP(loop_free_p) struct loop *l = loop_new(NULL);
    CLEANUP(read_buffer_free_p) struct read_buffer *b = read_buffer_new(NULL);
    struct peer v[50];

    (void)state;
    for (size_t i = 0; i < N_OF(v); i++) {
        peer_init(&v[i], l, b, MAX);
        send_text(&v[i], "whole\npart", 10);
    }
    turn(l);
    for (size_t i = 0; i < N_OF(v); i++) {
        assert_ptr_equal(v[i].last_at, v[0].last_at);
        send_text(&v[i], "ed\n", 3);
    }
    turn(l);
    for (size_t i = 0; i < N_OF(v); i++) {
        assert_seen(&v[i], "<whole><parted>");
        peer_done(&v[i]);
    }
}

/* One peer has sent as much as a pipe holds, of which each line takes long. */
static void
who_floods_delays_nobody_else(void **state)
{
    CLEANUP(loop_free_p) struct loop *l = loop_new(NULL);
    CLEANUP(read_buffer_free_p) struct read_buffer *b = read_buffer_new(NULL);
    struct peer flood, other;

    (void)state;
    peer_init(&flood, l, b, MAX);
    peer_init(&other, l, b, MAX);
    flood.work_us = 500;
    for (int i = 0; i < 1000; i++)
        send_text(&flood, "flood\n", 6);
    (void)loop_turn(l, 0, NULL);
    send_text(&other, "other\n", 6);
    (void)loop_turn(l, 0, NULL);
    assert_int_equal(other.lines, 1);
    assert_true(flood.lines < 20);
    turn(l);
    assert_int_equal(flood.lines, 1000);
    peer_done(&flood);
    peer_done(&other);
}

static void
a_callback_that_turns_the_loop_sees_other_connections_only(void **state)
{
    CLEANUP(loop_free_p) struct loop *l = loop_new(NULL);
    CLEANUP(read_buffer_free_p) struct read_buffer *b = read_buffer_new(NULL);
    struct peer p, other;

    (void)state;
    peer_init(&p, l, b, MAX);
    p.nests = true;
    send_text(&p, "1\n2\n3", 5);
    peer_init(&other, l, b, MAX);
    send_text(&other, "o\n", 2);
    (void)loop_turn(l, 0, NULL);
    send_text(&p, "4\n5\n", 4);
    turn(l);
    assert_seen(&p, "<1><2><34><5>");
    assert_seen(&other, "<o>");
    peer_done(&p);
    peer_done(&other);
}

static void
a_paused_reader_is_silent_about_the_end_too(void **state)
{
    struct peer p;

    (void)state;
    lone_peer_init(&p, MAX);
    p.pause_every = 1;
    send_text(&p, "1\n2\n", 4);
    turn(p.loop);
    assert_seen(&p, "<1>");
    end_peer_input(&p);
    turn(p.loop);
    assert_seen(&p, "<1>");
    line_reader_pause(p.reader, false);
    turn(p.loop);
    assert_seen(&p, "<1><2>");
    line_reader_pause(p.reader, false);
    turn(p.loop);
    assert_seen(&p, "<1><2>$");
    peer_done(&p);
}

static void
a_file_is_read_like_a_stream(void **state)
{
    CLEANUP(loop_free_p) struct loop *l = loop_new(NULL);
    CLEANUP(read_buffer_free_p) struct read_buffer *b = read_buffer_new(NULL);
    char path[] = "test_line_reader.XXXXXX";
    struct peer p = {.loop = l, .in = -1};

    (void)state;
    buf_init(&p.seen, 1u << 20);
    p.out = mkostemp(path, O_CLOEXEC);
    assert_true(p.out >= 0);
    unlink(path);
    for (int i = 0; i < 100000; i++)
        buf_str(&p.seen, "row\n");
    assert_int_equal(write(p.out, p.seen.p, p.seen.len), p.seen.len);
    buf_clear(&p.seen);
    assert_int_equal(lseek(p.out, 0, SEEK_SET), 0);
    p.reader = line_reader_new(l, p.out, b, MAX, &events, &p, NULL);
    turn(l);
    assert_int_equal(p.lines, 100000);
    assert_true(p.ended);
    peer_done(&p);
}

static void
what_cannot_be_read_ends_with_the_reason(void **state)
{
    CLEANUP(loop_free_p) struct loop *l = loop_new(NULL);
    CLEANUP(read_buffer_free_p) struct read_buffer *b = read_buffer_new(NULL);
    struct peer p = {.loop = l, .in = -1};
    struct err e = {0};

    (void)state;
    buf_init(&p.seen, 1000);
    p.out = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    p.reader = line_reader_new(l, p.out, b, MAX, &events, &p, NULL);
    assert_non_null(p.reader);
    turn(l);
    assert_seen(&p, "#");
    peer_done(&p);
    assert_null(line_reader_new(l, 1000000, b, MAX, &events, &p, &e));
    assert_int_equal(e.sys, EBADF);
}

#define FLOW_BYTES (256u << 20)

static void
count_line(void *arg, char *line, size_t n)
{
    *(size_t *)arg += n + 1;
    (void)line;
}

static void
count_end(void *arg, char *rest, size_t n, const struct err *why)
{
    (void)rest;
    (void)why;
    *(size_t *)arg += n + 1;
}

/* The figure is for people: others may hold the machine. */
static void
a_fast_writer_is_kept_up_with(void **state)
{
    static const struct line_reader_events count = {
        .line = count_line, .too_long = on_too_long, .end = count_end};
    CLEANUP(loop_free_p) struct loop *l = loop_new(NULL);
    CLEANUP(read_buffer_free_p) struct read_buffer *b = read_buffer_new(NULL);
    CLEANUP(line_reader_free_p) struct line_reader *r = NULL;
    static char piece[65536];
    int64_t from = clock_us(), ms;
    size_t got = 0;
    int fds[2];
    pid_t pid;

    (void)state;
    assert_int_equal(fd_pipe(fds, NULL), 0);
    memset(piece, 'x', sizeof(piece));
    for (size_t i = 0; i < sizeof(piece); i += 256)
        piece[i] = '\n';
    pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        for (size_t i = 0; i < FLOW_BYTES / sizeof(piece); i++)
            if (write(fds[1], piece, sizeof(piece)) < 0)
                _exit(1);
        _exit(0);
    }
    close(fds[1]);
    r = line_reader_new(l, fds[0], b, MAX * MAX, &count, &got, NULL);
    while (got < FLOW_BYTES + 1)
        assert_true(loop_turn(l, 10000, NULL) > 0);
    ms = (clock_us() - from) / 1000 + 1;
    print_message("# %lld MB/s in lines of 256 bytes, longest hold %lld us\n",
                  (long long)(FLOW_BYTES / 1000 / ms),
                  (long long)(loop_longest_hold(l) / 1000));
    assert_int_equal(got, FLOW_BYTES + 1);
    close(fds[0]);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
}

static void
a_buffer_may_be_freed_with_its_reader_by_a_line(void **state)
{
    struct peer p;

    (void)state;
    lone_peer_init(&p, MAX);
    p.frees = p.frees_buffer = true;
    send_text(&p, "a\nb\nc", 5);
    turn(p.loop);
    assert_seen(&p, "<a>");
    assert_null(p.reader);
    peer_done(&p);
}

static void
what_may_be_secret_is_wiped_from_the_buffer(void **state)
{
    struct peer p;

    (void)state;
    lone_peer_init(&p, MAX);
    p.keeps = true;
    send_text(&p, "key\n", 4);
    turn(p.loop);
    assert_memory_equal(p.last_at, "key", 4); /* unless it is asked for */
    line_reader_keep_secret(p.reader);
    send_text(&p, "key\nke", 6);
    turn(p.loop);
    assert_memory_equal(p.last_at, "\0\0\0\0\0\0", 6);
    send_text(&p, "y\n", 2);
    turn(p.loop);
    assert_seen(&p, "<key><key><key>");
    peer_done(&p);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_those_of_the_table),
        cmocka_unit_test(however_it_is_split_and_paused_the_same_lines_arrive),
        cmocka_unit_test(a_line_may_be_large_and_its_memory_is_given_back),
        cmocka_unit_test(a_reader_may_be_freed_by_any_of_its_events),
        cmocka_unit_test(a_buffer_may_be_freed_with_its_reader_by_a_line),
        cmocka_unit_test(what_may_be_secret_is_wiped_from_the_buffer),
        cmocka_unit_test(connections_share_what_they_read_into),
        cmocka_unit_test(who_floods_delays_nobody_else),
        cmocka_unit_test(
            a_callback_that_turns_the_loop_sees_other_connections_only),
        cmocka_unit_test(a_paused_reader_is_silent_about_the_end_too),
        cmocka_unit_test(a_file_is_read_like_a_stream),
        cmocka_unit_test(what_cannot_be_read_ends_with_the_reason),
        cmocka_unit_test(a_fast_writer_is_kept_up_with),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
