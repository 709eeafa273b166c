/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_http_connection.c - what comes behind a request that leaves HTTP. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "wire/http_connection.h"

#define WAIT_MS 10000

struct upgraded_fixture {
    struct http_shared sh;
    struct http_connection *c;
    bool drains; /* between the head and the answer */
    struct buf begun;
    int upgraded, fd;
};

static bool
on_upgrade_head(void *arg, struct http_connection *c)
{
    const struct upgraded_fixture *f = arg;

    if (f->drains)
        http_connection_drain(c);
    return true;
}

static void
on_upgraded(void *arg, int fd, struct tls *t, const struct buf *begun)
{
    struct upgraded_fixture *f = arg;

    assert_null(t);
    f->upgraded++;
    f->fd = fd;
    if (begun)
        buf_add(&f->begun, begun->p, begun->len);
}

static void
on_upgrade_request(void *arg, struct http_connection *c)
{
    CLEANUP_BUF struct buf fields = buf_of(100);

    buf_str(&fields, "Upgrade: x\r\nConnection: Upgrade\r\n");
    http_upgrade(c, &fields, on_upgraded, arg);
}

static void
on_upgrade_ended(void *arg, struct http_connection *c)
{
    struct upgraded_fixture *f = arg;

    http_connection_free(c);
    f->c = NULL;
}

static void
check_upgrade(bool drains)
{
    static const struct http_events events = {.head = on_upgrade_head,
                                              .request = on_upgrade_request,
                                              .ended = on_upgrade_ended};
    static const char text[] = "GET / HTTP/1.1\r\nHost: x\r\nUpgrade: x\r\n"
                               "Connection: Upgrade\r\n\r\nbehind";
    struct upgraded_fixture f = {.drains = drains, .begun = buf_of(100)};
    int pair[2];

    f.sh = (struct http_shared){
        .loop = loop_new(NULL),
        .buffer = read_buffer_new(NULL),
        .events = &events,
        .arg = &f,
        .limits = {1024, 1 << 20, WAIT_MS, WAIT_MS, WAIT_MS, WAIT_MS}};
    assert_int_equal(socketpair(AF_UNIX,
                                SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0,
                                pair),
                     0);
    assert_non_null(f.c = http_connection_new(&f.sh, pair[0], NULL));
    assert_int_equal(write(pair[1], text, sizeof(text) - 1), sizeof(text) - 1);
    while (f.c)
        assert_true(loop_turn(f.sh.loop, WAIT_MS, NULL) > 0);
    assert_int_equal(f.upgraded, 1);
    assert_true(f.fd >= 0);
    buf_ch(&f.begun, '\0');
    assert_string_equal(f.begun.p, "behind");
    (void)close(f.fd);
    (void)close(pair[1]);
    buf_done(&f.begun);
    read_buffer_free(f.sh.buffer);
    loop_free(f.sh.loop);
}

static void
bytes_behind_an_upgrade_are_handed_over(void **state)
{
    (void)state;
    check_upgrade(false);
}

static void
also_where_the_server_ends(void **state)
{
    (void)state;
    check_upgrade(true);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_behind_an_upgrade_are_handed_over),
        cmocka_unit_test(also_where_the_server_ends),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
