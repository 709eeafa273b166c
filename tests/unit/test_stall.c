/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_stall.c - a peer that reads slowly is not one that reads nothing. */
#include "tests/unit/unit.h"

#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fd.h"
#include "wire/stall.h"

#define STALL_MS 60
#define MUCH     (8u << 20) /* bytes: more than a pipe takes */

struct slow_peer {
    struct loop *loop;
    int fds[2];
    struct sender *sender;
    bool stalled;
};

static void
on_any_state(void *arg, enum sender_state state)
{
    (void)arg;
    (void)state;
}

static void
on_stalled(void *arg)
{
    struct slow_peer *p = arg;

    p->stalled = true;
}

static void
start_slow_peer(struct slow_peer *p)
{
    static char much[MUCH];
    struct err e = {0};

    *p = (struct slow_peer){.loop = loop_new(&e)};
    assert_int_equal(pipe(p->fds), 0);
    p->sender = sender_new(p->loop, p->fds[1], MUCH + 1, on_any_state, p, &e);
    assert_non_null(p->sender);
    sender_add(p->sender, much, sizeof(much));
}

static void
end_slow_peer(struct slow_peer *p)
{
    sender_free(p->sender);
    close(p->fds[0]);
    close(p->fds[1]);
    loop_free(p->loop);
}

/* Turns the loop, and reads `each` bytes every STALL_MS / 4, for 4 STALL_MS or
 * until the peer is said to be stalled. */
static void
turn_and_read(struct slow_peer *p, size_t each)
{
    static char bytes[1 << 20];
    int64_t until = clock_ms() + 4 * STALL_MS;

    while (!p->stalled && clock_ms() < until) {
        int64_t next = clock_ms() + STALL_MS / 4;

        while (!p->stalled && clock_ms() < next)
            (void)loop_turn(p->loop, (int)(next - clock_ms()), NULL);
        if (each > 0)
            assert_true(read(p->fds[0], bytes, each) > 0);
    }
}

static void
test_reads(void **state)
{
    static const struct {
        size_t each;
        bool stalls;
    } rows[] = {{0, true}, {256 << 10, false}};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct slow_peer p;
        struct err e = {0};
        struct stall *s;

        start_slow_peer(&p);
        s = stall_new(p.loop, p.sender, STALL_MS, on_stalled, &p, &e);
        assert_non_null(s);
        stall_watch(s, true);
        turn_and_read(&p, rows[i].each);
        assert_int_equal(p.stalled, rows[i].stalls);
        stall_free(s);
        end_slow_peer(&p);
    }
}

static void
test_stops(void **state)
{
    struct slow_peer p;
    struct err e = {0};
    struct stall *s;

    (void)state;
    start_slow_peer(&p);
    s = stall_new(p.loop, p.sender, STALL_MS, on_stalled, &p, &e);
    assert_non_null(s);
    stall_watch(s, true);
    stall_watch(s, false);
    turn_and_read(&p, 0);
    assert_false(p.stalled);
    stall_free(s);
    end_slow_peer(&p);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reads),
        cmocka_unit_test(test_stops),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
