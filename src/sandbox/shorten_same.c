/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shorten_same.c - whether two seccomp programs give one answer. */
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "sandbox/shorten.h"

#define CALLS     600 /* system call numbers; none is above yet */
#define ARGUMENTS 6
#define X32       0x40000000

static uint32_t
word(const struct seccomp_data *d, uint32_t at)
{
    uint32_t value = 0;

    if (at + sizeof(value) <= sizeof(*d))
        memcpy(&value, (const char *)d + at, sizeof(value));
    return value;
}

static bool
holds(const struct sock_filter *c, uint32_t a)
{
    switch (BPF_OP(c->code)) {
    case BPF_JEQ:
        return a == c->k;
    case BPF_JGT:
        return a > c->k;
    case BPF_JGE:
        return a >= c->k;
    default:
        return (a & c->k) != 0;
    }
}

/* What the program answers; 0 where it ends without an answer. looked: set
 * when it looks at an argument. */
static uint32_t
run(const struct sock_filter *code, size_t n, const struct seccomp_data *d,
    bool *looked)
{
    uint32_t a = 0;

    for (size_t i = 0; i < n; i++) {
        const struct sock_filter *c = &code[i];

        if (BPF_CLASS(c->code) == BPF_RET)
            return c->k;
        *looked |= BPF_CLASS(c->code) == BPF_LD &&
                   c->k >= offsetof(struct seccomp_data, args);
        if (BPF_CLASS(c->code) == BPF_LD)
            a = word(d, c->k);
        else if (BPF_CLASS(c->code) == BPF_ALU)
            a &= c->k;
        else if (BPF_OP(c->code) == BPF_JA)
            i += c->k;
        else
            i += holds(c, a) ? c->jt : c->jf;
    }
    return 0;
}

struct pair {
    const struct sock_filter *a, *b;
    size_t n_a, n_b;
};

static bool
agree(const struct pair *p, const struct seccomp_data *d, bool *looked)
{
    return run(p->a, p->n_a, d, looked) == run(p->b, p->n_b, d, looked);
}

/* With one value in each argument in turn, alone and with bits above. */
static bool
agree_on_value(const struct pair *p, const struct seccomp_data *d,
               uint32_t value)
{
    static const uint64_t above[] = {0, 1ull << 32, UINT64_MAX << 32};
    bool looked = false;

    for (int i = 0; i < ARGUMENTS; i++) {
        for (size_t j = 0; j < sizeof(above) / sizeof(*above); j++) {
            struct seccomp_data one = *d;

            one.args[i] = value | above[j];
            if (!agree(p, &one, &looked))
                return false;
        }
    }
    return true;
}

static bool
agree_on_values(const struct pair *p, const struct seccomp_data *d,
                const struct sock_filter *code, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        for (uint32_t next = 0; next < 3; next++) {
            if (!agree_on_value(p, d, code[i].k + next - 1))
                return false;
        }
    }
    return true;
}

static bool
agree_on_call(const struct pair *p, const struct seccomp_data *d)
{
    bool looked = false;

    if (!agree(p, d, &looked))
        return false;
    return !looked || (agree_on_values(p, d, p->a, p->n_a) &&
                       agree_on_values(p, d, p->b, p->n_b));
}

bool
shorten_same(const struct sock_filter *a, size_t n_a,
             const struct sock_filter *b, size_t n_b)
{
    static const uint32_t machines[] = {AUDIT_ARCH_X86_64, AUDIT_ARCH_I386,
                                        AUDIT_ARCH_AARCH64, AUDIT_ARCH_ARM,
                                        AUDIT_ARCH_RISCV64};
    const struct pair p = {a, b, n_a, n_b};
    struct seccomp_data d = {.nr = -1};

    for (size_t m = 0; m < sizeof(machines) / sizeof(*machines); m++) {
        d.arch = machines[m];
        for (d.nr = -1; d.nr < CALLS; d.nr++) {
            struct seccomp_data x32 = d;

            x32.nr |= X32;
            if (!agree_on_call(&p, &d) || !agree_on_call(&p, &x32))
                return false;
        }
    }
    return true;
}
