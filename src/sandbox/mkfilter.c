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
#include "sandbox/target.h"

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

/* What one filter is made of: libseccomp's rules, for a machine. */
struct making {
    scmp_filter_ctx ctx;
    const struct target *target;
};

static void
must(int rc, const char *what)
{
    if (rc == 0)
        return;
    fprintf(stderr, "mkfilter: %s: %s\n", what, strerror(-rc));
    _exit(1);
}

/* Refuses a call when its arguments compare so. On a machine that never had it
 * there is nothing to refuse. */
static void
add_rule(const struct making *m, uint32_t answer, const char *name, unsigned n,
         const struct scmp_arg_cmp *cmp)
{
    int nr = target_call(m->target, name);

    if (nr >= 0)
        must(seccomp_rule_add_array(m->ctx, answer, nr, n, cmp), name);
}

/* Refuses what would be `name` by a call that is many, whatever the arguments
 * are: they lie in memory. */
static void
add_multiplexed(const struct making *m, uint32_t answer, const char *name)
{
    const struct multiplexed *by = target_multiplexed(m->target, name);

    if (by) {
        struct scmp_arg_cmp cmp = SCMP_A0(SCMP_CMP_MASKED_EQ, by->mask,
                                          by->value);

        add_rule(m, answer, by->through, 1, &cmp);
    }
}

static void
add_bans(const struct making *m, enum ban_set set)
{
    for (const struct ban *bans = bans_of(set); bans->name; bans++) {
        uint32_t answer = bans->answer == BAN_DENY ? DENY : ABSENT;

        add_rule(m, answer, bans->name, 0, NULL);
        add_multiplexed(m, answer, bans->name);
    }
}

/* Refuses `name` when an argument compares so with the value. */
static void
add_compared(const struct making *m, const char *name, struct scmp_arg_cmp cmp)
{
    add_rule(m, DENY, name, 1, &cmp);
}

/* Refuses `name` when argument arg, masked, has the value. */
static void
add_masked(const struct making *m, const char *name, unsigned arg,
           uint64_t mask, uint64_t value)
{
    add_compared(m, name, SCMP_CMP(arg, SCMP_CMP_MASKED_EQ, mask, value));
}

/* A call that no name is known for here. */
static void
add_number(const struct making *m, int nr)
{
    must(seccomp_rule_add(m->ctx, DENY, nr, 0), "number");
}

static void
add_clone(const struct making *m)
{
    static const unsigned flags[] = {
        CLONE_NEWNS,   CLONE_NEWCGROUP, CLONE_NEWUTS, CLONE_NEWIPC,
        CLONE_NEWUSER, CLONE_NEWPID,    CLONE_NEWNET};

    for (size_t i = 0; i < sizeof(flags) / sizeof(*flags); i++)
        add_masked(m, "clone", 0, flags[i], flags[i]);
}

/* What netlink is for: routes and addresses; open sockets, too. */
enum netlink { NETLINK_NONE, NETLINK_ROUTES, NETLINK_SOCKETS };

/* Of a netlink socket, when its protocol compares so. */
static void
deny_protocol(const struct making *m, struct scmp_arg_cmp protocol)
{
    struct scmp_arg_cmp cmp[] = {SCMP_A0(SCMP_CMP_MASKED_EQ, LOW32, AF_NETLINK),
                                 protocol};

    add_rule(m, DENY, "socket", 2, cmp);
}

/* Two processes of one network namespace can send each other anything by
 * NETLINK_USERSOCK, whatever else stands between them; others are ways into
 * the kernel. */
static void
add_netlink(const struct making *m, enum netlink allowed)
{
    for (unsigned protocol = 0; protocol < PROTOCOLS; protocol++) {
        bool keep = protocol == NETLINK_ROUTE ||
                    (protocol == NETLINK_SOCK_DIAG &&
                     allowed == NETLINK_SOCKETS);

        if (!keep)
            deny_protocol(m, SCMP_A2(SCMP_CMP_MASKED_EQ, LOW32, protocol));
    }
    deny_protocol(m, SCMP_A2(SCMP_CMP_GE, PROTOCOLS));
}

/* All families but those that are named are refused. Where they lie in memory,
 * all are or none: only who may use the Unix sockets of others gets any. */
static void
add_families(const struct making *m, enum netlink netlink, bool inet,
             bool local)
{
    if (local && target_multiplexed(m->target, "socket"))
        return;
    add_multiplexed(m, DENY, "socket");
    for (int family = 0; family < FAMILIES; family++) {
        bool keep = (netlink && family == AF_NETLINK) ||
                    (local && family == AF_UNIX) ||
                    (inet && (family == AF_INET || family == AF_INET6));

        if (!keep)
            add_masked(m, "socket", 0, LOW32, (uint64_t)family);
    }
    add_compared(m, "socket", SCMP_A0(SCMP_CMP_GE, FAMILIES));
    if (netlink)
        add_netlink(m, netlink);
}

/* Both ends of a pair are ours, and of streams that stays so. One of a pair
 * of datagrams can still send to a socket in the file system. */
static void
add_pairs(const struct making *m, bool records)
{
    add_multiplexed(m, DENY, "socketpair");
    for (int type = 0; type <= SOCKET_TYPES; type++) {
        if (type != SOCK_STREAM && !(records && type == SOCK_SEQPACKET))
            add_masked(m, "socketpair", 1, SOCKET_TYPES, (uint64_t)type);
    }
}

/* Of ioctl(2) only what asks of terminals and of the network: others change a
 * file's flags, or a disk, by a descriptor that only reads. A type is allowed
 * by refusing those that differ from it in one bit, above which is the bit in
 * which the two differ. */
static void
add_ioctls(const struct making *m)
{
    static const unsigned types[] = {'T', 0x89};
    const unsigned high = 0x80;

    for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++) {
        for (unsigned bit = 1; bit < high; bit <<= 1)
            add_masked(m, "ioctl", 1, (uint64_t)(high | bit) << IOCTL_TYPE,
                       (uint64_t)((types[i] & high) | (~types[i] & bit))
                           << IOCTL_TYPE);
    }
}

/* Owner, mode, times and extended attributes stay as they are. */
static void
add_attributes(const struct making *m)
{
    add_bans(m, BANS_ATTRIBUTES);
    for (size_t i = 0; i < sizeof(write_numbers) / sizeof(*write_numbers); i++)
        add_number(m, write_numbers[i]);
}

/* Nothing is written, made, moved or removed. */
static void
add_writes(const struct making *m)
{
    static const unsigned ways[] = {O_WRONLY, O_RDWR, O_WRONLY | O_RDWR};

    add_bans(m, BANS_WRITE);
    add_attributes(m);
    for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
        add_masked(m, "open", 1, O_ACCMODE, ways[i]);
        add_masked(m, "openat", 2, O_ACCMODE, ways[i]);
    }
    add_masked(m, "open", 1, O_CREAT, O_CREAT);
    add_masked(m, "openat", 2, O_CREAT, O_CREAT);
    add_masked(m, "open", 1, O_TRUNC, O_TRUNC);
    add_masked(m, "openat", 2, O_TRUNC, O_TRUNC);
    add_ioctls(m);
}

static void
add_fcntl(const struct making *m, unsigned command)
{
    add_masked(m, "fcntl", 1, LOW32, command);
    add_masked(m, "fcntl64", 1, LOW32, command);
}

/* A descriptor's owner gets signals when something arrives. */
static void
add_owners(const struct making *m)
{
    add_fcntl(m, F_SETOWN);
    add_fcntl(m, F_SETOWN_EX);
    add_masked(m, "ioctl", 1, LOW32, FIOSETOWN);
    add_masked(m, "ioctl", 1, LOW32, SIOCSPGRP);
}

/* A program that runs as its owner or its group is a door for every other
 * user: no command makes one, also where its owner is root and the mode of
 * files is free. That of a group is one only where the group may execute it,
 * which an access list can say later. */
static void
add_set_id(const struct making *m, unsigned bit)
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
        add_masked(m, calls[i].name, calls[i].mode, bit, bit);
    /* without one of these there is anything in the place of the mode */
    for (size_t i = 0; i < sizeof(makes) / sizeof(*makes); i++) {
        const struct scmp_arg_cmp open_cmp[] = {
            SCMP_A1(SCMP_CMP_MASKED_EQ, makes[i], makes[i]),
            SCMP_A2(SCMP_CMP_MASKED_EQ, bit, bit)};
        const struct scmp_arg_cmp openat_cmp[] = {
            SCMP_A2(SCMP_CMP_MASKED_EQ, makes[i], makes[i]),
            SCMP_A3(SCMP_CMP_MASKED_EQ, bit, bit)};

        add_rule(m, DENY, "open", 2, open_cmp);
        add_rule(m, DENY, "openat", 2, openat_cmp);
    }
    must(seccomp_rule_add(m->ctx, DENY, NR_FCHMODAT2, 1,
                          SCMP_A2(SCMP_CMP_MASKED_EQ, bit, bit)),
         "fchmodat2");
}

/* Of other processes' limits, priorities and shared memory. */
static void
add_host(const struct making *m)
{
    static const char *const controls[] = {"shmctl", "msgctl"};

    add_bans(m, BANS_HOST);
    add_compared(m, "prlimit64", SCMP_A0(SCMP_CMP_NE, 0));
    add_compared(m, "setpriority", SCMP_A1(SCMP_CMP_NE, 0));
    add_compared(m, "setpriority", SCMP_A0(SCMP_CMP_NE, PRIO_PROCESS));
    for (size_t i = 0; i < sizeof(controls) / sizeof(*controls); i++) {
        add_masked(m, controls[i], 1, IPC_COMMANDS, IPC_RMID);
        add_masked(m, controls[i], 1, IPC_COMMANDS, IPC_SET);
        add_multiplexed(m, DENY, controls[i]);
    }
    add_multiplexed(m, DENY, "semctl");
    add_masked(m, "semctl", 2, IPC_COMMANDS, IPC_RMID);
    add_masked(m, "semctl", 2, IPC_COMMANDS, IPC_SET);
    add_masked(m, "semctl", 2, IPC_COMMANDS, SETVAL);
    add_masked(m, "semctl", 2, IPC_COMMANDS, SETALL);
}

static void
add_base(struct making *m)
{
    const struct scmp_arg_cmp limits[] = {SCMP_A0(SCMP_CMP_NE, 0),
                                          SCMP_A2(SCMP_CMP_NE, 0)};

    m->ctx = seccomp_init(SCMP_ACT_ALLOW);
    if (!m->ctx)
        must(-ENOMEM, "seccomp_init");
    must(seccomp_attr_set(m->ctx, SCMP_FLTATR_ACT_BADARCH,
                          SCMP_ACT_KILL_PROCESS),
         "bad architecture");
    /* a tree of comparisons: the kernel tries each call when it loads this */
    must(seccomp_attr_set(m->ctx, SCMP_FLTATR_CTL_OPTIMIZE, 2), "optimize");
    add_bans(m, BANS_EVERYWHERE);
    add_clone(m);
    add_masked(m, "ioctl", 1, LOW32, TIOCSTI);
    add_masked(m, "ioctl", 1, LOW32, TIOCLINUX);
    add_masked(m, "ioctl", 1, LOW32, TIOCSETD); /* wedges the terminal */
    add_masked(m, "ioctl", 1, LOW32, TIOCEXCL); /* so that nobody opens it */
    /* whoever opens the file to write would wait for it to be given back */
    add_fcntl(m, F_SETLEASE);
    add_compared(m, "personality", SCMP_A0(SCMP_CMP_NE, LOW32));
    add_number(m, NR_OPEN_TREE_ATTR);
    /* limits of another: of the tool that runs the next command, too */
    add_rule(m, DENY, "prlimit64", 2, limits);
}

static void
add_model(struct making *m)
{
    add_base(m);
    /* libc asks nscd and its like over a Unix socket, and goes on without;
     * where the families lie in memory it has all, or there were no model */
    if (!target_multiplexed(m->target, "socket")) {
        add_families(m, NETLINK_ROUTES, true, false);
        add_pairs(m, false); /* libcurl wakes itself up through one */
    }
    add_bans(m, BANS_MODEL);
    add_bans(m, BANS_SIGNAL);
    add_writes(m);
    /* threads are libcurl's resolver; another process is nobody's business */
    add_masked(m, "clone", 0, CLONE_THREAD, 0);
}

static void
add_step(struct making *m)
{
    add_base(m);
    add_families(m, NETLINK_ROUTES, true, true);
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

static void
add_variant(struct making *m, const struct variant *v)
{
    add_base(m);
    add_families(m, v->netlink, v->inet, false);
    if (!v->inet) /* a stream that was inherited stays with whom it is */
        add_bans(m, BANS_CONNECT);
    add_pairs(m, true);
    add_compared(m, "socketpair", SCMP_A0(SCMP_CMP_NE, AF_UNIX));
    if (v->keeps) {
        add_bans(m, BANS_MODE);
        add_attributes(m);
        add_ioctls(m);
    } else if (!v->reads) { /* it changes no mode at all */
        add_bans(m, BANS_MODE);
        add_set_id(m, S_ISUID);
        add_set_id(m, S_ISGID);
    }
    if (v->host)
        add_host(m);
    if (v->quiet) {
        add_bans(m, BANS_SIGNAL);
        add_owners(m);
    }
    if (v->looks)
        add_bans(m, BANS_LOCK);
    if (v->reads)
        add_writes(m);
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
print_filter(const char *name, const struct making *m)
{
    struct sock_filter code[SHORTEN_MAX];
    size_t n = shorten(code, export_code(name, m->ctx, code));

    if (n == 0 || target_mark(m->target, code, n) < 0)
        must(-EINVAL, name);
    printf("static const struct sock_filter %s[] = {\n", name);
    for (size_t i = 0; i < n; i++)
        printf("    {0x%02x, %u, %u, 0x%08x},\n", code[i].code, code[i].jt,
               code[i].jf, code[i].k);
    printf("};\n");
    seccomp_release(m->ctx);
}

/* Refused for some arguments only. */
static const struct ban conditional[] = {
    {"socket", BAN_DENY},      {"socketpair", BAN_DENY},
    {"clone", BAN_DENY},       {"ioctl", BAN_DENY},
    {"fcntl", BAN_DENY},       {"open", BAN_DENY},
    {"openat", BAN_DENY},      {"prlimit64", BAN_DENY},
    {"shmctl", BAN_DENY},      {"semctl", BAN_DENY},
    {"msgctl", BAN_DENY},      {"setpriority", BAN_DENY},
    {"personality", BAN_DENY}, {"fcntl64", BAN_DENY},
    {"socketcall", BAN_DENY},  {"ipc", BAN_DENY},
    {NULL, BAN_DENY},
};

static void
print_names(const struct target *t, const struct ban *bans)
{
    for (; bans->name; bans++) {
        int nr = target_call(t, bans->name);

        if (nr >= 0 && bans->answer == BAN_DENY)
            printf("    {%d, \"%s\"},\n", nr, bans->name);
    }
}

/* Of the calls whose refusal is reported. */
static void
print_all_names(const struct target *t)
{
    printf("static const struct call_name {\n    int nr;\n"
           "    const char *name;\n} call_names[] = {\n");
    print_names(t, bans_of(BANS_EVERYWHERE));
    print_names(t, conditional);
    print_names(t, bans_of(BANS_HOST));
    print_names(t, bans_of(BANS_SIGNAL));
    print_names(t, bans_of(BANS_CONNECT));
    print_names(t, bans_of(BANS_WRITE));
    print_names(t, bans_of(BANS_ATTRIBUTES));
    printf("};\n");
}

/* A call that the target's headers know must have been found for it. */
static void
print_number_checks(const struct target *t, const struct ban *bans)
{
    for (; bans->name; bans++)
        printf("#ifdef SYS_%s\nIS_TARGET(SYS_%s == %d);\n#endif\n", bans->name,
               bans->name, target_call(t, bans->name));
}

/* What a program of the target must agree with, or its compiler stops. */
static void
print_checks(const struct target *t)
{
    static const struct constant {
        const char *name;
        unsigned long value;
    } constants[] = {
        {"O_CREAT", O_CREAT},
        {"O_TRUNC", O_TRUNC},
        {"(O_TMPFILE & ~O_DIRECTORY)", O_TMPFILE & ~O_DIRECTORY},
        {"SOCK_STREAM", SOCK_STREAM},
        {"SOCK_SEQPACKET", SOCK_SEQPACKET},
        {"F_SETOWN", F_SETOWN},
        {"F_SETLEASE", F_SETLEASE},
        {"TIOCSTI", TIOCSTI},
        {"TIOCSETD", TIOCSETD},
        {"TIOCEXCL", TIOCEXCL},
    };

    printf("#include <fcntl.h>\n#include <sys/ioctl.h>\n"
           "#include <sys/socket.h>\n#include <sys/syscall.h>\n"
           "#ifndef %s\n#error made for another machine\n#endif\n"
           "#define IS_TARGET(x) _Static_assert(x, \"the machine's \" #x)\n",
           target_macro(t));
    for (size_t i = 0; i < sizeof(constants) / sizeof(*constants); i++)
        printf("IS_TARGET(%s == %luu);\n", constants[i].name,
               constants[i].value);
    print_number_checks(t, conditional);
    for (int set = 0; set < BANS_N; set++)
        print_number_checks(t, bans_of((enum ban_set)set));
}

static void
print_filters(const struct target *t)
{
    struct making m = {.target = t};

    add_step(&m);
    print_filter("step_filter", &m);
    add_model(&m);
    print_filter("model_filter", &m);
    for (size_t i = 0; i < sizeof(variants) / sizeof(*variants); i++) {
        add_variant(&m, &variants[i]);
        print_filter(variants[i].name, &m);
    }
}

int
main(int argc, char **argv)
{
    const struct target *t = argc == 2 ? target_of_cpu(argv[1]) : NULL;
    const char *reason = t ? target_reason(t) : "no filters for this machine";

    if (reason) {
        fprintf(stderr, "mkfilter: %s: %s\n", argc == 2 ? argv[1] : "", reason);
        return 1;
    }
    printf("/* made by mkfilter: do not edit */\n");
    print_checks(t);
    print_filters(t);
    print_all_names(t);
    return fflush(stdout) == 0 ? 0 : 1;
}
