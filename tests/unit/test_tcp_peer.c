/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_tcp_peer.c - who is at the other end of a connection of this machine. */
#include "tests/unit/unit.h"

#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/process_list.h"
#include "wire/socket_holder.h"
#include "wire/tcp_peer.h"
#include "wire/tcp_peer_proc.h"

/* A connection on loopback: the server's end, and the client's. */
struct connected {
    int server, client;
};

static socklen_t
loopback(int family, struct sockaddr_storage *at)
{
    struct sockaddr_in *in = (void *)at;
    struct sockaddr_in6 *in6 = (void *)at;

    *at = (struct sockaddr_storage){.ss_family = (sa_family_t)family};
    if (family == AF_INET)
        in->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    else
        in6->sin6_addr = in6addr_loopback;
    return family == AF_INET ? sizeof(*in) : sizeof(*in6);
}

/* False: this machine has no such addresses. */
static bool
connect_ends(int family, struct connected *out)
{
    struct sockaddr_storage at;
    socklen_t n = loopback(family, &at), size = sizeof(at);
    int listening = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);

    if (listening < 0 || bind(listening, (struct sockaddr *)&at, n) < 0) {
        (void)close(listening);
        return false;
    }
    assert_int_equal(listen(listening, 1), 0);
    assert_int_equal(getsockname(listening, (struct sockaddr *)&at, &size), 0);
    out->client = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(connect(out->client, (struct sockaddr *)&at, size), 0);
    out->server = accept(listening, NULL, NULL);
    assert_true(out->server >= 0);
    (void)close(listening);
    return true;
}

static void
disconnect_ends(const struct connected *c)
{
    (void)close(c->server);
    (void)close(c->client);
}

static bool
find_by_proc(int fd, struct tcp_peer *out)
{
    struct tcp_ends wanted;

    return tcp_ends_of_peer(fd, &wanted) && tcp_peer_proc_find(&wanted, out);
}

static void
check_peer(int family, bool (*find)(int fd, struct tcp_peer *out))
{
    struct connected c;
    struct tcp_peer peer;
    struct stat st;

    if (!connect_ends(family, &c))
        return;
    assert_int_equal(fstat(c.client, &st), 0);
    assert_true(find(c.server, &peer));
    assert_int_equal(peer.inode, st.st_ino);
    assert_int_equal(peer.uid, geteuid());
    /* each end is the other's peer */
    assert_int_equal(fstat(c.server, &st), 0);
    assert_true(find(c.client, &peer));
    assert_int_equal(peer.inode, st.st_ino);
    (void)close(c.client);
    c.client = -1;
    assert_false(find(c.server, &peer)); /* nobody holds it any more */
    disconnect_ends(&c);
}

static void
the_other_end_is_found(void **state)
{
    (void)state;
    check_peer(AF_INET, tcp_peer_find);
    check_peer(AF_INET6, tcp_peer_find);
    check_peer(AF_INET, find_by_proc);
    check_peer(AF_INET6, find_by_proc);
}

/* A port that something listens at is no connection. */
static void
what_is_not_connected_has_no_peer(void **state)
{
    int pair[2];
    struct tcp_peer peer;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    (void)state;
    assert_int_equal(listen(fd, 1), 0);
    assert_false(tcp_peer_find(fd, &peer));
    assert_false(find_by_proc(fd, &peer));
    (void)close(fd);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair),
                     0);
    assert_false(tcp_peer_find(pair[0], &peer));
    (void)close(pair[0]);
    (void)close(pair[1]);
}

/* A child that waits until it is killed. */
static pid_t
start_waiting(void)
{
    pid_t pid = fork();

    if (pid == 0)
        for (;;)
            (void)pause();
    return pid;
}

static void
end_waiting(pid_t pid)
{
    (void)kill(pid, SIGKILL);
    (void)waitpid(pid, NULL, 0);
}

static const struct process_entry *
entry_of(const struct process_list *p, pid_t pid)
{
    for (size_t i = 0; i < p->n; i++)
        if (p->v[i].pid == pid)
            return &p->v[i];
    fail();
    return NULL;
}

static void
a_descendant_is_confined(void **state)
{
    CLEANUP(process_list_done) struct process_list p = {0};
    struct process_entry child;
    pid_t pid = start_waiting();

    (void)state;
    assert_int_equal(process_list_read(&p, NULL), 0);
    child = *entry_of(&p, pid);
    assert_int_equal(child.parent, getpid());
    assert_false(child.launcher);
    assert_true(process_list_is_confined(&p, &child, getpid()));
    assert_false(
        process_list_is_confined(&p, entry_of(&p, getpid()), getpid()));
    assert_true(process_entry_is_there(&child));
    end_waiting(pid);
    assert_false(process_entry_is_there(&child));
}

static void
below_a_launcher_all_are_confined(void **state)
{
    static struct process_entry v[] = {{.pid = 1},
                                       {.pid = 10, .parent = 1},
                                       {.pid = 11, .parent = 10},
                                       {.pid = 12, .parent = 11},
                                       {.pid = 20, .parent = 21},
                                       {.pid = 21, .parent = 20},
                                       {.pid = 30, .parent = 29},
                                       {.pid = 31, .parent = 32},
                                       {.pid = 32, .parent = 1, .begun = 5},
                                       {.pid = 33, .parent = 1, .begun = 5}};
    const struct process_list p = {.v = v, .n = N_OF(v)};

    (void)state;
    v[1].launcher = true;
    assert_false(process_list_is_confined(&p, &v[0], -1));
    assert_true(process_list_is_confined(&p, &v[1], -1));
    assert_true(process_list_is_confined(&p, &v[3], -1));
    /* a list is read while processes end, and their numbers are given anew */
    assert_true(process_list_is_confined(&p, &v[4], -1)); /* a circle */
    assert_true(process_list_is_confined(&p, &v[6], -1)); /* no parent */
    assert_true(process_list_is_confined(&p, &v[7], -1)); /* one too young */
    assert_false(process_list_is_confined(&p, &v[9], -1));
}

/* What is not listed would count as not there. */
static void
a_list_is_whole_or_none(void **state)
{
    CLEANUP(process_list_done) struct process_list p = {0};
    struct rlimit before, few;
    struct err e = {0};
    int free_fd = dup(0);

    (void)state;
    (void)close(free_fd);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    few = before;
    few.rlim_cur = (rlim_t)free_fd + 1; /* for the directory */
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
    assert_int_equal(process_list_read(&p, &e), -1);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    assert_int_equal(e.sys, EMFILE);
    assert_int_equal(p.n, 0);
}

/* Held by this process, which is not confined; by a child alone; by nobody. */
static void
an_unconfined_holder_is_found(void **state)
{
    struct connected c, lent;
    struct socket_holders known = {0};
    struct held_socket held[2];
    pid_t pid;

    (void)state;
    assert_true(connect_ends(AF_INET, &c));
    assert_true(connect_ends(AF_INET, &lent));
    pid = start_waiting();
    (void)close(lent.client); /* the child has it still */
    lent.client = -1;
    for (int i = 0; i < 2; i++) {
        held[i] = (struct held_socket){0};
        assert_true(tcp_peer_find(i ? lent.server : c.server, &held[i].peer));
    }
    qsort(held, 2, sizeof(*held), socket_holder_compare);
    assert_int_equal(socket_holder_find(&known, held, 2, NULL), 0);
    for (int i = 0; i < 2; i++) {
        struct tcp_peer mine;

        assert_true(tcp_peer_find(c.server, &mine));
        assert_int_equal(held[i].unconfined, held[i].peer.inode == mine.inode);
    }
    end_waiting(pid);
    /* the next one of the same process is found at once */
    assert_int_equal(known.v[0].process.pid, getpid());
    assert_int_equal(known.v[0].fd, c.client + 1);
    disconnect_ends(&lent);
    assert_true(connect_ends(AF_INET, &lent));
    held[0] = (struct held_socket){0};
    assert_true(tcp_peer_find(lent.server, &held[0].peer));
    assert_int_equal(socket_holder_find(&known, held, 1, NULL), 0);
    assert_true(held[0].unconfined);
    assert_int_equal(known.v[0].fd, lent.client + 1);
    assert_int_equal(known.next, 1);
    disconnect_ends(&c);
    disconnect_ends(&lent);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_other_end_is_found),
        cmocka_unit_test(what_is_not_connected_has_no_peer),
        cmocka_unit_test(a_descendant_is_confined),
        cmocka_unit_test(below_a_launcher_all_are_confined),
        cmocka_unit_test(a_list_is_whole_or_none),
        cmocka_unit_test(an_unconfined_holder_is_found),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
