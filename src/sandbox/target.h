/* SPDX-License-Identifier: GPL-3.0-or-later */
/* target.h - build tool: the machine that filters are made for.
 *
 * libseccomp writes each filter as for the machine that builds, with the
 * numbers of the target's calls in it, which it takes as they are; then the
 * machine that the program asks for is put right. It could do that itself, but
 * only for calls that it knows. */
#ifndef SANDBOX_TARGET_H
#define SANDBOX_TARGET_H

#include <linux/filter.h>
#include <stddef.h>
#include <stdint.h>

struct target; /* one row of a table: never freed */

/* That of configure's host_cpu; NULL where there are no filters for it. */
const struct target *target_of_cpu(const char *cpu);

/* NULL: its filters can be made here. Else why not. */
const char *target_reason(const struct target *t);

/* The number of a call; -1 where the target never had it. */
int target_call(const struct target *t, const char *name);

/* A call that is many: which one lies in its first argument, and what that
 * one's arguments are in memory, out of a filter's sight. */
struct multiplexed {
    const char *call, *through;
    uint32_t mask, value; /* of the first argument */
    int direct;           /* its number as a call of its own; -1: none */
};

/* The way to `call` through another; NULL where the target has none. */
const struct multiplexed *target_multiplexed(const struct target *t,
                                             const char *call);

/* Makes a program for the building machine one for the target; -1 where it
 * does not begin with a look at the machine. */
int target_mark(const struct target *t, struct sock_filter *code, size_t n);

/* The compiler's macro for the target, that only its programs are built with
 * its filters. */
const char *target_macro(const struct target *t);

#endif
