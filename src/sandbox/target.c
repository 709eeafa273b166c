/* SPDX-License-Identifier: GPL-3.0-or-later */
/* target.c - build tool: the machine that filters are made for. */
#include "sandbox/target.h"

#include <fnmatch.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <stdbool.h>
#include <string.h>

#define CALL_MASK    0xffffffffu
#define VERSION_MASK 0xffffu /* ipc(2): above is a version */

struct target {
    const char *cpu; /* a pattern */
    uint32_t arch;   /* AUDIT_ARCH_... */
    const char *macro;
    bool multiplexes;
};

static const struct target targets[] = {
    {"x86_64", SCMP_ARCH_X86_64, "__x86_64__", false},
    {"i[3-7]86", SCMP_ARCH_X86, "__i386__", true},
    {"aarch64", SCMP_ARCH_AARCH64, "__aarch64__", false},
    {"arm", SCMP_ARCH_ARM, "__ARM_EABI__", false},
    {"armv[67]*l", SCMP_ARCH_ARM, "__ARM_EABI__", false},
    {"riscv64", SCMP_ARCH_RISCV64, "__riscv", false},
};

/* Numbers of linux/net.h and linux/ipc.h, and of asm/unistd_32.h: since Linux
 * 4.3 and 5.1 most of these are calls of their own, too. */
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

const struct target *
target_of_cpu(const char *cpu)
{
    for (size_t i = 0; i < sizeof(targets) / sizeof(*targets); i++) {
        if (fnmatch(targets[i].cpu, cpu, 0) == 0)
            return &targets[i];
    }
    return NULL;
}

/* Only on x86_64 does libseccomp refuse the numbers of its second ABI; on
 * 32-bit x86 it reads some numbers as those of calls with a second way. */
const char *
target_reason(const struct target *t)
{
    if (seccomp_arch_native() == SCMP_ARCH_X86 && t->arch != SCMP_ARCH_X86)
        return "on 32-bit x86 only its own filters are made";
    if (t->arch == SCMP_ARCH_X86_64 && seccomp_arch_native() != t->arch)
        return "filters for x86_64 are made on x86_64 only";
    return NULL;
}

const struct multiplexed *
target_multiplexed(const struct target *t, const char *call)
{
    for (size_t i = 0; i < sizeof(multiplexed) / sizeof(*multiplexed); i++) {
        if (t->multiplexes && strcmp(multiplexed[i].call, call) == 0)
            return &multiplexed[i];
    }
    return NULL;
}

/* Of a call that another takes in, libseccomp has no number. */
int
target_call(const struct target *t, const char *name)
{
    const struct multiplexed *by = target_multiplexed(t, name);
    int nr = by ? by->direct : seccomp_syscall_resolve_name_arch(t->arch, name);

    return nr < 0 ? -1 : nr;
}

int
target_mark(const struct target *t, struct sock_filter *code, size_t n)
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
target_macro(const struct target *t)
{
    return t->macro;
}
