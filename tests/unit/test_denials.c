/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_denials.c - the refused calls in the launcher's report. */
#include "tests/unit/unit.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/fd.h"
#include "sandbox/denials.h"

#define EIGHT                                                                  \
    "blocked c\nblocked c\nblocked c\nblocked c\n"                             \
    "blocked c\nblocked c\nblocked c\nblocked c\n"

struct row {
    const char *report;
    const char *names; /* a blank behind each */
};

static const struct row rows[] = {
    {"", ""},
    {"blocked socket\n", "socket "},
    {"blocked socket\nblocked ptrace\n", "socket ptrace "},
    {"removed /a b/.git/hooks\nblocked mount\n", "mount "},
    {"blocked \nblocked\nblockedsocket\n", ""},
    {"blocked socket", ""}, /* the rest of the line is still to come */
    {EIGHT "blocked d\n", "c c c c c c c c d "},
    {EIGHT EIGHT "blocked d\n", "c c c c c c c c c c c c c c c c "},
    {"blocked 0123456789012345678901234567890123456789012345678901234567890123"
     "4\nblocked socket\n",
     "socket "},
};

static void
check_names(int report, const char *names)
{
    struct denials r;
    char joined[256] = "";
    size_t n = 0;

    assert_int_equal(denials_read(report, &r, NULL), 0);
    for (size_t i = 0; i < r.n; i++) {
        assert_true(n + strlen(r.names[i]) + 2 < sizeof(joined));
        n = (size_t)(stpcpy(joined + n, r.names[i]) - joined);
        joined[n++] = ' ';
        joined[n] = '\0';
    }
    assert_string_equal(joined, names);
    denials_done(&r);
}

static void
names_are_read_from_a_pipe_that_is_open_still(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        size_t n = strlen(rows[i].report);
        int fds[2];

        assert_int_equal(fd_pipe(fds, NULL), 0);
        assert_int_equal(fd_set_nonblock(fds[0], true, NULL), 0);
        assert_int_equal(write(fds[1], rows[i].report, n), n);
        check_names(fds[0], rows[i].names);
        close(fds[0]);
        close(fds[1]);
    }
}

static void
names_are_read_from_a_file_wherever_it_stands(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        size_t n = strlen(rows[i].report);
        int fd = memfd_create("report", MFD_CLOEXEC);

        assert_true(fd >= 0);
        assert_int_equal(write(fd, rows[i].report, n), n);
        check_names(fd, rows[i].names);
        close(fd);
    }
}

static void
a_line_without_end_is_an_error_and_no_name(void **state)
{
    int fd = memfd_create("report", MFD_CLOEXEC);
    struct denials r;
    char x[1024];

    (void)state;
    memset(x, 'x', sizeof(x));
    assert_int_equal(write(fd, "blocked socket\n", 15), 15);
    for (int i = 0; i < 16; i++)
        assert_int_equal(write(fd, x, sizeof(x)), sizeof(x));
    assert_int_equal(denials_read(fd, &r, NULL), -1);
    assert_int_equal(r.n, 0);
    close(fd);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_read_from_a_pipe_that_is_open_still),
        cmocka_unit_test(names_are_read_from_a_file_wherever_it_stands),
        cmocka_unit_test(a_line_without_end_is_an_error_and_no_name),
    };

    return cmocka_run_group_tests_name("denials", tests, NULL, NULL);
}
