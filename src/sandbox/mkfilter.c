/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mkfilter.c - build tool: prints the seccomp programs as C arrays. */
#include <asm/sockios.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/netlink.h>
#include <sched.h>
#include <seccomp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sandbox/bans.h"
#include "sandbox/shorten.h"

#define LOW32        0xffffffffu /* plain 64-bit equality is CVE-2019-7303 */
#define FAMILIES     46   /* AF_MAX of Linux 6; above: refused as a range */
#define PROTOCOLS    32   /* MAX_LINKS of linux/netlink.h; above: as a range */
#define SOCKET_TYPES 0xf  /* the type's bits; above are flags */
#define IPC_COMMANDS 0xff /* above is IPC_64 */
#define IOCTL_TYPE   8    /* where it begins in a command */
#define DENY         SCMP_ACT_ERRNO(EPERM)
#define ABSENT       SCMP_ACT_ERRNO(ENOSYS) /* so that runtimes fall back */

/* libseccomp 2.5.4 does not know these names; such late numbers are the same
 * on all architectures that we build for. */
#define NR_FCHMODAT2      452
#define NR_SETXATTRAT     463
#define NR_REMOVEXATTRAT  466
#define NR_OPEN_TREE_ATTR 467
#define NR_FILE_SETATTR   469

static const int write_numbers[] = {NR_FCHMODAT2, NR_SETXATTRAT,
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
add_bans(scmp_filter_ctx ctx, enum ban_set set)
{
    for (const struct ban *bans = bans_of(set); bans->name; bans++) {
        int nr = seccomp_syscall_resolve_name(bans->name);

        if (nr == __NR_SCMP_ERROR) /* this architecture never had it */
            continue;
        must(seccomp_rule_add(ctx, bans->answer == BAN_DENY ? DENY : ABSENT, nr,
                              0),
             bans->name);
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

/* What netlink is for: routes and addresses; open sockets, too. */
enum netlink { NETLINK_NONE, NETLINK_ROUTES, NETLINK_SOCKETS };

/* Of a netlink socket, when its protocol compares so. */
static void
deny_protocol(scmp_filter_ctx ctx, struct scmp_arg_cmp protocol)
{
    struct scmp_arg_cmp cmp[] = {SCMP_A0(SCMP_CMP_MASKED_EQ, LOW32, AF_NETLINK),
                                 protocol};

    must(seccomp_rule_add_array(ctx, DENY, SCMP_SYS(socket), 2, cmp),
         "netlink");
}

/* Two processes of one network namespace can send each other anything by
 * NETLINK_USERSOCK, whatever else stands between them; others are ways into
 * the kernel. */
static void
add_netlink(scmp_filter_ctx ctx, enum netlink allowed)
{
    for (unsigned protocol = 0; protocol < PROTOCOLS; protocol++) {
        bool keep = protocol == NETLINK_ROUTE ||
                    (protocol == NETLINK_SOCK_DIAG &&
                     allowed == NETLINK_SOCKETS);

        if (!keep)
            deny_protocol(ctx, SCMP_A2(SCMP_CMP_MASKED_EQ, LOW32, protocol));
    }
    deny_protocol(ctx, SCMP_A2(SCMP_CMP_GE, PROTOCOLS));
}

/* All families but those that are named are refused. */
static void
add_families(scmp_filter_ctx ctx, enum netlink netlink, bool inet, bool local)
{
    for (int family = 0; family < FAMILIES; family++) {
        bool keep = (netlink && family == AF_NETLINK) ||
                    (local && family == AF_UNIX) ||
                    (inet && (family == AF_INET || family == AF_INET6));

        if (!keep)
            add_masked(ctx, "socket", 0, LOW32, (uint64_t)family);
    }
    must(seccomp_rule_add(ctx, DENY, SCMP_SYS(socket), 1,
                          SCMP_A0(SCMP_CMP_GE, FAMILIES)),
         "socket");
    if (netlink)
        add_netlink(ctx, netlink);
}

/* Both ends of a pair are ours, and of streams that stays so. One of a pair
 * of datagrams can still send to a socket in the file system. */
static void
add_pairs(scmp_filter_ctx ctx, bool records)
{
    for (int type = 0; type <= SOCKET_TYPES; type++) {
        if (type != SOCK_STREAM && !(records && type == SOCK_SEQPACKET))
            add_masked(ctx, "socketpair", 1, SOCKET_TYPES, (uint64_t)type);
    }
}

/* Of ioctl(2) only what asks of terminals and of the network: others change a
 * file's flags, or a disk, by a descriptor that only reads. A type is allowed
 * by refusing those that differ from it in one bit, above which is the bit in
 * which the two differ. */
static void
add_ioctls(scmp_filter_ctx ctx)
{
    static const unsigned types[] = {'T', 0x89};
    const unsigned high = 0x80;

    for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++) {
        for (unsigned bit = 1; bit < high; bit <<= 1)
            add_masked(ctx, "ioctl", 1, (uint64_t)(high | bit) << IOCTL_TYPE,
                       (uint64_t)((types[i] & high) | (~types[i] & bit))
                           << IOCTL_TYPE);
    }
}

/* Owner, mode, times and extended attributes stay as they are. */
static void
add_attributes(scmp_filter_ctx ctx)
{
    add_bans(ctx, BANS_ATTRIBUTES);
    for (size_t i = 0; i < sizeof(write_numbers) / sizeof(*write_numbers); i++)
        must(seccomp_rule_add(ctx, DENY, write_numbers[i], 0), "number");
}

/* Nothing is written, made, moved or removed. */
static void
add_writes(scmp_filter_ctx ctx)
{
    static const unsigned ways[] = {O_WRONLY, O_RDWR, O_WRONLY | O_RDWR};

    add_bans(ctx, BANS_WRITE);
    add_attributes(ctx);
    for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
        add_masked(ctx, "open", 1, O_ACCMODE, ways[i]);
        add_masked(ctx, "openat", 2, O_ACCMODE, ways[i]);
    }
    add_masked(ctx, "open", 1, O_CREAT, O_CREAT);
    add_masked(ctx, "openat", 2, O_CREAT, O_CREAT);
    add_masked(ctx, "open", 1, O_TRUNC, O_TRUNC);
    add_masked(ctx, "openat", 2, O_TRUNC, O_TRUNC);
    add_ioctls(ctx);
}

/* A descriptor's owner gets signals when something arrives. */
static void
add_owners(scmp_filter_ctx ctx)
{
    add_masked(ctx, "fcntl", 1, LOW32, F_SETOWN);
    add_masked(ctx, "fcntl", 1, LOW32, F_SETOWN_EX);
    add_masked(ctx, "ioctl", 1, LOW32, FIOSETOWN);
    add_masked(ctx, "ioctl", 1, LOW32, SIOCSPGRP);
}

/* A program that runs as its owner or its group is a door for every other
 * user: no command makes one, also where its owner is root and the mode of
 * files is free. That of a group is one only where the group may execute it,
 * which an access list can say later. */
static void
add_set_id(scmp_filter_ctx ctx, unsigned bit)
{
    static const struct mode_call {
        const char *name;
        unsigned mode; /* which argument */
    } calls[] = {
        {"chmod", 1}, {"fchmod", 1}, {"fchmodat", 2},
        {"creat", 1}, {"mknod", 1},  {"mknodat", 2},
    };
    static const unsigned makes[] = {O_CREAT, O_TMPFILE & ~O_DIRECTORY};

    for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++)
        add_masked(ctx, calls[i].name, calls[i].mode, bit, bit);
    /* without one of these there is anything in the place of the mode */
    for (size_t i = 0; i < sizeof(makes) / sizeof(*makes); i++) {
        must(seccomp_rule_add(ctx, DENY, SCMP_SYS(open), 2,
                              SCMP_A1(SCMP_CMP_MASKED_EQ, makes[i], makes[i]),
                              SCMP_A2(SCMP_CMP_MASKED_EQ, bit, bit)),
             "open");
        must(seccomp_rule_add(ctx, DENY, SCMP_SYS(openat), 2,
                              SCMP_A2(SCMP_CMP_MASKED_EQ, makes[i], makes[i]),
                              SCMP_A3(SCMP_CMP_MASKED_EQ, bit, bit)),
             "openat");
    }
    must(seccomp_rule_add(ctx, DENY, NR_FCHMODAT2, 1,
                          SCMP_A2(SCMP_CMP_MASKED_EQ, bit, bit)),
         "fchmodat2");
}

/* Of other processes' limits, priorities and shared memory. */
static void
add_host(scmp_filter_ctx ctx)
{
    static const char *const controls[] = {"shmctl", "msgctl"};

    add_bans(ctx, BANS_HOST);
    must(seccomp_rule_add(ctx, DENY, SCMP_SYS(prlimit64), 1,
                          SCMP_A0(SCMP_CMP_NE, 0)),
         "prlimit64");
    must(seccomp_rule_add(ctx, DENY, SCMP_SYS(setpriority), 1,
                          SCMP_A1(SCMP_CMP_NE, 0)),
         "setpriority");
    must(seccomp_rule_add(ctx, DENY, SCMP_SYS(setpriority), 1,
                          SCMP_A0(SCMP_CMP_NE, PRIO_PROCESS)),
         "setpriority");
    for (size_t i = 0; i < sizeof(controls) / sizeof(*controls); i++) {
        add_masked(ctx, controls[i], 1, IPC_COMMANDS, IPC_RMID);
        add_masked(ctx, controls[i], 1, IPC_COMMANDS, IPC_SET);
    }
    add_masked(ctx, "semctl", 2, IPC_COMMANDS, IPC_RMID);
    add_masked(ctx, "semctl", 2, IPC_COMMANDS, IPC_SET);
    add_masked(ctx, "semctl", 2, IPC_COMMANDS, SETVAL);
    add_masked(ctx, "semctl", 2, IPC_COMMANDS, SETALL);
}

static scmp_filter_ctx
base_filter(void)
{
    scmp_filter_ctx ctx = seccomp_init(SCMP_ACT_ALLOW);

    if (!ctx)
        must(-ENOMEM, "seccomp_init");
    must(seccomp_attr_set(ctx, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS),
         "bad architecture");
    /* a tree of comparisons: the kernel tries each call when it loads this */
    must(seccomp_attr_set(ctx, SCMP_FLTATR_CTL_OPTIMIZE, 2), "optimize");
    add_bans(ctx, BANS_EVERYWHERE);
    add_clone(ctx);
    add_masked(ctx, "ioctl", 1, LOW32, TIOCSTI);
    add_masked(ctx, "ioctl", 1, LOW32, TIOCLINUX);
    add_masked(ctx, "ioctl", 1, LOW32, TIOCSETD); /* wedges the terminal */
    add_masked(ctx, "ioctl", 1, LOW32, TIOCEXCL); /* so that nobody opens it */
    /* whoever opens the file to write would wait for it to be given back */
    add_masked(ctx, "fcntl", 1, LOW32, F_SETLEASE);
    must(seccomp_rule_add(ctx, DENY, SCMP_SYS(personality), 1,
                          SCMP_A0(SCMP_CMP_NE, LOW32)),
         "personality");
    must(seccomp_rule_add(ctx, DENY, NR_OPEN_TREE_ATTR, 0), "open_tree_attr");
    /* limits of another: of the tool that runs the next command, too */
    must(seccomp_rule_add(ctx, DENY, SCMP_SYS(prlimit64), 2,
                          SCMP_A0(SCMP_CMP_NE, 0), SCMP_A2(SCMP_CMP_NE, 0)),
         "prlimit64");
    return ctx;
}

static scmp_filter_ctx
model_filter(void)
{
    scmp_filter_ctx ctx = base_filter();

    /* libc asks nscd and its like over a Unix socket, and goes on without */
    add_families(ctx, NETLINK_ROUTES, true, false);
    add_pairs(ctx, false); /* libcurl wakes itself up through one */
    add_bans(ctx, BANS_MODEL);
    add_bans(ctx, BANS_SIGNAL);
    add_writes(ctx);
    /* threads are libcurl's resolver; another process is nobody's business */
    add_masked(ctx, "clone", 0, CLONE_THREAD, 0);
    return ctx;
}

static scmp_filter_ctx
step_filter(void)
{
    scmp_filter_ctx ctx = base_filter();

    add_families(ctx, NETLINK_ROUTES, true, true);
    return ctx;
}

/* Those of the profiles. A Unix socket that is connected by its path is out
 * of reach for mounts, and for Landlock before its ABI 9: only pairs. */
struct variant {
    const char *name;
    enum netlink netlink;
    bool inet;
    bool host;  /* in the machine's pid and ipc namespaces */
    bool quiet; /* no signals at all */
    bool looks; /* nothing is writable: nobody is to wait for it either */
    /* attributes of files are not changed; the rest is Landlock's */
    bool keeps;
    bool reads; /* no writes at all */
};
#define ROUTES  .netlink = NETLINK_ROUTES
#define SOCKETS .netlink = NETLINK_SOCKETS
static const struct variant variants[] = {
    {.name = "tool_filter"},
    {.name = "off_filter", ROUTES},
    {.name = "look_filter", ROUTES, .looks = true},
    {.name = "net_filter", ROUTES, .inet = true},
    {.name = "host_filter", ROUTES, .host = true},
    {.name = "host_quiet_filter", ROUTES, .host = true, .quiet = true},
    {.name = "host_net_filter", ROUTES, .host = true, .inet = true},
    {.name = "host_net_quiet_filter",
     ROUTES,
     .host = true,
     .inet = true,
     .quiet = true},
    {.name = "observe_filter", SOCKETS, .host = true, .looks = true},
    {.name = "observe_quiet_filter",
     SOCKETS,
     .host = true,
     .looks = true,
     .quiet = true},
    {.name = "reduced_filter",
     SOCKETS,
     .host = true,
     .looks = true,
     .keeps = true},
    {.name = "reduced_quiet_filter",
     SOCKETS,
     .host = true,
     .looks = true,
     .keeps = true,
     .quiet = true},
    {.name = "reduced_net_filter",
     ROUTES,
     .host = true,
     .inet = true,
     .looks = true,
     .keeps = true},
    {.name = "reduced_net_quiet_filter",
     ROUTES,
     .host = true,
     .inet = true,
     .looks = true,
     .keeps = true,
     .quiet = true},
    {.name = "state_filter", ROUTES, .host = true, .keeps = true},
    {.name = "state_quiet_filter",
     ROUTES,
     .host = true,
     .keeps = true,
     .quiet = true},
    {.name = "state_net_filter",
     ROUTES,
     .host = true,
     .inet = true,
     .keeps = true},
    {.name = "state_net_quiet_filter",
     ROUTES,
     .host = true,
     .inet = true,
     .keeps = true,
     .quiet = true},
    {.name = "reader_filter",
     SOCKETS,
     .host = true,
     .looks = true,
     .quiet = true,
     .reads = true},
};

static scmp_filter_ctx
variant_filter(const struct variant *v)
{
    scmp_filter_ctx ctx = base_filter();

    add_families(ctx, v->netlink, v->inet, false);
    if (!v->inet) /* a stream that was inherited stays with whom it is */
        add_bans(ctx, BANS_CONNECT);
    add_pairs(ctx, true);
    must(seccomp_rule_add(ctx, DENY, SCMP_SYS(socketpair), 1,
                          SCMP_A0(SCMP_CMP_NE, AF_UNIX)),
         "socketpair");
    if (v->keeps) {
        add_bans(ctx, BANS_MODE);
        add_attributes(ctx);
        add_ioctls(ctx);
    } else if (!v->reads) { /* it changes no mode at all */
        add_bans(ctx, BANS_MODE);
        add_set_id(ctx, S_ISUID);
        add_set_id(ctx, S_ISGID);
    }
    if (v->host)
        add_host(ctx);
    if (v->quiet) {
        add_bans(ctx, BANS_SIGNAL);
        add_owners(ctx);
    }
    if (v->looks)
        add_bans(ctx, BANS_LOCK);
    if (v->reads)
        add_writes(ctx);
    return ctx;
}

/* Returns how many instructions there are. */
static size_t
export_code(const char *name, scmp_filter_ctx ctx, struct sock_filter *code)
{
    int fd = memfd_create(name, MFD_CLOEXEC);
    ssize_t n;

    if (fd < 0)
        must(-errno, "memfd_create");
    must(seccomp_export_bpf(ctx, fd), name);
    n = pread(fd, code, SHORTEN_MAX * sizeof(*code), 0);
    if (n <= 0)
        must(-EIO, name);
    close(fd);
    return (size_t)n / sizeof(*code);
}

static void
print_filter(const char *name, scmp_filter_ctx ctx)
{
    struct sock_filter code[SHORTEN_MAX];
    size_t n = shorten(code, export_code(name, ctx, code));

    if (n == 0)
        must(-EINVAL, name);
    printf("static const struct sock_filter %s[] = {\n", name);
    for (size_t i = 0; i < n; i++)
        printf("    {0x%02x, %u, %u, 0x%08x},\n", code[i].code, code[i].jt,
               code[i].jf, code[i].k);
    printf("};\n");
    seccomp_release(ctx);
}

static void
print_names(const struct ban *bans)
{
    for (; bans->name; bans++) {
        int nr = seccomp_syscall_resolve_name(bans->name);

        if (nr >= 0 && bans->answer == BAN_DENY)
            printf("    {%d, \"%s\"},\n", nr, bans->name);
    }
}

/* Of the calls whose refusal is reported. */
static void
print_all_names(void)
{
    static const struct ban conditional[] = {
        {"socket", BAN_DENY},      {"socketpair", BAN_DENY},
        {"clone", BAN_DENY},       {"ioctl", BAN_DENY},
        {"fcntl", BAN_DENY},       {"open", BAN_DENY},
        {"openat", BAN_DENY},      {"prlimit64", BAN_DENY},
        {"shmctl", BAN_DENY},      {"semctl", BAN_DENY},
        {"msgctl", BAN_DENY},      {"setpriority", BAN_DENY},
        {"personality", BAN_DENY}, {NULL, BAN_DENY},
    };

    printf("static const struct call_name {\n    int nr;\n"
           "    const char *name;\n} call_names[] = {\n");
    print_names(bans_of(BANS_EVERYWHERE));
    print_names(conditional);
    print_names(bans_of(BANS_HOST));
    print_names(bans_of(BANS_SIGNAL));
    print_names(bans_of(BANS_CONNECT));
    print_names(bans_of(BANS_WRITE));
    print_names(bans_of(BANS_ATTRIBUTES));
    printf("};\n");
}

int
main(void)
{
    printf("/* made by mkfilter: do not edit */\n");
    print_filter("step_filter", step_filter());
    print_filter("model_filter", model_filter());
    for (size_t i = 0; i < sizeof(variants) / sizeof(*variants); i++)
        print_filter(variants[i].name, variant_filter(&variants[i]));
    print_all_names();
    return fflush(stdout) == 0 ? 0 : 1;
}
