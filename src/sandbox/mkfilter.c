/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mkfilter.c - build tool: prints the seccomp programs as C arrays. */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <sched.h>
#include <seccomp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#define LOW32        0xffffffffu /* plain 64-bit equality is CVE-2019-7303 */
#define FAMILIES     46  /* AF_MAX of Linux 6; above: refused as a range */
#define SOCKET_TYPES 0xf /* the type's bits; above are flags */
#define DENY         SCMP_ACT_ERRNO(EPERM)
#define ABSENT       SCMP_ACT_ERRNO(ENOSYS) /* so that runtimes fall back */

/* libseccomp 2.5.4 does not know these names; such late numbers are the same
 * on all architectures that we build for. */
#define NR_FCHMODAT2      452
#define NR_SETXATTRAT     463
#define NR_REMOVEXATTRAT  466
#define NR_OPEN_TREE_ATTR 467
#define NR_FILE_SETATTR   469

struct ban {
    const char *name;
    uint32_t action;
};

/* What no command needs and every escape uses. */
static const struct ban everywhere[] = {
    {"ptrace", DENY},
    {"process_vm_readv", DENY},
    {"process_vm_writev", DENY},
    {"process_madvise", DENY},
    {"kcmp", DENY},
    {"pidfd_getfd", DENY},
    {"io_uring_setup", ABSENT},
    {"io_uring_enter", ABSENT},
    {"io_uring_register", ABSENT},
    {"bpf", DENY},
    {"perf_event_open", DENY},
    {"userfaultfd", DENY},
    {"keyctl", DENY},
    {"add_key", DENY},
    {"request_key", DENY},
    {"mount", DENY},
    {"umount2", DENY},
    {"mount_setattr", DENY},
    {"move_mount", DENY},
    {"open_tree", DENY},
    {"fsopen", DENY},
    {"fsconfig", DENY},
    {"fsmount", DENY},
    {"fspick", DENY},
    {"pivot_root", DENY},
    {"chroot", DENY},
    {"setns", DENY},
    {"unshare", DENY},
    {"clone3", ABSENT}, /* its flags lie in memory, out of a filter's sight */
    {"kexec_load", DENY},
    {"kexec_file_load", DENY},
    {"init_module", DENY},
    {"finit_module", DENY},
    {"delete_module", DENY},
    {"reboot", DENY},
    {"swapon", DENY},
    {"swapoff", DENY},
    {"acct", DENY},
    {"quotactl", DENY},
    {"quotactl_fd", DENY},
    {"syslog", DENY},
    {"settimeofday", DENY},
    {"clock_settime", DENY},
    {"clock_adjtime", DENY},
    {"adjtimex", DENY},
    {"sethostname", DENY},
    {"setdomainname", DENY},
    {"open_by_handle_at", DENY},
    {"iopl", DENY},
    {"ioperm", DENY},
    {"modify_ldt", DENY},
    {"vhangup", DENY},
    {"fanotify_init", DENY},
    {"uselib", DENY},
    {"ustat", DENY},
    {"sysfs", DENY},
    {"vmsplice", DENY},
    {"lookup_dcookie", DENY},
    {"nfsservctl", DENY},
    {NULL, 0},
};

/* What the process with the key never does: execute, change a file, signal
 * anybody. */
static const struct ban model_only[] = {
    {"execve", DENY},
    {"execveat", DENY},
    {"fork", DENY},
    {"vfork", DENY},
    {"creat", DENY},
    {"openat2", ABSENT},
    {"unlink", DENY},
    {"unlinkat", DENY},
    {"rename", DENY},
    {"renameat", DENY},
    {"renameat2", DENY},
    {"mkdir", DENY},
    {"mkdirat", DENY},
    {"rmdir", DENY},
    {"link", DENY},
    {"linkat", DENY},
    {"symlink", DENY},
    {"symlinkat", DENY},
    {"mknod", DENY},
    {"mknodat", DENY},
    {"chmod", DENY},
    {"fchmod", DENY},
    {"fchmodat", DENY},
    {"chown", DENY},
    {"fchown", DENY},
    {"lchown", DENY},
    {"fchownat", DENY},
    {"truncate", DENY},
    {"ftruncate", DENY},
    {"fallocate", DENY},
    {"setxattr", DENY},
    {"lsetxattr", DENY},
    {"fsetxattr", DENY},
    {"removexattr", DENY},
    {"lremovexattr", DENY},
    {"fremovexattr", DENY},
    {"utimensat", DENY},
    {"utime", DENY},
    {"utimes", DENY},
    {"futimesat", DENY},
    {"memfd_create", DENY},
    {"kill", DENY},
    {"tgkill", DENY},
    {"tkill", DENY},
    {"pidfd_send_signal", DENY},
    {"rt_sigqueueinfo", DENY},
    {"rt_tgsigqueueinfo", DENY},
    {"bind", ABSENT},
    {"listen", DENY},
    {"accept", DENY},
    {"accept4", DENY},
    {NULL, 0},
};

static const int model_only_numbers[] = {NR_FCHMODAT2, NR_SETXATTRAT,
                                         NR_REMOVEXATTRAT, NR_FILE_SETATTR};

static void
must(int rc, const char *what)
{
    if (rc == 0)
        return;
    fprintf(stderr, "mkfilter: %s: %s\n", what, strerror(-rc));
    _exit(1);
}

static void
add_bans(scmp_filter_ctx ctx, const struct ban *bans)
{
    for (; bans->name; bans++) {
        int nr = seccomp_syscall_resolve_name(bans->name);

        if (nr == __NR_SCMP_ERROR) /* this architecture never had it */
            continue;
        must(seccomp_rule_add(ctx, bans->action, nr, 0), bans->name);
    }
}

/* Refuses `name` when argument arg, masked, has the value. */
static void
add_masked(scmp_filter_ctx ctx, const char *name, unsigned arg, uint64_t mask,
           uint64_t value)
{
    int nr = seccomp_syscall_resolve_name(name);
    struct scmp_arg_cmp cmp = SCMP_CMP(arg, SCMP_CMP_MASKED_EQ, mask, value);

    if (nr != __NR_SCMP_ERROR)
        must(seccomp_rule_add_array(ctx, DENY, nr, 1, &cmp), name);
}

static void
add_clone(scmp_filter_ctx ctx)
{
    static const unsigned flags[] = {
        CLONE_NEWNS,   CLONE_NEWCGROUP, CLONE_NEWUTS, CLONE_NEWIPC,
        CLONE_NEWUSER, CLONE_NEWPID,    CLONE_NEWNET};

    for (size_t i = 0; i < sizeof(flags) / sizeof(*flags); i++)
        add_masked(ctx, "clone", 0, flags[i], flags[i]);
}

/* IPv4, IPv6, netlink and, where `local`, Unix sockets stay; all else is
 * refused. */
static void
add_families(scmp_filter_ctx ctx, bool local)
{
    static const int kept[] = {AF_INET, AF_INET6, AF_NETLINK};

    for (int family = 0; family < FAMILIES; family++) {
        bool keep = local && family == AF_UNIX;

        for (size_t i = 0; i < sizeof(kept) / sizeof(*kept); i++)
            keep |= family == kept[i];
        if (!keep)
            add_masked(ctx, "socket", 0, LOW32, (uint64_t)family);
    }
    must(seccomp_rule_add(ctx, DENY, SCMP_SYS(socket), 1,
                          SCMP_A0(SCMP_CMP_GE, FAMILIES)),
         "socket");
}

/* libcurl wakes itself up through a pair of streams. One of a pair of any
 * other type can still send to a socket in the file system. */
static void
add_pairs(scmp_filter_ctx ctx)
{
    for (int type = 0; type <= SOCKET_TYPES; type++) {
        if (type != SOCK_STREAM)
            add_masked(ctx, "socketpair", 1, SOCKET_TYPES, (uint64_t)type);
    }
}

static scmp_filter_ctx
base_filter(void)
{
    scmp_filter_ctx ctx = seccomp_init(SCMP_ACT_ALLOW);

    if (!ctx)
        must(-ENOMEM, "seccomp_init");
    must(seccomp_attr_set(ctx, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS),
         "bad architecture");
    add_bans(ctx, everywhere);
    add_clone(ctx);
    add_masked(ctx, "ioctl", 1, LOW32, TIOCSTI);
    add_masked(ctx, "ioctl", 1, LOW32, TIOCLINUX);
    must(seccomp_rule_add(ctx, DENY, SCMP_SYS(personality), 1,
                          SCMP_A0(SCMP_CMP_NE, LOW32)),
         "personality");
    must(seccomp_rule_add(ctx, DENY, NR_OPEN_TREE_ATTR, 0), "open_tree_attr");
    return ctx;
}

static scmp_filter_ctx
model_filter(void)
{
    static const unsigned writes[] = {O_WRONLY, O_RDWR, O_WRONLY | O_RDWR};
    scmp_filter_ctx ctx = base_filter();

    /* libc asks nscd and its like over a Unix socket, and goes on without */
    add_families(ctx, false);
    add_pairs(ctx);
    add_bans(ctx, model_only);
    for (size_t i = 0;
         i < sizeof(model_only_numbers) / sizeof(*model_only_numbers); i++)
        must(seccomp_rule_add(ctx, DENY, model_only_numbers[i], 0), "number");
    for (size_t i = 0; i < sizeof(writes) / sizeof(*writes); i++) {
        add_masked(ctx, "open", 1, O_ACCMODE, writes[i]);
        add_masked(ctx, "openat", 2, O_ACCMODE, writes[i]);
    }
    add_masked(ctx, "open", 1, O_CREAT, O_CREAT);
    add_masked(ctx, "openat", 2, O_CREAT, O_CREAT);
    add_masked(ctx, "open", 1, O_TRUNC, O_TRUNC);
    add_masked(ctx, "openat", 2, O_TRUNC, O_TRUNC);
    /* threads are libcurl's resolver; another process is nobody's business */
    add_masked(ctx, "clone", 0, CLONE_THREAD, 0);
    return ctx;
}

static scmp_filter_ctx
step_filter(void)
{
    scmp_filter_ctx ctx = base_filter();

    add_families(ctx, true);
    return ctx;
}

static void
print_filter(const char *name, scmp_filter_ctx ctx)
{
    int fd = memfd_create(name, MFD_CLOEXEC);
    FILE *f = fd < 0 ? NULL : fdopen(fd, "w+e");
    struct sock_filter ins;

    if (!f) {
        must(-errno, "memfd_create");
        return;
    }
    must(seccomp_export_bpf(ctx, fd), name);
    rewind(f);
    printf("static const struct sock_filter %s[] = {\n", name);
    while (fread(&ins, sizeof(ins), 1, f) == 1)
        printf("    {0x%02x, %u, %u, 0x%08x},\n", ins.code, ins.jt, ins.jf,
               ins.k);
    printf("};\n");
    fclose(f);
    seccomp_release(ctx);
}

int
main(void)
{
    printf("/* made by mkfilter: do not edit */\n");
    print_filter("step_filter", step_filter());
    print_filter("model_filter", model_filter());
    return fflush(stdout) == 0 ? 0 : 1;
}
