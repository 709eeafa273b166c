/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_lingering_close.c - when a connection is closed that was refused. */
#include "tests/unit/unit.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "wire/lingering_close.h"

#define WAIT_MS 10000

struct lingering_fixture {
    struct loop *loop;
    struct lingering_close *closing;
};

static void
open_lingering(struct lingering_fixture *f)
{
    assert_non_null(f->loop = loop_new(NULL));
    assert_non_null(f->closing = lingering_close_new(f->loop, NULL));
}

static void
close_lingering(const struct lingering_fixture *f)
{
    lingering_close_free(f->closing);
    loop_free(f->loop);
}

/* The peer of a connection that is to be closed. */
static int
take_one(const struct lingering_fixture *f)
{
    int pair[2];

    assert_int_equal(socketpair(AF_UNIX,
                                SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0,
                                pair),
                     0);
    assert_int_equal(write(pair[0], "no", 2), 2);
    lingering_close_take(f->closing, pair[0]);
    return pair[1];
}

static bool
peer_can_send(int peer, const char *bytes, size_t n)
{
    ssize_t sent = send(peer, bytes, n, MSG_NOSIGNAL);

    assert_true(sent > 0 || errno == EPIPE);
    return sent > 0;
}

static void
a_peer_that_sends_still_gets_its_answer(void **state)
{
    struct lingering_fixture f;
    char bytes[8];
    int peer;

    (void)state;
    open_lingering(&f);
    peer = take_one(&f);
    for (int i = 0; i < 3; i++) {
        assert_true(peer_can_send(peer, "request", 7));
        assert_true(loop_turn(f.loop, WAIT_MS, NULL) > 0);
    }
    assert_int_equal(read(peer, bytes, sizeof(bytes)), 2);
    assert_int_equal(read(peer, bytes, sizeof(bytes)), 0);
    (void)close(peer);
    assert_true(loop_turn(f.loop, WAIT_MS, NULL) > 0);
    close_lingering(&f);
}

static void
one_that_sends_without_end_is_closed(void **state)
{
    struct lingering_fixture f;
    char bytes[1024] = "";
    int peer, sent = 0;

    (void)state;
    open_lingering(&f);
    peer = take_one(&f);
    while (peer_can_send(peer, bytes, sizeof(bytes)) && ++sent < 1000)
        assert_true(loop_turn(f.loop, WAIT_MS, NULL) > 0);
    assert_int_equal(sent, 64);
    (void)close(peer);
    close_lingering(&f);
}

static void
so_is_one_that_stays(void **state)
{
    struct lingering_fixture f;
    int peer;

    (void)state;
    open_lingering(&f);
    peer = take_one(&f);
    assert_int_equal(loop_turn(f.loop, WAIT_MS, NULL), 1); /* its second */
    assert_false(peer_can_send(peer, "x", 1));
    (void)close(peer);
    close_lingering(&f);
}

static void
and_the_first_of_too_many(void **state)
{
    int peers[LINGERING_CLOSE_MAX + 1];
    struct lingering_fixture f;

    (void)state;
    open_lingering(&f);
    for (size_t i = 0; i < N_OF(peers); i++)
        peers[i] = take_one(&f);
    assert_false(peer_can_send(peers[0], "x", 1));
    for (size_t i = 1; i < N_OF(peers); i++)
        assert_true(peer_can_send(peers[i], "x", 1));
    close_lingering(&f);
    for (size_t i = 0; i < N_OF(peers); i++) {
        assert_false(peer_can_send(peers[i], "x", 1));
        (void)close(peers[i]);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_peer_that_sends_still_gets_its_answer),
        cmocka_unit_test(one_that_sends_without_end_is_closed),
        cmocka_unit_test(so_is_one_that_stays),
        cmocka_unit_test(and_the_first_of_too_many),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
