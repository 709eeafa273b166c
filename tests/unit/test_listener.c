/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_listener.c - addresses of sockets, and connections that are accepted. */
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "wire/address.h"
#include "wire/listener.h"

#define WAIT_MS 10000

static void
addresses_are_read_and_written(void **state)
{
    static const struct {
        const char *text, *shown;
        bool open;
    } good[] = {{"unix:/tmp/x y", "unix:/tmp/x y", false},
                {"tcp:127.0.0.1:80", "tcp:127.0.0.1:80", false},
                {"tcp:127.9.9.9:80", "tcp:127.9.9.9:80", false},
                {"tcp:localhost:0", "tcp:127.0.0.1:0", false},
                {"tcp:0.0.0.0:65535", "tcp:0.0.0.0:65535", true},
                {"tcp:[::1]:7", "tcp:[::1]:7", false},
                {"tcp:::1:7", "tcp:[::1]:7", false},
                {"tcp:[::]:7", "tcp:[::]:7", true},
                {"vsock:52", "vsock:52", false},
                {"vsock:3:52", "vsock:52", false}};

    (void)state;
    for (size_t i = 0; i < N_OF(good); i++) {
        CLEANUP_BUF struct buf shown = buf_of(256);
        struct address a;

        assert_int_equal(address_read(good[i].text, &a, NULL), 0);
        address_put(&shown, &a);
        assert_string_equal(shown.p, good[i].shown);
        assert_int_equal(address_is_open(&a), good[i].open);
    }
}

static void
what_is_no_address_is_refused(void **state)
{
    static const char *const bad[] = {"",
                                      "x",
                                      "unix:",
                                      "tcp:",
                                      "tcp:1",
                                      "tcp:127.0.0.1",
                                      "tcp::1",
                                      "tcp:a.b:1",
                                      "tcp:127.0.0.1:65536",
                                      "tcp:1.2.3.4:-1",
                                      "tcp:1.2.3.4:1x",
                                      "vsock:",
                                      "vsock:x:1",
                                      "vsock:1:",
                                      "vsock:4294967296",
                                      "fd:",
                                      "fd:x",
                                      "TCP:127.0.0.1:1"};

    (void)state;
    for (size_t i = 0; i < N_OF(bad); i++) {
        struct address a;
        struct err e = {0};

        assert_int_equal(address_read(bad[i], &a, &e), -1);
        assert_int_equal(e.code, ERR_USAGE);
    }
}

/* A listener in a directory of its own. */
struct fixture {
    struct loop *loop;
    struct listener *listener;
    char dir[64], address[96];
    int accepted, troubles;
    bool frees; /* in `accepted` */
};

static void
on_accepted(void *arg, int fd)
{
    struct fixture *f = arg;

    f->accepted++;
    (void)close(fd);
    if (!f->frees)
        return;
    listener_free(f->listener);
    f->listener = NULL;
}

static void
on_trouble(void *arg, const struct err *why)
{
    struct fixture *f = arg;

    assert_true(why->text[0]);
    f->troubles++;
}

static const struct listener_events events = {.accepted = on_accepted,
                                              .trouble = on_trouble};

static void
fixture_init(struct fixture *f)
{
    *f = (struct fixture){.loop = loop_new(NULL)};
    snprintf(f->dir, sizeof(f->dir), "/tmp/agentsh-listener-XXXXXX");
    assert_non_null(mkdtemp(f->dir));
    snprintf(f->address, sizeof(f->address), "unix:%s/s", f->dir);
    f->listener = listener_new(f->loop, f->address, &events, f, NULL);
    assert_non_null(f->listener);
}

static void
fixture_done(struct fixture *f)
{
    listener_free(f->listener);
    loop_free(f->loop);
    assert_int_equal(access(f->address + 5, F_OK), -1); /* it is removed */
    (void)rmdir(f->dir);
}

static void
connect_once(struct fixture *f)
{
    int fd = listener_connect(f->address, WAIT_MS, NULL), before = f->accepted;

    assert_true(fd >= 0);
    while (f->accepted == before)
        assert_true(loop_turn(f->loop, WAIT_MS, NULL) > 0);
    (void)close(fd);
}

static void
a_connection_is_accepted(void **state)
{
    struct fixture f;
    struct stat st;

    (void)state;
    fixture_init(&f);
    assert_int_equal(stat(f.address + 5, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    connect_once(&f);
    assert_null(listener_new(f.loop, f.address, &events, &f, NULL));
    f.frees = true;
    connect_once(&f);
    fixture_done(&f);
}

/* The descriptor of a listening socket of this process. */
static int
find_listening(void)
{
    for (int fd = 3; fd < 256; fd++) {
        int on = 0;
        socklen_t n = sizeof(on);

        if (getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &on, &n) == 0 && on)
            return fd;
    }
    return -1;
}

/* As a virtual machine may find its sockets when it goes on from a snapshot. */
static void
a_socket_that_fails_is_made_anew(void **state)
{
    struct fixture f;

    (void)state;
    fixture_init(&f);
    assert_int_equal(shutdown(find_listening(), SHUT_RDWR), 0);
    while (f.troubles == 0 || find_listening() < 0)
        assert_true(loop_turn(f.loop, WAIT_MS, NULL) > 0);
    connect_once(&f);
    fixture_done(&f);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(addresses_are_read_and_written),
        cmocka_unit_test(what_is_no_address_is_refused),
        cmocka_unit_test(a_connection_is_accepted),
        cmocka_unit_test(a_socket_that_fails_is_made_anew),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
