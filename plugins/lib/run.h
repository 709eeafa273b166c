/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run.h - a program that a tool runs by itself, in its own sandbox. */
#ifndef PLUGINS_LIB_RUN_H
#define PLUGINS_LIB_RUN_H

#include <stdbool.h>

#include "plugins/lib/need.h"

/* How a program is run. */
struct run_how {
    const struct request *request; /* whose time is left, if it has a limit;
                                      NULL: RUN_LIMIT_MS */
    bool shown; /* its output goes out as events where the request streams */
};

#define RUN_LIMIT_MS 60000 /* of what is asked on the way */

/* Runs it to its end, without a shell, with nothing on standard input and in
 * the locale C.UTF-8, so that what it writes is the same everywhere. As with
 * reply_need, how it ended is in out, which is initialised; out's bounds are
 * kept by dropping what is over. It is ended, TIMEOUT, when the time is up. */
int run_program(const char *const *argv, const struct run_how *how,
                struct need_answer *out, struct err *e);

#endif
