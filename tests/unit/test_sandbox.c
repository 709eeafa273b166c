/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_sandbox.c - what a confined process can no longer do. */
#include "tests/unit/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sandbox/confine.h"

typedef int deed(void); /* errno of what was tried, 0 when it worked */

static int
said(long rc)
{
    return rc < 0 ? errno : 0;
}

static int
new_user_namespace(void)
{
    return said(unshare(CLONE_NEWUSER));
}

static int
cloned_namespace(void)
{
    return said(syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0));
}

static int
trace_myself(void)
{
    return said(ptrace(PTRACE_TRACEME, 0, NULL, NULL));
}

static int
ring(void)
{
    return said(syscall(SYS_io_uring_setup, 1, NULL));
}

static int
type_into_terminal(void)
{
    return said(ioctl(0, TIOCSTI, "x"));
}

static int
type_with_high_bits(void)
{
    return said(syscall(SYS_ioctl, 0, TIOCSTI | 1UL << 40, "x"));
}

static int
vsock(void)
{
    return said(socket(AF_VSOCK, SOCK_STREAM | SOCK_CLOEXEC, 0));
}

static int
far_family(void)
{
    return said(socket(4000, SOCK_STREAM | SOCK_CLOEXEC, 0));
}

static int
inet(void)
{
    return said(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
}

static int
read_a_file(void)
{
    return said(open("/etc/passwd", O_RDONLY | O_CLOEXEC));
}

static int
write_a_file(void)
{
    return said(open("/tmp", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600));
}

static int
change_a_file(void)
{
    return said(open("/dev/null", O_RDWR | O_CLOEXEC));
}

static int
start_a_process(void)
{
    pid_t pid = fork();

    if (pid == 0)
        _exit(0);
    return said(pid);
}

static int
execute(void)
{
    char *const argv[] = {(char *)(uintptr_t) "/bin/true", NULL};

    return said(execv(argv[0], argv));
}

/* Each with arguments that the kernel itself would refuse otherwise than with
 * EPERM, so that EPERM is the filter's. */
#define REFUSED(name, ...)                                                     \
    static int name(void)                                                      \
    {                                                                          \
        return said(syscall(__VA_ARGS__));                                     \
    }
REFUSED(chmod_at, 452, AT_FDCWD, "/nonexistent", 0600, 0)
REFUSED(attribute_at, 463, AT_FDCWD, "/nonexistent", 0, "user.x", NULL, 0)
REFUSED(no_attribute_at, 466, AT_FDCWD, "/nonexistent", 0, "user.x")
REFUSED(flags_at, 469, AT_FDCWD, "/nonexistent", NULL, 0, 0)
REFUSED(no_attribute, SYS_lremovexattr, "/nonexistent", "user.x")
REFUSED(no_attribute_fd, SYS_fremovexattr, -1, "user.x")
REFUSED(signal_pidfd, SYS_pidfd_send_signal, -1, 0, NULL, 0)
REFUSED(signal_queue, SYS_rt_sigqueueinfo, 0x7fffffff, 0, NULL)
REFUSED(signal_thread, SYS_rt_tgsigqueueinfo, 0x7fffffff, 0x7fffffff, 0, NULL)

static int
unix_socket(void)
{
    return said(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
}

static int
stream_pair(void)
{
    int fds[2];

    return said(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds));
}

static int
datagram_pair(void)
{
    int fds[2];

    return said(socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, fds));
}

static int
raw_pair(void) /* to the kernel the same as datagrams */
{
    int fds[2];

    return said(socketpair(AF_UNIX, SOCK_RAW | SOCK_CLOEXEC, 0, fds));
}

/* Exit status of a child that confines itself and then tries. */
static int
attempt(int (*confine)(struct err *), deed *d)
{
    pid_t pid = fork();
    int st = 0;

    if (pid == 0)
        _exit(confine(NULL) < 0 ? 255 : d());
    assert_true(pid > 0);
    assert_int_equal(waitpid(pid, &st, 0), pid);
    return WIFSIGNALED(st) ? 200 + WTERMSIG(st) : WEXITSTATUS(st);
}

static void
a_step_is_refused_what_escapes_use(void **state)
{
    static const struct {
        deed *d;
        int want;
    } rows[] = {
        {new_user_namespace, EPERM},
        {cloned_namespace, EPERM},
        {trace_myself, EPERM},
        {ring, ENOSYS},
        {type_into_terminal, EPERM},
        {type_with_high_bits, EPERM},
        {vsock, EPERM},
        {far_family, EPERM},
        {inet, 0},
        {unix_socket, 0},
        {datagram_pair, 0},
        {read_a_file, 0},
        {write_a_file, 0},
        {start_a_process, 0},
        {execute, 0},
    };

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++)
        assert_int_equal(attempt(confine_step, rows[i].d), rows[i].want);
}

static void
the_model_process_cannot_write_or_execute(void **state)
{
    static const struct {
        deed *d;
        int want;
    } rows[] = {
        {inet, 0},
        {read_a_file, 0},
        {write_a_file, EPERM},
        {change_a_file, EPERM},
        {start_a_process, EPERM},
        {execute, EPERM},
        {new_user_namespace, EPERM},
        {chmod_at, EPERM},
        {attribute_at, EPERM},
        {no_attribute_at, EPERM},
        {flags_at, EPERM},
        {no_attribute, EPERM},
        {no_attribute_fd, EPERM},
        {signal_pidfd, EPERM},
        {signal_queue, EPERM},
        {signal_thread, EPERM},
        {unix_socket, EPERM},
        {stream_pair, 0},
        {datagram_pair, EPERM},
        {raw_pair, EPERM},
    };

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++)
        assert_int_equal(attempt(confine_model, rows[i].d), rows[i].want);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_is_refused_what_escapes_use),
        cmocka_unit_test(the_model_process_cannot_write_or_execute),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
