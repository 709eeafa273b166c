/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_peer_table.c - what each address has done to a server. */
#include "unit.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>

#include "server/peer_table.h"

#define MAX 100 /* connections */

static struct sockaddr_storage
from_address(const char *text)
{
    struct sockaddr_storage at = {0};
    struct sockaddr_in *four = (void *)&at;
    struct sockaddr_in6 *six = (void *)&at;

    if (inet_pton(AF_INET, text, &four->sin_addr) == 1)
        at.ss_family = AF_INET;
    else if (inet_pton(AF_INET6, text, &six->sin6_addr) == 1)
        at.ss_family = AF_INET6;
    else
        at.ss_family = AF_UNIX;
    return at;
}

/* How many of n connections that come at one time are welcome; they stay. */
static size_t
welcome(struct peer_table *t, const char *text, size_t n, int64_t now_ms,
        peer_number *peer, enum peer_verdict *last)
{
    const struct sockaddr_storage from = from_address(text);
    size_t taken = 0;

    for (size_t i = 0; i < n; i++) {
        *last = peer_table_accept(t, &from, now_ms, peer);
        taken += *last == PEER_WELCOME;
    }
    return taken;
}

static void
one_address_has_half_of_the_connections(void **state)
{
    CLEANUP(peer_table_free_p) struct peer_table *t = NULL;
    enum peer_verdict last;
    peer_number peer;

    (void)state;
    assert_non_null(t = peer_table_new(MAX, NULL));
    assert_int_equal(welcome(t, "192.0.2.1", MAX, 0, &peer, &last), MAX / 2);
    assert_int_equal(last, PEER_TOO_MANY);
    peer_table_left(t, peer);
    assert_int_equal(welcome(t, "192.0.2.1", 3, 0, &peer, &last), 1);
    assert_int_equal(welcome(t, "::ffff:192.0.2.1", 3, 0, &peer, &last), 0);
    assert_int_equal(welcome(t, "192.0.2.2", MAX, 0, &peer, &last), MAX / 2);
    /* another one of a /64 is the same one */
    assert_int_equal(welcome(t, "2001:db8::1", MAX, 0, &peer, &last), MAX / 2);
    assert_int_equal(welcome(t, "2001:db8::2:1", 1, 0, &peer, &last), 0);
    assert_int_equal(welcome(t, "2001:db8:0:1::1", 1, 0, &peer, &last), 1);
}

static void
who_is_on_this_machine_has_any_number(void **state)
{
    static const char *const all[] = {"127.0.0.1", "127.9.9.9", "::1", "unix"};
    CLEANUP(peer_table_free_p) struct peer_table *t = NULL;
    enum peer_verdict last;
    peer_number peer;

    (void)state;
    assert_non_null(t = peer_table_new(MAX, NULL));
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(welcome(t, all[i], 9 * MAX, 0, &peer, &last), 9 * MAX);
}

static void
new_connections_come_back_by_time(void **state)
{
    CLEANUP(peer_table_free_p) struct peer_table *t = NULL;
    const struct sockaddr_storage from = from_address("192.0.2.1");
    size_t taken = 0;
    peer_number peer;

    (void)state;
    assert_non_null(t = peer_table_new(MAX, NULL));
    for (size_t i = 0; i < 2 * PEER_BURST; i++) {
        if (peer_table_accept(t, &from, 5, &peer) != PEER_WELCOME)
            continue;
        taken++;
        peer_table_left(t, peer);
    }
    assert_int_equal(taken, PEER_BURST);
    assert_int_equal(peer_table_accept(t, &from, 5, &peer), PEER_TOO_FAST);
    assert_int_equal(peer_table_accept(t, &from, 5 + 1000 / PEER_PER_S, &peer),
                     PEER_WELCOME);
    assert_int_equal(peer_table_accept(t, &from, 6 + 1000 / PEER_PER_S, &peer),
                     PEER_TOO_FAST);
    assert_int_equal(peer_table_accept(t, &from, INT64_C(1) << 50, &peer),
                     PEER_WELCOME);
}

static void
wrong_tokens_make_a_pause(void **state)
{
    CLEANUP(peer_table_free_p) struct peer_table *t = NULL;
    const struct sockaddr_storage from = from_address("127.0.0.1");
    const struct sockaddr_storage other = from_address("127.0.0.2");
    char text[PEER_TEXT_SIZE];
    peer_number peer, another;

    (void)state;
    assert_non_null(t = peer_table_new(MAX, NULL));
    (void)peer_table_accept(t, &from, 0, &peer);
    (void)peer_table_accept(t, &other, 0, &another);
    for (int i = 1; i < PEER_WRONG_MAX; i++)
        assert_false(peer_table_wrong(t, peer, i));
    assert_int_equal(peer_table_pause(t, peer, 100), 0);
    assert_true(peer_table_wrong(t, peer, 100));
    assert_int_equal(peer_table_pause(t, peer, 100), PEER_PAUSE_MS);
    assert_int_equal(peer_table_pause(t, another, 100), 0);
    /* a new connection does not end it */
    peer_table_left(t, peer);
    (void)peer_table_accept(t, &from, 200, &peer);
    assert_int_equal(peer_table_pause(t, peer, 200), PEER_PAUSE_MS - 100);
    assert_int_equal(peer_table_pause(t, peer, 100 + PEER_PAUSE_MS), 0);
    assert_string_equal(peer_table_text(t, peer, text), "127.0.0.1");
    /* old ones are forgotten */
    for (int i = 0; i < 3 * PEER_WRONG_MAX; i++)
        assert_false(
            peer_table_wrong(t, another, i * (int64_t)PEER_WRONG_MS / 10));
}

/* Any number of addresses come, of which each stays for a moment. */
static void
the_table_is_bounded(void **state)
{
    CLEANUP(peer_table_free_p) struct peer_table *t = NULL;
    const struct sockaddr_storage first = from_address("192.0.2.1");
    peer_number stays, peer, open[MAX];
    char text[PEER_TEXT_SIZE];

    (void)state;
    assert_non_null(t = peer_table_new(MAX, NULL));
    assert_int_equal(peer_table_accept(t, &first, 0, &stays), PEER_WELCOME);
    (void)peer_table_wrong(t, stays, 0);
    for (unsigned i = 0; i < 200000; i++) {
        struct sockaddr_storage from = from_address("10.0.0.0");
        struct sockaddr_in *in = (void *)&from;

        in->sin_addr.s_addr = htonl(0x0a000000u + i * 7);
        if (i >= MAX)
            peer_table_left(t, open[i % MAX]);
        assert_int_equal(peer_table_accept(t, &from, i, &peer), PEER_WELCOME);
        assert_int_not_equal(peer, 0);
        open[i % MAX] = peer;
    }
    assert_string_equal(peer_table_text(t, stays, text), "192.0.2.1");
    assert_int_equal(peer_table_accept(t, &first, 9, &peer), PEER_WELCOME);
    assert_int_equal(peer, stays);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_address_has_half_of_the_connections),
        cmocka_unit_test(who_is_on_this_machine_has_any_number),
        cmocka_unit_test(new_connections_come_back_by_time),
        cmocka_unit_test(wrong_tokens_make_a_pause),
        cmocka_unit_test(the_table_is_bounded),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
