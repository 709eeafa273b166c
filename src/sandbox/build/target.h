/* SPDX-License-Identifier: GPL-3.0-or-later */
/* target.h - the architecture that mkfilter makes filters for.
 *
 * libseccomp writes each filter as for the machine that builds, with the
 * target's system call numbers in it, which it takes as they are; afterwards
 * target_mark puts the architecture right that the filter checks. libseccomp
 * could do that itself, but only for the system calls that it knows. */
#ifndef SANDBOX_BUILD_TARGET_H
#define SANDBOX_BUILD_TARGET_H

#include <linux/filter.h>
#include <stddef.h>
#include <stdint.h>

struct filter_target; /* one row of a table: never freed */

/* Returns the target of configure's host_cpu; NULL: there are no filters for
 * it. */
const struct filter_target *target_of_cpu(const char *cpu);

/* Returns why the target's filters cannot be made on this machine; NULL: they
 * can. */
const char *target_reason(const struct filter_target *t);

/* Returns the number of a system call; -1: the target does not have it. */
int target_call(const struct filter_target *t, const char *name);

/* A system call that is reached through another one, such as socketcall(2):
 * the first argument selects it, and its own arguments lie in memory, where a
 * filter cannot see them. */
struct multiplexed {
    const char *call, *through;
    uint32_t mask, value; /* of the first argument */
    int direct;           /* its number as a call of its own; -1: none */
};

/* Returns how `call` is reached through another call; NULL: it is not. */
const struct multiplexed *target_multiplexed(const struct filter_target *t,
                                             const char *call);

/* Turns a filter for the machine that builds into one for the target. -1: it
 * does not begin with a check of the architecture. */
int target_mark(const struct filter_target *t, struct sock_filter *code,
                size_t n);

/* Returns the macro that a compiler for the target defines, so that no other
 * program is built with its filters. */
const char *target_macro(const struct filter_target *t);

#endif
