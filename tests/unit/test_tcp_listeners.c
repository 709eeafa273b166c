/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_tcp_listeners.c - listeners are found without a connection to them. */
#include "tests/unit/unit.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "model/tcp_listeners.h"

/* A bound socket on a port that the kernel chose, in *port. */
static int
bound(int family, int *port)
{
    struct sockaddr_in6 six = {.sin6_family = AF_INET6,
                               .sin6_addr = in6addr_loopback};
    struct sockaddr_in four = {.sin_family = AF_INET,
                               .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct sockaddr *sa = family == AF_INET ? (struct sockaddr *)&four
                                            : (struct sockaddr *)&six;
    socklen_t n = family == AF_INET ? sizeof(four) : sizeof(six);
    int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);

    assert_true(fd >= 0);
    assert_int_equal(bind(fd, sa, n), 0);
    assert_int_equal(getsockname(fd, sa, &n), 0);
    *port = ntohs(family == AF_INET ? four.sin_port : six.sin6_port);
    return fd;
}

static void
a_listener_is_found_and_a_bound_socket_is_not(void **state)
{
    static const int families[] = {AF_INET, AF_INET6};

    (void)state;
    for (size_t i = 0; i < N_OF(families); i++) {
        struct tcp_listener v[2] = {{.port = 1}, {0}};
        int fd = bound(families[i], &v[1].port);

        assert_true(tcp_listeners_find(v, 2));
        assert_int_equal(v[1].near, 0);
        assert_int_equal(listen(fd, 1), 0);
        assert_true(tcp_listeners_find(v, 2));
        assert_int_equal(v[0].near, 0);
        assert_int_not_equal(v[1].near, 0);
        assert_int_not_equal(v[1].inode, 0);
        assert_int_equal(v[1].uid, geteuid());
        close(fd);
        assert_true(tcp_listeners_find(v, 2));
        assert_int_equal(v[1].near, 0);
    }
}

/* Another server is another socket, on the same port too. */
static void
a_restarted_listener_is_another_one(void **state)
{
    struct tcp_listener before = {0}, after = {0};
    int fd = bound(AF_INET, &before.port);

    (void)state;
    assert_int_equal(listen(fd, 1), 0);
    assert_true(tcp_listeners_find(&before, 1));
    close(fd);
    fd = bound(AF_INET, &after.port);
    assert_int_equal(listen(fd, 1), 0);
    assert_true(tcp_listeners_find(&after, 1));
    assert_int_not_equal(before.inode, after.inode);
    close(fd);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_listener_is_found_and_a_bound_socket_is_not),
        cmocka_unit_test(a_restarted_listener_is_another_one),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
