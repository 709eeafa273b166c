/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_services.c - what services reads, from a machine of the test's own. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/inet_diag.h>
#include <linux/sock_diag.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/path.h"
#include "plugins/lib/machine.h"
#include "plugins/services/owners.h"
#include "plugins/services/units.h"
#include "tests/unit/unit.h"

static void
give(struct listeners *l, int family, const char *address, unsigned port,
     unsigned inode)
{
    struct inet_diag_msg m = {
        .idiag_family = (uint8_t)family, .idiag_uid = 7, .idiag_inode = inode};

    m.id.idiag_sport = htons((uint16_t)port);
    m.id.idiag_if = 3;
    assert_int_equal(inet_pton(family, address, m.id.idiag_src), 1);
    assert_true(listeners_take(l, SOCK_DIAG_BY_FAMILY, &m, sizeof(m)));
}

static void
a_socket_is_told_with_its_place(void **state)
{
    struct listeners l = {.n = 0};

    (void)state;
    give(&l, AF_INET6, "fe80::1", 80, 5);
    l.udp = true;
    give(&l, AF_INET, "127.0.0.1", 53, 6);
    assert_true(listeners_take(&l, SOCK_DIAG_BY_FAMILY, "short", 5));
    listeners_sort(&l);
    assert_int_equal(l.n, 2);
    assert_string_equal(l.rows[0].address, "127.0.0.1");
    assert_true(l.rows[0].udp);
    assert_string_equal(l.rows[1].address, "fe80::1%3");
    assert_int_equal(l.rows[1].uid, 7);
    listeners_done(&l);
}

static void
only_the_port_that_is_asked_for_is_kept(void **state)
{
    struct listeners l = {.only = 80};

    (void)state;
    give(&l, AF_INET, "0.0.0.0", 80, 1);
    give(&l, AF_INET, "0.0.0.0", 81, 2);
    assert_int_equal(l.n, 1);
    listeners_done(&l);
}

struct made {
    char dir[64];
    int root;
};

static int
set_up(void **state)
{
    struct made *m = calloc(1, sizeof(*m));

    assert_non_null(m);
    snprintf(m->dir, sizeof(m->dir), "/tmp/agentsh-test-XXXXXX");
    assert_non_null(mkdtemp(m->dir));
    m->root = machine_open(m->dir, NULL);
    assert_true(m->root >= 0);
    *state = m;
    return 0;
}

static void
remove_below(int at, const char *name)
{
    int fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *d = fd < 0 ? NULL : fdopendir(fd);
    struct dirent *e;

    while (d && (e = readdir(d)) != NULL) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
            continue;
        if (unlinkat(fd, e->d_name, 0) < 0)
            remove_below(fd, e->d_name);
    }
    if (d)
        closedir(d);
    unlinkat(at, name, AT_REMOVEDIR);
}

static int
tear_down(void **state)
{
    struct made *m = *state;

    close(m->root);
    remove_below(AT_FDCWD, m->dir);
    free(m);
    return 0;
}

static void
make_file(const struct made *m, const char *path, const char *text)
{
    char full[512];
    char *slash;

    snprintf(full, sizeof(full), "%s/%s", m->dir, path);
    slash = strrchr(full, '/');
    *slash = '\0';
    assert_int_equal(path_make_dirs(full, 0700, NULL), 0);
    *slash = '/';
    assert_int_equal(file_write(full, text, strlen(text), 0600, NULL), 0);
}

static void
make_program(const struct made *m, int pid)
{
    char path[600];

    snprintf(path, sizeof(path), "%s/proc/%d/exe", m->dir, pid);
    assert_true(symlink("/usr/sbin/any", path) == 0 || errno == EEXIST);
}

static void
make_socket(const struct made *m, int pid, int fd, unsigned inode)
{
    char dir[512], path[600], target[64];

    snprintf(dir, sizeof(dir), "%s/proc/%d/fd", m->dir, pid);
    assert_int_equal(path_make_dirs(dir, 0700, NULL), 0);
    snprintf(path, sizeof(path), "%s/%d", dir, fd);
    snprintf(target, sizeof(target), "socket:[%u]", inode);
    assert_int_equal(symlink(target, path), 0);
    make_program(m, pid);
}

static void
a_thread_of_the_kernel_is_not_looked_into(void **state)
{
    const struct made *m = *state;
    struct listeners l = {.n = 0};
    char path[600];
    size_t hidden = 9;

    make_socket(m, 2, 3, 11);
    make_socket(m, 40, 3, 11);
    snprintf(path, sizeof(path), "%s/proc/2/exe", m->dir);
    assert_int_equal(unlink(path), 0); /* which only such a one has not */
    give(&l, AF_INET, "127.0.0.1", 80, 11);
    owners_find(m->root, &l, &hidden);
    assert_int_equal(l.rows[0].pid, 40);
    assert_int_equal(l.rows[0].processes, 1);
    assert_int_equal(hidden, 0);
    listeners_done(&l);
}

static void
a_socket_belongs_to_the_first_who_holds_it(void **state)
{
    const struct made *m = *state;
    struct listeners l = {.n = 0};
    size_t hidden = 9;

    make_socket(m, 300, 3, 11);
    make_socket(m, 300, 4, 11);
    make_socket(m, 20, 3, 11);
    make_socket(m, 20, 4, 99);
    give(&l, AF_INET, "0.0.0.0", 80, 11);
    give(&l, AF_INET, "0.0.0.0", 81, 12);
    owners_find(m->root, &l, &hidden);
    listeners_sort(&l);
    assert_int_equal(l.rows[0].pid, 20);
    assert_int_equal(l.rows[0].processes, 2);
    assert_int_equal(l.rows[1].pid, 0);
    assert_int_equal(hidden, 0);
    listeners_done(&l);
}

static void
sockets_of_one_place_and_process_are_one_row(void **state)
{
    const struct made *m = *state;
    struct listeners l = {.n = 0};
    size_t hidden;

    make_socket(m, 20, 3, 11);
    make_socket(m, 20, 4, 12);
    give(&l, AF_INET, "0.0.0.0", 80, 11);
    give(&l, AF_INET, "0.0.0.0", 80, 12);
    owners_find(m->root, &l, &hidden);
    listeners_sort(&l);
    assert_int_equal(l.n, 1);
    listeners_done(&l);
}

static void
a_process_is_told_with_its_effective_user_and_its_unit(void **state)
{
    const struct made *m = *state;
    struct users u;
    struct process p;

    make_file(m, "etc/passwd", "root:x:0:0::/:/bin/sh\nbad\nwww:x:33:33:::\n");
    make_file(m, "proc/5/comm", "nginx\n");
    make_file(m, "proc/5/status", "Name:\tnginx\nUid:\t0\t33\t0\t0\n");
    make_file(m, "proc/5/cgroup", "0::/system.slice/nginx.service\n");
    users_init(&u, m->root);
    assert_true(process_read(m->root, &u, 5, &p));
    assert_string_equal(p.program, "nginx");
    assert_string_equal(p.user, "www");
    assert_string_equal(p.unit, "nginx.service");
    assert_string_equal(users_name(&u, 4711, p.user), "4711");
    assert_false(process_read(m->root, &u, 6, &p));
    users_done(&u);
}

static void
services_of_systemd_are_groups_with_processes(void **state)
{
    const struct made *m = *state;
    struct units u = {.n = 0};

    make_file(m, "run/systemd/system/x", "");
    make_file(m, "sys/fs/cgroup/system.slice/ssh.service/cgroup.procs",
              "30\n20\n");
    make_file(m, "sys/fs/cgroup/system.slice/gone.service/cgroup.procs", "");
    make_file(m,
              "sys/fs/cgroup/system.slice/system-g.slice/"
              "g@1.service/cgroup.procs",
              "7\n");
    make_file(m, "sys/fs/cgroup/system.slice/d.service/in/cgroup.procs",
              "8\n9\n");
    units_read(m->root, &u);
    assert_string_equal(u.manager, "systemd");
    assert_int_equal(u.n, 3);
    assert_string_equal(u.rows[0].name, "d");
    assert_int_equal(u.rows[0].processes, 2);
    assert_string_equal(u.rows[1].name, "g@1");
    assert_string_equal(u.rows[2].name, "ssh");
    assert_int_equal(u.rows[2].pid, 20);
    units_done(&u);
}

static void
services_of_openrc_are_those_it_started(void **state)
{
    const struct made *m = *state;
    struct units u = {.n = 0};

    make_file(m, "run/openrc/started/sshd", "");
    make_file(m, "run/openrc/started/bootmisc", "");
    make_file(m, "run/openrc/daemons/sshd/001",
              "exec=/usr/sbin/sshd\npidfile=/run/sshd.pid\n");
    make_file(m, "run/sshd.pid", "12\n");
    make_file(m, "proc/12/comm", "sshd\n");
    units_read(m->root, &u);
    assert_string_equal(u.manager, "openrc");
    assert_int_equal(u.n, 2);
    assert_string_equal(u.rows[0].name, "bootmisc");
    assert_int_equal(u.rows[0].pid, 0);
    assert_string_equal(u.rows[1].name, "sshd");
    assert_int_equal(u.rows[1].pid, 12);
    units_done(&u);
}

static void
services_of_sysvinit_are_those_whose_process_lives(void **state)
{
    const struct made *m = *state;
    struct units u = {.n = 0};

    make_file(m, "etc/init.d/cron", "PIDFILE=/var/run/crond.pid\n");
    make_file(m, "etc/init.d/dead", "");
    make_file(m, "etc/init.d/pg", "");
    make_file(m, "run/crond.pid", " 12\n");
    make_file(m, "run/dead.pid", "13");
    make_file(m, "run/pg/15-main.pid", "14\n");
    make_file(m, "proc/12/comm", "cron\n");
    make_file(m, "proc/14/comm", "postgres\n");
    units_read(m->root, &u);
    assert_string_equal(u.manager, "sysvinit");
    assert_int_equal(u.n, 2);
    assert_string_equal(u.rows[0].name, "cron");
    assert_int_equal(u.rows[0].pid, 12);
    assert_string_equal(u.rows[1].name, "pg");
    units_done(&u);
}

static const struct script_row {
    const char *script, *path;
} script_rows[] = {
    {"PIDFILE=/run/sshd.pid\n", "run/sshd.pid"},
    {"# pidfile: /var/run/x/y.pid\n", "run/x/y.pid"},
    {"P=/run/$NAME.pid; Q=\"/run/q.pid\"", "run/q.pid"},
    {"P=/run/", NULL},
    {"P=/run/.pid", NULL},
    {"", NULL},
};

static void
a_script_names_its_pid_file(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(script_rows); i++) {
        const struct script_row *row = &script_rows[i];
        char path[64];
        bool got = units_pid_file(row->script, path, sizeof(path));

        assert_int_equal(got, row->path != NULL);
        if (row->path)
            assert_string_equal(path, row->path);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_socket_is_told_with_its_place),
        cmocka_unit_test(only_the_port_that_is_asked_for_is_kept),
        cmocka_unit_test_setup_teardown(
            a_thread_of_the_kernel_is_not_looked_into, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            a_socket_belongs_to_the_first_who_holds_it, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            sockets_of_one_place_and_process_are_one_row, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            a_process_is_told_with_its_effective_user_and_its_unit, set_up,
            tear_down),
        cmocka_unit_test_setup_teardown(
            services_of_systemd_are_groups_with_processes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(services_of_openrc_are_those_it_started,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            services_of_sysvinit_are_those_whose_process_lives, set_up,
            tear_down),
        cmocka_unit_test(a_script_names_its_pid_file),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
