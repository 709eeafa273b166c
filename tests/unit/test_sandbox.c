/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_sandbox.c - what a confined process can no longer do. */
#include "tests/unit/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sandbox/confine.h"

typedef int deed(void); /* errno of what was tried, 0 when it worked */

static int
errno_of(long rc)
{
    return rc < 0 ? errno : 0;
}

static int
new_user_namespace(void)
{
    return errno_of(unshare(CLONE_NEWUSER));
}

static int
cloned_namespace(void)
{
    return errno_of(syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0));
}

static int
trace_myself(void)
{
    return errno_of(ptrace(PTRACE_TRACEME, 0, NULL, NULL));
}

static int
ring(void)
{
    return errno_of(syscall(SYS_io_uring_setup, 1, NULL));
}

static int
type_into_terminal(void)
{
    return errno_of(ioctl(0, TIOCSTI, "x"));
}

#define EXECUTED "executed" /* our argument when we are */

/* Bits that an argument has on 64-bit machines only. */
#define HIGH_BITS ((unsigned long)(UINT64_C(1) << 40))

static int
type_with_high_bits(void)
{
    return errno_of(syscall(SYS_ioctl, 0, TIOCSTI | HIGH_BITS, "x"));
}

static int
vsock(void)
{
    return errno_of(socket(AF_VSOCK, SOCK_STREAM | SOCK_CLOEXEC, 0));
}

static int
far_family(void)
{
    return errno_of(socket(4000, SOCK_STREAM | SOCK_CLOEXEC, 0));
}

static int
inet(void)
{
    return errno_of(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
}

static int
read_a_file(void)
{
    return errno_of(open("/etc/passwd", O_RDONLY | O_CLOEXEC));
}

static int
write_a_file(void)
{
    return errno_of(open("/tmp", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600));
}

static int
change_a_file(void)
{
    return errno_of(open("/dev/null", O_RDWR | O_CLOEXEC));
}

static int
start_a_process(void)
{
    pid_t pid = fork();

    if (pid == 0)
        _exit(0);
    return errno_of(pid);
}

/* Ourselves: a program that is there may be of another machine. */
static int
execute(void)
{
    char *const argv[] = {(char *)(uintptr_t) "/proc/self/exe",
                          (char *)(uintptr_t)EXECUTED, NULL};

    return errno_of(execv(argv[0], argv));
}

/* Each with arguments that the kernel itself would refuse otherwise than with
 * EPERM, so that EPERM is the filter's. */
#define REFUSED(name, ...)                                                     \
    static int name(void)                                                      \
    {                                                                          \
        return errno_of(syscall(__VA_ARGS__));                                 \
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
    return errno_of(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
}

static int
stream_pair(void)
{
    int fds[2];

    return errno_of(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds));
}

static int
datagram_pair(void)
{
    int fds[2];

    return errno_of(socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, fds));
}

static int
raw_pair(void) /* to the kernel the same as datagrams */
{
    int fds[2];

    return errno_of(socketpair(AF_UNIX, SOCK_RAW | SOCK_CLOEXEC, 0, fds));
}

static int
record_pair(void)
{
    int fds[2];

    return errno_of(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds));
}

static int
netlink(void)
{
    return errno_of(socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, 0));
}

static int
ping_socket(void) /* refused by a setting of the kernel, or not at all */
{
    int sys = errno_of(
        socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, IPPROTO_ICMP));

    return sys == EACCES ? 0 : sys;
}

static int
discipline(void)
{
    return errno_of(ioctl(-1, TIOCSETD, NULL));
}

REFUSED(own_limit, SYS_prlimit64, 0, 7, NULL, NULL)
REFUSED(other_limit, SYS_prlimit64, 1, 7, NULL, NULL)
REFUSED(high_limit, SYS_prlimit64, HIGH_BITS ? HIGH_BITS : 1, 7, NULL, NULL)
/* To what it is: to get more takes a right. */
REFUSED(own_priority, SYS_setpriority, 0, 0, getpriority(PRIO_PROCESS, 0))
REFUSED(group_priority, SYS_setpriority, 1, 0, getpriority(PRIO_PROCESS, 0))
REFUSED(far_pin, SYS_sched_setaffinity, 0x7fffffff, 0, NULL)
REFUSED(segment, SYS_shmget, 0x7ffffffe, 1, 0)
REFUSED(drop_segment, SYS_shmctl, -1, 0, NULL)
REFUSED(drop_segment_64, SYS_shmctl, -1, 0 | 0x100, NULL)
REFUSED(set_semaphore, SYS_semctl, -1, 0, 16 | 0x100, NULL)
REFUSED(signal_far, SYS_kill, 0x7fffffff, 0)
REFUSED(personality_set, SYS_personality, 0x0040000)
REFUSED(personality_get, SYS_personality, 0xffffffff)

/* Where one call is all that sockets can do, as the C library of 32-bit x86
 * makes them, no filter sees which family is meant: who may use the network of
 * the machine has all of them, who is confined has none. */
#ifdef SYS_socketcall
#define ANY_FAMILY(elsewhere) 0
#define NO_FAMILY(elsewhere)  EPERM
REFUSED(direct_vsock, SYS_socket, AF_VSOCK, SOCK_STREAM | SOCK_CLOEXEC, 0)
REFUSED(direct_pair, SYS_socketpair, AF_UNIX, SOCK_DGRAM, 0, NULL)
REFUSED(multiplexed_connect, SYS_socketcall, 3, NULL)
REFUSED(multiplexed_segment, SYS_ipc, 23, 0x7ffffffe, 1, 0, NULL, 0)
REFUSED(versioned_segment, SYS_ipc, 1 << 16 | 23, 0x7ffffffe, 1, 0, NULL, 0)
REFUSED(clock_64, SYS_clock_settime64, 0, NULL)
REFUSED(lease_64, SYS_fcntl64, -1, F_SETLEASE, 0)
#else
#define ANY_FAMILY(elsewhere) elsewhere
#define NO_FAMILY(elsewhere)  elsewhere
#endif

/* The exit status of a child. */
static int
outcome(pid_t pid)
{
    int st = 0;

    assert_true(pid > 0);
    assert_int_equal(waitpid(pid, &st, 0), pid);
    return WIFSIGNALED(st) ? 200 + WTERMSIG(st) : WEXITSTATUS(st);
}

/* What a child finds that confines itself and then tries. */
static int
attempt(int (*confine)(struct err *), deed *d)
{
    pid_t pid = fork();

    if (pid == 0)
        _exit(confine(NULL) < 0 ? 255 : d());
    return outcome(pid);
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
#ifndef SYS_socketcall
        {vsock, EPERM},
        {far_family, EPERM},
#endif
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
        {unix_socket, ANY_FAMILY(EPERM)},
        {stream_pair, 0},
        {datagram_pair, ANY_FAMILY(EPERM)},
        {raw_pair, ANY_FAMILY(EPERM)},
    };

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++)
        assert_int_equal(attempt(confine_model, rows[i].d), rows[i].want);
}

static const struct sandbox_spec specs[] = {
    {.profile = PROFILE_WORKSPACE_WRITE},
    {.profile = PROFILE_WORKSPACE_WRITE, .net = true},
    {.profile = PROFILE_OBSERVE},
    {.profile = PROFILE_OBSERVE_PROC},
};

static const struct {
    const char *name;
    deed *d;
    int want[N_OF(specs)]; /* -1: by Landlock where it can */
} filters[] = {
    {"inet", inet, {EPERM, NO_FAMILY(0), EPERM, EPERM}},
    {"ping", ping_socket, {EPERM, NO_FAMILY(0), EPERM, EPERM}},
    {"netlink",
     netlink,
     {NO_FAMILY(0), NO_FAMILY(0), NO_FAMILY(0), NO_FAMILY(0)}},
    {"unix", unix_socket, {EPERM, EPERM, EPERM, EPERM}},
    {"vsock", vsock, {EPERM, EPERM, EPERM, EPERM}},
    {"far family", far_family, {EPERM, EPERM, EPERM, EPERM}},
    {"stream pair",
     stream_pair,
     {NO_FAMILY(0), NO_FAMILY(0), NO_FAMILY(0), NO_FAMILY(0)}},
    {"record pair",
     record_pair,
     {NO_FAMILY(0), NO_FAMILY(0), NO_FAMILY(0), NO_FAMILY(0)}},
    {"datagram pair", datagram_pair, {EPERM, EPERM, EPERM, EPERM}},
    {"raw pair", raw_pair, {EPERM, EPERM, EPERM, EPERM}},
#ifdef SYS_socketcall
    {"vsock, direct", direct_vsock, {EPERM, EPERM, EPERM, EPERM}},
    {"pair, direct", direct_pair, {EPERM, EPERM, EPERM, EPERM}},
    {"connect", multiplexed_connect, {EPERM, EFAULT, EPERM, EPERM}},
    {"segment by ipc", multiplexed_segment, {ENOENT, ENOENT, EPERM, EPERM}},
    {"its version", versioned_segment, {ENOENT, ENOENT, EPERM, EPERM}},
    {"clock", clock_64, {EPERM, EPERM, EPERM, EPERM}},
    {"lease", lease_64, {EPERM, EPERM, EPERM, EPERM}},
#endif
    {"ring", ring, {ENOSYS, ENOSYS, ENOSYS, ENOSYS}},
    {"trace", trace_myself, {EPERM, EPERM, EPERM, EPERM}},
    {"user namespace", new_user_namespace, {EPERM, EPERM, EPERM, EPERM}},
    {"clone", cloned_namespace, {EPERM, EPERM, EPERM, EPERM}},
    {"TIOCSTI", type_into_terminal, {EPERM, EPERM, EPERM, EPERM}},
    {"TIOCSTI, high", type_with_high_bits, {EPERM, EPERM, EPERM, EPERM}},
    {"TIOCSETD", discipline, {EPERM, EPERM, EPERM, EPERM}},
    {"personality", personality_set, {EPERM, EPERM, EPERM, EPERM}},
    {"personality?", personality_get, {0, 0, 0, 0}},
    {"own limit", own_limit, {0, 0, 0, 0}},
    {"other limit", other_limit, {0, 0, EPERM, EPERM}},
    {"high limit", high_limit, {0, 0, EPERM, EPERM}},
    {"own priority", own_priority, {0, 0, 0, 0}},
    {"group priority", group_priority, {0, 0, EPERM, EPERM}},
    {"pin", far_pin, {ESRCH, ESRCH, EPERM, EPERM}},
    {"segment", segment, {ENOENT, ENOENT, EPERM, EPERM}},
    {"drop segment", drop_segment, {EINVAL, EINVAL, EPERM, EPERM}},
    {"drop segment 64", drop_segment_64, {EINVAL, EINVAL, EPERM, EPERM}},
    {"semaphore", set_semaphore, {EINVAL, EINVAL, EPERM, EPERM}},
    {"change", change_a_file, {0, 0, 0, EPERM}},
    {"mode", chmod_at, {ENOENT, ENOENT, ENOENT, EPERM}},
    {"signal", signal_far, {ESRCH, ESRCH, -1, EPERM}},
    {"read", read_a_file, {0, 0, 0, 0}},
    {"start", start_a_process, {0, 0, 0, 0}},
    {"execute", execute, {0, 0, 0, 0}},
};

static int
attempt_as(const struct sandbox_spec *spec, deed *d)
{
    pid_t pid = fork();

    if (pid == 0)
        _exit(confine_no_new_privs(NULL) < 0 ||
                      confine_profile(spec, NULL, NULL) < 0
                  ? 255
                  : d());
    return outcome(pid);
}

static void
each_profile_has_the_calls_that_it_needs(void **state)
{
    int far = confine_landlock_abi() >= 6 ? ESRCH : EPERM;

    (void)state;
    for (size_t i = 0; i < N_OF(filters); i++) {
        for (size_t j = 0; j < N_OF(specs); j++) {
            int want = filters[i].want[j], got;

            got = attempt_as(&specs[j], filters[i].d);
            if (got != (want < 0 ? far : want))
                fail_msg("%s, %zu: %d", filters[i].name, j, got);
        }
    }
}

static uint16_t open_port, other_port; /* where somebody listens */

static int
connect_to(uint16_t port)
{
    struct sockaddr_in a = {.sin_family = AF_INET,
                            .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
                            .sin_port = htons(port)};
    int fd = socket(AF_INET, SOCK_STREAM, 0);

    return connect(fd, (struct sockaddr *)&a, sizeof(a)) < 0 ? errno : 0;
}

static int
connect_open(void)
{
    return connect_to(open_port);
}

static int
connect_other(void)
{
    return connect_to(other_port);
}

static int
confine_to_open_port(struct err *e)
{
    return confine_model(e) < 0 ? -1 : confine_tcp_ports(&open_port, 1, e);
}

static uint16_t
listen_anywhere(void)
{
    struct sockaddr_in a = {.sin_family = AF_INET,
                            .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof(a);
    int fd = socket(AF_INET, SOCK_STREAM, 0);

    assert_int_equal(bind(fd, (struct sockaddr *)&a, size), 0);
    assert_int_equal(listen(fd, 4), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&a, &size), 0);
    return ntohs(a.sin_port);
}

static void
a_process_for_one_server_connects_to_its_port_alone(void **state)
{
    int far = confine_landlock_abi() >= 4 ? EACCES : 0;

    (void)state;
    open_port = listen_anywhere();
    other_port = listen_anywhere();
    assert_int_equal(attempt(confine_model, connect_other), 0);
    assert_int_equal(attempt(confine_to_open_port, connect_open), 0);
    assert_int_equal(attempt(confine_to_open_port, connect_other), far);
    assert_int_equal(attempt(confine_to_open_port, execute), EPERM);
}

static void
a_refused_call_has_a_name(void **state)
{
    (void)state;
    assert_string_equal(confine_call_name(SYS_ptrace), "ptrace");
    assert_string_equal(confine_call_name(SYS_socket), "socket");
    assert_null(confine_call_name(SYS_read));
    assert_null(confine_call_name(-1));
}

int
main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_is_refused_what_escapes_use),
        cmocka_unit_test(the_model_process_cannot_write_or_execute),
        cmocka_unit_test(each_profile_has_the_calls_that_it_needs),
        cmocka_unit_test(a_process_for_one_server_connects_to_its_port_alone),
        cmocka_unit_test(a_refused_call_has_a_name),
    };

    if (argc == 2 && strcmp(argv[1], EXECUTED) == 0)
        _exit(0); /* without the leak check, which traces */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
