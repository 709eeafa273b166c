/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shorten.h - makes a seccomp program shorter that does the same.
 *
 * The kernel translates a program each time when it is loaded, by so much an
 * instruction. What libseccomp writes has one for each value of a range, three
 * for each bit of a mask, and three for a half of an argument that no rule
 * asks about. Part of the build tool mkfilter. */
#ifndef SANDBOX_SHORTEN_H
#define SANDBOX_SHORTEN_H

#include <linux/filter.h>
#include <stdbool.h>
#include <stddef.h>

#define SHORTEN_MAX 1024 /* instructions */

/* Shortens the program in its place; returns how many are left. One that does
 * what seccomp programs do not stays as it is. 0: the shorter one is not the
 * same, which is a mistake of ours. */
size_t shorten(struct sock_filter *code, size_t n);

/* Whether two programs give one answer: tried with every call, and where
 * arguments are looked at, with what either compares with, and what is next to
 * that. */
bool shorten_same(const struct sock_filter *a, size_t n_a,
                  const struct sock_filter *b, size_t n_b);

#endif
