/* SPDX-License-Identifier: GPL-3.0-or-later */
/* errand_check.h - what is refused of a request whatever the rules say. */
#ifndef ACTION_ERRAND_CHECK_H
#define ACTION_ERRAND_CHECK_H

#include "action/errand.h"

/* Checks the action and its arguments against the manifest. ERR_INVALID. */
int errand_check_args(const struct tool *t, const struct errand_request *rq,
                      struct err *e);

/* Denies a command that asks for a password: no listener has a terminal on
 * which it could be typed. */
void errand_check_sudo(struct permit *p);

#endif
