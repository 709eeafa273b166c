/* SPDX-License-Identifier: GPL-3.0-or-later */
/* target.c - the architectures that filters are made for. */
#include "sandbox/build/target.h"

#include <fnmatch.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <stdbool.h>
#include <string.h>

#include "base/array.h"

#define CALL_MASK    0xffffffffu
#define VERSION_MASK 0xffffu /* ipc(2): above is a version */

struct filter_target {
    const char *cpu; /* a pattern */
    uint32_t arch;   /* AUDIT_ARCH_... */
    const char *macro;
    bool multiplexes;
};

static const struct filter_target targets[] = {
    {"x86_64", SCMP_ARCH_X86_64, "__x86_64__", false},
    {"i[3-7]86", SCMP_ARCH_X86, "__i386__", true},
    {"aarch64", SCMP_ARCH_AARCH64, "__aarch64__", false},
    {"arm", SCMP_ARCH_ARM, "__ARM_EABI__", false},
    {"armv[67]*l", SCMP_ARCH_ARM, "__ARM_EABI__", false},
    {"riscv64", SCMP_ARCH_RISCV64, "__riscv", false},
};

/* The numbers are those of linux/net.h, linux/ipc.h and asm/unistd_32.h. Since
 * Linux 4.3 and 5.1 most of these are also system calls of their own. */
static const struct multiplexed multiplexed[] = {
    {"socket", "socketcall", CALL_MASK, 1, 359},
    {"bind", "socketcall", CALL_MASK, 2, 361},
    {"connect", "socketcall", CALL_MASK, 3, 362},
    {"listen", "socketcall", CALL_MASK, 4, 363},
    {"accept", "socketcall", CALL_MASK, 5, -1},
    {"socketpair", "socketcall", CALL_MASK, 8, 360},
    {"accept4", "socketcall", CALL_MASK, 18, 364},
    {"semop", "ipc", VERSION_MASK, 1, -1},
    {"semget", "ipc", VERSION_MASK, 2, 393},
    {"semctl", "ipc", VERSION_MASK, 3, 394},
    {"semtimedop", "ipc", VERSION_MASK, 4, -1},
    {"msgsnd", "ipc", VERSION_MASK, 11, 400},
    {"msgrcv", "ipc", VERSION_MASK, 12, 401},
    {"msgget", "ipc", VERSION_MASK, 13, 399},
    {"msgctl", "ipc", VERSION_MASK, 14, 402},
    {"shmat", "ipc", VERSION_MASK, 21, 397},
    {"shmget", "ipc", VERSION_MASK, 23, 395},
    {"shmctl", "ipc", VERSION_MASK, 24, 396},
};

const struct filter_target *
target_of_cpu(const char *cpu)
{
    for (size_t i = 0; i < ARRAY_SIZE(targets); i++) {
        if (fnmatch(targets[i].cpu, cpu, 0) == 0)
            return &targets[i];
    }
    return NULL;
}

/* Only on x86_64 does libseccomp refuse the numbers of its second ABI (x32); on
 * 32-bit x86 it takes some numbers for those of multiplexed calls. */
const char *
target_reason(const struct filter_target *t)
{
    if (seccomp_arch_native() == SCMP_ARCH_X86 && t->arch != SCMP_ARCH_X86)
        return "on 32-bit x86 only its own filters are made";
    if (t->arch == SCMP_ARCH_X86_64 && seccomp_arch_native() != t->arch)
        return "filters for x86_64 are made on x86_64 only";
    return NULL;
}

const struct multiplexed *
target_multiplexed(const struct filter_target *t, const char *call)
{
    for (size_t i = 0; i < ARRAY_SIZE(multiplexed); i++) {
        if (t->multiplexes && strcmp(multiplexed[i].call, call) == 0)
            return &multiplexed[i];
    }
    return NULL;
}

/* libseccomp has no number of a call that is reached through another. */
int
target_call(const struct filter_target *t, const char *name)
{
    const struct multiplexed *by = target_multiplexed(t, name);
    int nr = by ? by->direct : seccomp_syscall_resolve_name_arch(t->arch, name);

    return nr < 0 ? -1 : nr;
}

int
target_mark(const struct filter_target *t, struct sock_filter *code, size_t n)
{
    if (n < 2 || code[0].code != (BPF_LD | BPF_W | BPF_ABS) ||
        code[0].k != offsetof(struct seccomp_data, arch) ||
        code[1].code != (BPF_JMP | BPF_JEQ | BPF_K) ||
        code[1].k != seccomp_arch_native())
        return -1;
    code[1].k = t->arch;
    return 0;
}

const char *
target_macro(const struct filter_target *t)
{
    return t->macro;
}
