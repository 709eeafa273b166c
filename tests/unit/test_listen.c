/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_listen.c - who listens here is known without asking them. */
#include "tests/unit/unit.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "model/listen.h"

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
a_listener_is_seen_and_a_bound_socket_is_not(void **state)
{
    static const int families[] = {AF_INET, AF_INET6};

    (void)state;
    for (size_t i = 0; i < N_OF(families); i++) {
        int ports[2] = {1, 0};
        int fd = bound(families[i], &ports[1]);

        assert_false(listen_on_any(ports, 2));
        assert_int_equal(listen(fd, 1), 0);
        assert_true(listen_on_any(ports, 2));
        close(fd);
        assert_false(listen_on_any(ports, 2));
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_listener_is_seen_and_a_bound_socket_is_not),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
