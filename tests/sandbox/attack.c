/* SPDX-License-Identifier: GPL-3.0-or-later */
/* attack.c - attempts to leave the sandbox, one a run.
 *
 *     attack NAME [ARG...]
 *
 * Exit status 0: it worked, 1: it was stopped, and standard error says how.
 * escapes.py runs each of them outside first, where it has to work. Nothing
 * is changed that the driver did not make for it. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/fs.h>
#include <linux/netlink.h>
#include <linux/openat2.h>
#include <linux/userfaultfd.h>
#include <mqueue.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/linux_calls.h"

#define ARGS 3

#ifndef SYS_fchmodat2
#define SYS_fchmodat2 452
#endif

typedef long attack_fn(char *const *arg);

static pid_t
pid_of(const char *text)
{
    return (pid_t)strtol(text, NULL, 10);
}

static long
write_to(int fd)
{
    return fd < 0 ? -1 : write(fd, "evil\n", 5);
}

static long
write_file(char *const *arg)
{
    return write_to(open(arg[0], O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
}

/* Opens it for writing, and leaves it at that. */
static long
open_for_writing(char *const *arg)
{
    return open(arg[0], O_WRONLY | O_CLOEXEC);
}

static long
open_both_ways(char *const *arg)
{
    return open(arg[0], O_RDWR | O_NOCTTY | O_CLOEXEC);
}

static long
open_for_reading(char *const *arg)
{
    return open(arg[0], O_RDONLY | O_CLOEXEC);
}

static long
move_away(char *const *arg)
{
    return rename(arg[0], arg[1]);
}

static long
exchange(char *const *arg)
{
    return linux_renameat2(AT_FDCWD, arg[0], AT_FDCWD, arg[1], RENAME_EXCHANGE);
}

static long
remove_it(char *const *arg)
{
    return unlink(arg[0]);
}

static long
make_hook(char *const *arg)
{
    char path[PATH_MAX];

    (void)mkdir(arg[0], 0755);
    snprintf(path, sizeof(path), "%s/pre-commit", arg[0]);
    return write_file((char *const[]){path});
}

static long
link_hook(char *const *arg)
{
    return link(arg[0], arg[1]);
}

/* A directory that is bound into the view, by its descriptor's name. */
static long
write_by_descriptor(char *const *arg)
{
    char path[64];
    int fd = open(arg[0], O_PATH | O_DIRECTORY | O_CLOEXEC);

    snprintf(path, sizeof(path), "/proc/self/fd/%d/by-descriptor", fd);
    return write_file((char *const[]){path});
}

static long
resolve_out(char *const *arg)
{
    char path[PATH_MAX] = "../../../../../../../../../../../../..";
    struct open_how how = {.flags = O_WRONLY | O_CREAT | O_CLOEXEC,
                           .mode = 0644};
    int here = open(".", O_PATH | O_CLOEXEC);

    strncat(path, arg[0], sizeof(path) - strlen(path) - 1);
    return write_to((int)syscall(SYS_openat2, here, path, &how, sizeof(how)));
}

static long
set_times(char *const *arg)
{
    return utimensat(AT_FDCWD, arg[0], NULL, 0);
}

static long
set_attribute(char *const *arg)
{
    return setxattr(arg[0], "user.agentsh-test", "x", 1, 0);
}

static long
set_mode(char *const *arg)
{
    return chmod(arg[0], 0600);
}

static long
set_user_id(char *const *arg)
{
    return chmod(arg[0], 04755);
}

static long
set_group_id(char *const *arg)
{
    return chmod(arg[0], 02755);
}

static long
set_group_id_at(char *const *arg)
{
    return syscall(SYS_fchmodat2, AT_FDCWD, arg[0], 02755, 0);
}

static bool
is_set_id(int fd)
{
    struct stat st;

    return fd >= 0 && fstat(fd, &st) == 0 && (st.st_mode & (S_ISUID | S_ISGID));
}

/* A new program with such a mode, in the directory. */
static long
make_set_id(char *const *arg)
{
    char path[PATH_MAX];

    snprintf(path, sizeof(path), "%s/set-id", arg[0]);
    umask(0);
    return is_set_id(open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 02755)) ? 0
                                                                        : -1;
}

/* The same, where no argument tells the mode. */
static long
make_set_id_by_memory(char *const *arg)
{
    struct open_how how = {.flags = O_WRONLY | O_CREAT | O_CLOEXEC,
                           .mode = 06755};
    char path[PATH_MAX];

    snprintf(path, sizeof(path), "%s/set-id", arg[0]);
    umask(0);
    return is_set_id(
               (int)syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof(how)))
               ? 0
               : -1;
}

/* The same without a name; it could get one afterwards. */
static long
make_set_id_nameless(char *const *arg)
{
    umask(0);
    return is_set_id(open(arg[0], O_WRONLY | O_TMPFILE | O_CLOEXEC, 06755))
               ? 0
               : -1;
}

/* An access list gives the group the right to execute it. */
static long
set_id_by_list(char *const *arg)
{
    static const struct {
        uint32_t version;
        struct {
            uint16_t tag, rights;
            uint32_t id;
        } entries[3];
    } list = {2, {{1, 7, ~0u}, {4, 5, ~0u}, {32, 5, ~0u}}};
    struct stat st;

    if (chmod(arg[0], 02644) < 0 ||
        setxattr(arg[0], "system.posix_acl_access", &list, sizeof(list), 0) <
            0 ||
        stat(arg[0], &st) < 0)
        return -1;
    return (st.st_mode & S_ISGID) && (st.st_mode & S_IXGRP) ? 0 : -1;
}

/* A descriptor that only reads is enough for it. */
static long
set_flags(char *const *arg)
{
    int fd = open(arg[0], O_RDONLY | O_CLOEXEC), flags = 0;

    if (ioctl(fd, FS_IOC_GETFLAGS, &flags) < 0)
        return -1;
    flags ^= FS_NODUMP_FL;
    return ioctl(fd, FS_IOC_SETFLAGS, &flags);
}

static long
take_lease(char *const *arg)
{
    return fcntl(open(arg[0], O_RDONLY | O_CLOEXEC), F_SETLEASE, F_RDLCK);
}

static long
keep_terminal(char *const *arg)
{
    return ioctl(open(arg[0], O_RDONLY | O_NOCTTY | O_CLOEXEC), TIOCEXCL);
}

static long
watch(char *const *arg)
{
    return inotify_add_watch(inotify_init1(IN_CLOEXEC), arg[0], IN_OPEN);
}

static struct sockaddr_un
address_of(const char *path)
{
    struct sockaddr_un a = {.sun_family = AF_UNIX};

    snprintf(a.sun_path, sizeof(a.sun_path), "%s", path);
    return a;
}

static long
connect_by_path(char *const *arg)
{
    struct sockaddr_un a = address_of(arg[0]);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

    return connect(fd, (struct sockaddr *)&a, sizeof(a));
}

/* One of a pair needs no socket(2), and sends to any path. */
static long
send_from_pair(char *const *arg)
{
    struct sockaddr_un a = address_of(arg[0]);
    int fds[2];

    if (socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, fds) < 0)
        return -1;
    return sendto(fds[0], "x", 1, 0, (struct sockaddr *)&a, sizeof(a));
}

static long
netlink_socket(char *const *arg)
{
    return socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, (int)pid_of(arg[0]));
}

/* The kernel looks at the lower half of what it is given. */
static long
netlink_high_bits(char *const *arg)
{
    return syscall(SYS_socket, AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC,
                   (unsigned long)(UINT64_C(1) << 32 | pid_of(arg[0])));
}

/* To a process that has bound itself to the port. */
static long
send_by_netlink(char *const *arg)
{
    struct sockaddr_nl to = {.nl_family = AF_NETLINK,
                             .nl_pid = (uint32_t)pid_of(arg[0])};
    int fd = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_USERSOCK);

    return sendto(fd, "evil", 4, 0, (struct sockaddr *)&to, sizeof(to));
}

/* By the datagram socket that is standard input, wherever it was connected. */
static long
send_from_input(char *const *arg)
{
    struct sockaddr_un a = address_of(arg[0]);

    return sendto(STDIN_FILENO, "evil", 4, 0, (struct sockaddr *)&a, sizeof(a));
}

static long
connect_input(char *const *arg)
{
    struct sockaddr_un a = address_of(arg[0]);

    return connect(STDIN_FILENO, (struct sockaddr *)&a, sizeof(a));
}

/* The stream that is standard input gets another end: this port here. */
static long
reconnect_input(char *const *arg)
{
    struct sockaddr none = {.sa_family = AF_UNSPEC};
    struct sockaddr_in to = {.sin_family = AF_INET,
                             .sin_port = htons((uint16_t)pid_of(arg[0])),
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};

    if (connect(STDIN_FILENO, &none, sizeof(none)) < 0)
        return -1;
    return connect(STDIN_FILENO, (struct sockaddr *)&to, sizeof(to));
}

static long
accept_from_input(char *const *arg)
{
    (void)arg;
    return accept4(STDIN_FILENO, NULL, NULL, SOCK_CLOEXEC);
}

/* What only reads, by its name again. */
static long
reopen_input(char *const *arg)
{
    (void)arg;
    return write_to(open("/proc/self/fd/0", O_WRONLY | O_NOCTTY | O_CLOEXEC));
}

static long
write_input(char *const *arg)
{
    (void)arg;
    return write_to(STDIN_FILENO);
}

/* A directory that is standard input is one of the machine's. */
static long
open_below_input(char *const *arg)
{
    return openat(STDIN_FILENO, arg[0], O_RDONLY | O_CLOEXEC);
}

static long
lock_file(char *const *arg)
{
    return flock(open(arg[0], O_RDONLY | O_CLOEXEC), LOCK_EX | LOCK_NB);
}

static long
join_namespace(char *const *arg)
{
    return setns(pid_of(arg[0]), 0);
}

static long
steal_descriptor(char *const *arg)
{
    return syscall(SYS_pidfd_getfd, pid_of(arg[0]), 0, 0);
}

static long
fault_handler(char *const *arg)
{
    (void)arg;
    return syscall(SYS_userfaultfd, O_CLOEXEC | UFFD_USER_MODE_ONLY);
}

static long
open_by_handle(char *const *arg)
{
    union {
        struct file_handle h;
        char room[sizeof(struct file_handle) + MAX_HANDLE_SZ];
    } handle = {.h.handle_bytes = MAX_HANDLE_SZ};
    int mount, dir = open(arg[0], O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (name_to_handle_at(AT_FDCWD, arg[0], &handle.h, &mount, 0) < 0)
        return -1;
    return open_by_handle_at(dir, &handle.h, O_RDONLY | O_CLOEXEC);
}

/* The discipline that it has. */
static long
set_discipline(char *const *arg)
{
    int tty = 0;

    (void)arg;
    return ioctl(STDIN_FILENO, TIOCSETD, &tty);
}

/* Not attacks: the driver's own. */
static long
make_queue(char *const *arg)
{
    return mq_open(arg[0], O_RDONLY | O_CREAT | O_CLOEXEC, 0666, NULL);
}

static long
drop_queue(char *const *arg)
{
    return mq_unlink(arg[0]);
}

/* Waits to be signalled, and counts in a file. */
static long
be_victim(char *const *arg)
{
    int fd = open(arg[0], O_WRONLY | O_APPEND | O_CLOEXEC);
    sigset_t awaited;

    sigemptyset(&awaited);
    sigaddset(&awaited, SIGUSR1);
    sigprocmask(SIG_BLOCK, &awaited, NULL);
    printf("ready\n");
    fflush(stdout);
    while (fd >= 0 && sigwaitinfo(&awaited, NULL) == SIGUSR1) {
        if (write(fd, "x", 1) != 1)
            break;
    }
    return -1;
}

static long
open_queue(char *const *arg)
{
    return mq_open(arg[0], O_RDONLY | O_CLOEXEC);
}

static long
signal_group(char *const *arg)
{
    (void)arg;
    signal(SIGUSR1, SIG_IGN);
    return kill(0, SIGUSR1);
}

static long
signal_one(char *const *arg)
{
    return kill(pid_of(arg[0]), SIGUSR1);
}

static long
signal_by_pipe(char *const *arg)
{
    int fds[2];

    if (pipe2(fds, O_CLOEXEC) < 0 ||
        fcntl(fds[0], F_SETOWN, pid_of(arg[0])) < 0 ||
        fcntl(fds[0], F_SETSIG, SIGUSR1) < 0 ||
        fcntl(fds[0], F_SETFL, O_ASYNC | O_NONBLOCK) < 0)
        return -1;
    return write_to(fds[1]);
}

static long
limit_other(char *const *arg)
{
    struct rlimit none = {0, 0};

    return prlimit(pid_of(arg[0]), RLIMIT_CORE, &none, NULL);
}

static long
slow_other(char *const *arg)
{
    return setpriority(PRIO_PROCESS, (id_t)pid_of(arg[0]), 19);
}

static long
pin_other(char *const *arg)
{
    cpu_set_t all;

    CPU_ZERO(&all);
    CPU_SET(0, &all);
    return sched_setaffinity(pid_of(arg[0]), sizeof(all), &all);
}

static const struct attack {
    const char *name;
    attack_fn *run;
} attacks[] = {
    {"write", write_file},
    {"open-w", open_for_writing},
    {"open-rw", open_both_ways},
    {"open-r", open_for_reading},
    {"rename", move_away},
    {"exchange", exchange},
    {"unlink", remove_it},
    {"hook", make_hook},
    {"link", link_hook},
    {"descriptor", write_by_descriptor},
    {"openat2", resolve_out},
    {"utime", set_times},
    {"xattr", set_attribute},
    {"mode", set_mode},
    {"setuid", set_user_id},
    {"setgid", set_group_id},
    {"setgid-at", set_group_id_at},
    {"make-set-id", make_set_id},
    {"make-set-id-memory", make_set_id_by_memory},
    {"make-set-id-nameless", make_set_id_nameless},
    {"set-id-list", set_id_by_list},
    {"flags", set_flags},
    {"lease", take_lease},
    {"exclusive", keep_terminal},
    {"inotify", watch},
    {"connect", connect_by_path},
    {"pair", send_from_pair},
    {"netlink", netlink_socket},
    {"netlink-high", netlink_high_bits},
    {"netlink-send", send_by_netlink},
    {"send-input", send_from_input},
    {"connect-input", connect_input},
    {"reconnect-input", reconnect_input},
    {"accept-input", accept_from_input},
    {"reopen-input", reopen_input},
    {"write-input", write_input},
    {"open-below-input", open_below_input},
    {"flock", lock_file},
    {"setns", join_namespace},
    {"pidfd-getfd", steal_descriptor},
    {"userfaultfd", fault_handler},
    {"handle", open_by_handle},
    {"tiocsetd", set_discipline},
    {"mqueue", open_queue},
    {"make-queue", make_queue},
    {"drop-queue", drop_queue},
    {"victim", be_victim},
    {"kill-group", signal_group},
    {"kill", signal_one},
    {"sigio", signal_by_pipe},
    {"prlimit", limit_other},
    {"priority", slow_other},
    {"affinity", pin_other},
};

int
main(int argc, char **argv)
{
    char *arg[ARGS] = {NULL};

    for (int i = 2; i < argc && i < 2 + ARGS; i++)
        arg[i - 2] = argv[i];
    for (size_t i = 0; argc > 1 && i < sizeof(attacks) / sizeof(*attacks);
         i++) {
        if (strcmp(attacks[i].name, argv[1]) != 0)
            continue;
        if (attacks[i].run(arg) >= 0)
            return 0;
        fprintf(stderr, "stopped: %s\n", strerror(errno));
        return 1;
    }
    fprintf(stderr, "attack: no such attack\n");
    return 2;
}
