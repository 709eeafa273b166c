/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spaces_check.h - agentsh spaces --check: says whether lines are valid. */
#ifndef SERVER_SPACES_SPACES_CHECK_H
#define SERVER_SPACES_SPACES_CHECK_H

#include <stdbool.h>

#include "base/cleanup.h"
#include "base/loop.h"

struct spaces_check;

/* Answers each line of `in` by one on `out` (spaces_line_check), and calls
 * ended when all are written, or nobody reads them. */
struct spaces_check *spaces_check_new(struct loop *l, int in, int out,
                                      void (*ended)(void *arg), void *arg,
                                      struct err *e);
void spaces_check_free(struct spaces_check *c); /* accepts NULL */
DEFINE_CLEANUP(struct spaces_check, spaces_check_free)

/* Whether all lines were valid. */
bool spaces_check_passed(const struct spaces_check *c);

#endif
