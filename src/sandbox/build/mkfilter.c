/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mkfilter.c - build tool that compiles the seccomp filters and prints them as
 * C arrays. */
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

#include "base/array.h"
#include "sandbox/build/denylist.h"
#include "sandbox/build/target.h"

#define LOW32            0xffffffffu /* 64-bit equality is CVE-2019-7303 */
#define FAMILIES         46  /* AF_MAX of Linux 6; above: refused as a range */
#define PROTOCOLS        32  /* MAX_LINKS of linux/netlink.h; above: the same */
#define SOCKET_TYPES     0xf /* the bits of the type; above are flags */
#define IPC_COMMANDS     0xff /* the bits of the command; above is IPC_64 */
#define IOCTL_TYPE       8    /* the lowest bit of the type in a command */
#define INSTRUCTIONS_MAX 1024 /* of one filter; the longest has about 450 */
#define DENY             SCMP_ACT_ERRNO(EPERM)
#define ABSENT           SCMP_ACT_ERRNO(ENOSYS) /* so that runtimes fall back */

/* libseccomp 2.5.4 does not know these names; such late numbers are the same
 * on all architectures that we build for. */
#define NR_FCHMODAT2      452
#define NR_SETXATTRAT     463
#define NR_REMOVEXATTRAT  466
#define NR_OPEN_TREE_ATTR 467
#define NR_FILE_SETATTR   469

static const int write_numbers[] = {NR_FCHMODAT2, NR_SETXATTRAT,
                                    NR_REMOVEXATTRAT, NR_FILE_SETATTR};

/* One filter while it is made: libseccomp's rules and the target. */
struct filter_builder {
    scmp_filter_ctx ctx;
    const struct filter_target *target;
};

static void
exit_on_error(int rc, const char *what)
{
    if (rc == 0)
        return;
    fprintf(stderr, "mkfilter: %s: %s\n", what, strerror(-rc));
    _exit(1);
}

/* Refuses a system call whose arguments match cmp. Does nothing if the target
 * does not have the call. */
static void
add_call_rule(const struct filter_builder *m, uint32_t answer, const char *name,
              unsigned n, const struct scmp_arg_cmp *cmp)
{
    int nr = target_call(m->target, name);

    if (nr >= 0)
        exit_on_error(seccomp_rule_add_array(m->ctx, answer, nr, n, cmp), name);
}

/* Refuses `name` where it is reached through another call, such as
 * socketcall(2), with any arguments, since those lie in memory. */
static void
add_multiplexed(const struct filter_builder *m, uint32_t answer,
                const char *name)
{
    const struct multiplexed *by = target_multiplexed(m->target, name);

    if (by) {
        struct scmp_arg_cmp cmp = SCMP_A0(SCMP_CMP_MASKED_EQ, by->mask,
                                          by->value);

        add_call_rule(m, answer, by->through, 1, &cmp);
    }
}

static void
add_bans(const struct filter_builder *m, enum denylist_set set)
{
    for (const struct denylist_entry *entry = denylist_of(set); entry->name;
         entry++) {
        uint32_t answer = entry->answer == DENYLIST_EPERM ? DENY : ABSENT;

        add_call_rule(m, answer, entry->name, 0, NULL);
        add_multiplexed(m, answer, entry->name);
    }
}

/* Refuses `name` when one argument matches. */
static void
add_compared(const struct filter_builder *m, const char *name,
             struct scmp_arg_cmp cmp)
{
    add_call_rule(m, DENY, name, 1, &cmp);
}

/* Refuses `name` when argument arg, masked, has the value. */
static void
add_masked(const struct filter_builder *m, const char *name, unsigned arg,
           uint64_t mask, uint64_t value)
{
    add_compared(m, name, SCMP_CMP(arg, SCMP_CMP_MASKED_EQ, mask, value));
}

/* Refuses a call that libseccomp has no name for. */
static void
add_number(const struct filter_builder *m, int nr)
{
    exit_on_error(seccomp_rule_add(m->ctx, DENY, nr, 0), "number");
}

static void
add_clone(const struct filter_builder *m)
{
    static const unsigned flags[] = {
        CLONE_NEWNS,   CLONE_NEWCGROUP, CLONE_NEWUTS, CLONE_NEWIPC,
        CLONE_NEWUSER, CLONE_NEWPID,    CLONE_NEWNET};

    for (size_t i = 0; i < ARRAY_SIZE(flags); i++)
        add_masked(m, "clone", 0, flags[i], flags[i]);
}

/* The allowed protocols of netlink sockets: none; routes and addresses; these
 * and open sockets. */
enum netlink { NETLINK_NONE, NETLINK_ROUTES, NETLINK_SOCKETS };

/* Refuses a netlink socket whose protocol matches. */
static void
deny_protocol(const struct filter_builder *m, struct scmp_arg_cmp protocol)
{
    struct scmp_arg_cmp cmp[] = {SCMP_A0(SCMP_CMP_MASKED_EQ, LOW32, AF_NETLINK),
                                 protocol};

    add_call_rule(m, DENY, "socket", 2, cmp);
}

/* Refuses all other protocols: by NETLINK_USERSOCK two processes in one network
 * namespace can exchange anything across a sandbox, and the others are ways
 * into the kernel. */
static void
add_netlink(const struct filter_builder *m, enum netlink allowed)
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

/* Refuses all families of sockets except those that are named. Where the family
 * lies in memory (socketcall), all are refused, or none for a child that may
 * use Unix sockets. */
static void
add_families(const struct filter_builder *m, enum netlink netlink, bool inet,
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

/* Allows socket pairs of streams only, and with `records` of SOCK_SEQPACKET:
 * both ends stay ours, while a datagram socket of a pair can still send to a
 * socket in the file system. */
static void
add_pairs(const struct filter_builder *m, bool records)
{
    add_multiplexed(m, DENY, "socketpair");
    for (int type = 0; type <= SOCKET_TYPES; type++) {
        if (type != SOCK_STREAM && !(records && type == SOCK_SEQPACKET))
            add_masked(m, "socketpair", 1, SOCKET_TYPES, (uint64_t)type);
    }
}

/* Allows only the ioctl(2) commands for terminals and the network: others
 * change a file's flags, or a disk, with a descriptor for reading. The two
 * types that are allowed differ in their highest bit; with that bit given,
 * every type that differs from the allowed one in a lower bit is refused. */
static void
add_ioctls(const struct filter_builder *m)
{
    static const unsigned types[] = {'T', 0x89};
    const unsigned high = 0x80;

    for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
        for (unsigned bit = 1; bit < high; bit <<= 1)
            add_masked(m, "ioctl", 1, (uint64_t)(high | bit) << IOCTL_TYPE,
                       (uint64_t)((types[i] & high) | (~types[i] & bit))
                           << IOCTL_TYPE);
    }
}

/* Refuses changes of owner, mode, times and extended attributes. */
static void
add_attributes(const struct filter_builder *m)
{
    add_bans(m, DENYLIST_ATTRIBUTES);
    for (size_t i = 0; i < ARRAY_SIZE(write_numbers); i++)
        add_number(m, write_numbers[i]);
}

/* Refuses to write, create, rename or remove any file. */
static void
add_writes(const struct filter_builder *m)
{
    static const unsigned ways[] = {O_WRONLY, O_RDWR, O_WRONLY | O_RDWR};

    add_bans(m, DENYLIST_WRITE);
    add_attributes(m);
    for (size_t i = 0; i < ARRAY_SIZE(ways); i++) {
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
add_fcntl(const struct filter_builder *m, unsigned command)
{
    add_masked(m, "fcntl", 1, LOW32, command);
    add_masked(m, "fcntl64", 1, LOW32, command);
}

/* Refuses to set the owner of a descriptor, who gets a signal when data
 * arrives. */
static void
add_owners(const struct filter_builder *m)
{
    add_fcntl(m, F_SETOWN);
    add_fcntl(m, F_SETOWN_EX);
    add_masked(m, "ioctl", 1, LOW32, FIOSETOWN);
    add_masked(m, "ioctl", 1, LOW32, SIOCSPGRP);
}

/* Refuses to create set-user-ID and set-group-ID programs, also for root, who
 * may set any mode: every other user could run them. S_ISGID without group
 * execution is refused as well, since an access list can add that later. */
static void
add_set_id(const struct filter_builder *m, unsigned bit)
{
    static const struct mode_call {
        const char *name;
        unsigned mode; /* the number of the argument */
    } calls[] = {
        {"chmod", 1}, {"fchmod", 1}, {"fchmodat", 2},
        {"creat", 1}, {"mknod", 1},  {"mknodat", 2},
    };
    static const unsigned makes[] = {O_CREAT, O_TMPFILE & ~O_DIRECTORY};

    for (size_t i = 0; i < ARRAY_SIZE(calls); i++)
        add_masked(m, calls[i].name, calls[i].mode, bit, bit);
    /* without one of these flags the mode argument is undefined */
    for (size_t i = 0; i < ARRAY_SIZE(makes); i++) {
        const struct scmp_arg_cmp open_cmp[] = {
            SCMP_A1(SCMP_CMP_MASKED_EQ, makes[i], makes[i]),
            SCMP_A2(SCMP_CMP_MASKED_EQ, bit, bit)};
        const struct scmp_arg_cmp openat_cmp[] = {
            SCMP_A2(SCMP_CMP_MASKED_EQ, makes[i], makes[i]),
            SCMP_A3(SCMP_CMP_MASKED_EQ, bit, bit)};

        add_call_rule(m, DENY, "open", 2, open_cmp);
        add_call_rule(m, DENY, "openat", 2, openat_cmp);
    }
    exit_on_error(seccomp_rule_add(m->ctx, DENY, NR_FCHMODAT2, 1,
                                   SCMP_A2(SCMP_CMP_MASKED_EQ, bit, bit)),
                  "fchmodat2");
}

/* Refuses changes of other processes' limits, priorities and shared memory. */
static void
add_host(const struct filter_builder *m)
{
    static const char *const controls[] = {"shmctl", "msgctl"};

    add_bans(m, DENYLIST_HOST);
    add_compared(m, "prlimit64", SCMP_A0(SCMP_CMP_NE, 0));
    add_compared(m, "setpriority", SCMP_A1(SCMP_CMP_NE, 0));
    add_compared(m, "setpriority", SCMP_A0(SCMP_CMP_NE, PRIO_PROCESS));
    for (size_t i = 0; i < ARRAY_SIZE(controls); i++) {
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
add_base(struct filter_builder *m)
{
    const struct scmp_arg_cmp limits[] = {SCMP_A0(SCMP_CMP_NE, 0),
                                          SCMP_A2(SCMP_CMP_NE, 0)};

    m->ctx = seccomp_init(SCMP_ACT_ALLOW);
    if (!m->ctx)
        exit_on_error(-ENOMEM, "seccomp_init");
    exit_on_error(seccomp_attr_set(m->ctx, SCMP_FLTATR_ACT_BADARCH,
                                   SCMP_ACT_KILL_PROCESS),
                  "bad architecture");
    /* a binary tree of comparisons: the kernel runs the filter for each call
     * when it loads it */
    exit_on_error(seccomp_attr_set(m->ctx, SCMP_FLTATR_CTL_OPTIMIZE, 2),
                  "optimize");
    add_bans(m, DENYLIST_EVERYWHERE);
    add_clone(m);
    add_masked(m, "ioctl", 1, LOW32, TIOCSTI);
    add_masked(m, "ioctl", 1, LOW32, TIOCLINUX);
    add_masked(m, "ioctl", 1, LOW32,
               TIOCSETD); /* makes the terminal unusable */
    add_masked(m, "ioctl", 1, LOW32,
               TIOCEXCL); /* nobody else could open the terminal */
    /* others that open the file for writing would wait for the lease */
    add_fcntl(m, F_SETLEASE);
    add_compared(m, "personality", SCMP_A0(SCMP_CMP_NE, LOW32));
    add_number(m, NR_OPEN_TREE_ATTR);
    /* limits of other processes, also of the tool that runs the next command */
    add_call_rule(m, DENY, "prlimit64", 2, limits);
}

static void
add_model(struct filter_builder *m)
{
    add_base(m);
    /* the C library asks nscd over a Unix socket, and goes on without; where
     * the families lie in memory all are allowed, or the model could not be
     * reached */
    if (!target_multiplexed(m->target, "socket")) {
        add_families(m, NETLINK_ROUTES, true, false);
        add_pairs(m, false); /* libcurl wakes itself up with one */
    }
    add_bans(m, DENYLIST_MODEL);
    add_bans(m, DENYLIST_SIGNAL);
    add_writes(m);
    /* libcurl's resolver needs threads; no other process is needed */
    add_masked(m, "clone", 0, CLONE_THREAD, 0);
}

static void
add_step_filter(struct filter_builder *m)
{
    add_base(m);
    add_families(m, NETLINK_ROUTES, true, true);
}

/* The filters of the profiles. They allow pairs of Unix sockets only, since
 * neither mounts nor Landlock before ABI 9 restrict connecting to a socket by
 * its path. */
struct filter_variant {
    const char *name;
    enum netlink netlink;
    bool inet;
    bool host;  /* the child is in the machine's pid and ipc namespaces */
    bool quiet; /* no process may be signalled */
    bool looks; /* nothing is writable, so no file may be locked either */
    /* no attributes may be changed; Landlock does the rest */
    bool keeps;
    bool reads; /* nothing may be written */
};
#define ROUTES  .netlink = NETLINK_ROUTES
#define SOCKETS .netlink = NETLINK_SOCKETS
static const struct filter_variant variants[] = {
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
add_filter_variant(struct filter_builder *m, const struct filter_variant *v)
{
    add_base(m);
    add_families(m, v->netlink, v->inet, false);
    if (!v->inet) /* an inherited socket keeps its peer */
        add_bans(m, DENYLIST_CONNECT);
    add_pairs(m, true);
    add_compared(m, "socketpair", SCMP_A0(SCMP_CMP_NE, AF_UNIX));
    if (v->keeps) {
        add_bans(m, DENYLIST_MODE);
        add_attributes(m);
        add_ioctls(m);
    } else if (!v->reads) { /* `reads` refuses every change of a mode */
        add_bans(m, DENYLIST_MODE);
        add_set_id(m, S_ISUID);
        add_set_id(m, S_ISGID);
    }
    if (v->host)
        add_host(m);
    if (v->quiet) {
        add_bans(m, DENYLIST_SIGNAL);
        add_owners(m);
    }
    if (v->looks)
        add_bans(m, DENYLIST_LOCK);
    if (v->reads)
        add_writes(m);
}

/* Writes the filter to code; returns the number of instructions. */
static size_t
export_code(const char *name, scmp_filter_ctx ctx, struct sock_filter *code)
{
    int fd = memfd_create(name, MFD_CLOEXEC);
    ssize_t n;

    if (fd < 0)
        exit_on_error(-errno, "memfd_create");
    exit_on_error(seccomp_export_bpf(ctx, fd), name);
    n = pread(fd, code, INSTRUCTIONS_MAX * sizeof(*code), 0);
    if (n <= 0 || (size_t)n == INSTRUCTIONS_MAX * sizeof(*code))
        exit_on_error(-EIO, name); /* it may be truncated */
    close(fd);
    return (size_t)n / sizeof(*code);
}

static void
print_filter(const char *name, const struct filter_builder *m)
{
    struct sock_filter code[INSTRUCTIONS_MAX];
    size_t n = export_code(name, m->ctx, code);

    if (target_mark(m->target, code, n) < 0)
        exit_on_error(-EINVAL, name);
    printf("static const struct sock_filter %s[] = {\n", name);
    for (size_t i = 0; i < n; i++)
        printf("    {0x%02x, %u, %u, 0x%08x},\n", code[i].code, code[i].jt,
               code[i].jf, code[i].k);
    printf("};\n");
    seccomp_release(m->ctx);
}

/* Calls that are refused for some arguments only. */
static const struct denylist_entry conditional[] = {
    {"socket", DENYLIST_EPERM},      {"socketpair", DENYLIST_EPERM},
    {"clone", DENYLIST_EPERM},       {"ioctl", DENYLIST_EPERM},
    {"fcntl", DENYLIST_EPERM},       {"open", DENYLIST_EPERM},
    {"openat", DENYLIST_EPERM},      {"prlimit64", DENYLIST_EPERM},
    {"shmctl", DENYLIST_EPERM},      {"semctl", DENYLIST_EPERM},
    {"msgctl", DENYLIST_EPERM},      {"setpriority", DENYLIST_EPERM},
    {"personality", DENYLIST_EPERM}, {"fcntl64", DENYLIST_EPERM},
    {"socketcall", DENYLIST_EPERM},  {"ipc", DENYLIST_EPERM},
    {NULL, DENYLIST_EPERM},
};

static void
print_names(const struct filter_target *t, const struct denylist_entry *entry)
{
    for (; entry->name; entry++) {
        int nr = target_call(t, entry->name);

        if (nr >= 0 && entry->answer == DENYLIST_EPERM)
            printf("    {%d, \"%s\"},\n", nr, entry->name);
    }
}

/* Prints the names of the calls whose refusal is reported. */
static void
print_all_names(const struct filter_target *t)
{
    printf("static const struct call_name {\n    int nr;\n"
           "    const char *name;\n} call_names[] = {\n");
    print_names(t, denylist_of(DENYLIST_EVERYWHERE));
    print_names(t, conditional);
    print_names(t, denylist_of(DENYLIST_HOST));
    print_names(t, denylist_of(DENYLIST_SIGNAL));
    print_names(t, denylist_of(DENYLIST_CONNECT));
    print_names(t, denylist_of(DENYLIST_WRITE));
    print_names(t, denylist_of(DENYLIST_ATTRIBUTES));
    printf("};\n");
}

/* Prints checks that each call in the target's headers has the number that was
 * used. */
static void
print_number_checks(const struct filter_target *t,
                    const struct denylist_entry *entry)
{
    for (; entry->name; entry++)
        printf("#ifdef SYS_%s\nIS_TARGET(SYS_%s == %d);\n#endif\n", entry->name,
               entry->name, target_call(t, entry->name));
}

/* Prints what must be true on the target; otherwise its compiler stops. */
static void
print_checks(const struct filter_target *t)
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
    for (size_t i = 0; i < ARRAY_SIZE(constants); i++)
        printf("IS_TARGET(%s == %luu);\n", constants[i].name,
               constants[i].value);
    print_number_checks(t, conditional);
    for (int set = 0; set < DENYLIST_N; set++)
        print_number_checks(t, denylist_of((enum denylist_set)set));
}

static void
print_filters(const struct filter_target *t)
{
    struct filter_builder m = {.target = t};

    add_step_filter(&m);
    print_filter("step_filter", &m);
    add_model(&m);
    print_filter("model_filter", &m);
    for (size_t i = 0; i < ARRAY_SIZE(variants); i++) {
        add_filter_variant(&m, &variants[i]);
        print_filter(variants[i].name, &m);
    }
}

int
main(int argc, char **argv)
{
    const struct filter_target *t = argc == 2 ? target_of_cpu(argv[1]) : NULL;
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
