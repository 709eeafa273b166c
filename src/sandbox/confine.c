/* SPDX-License-Identifier: GPL-3.0-or-later */
/* confine.c - gives up privileges and capabilities, and installs the embedded
 * seccomp filters. */
#include "sandbox/confine.h"

#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "sandbox/kernel.h"
#include "sandbox/spec.h"

#include "src/sandbox/filters.h" /* written by mkfilter to the build tree */

/* Landlock's rights of ABI 1 (Linux 5.13) that change files or execute them.
 * Later ones are added where the kernel knows them. */
#define WRITES_ABI1                                                            \
    (LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE |              \
     LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE |          \
     LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR |              \
     LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SOCK |              \
     LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK |            \
     LANDLOCK_ACCESS_FS_MAKE_SYM)

#define CAPABILITIES 64 /* more capabilities than exist */
#define FILTER_MAX   512

struct filter {
    const struct sock_filter *code;
    size_t n;
};
#define FILTER(array)                                                          \
    (struct filter)                                                            \
    {                                                                          \
        (array), ARRAY_SIZE(array)                                             \
    }

int
confine_no_new_privs(struct err *e)
{
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
        return sandbox_layer_missing(e, "no_new_privs");
    return 0;
}

/* Without CAP_SETPCAP nothing can be removed from the bounding set;
 * no_new_privs has the same effect then. */
int
confine_bounds(uint64_t keep, struct err *e)
{
    for (unsigned cap = 0; cap < CAPABILITIES; cap++) {
        if (keep >> cap & 1)
            continue;
        if (prctl(PR_CAPBSET_DROP, cap, 0, 0, 0) == 0)
            continue;
        if (errno == EINVAL ||
            errno == EPERM) /* there are no more capabilities */
            return 0;
        return sandbox_layer_missing(e, "capabilities");
    }
    return 0;
}

int
confine_capabilities(uint64_t keep, struct err *e)
{
    struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct set[_LINUX_CAPABILITY_U32S_3] = {0};

    (void)prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    if (syscall(SYS_capget, &head, set) < 0)
        return sandbox_layer_missing(e, "capabilities");
    for (size_t i = 0; i < _LINUX_CAPABILITY_U32S_3; i++) {
        set[i].permitted &= (uint32_t)(keep >> 32 * i);
        set[i].effective = set[i].permitted;
        set[i].inheritable = 0;
    }
    if (syscall(SYS_capset, &head, set) < 0)
        return sandbox_layer_missing(e, "capabilities");
    return 0;
}

static int
load_filter(struct filter f, struct err *e)
{
    struct sock_fprog prog = {
        .len = (unsigned short)f.n,
        .filter = (struct sock_filter *)(uintptr_t)f.code,
    };

    if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &prog) < 0)
        return sandbox_layer_missing(e, "seccomp");
    return 0;
}

/* Loads the same filter, with a notification in place of each refusal. */
static int
load_asking(struct filter f, struct err *e)
{
    struct sock_filter code[FILTER_MAX];
    struct sock_fprog prog = {.len = (unsigned short)f.n, .filter = code};
    int listener;

    if (f.n > FILTER_MAX)
        return err_set(e, ERR_SANDBOX, "sandbox: seccomp: %zu instructions",
                       f.n);
    memcpy(code, f.code, f.n * sizeof(*code));
    for (size_t i = 0; i < f.n; i++) {
        if (code[i].code == (BPF_RET | BPF_K) &&
            code[i].k == (SECCOMP_RET_ERRNO | EPERM))
            code[i].k = SECCOMP_RET_USER_NOTIF;
    }
    listener = (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
                            SECCOMP_FILTER_FLAG_NEW_LISTENER, &prog);
    return listener < 0 ? sandbox_layer_missing(e, "seccomp") : listener;
}

#define SCOPED(name)                                                           \
    (scoped ? FILTER(name##_filter) : FILTER(name##_quiet_filter))

/* The filter of a sandbox without namespaces. Only a child that may write the
 * person's files may change attributes, since no filter can tell whose file it
 * is. A tool that writes only its own state may not, but it may lock what it
 * writes. */
static struct filter
reduced_filter_of(const struct sandbox_spec *s, bool scoped)
{
    if (spec_writes(s))
        return s->net ? SCOPED(host_net) : SCOPED(host);
    if (s->state)
        return s->net ? SCOPED(state_net) : SCOPED(state);
    return s->net ? SCOPED(reduced_net) : SCOPED(reduced);
}

/* Without a pid namespace, Landlock keeps signals inside the sandbox; without
 * both, no process may be signalled. */
static struct filter
filter_of(const struct sandbox_spec *s)
{
    bool scoped = confine_landlock_abi() >= LL_ABI_SCOPED;

    if (s->owners)
        return FILTER(reader_filter);
    if (spec_is_reduced(s))
        return reduced_filter_of(s, scoped);
    switch (s->profile) {
    case PROFILE_OBSERVE_PROC:
        return FILTER(reader_filter);
    case PROFILE_OBSERVE:
        return SCOPED(observe);
    case PROFILE_READ_ONLY:
        return s->net ? FILTER(net_filter) : FILTER(look_filter);
    case PROFILE_PLUGIN:
        return s->net ? FILTER(net_filter) : FILTER(tool_filter);
    default:
        return s->net ? FILTER(net_filter) : FILTER(off_filter);
    }
}

int
confine_profile(const struct sandbox_spec *s, int *listener, struct err *e)
{
    int fd;

    if (!listener)
        return load_filter(filter_of(s), e);
    fd = load_asking(filter_of(s), e);
    if (fd < 0)
        return -1;
    *listener = fd;
    return 0;
}

const char *
confine_call_name(int nr)
{
    for (size_t i = 0; i < ARRAY_SIZE(call_names); i++) {
        if (call_names[i].nr == nr)
            return call_names[i].name;
    }
    return NULL;
}

int
confine_landlock_abi(void)
{
    long abi = syscall(SYS_landlock_create_ruleset, NULL, 0,
                       LANDLOCK_CREATE_RULESET_VERSION);

    return abi < 0 ? 0 : (int)abi;
}

/* Restricts every right to write or execute a file, and grants none of them. */
static int
landlock_read_only(struct err *e)
{
    int abi = confine_landlock_abi();
    struct landlock_ruleset_attr attr = {.handled_access_fs = WRITES_ABI1};
    CLEANUP(fd_close_p) int fd = -1;

    if (abi == 0) /* the filter refuses the same calls */
        return 0;
    if (abi >= LL_ABI_REFER)
        attr.handled_access_fs |= LANDLOCK_ACCESS_FS_REFER;
    if (abi >= LL_ABI_TRUNCATE)
        attr.handled_access_fs |= LL_FS_TRUNCATE;
    fd = (int)syscall(SYS_landlock_create_ruleset, &attr, sizeof(attr), 0);
    if (fd < 0 || syscall(SYS_landlock_restrict_self, fd, 0) < 0)
        return sandbox_layer_missing(e, "landlock");
    return 0;
}

int
confine_step(struct err *e)
{
    if (confine_no_new_privs(e) < 0)
        return -1;
    return load_filter(FILTER(step_filter), e);
}

int
confine_model(struct err *e)
{
    if (confine_no_new_privs(e) < 0 || landlock_read_only(e) < 0)
        return -1;
    return load_filter(FILTER(model_filter), e);
}

int
confine_tcp_ports(const uint16_t *ports, size_t n, struct err *e)
{
    struct ll_ruleset attr = {.net = LL_NET_TCP};
    CLEANUP(fd_close_p) int fd = -1;

    if (confine_landlock_abi() < LL_ABI_NET)
        return 0;
    fd = (int)syscall(SYS_landlock_create_ruleset, &attr,
                      offsetof(struct ll_ruleset, scoped), 0);
    if (fd < 0)
        return sandbox_layer_missing(e, "landlock");
    for (size_t i = 0; i < n; i++) {
        const struct ll_net_port rule = {.allowed = LL_NET_CONNECT,
                                         .port = ports[i]};

        if (syscall(SYS_landlock_add_rule, fd, LL_RULE_NET_PORT, &rule, 0) < 0)
            return sandbox_layer_missing(e, "landlock");
    }
    if (syscall(SYS_landlock_restrict_self, fd, 0) < 0)
        return sandbox_layer_missing(e, "landlock");
    return 0;
}
