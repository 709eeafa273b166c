/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stop_signals.h - watches the signals that end a run: SIGINT (Ctrl-C),
 * SIGTERM (kill) and SIGHUP (the terminal is gone). */
#ifndef UI_STOP_SIGNALS_H
#define UI_STOP_SIGNALS_H

#include "base/loop.h"

#define STOP_SIGNALS_N 3

struct stop_signals {
    struct watch *v[STOP_SIGNALS_N]; /* all zero: none is watched */
};

/* Calls cb with the number of each signal that comes before
 * stop_signals_done, which is due whether or not this fails. */
int stop_signals_init(struct stop_signals *s, struct loop *l, loop_cb *cb,
                      void *arg, struct err *e);
/* Whether one of them is waiting, without the loop: for work that does not turn
 * it. The signal is taken, and no callback hears of it. */
bool stop_signals_take(const struct stop_signals *s);
void stop_signals_done(struct stop_signals *s); /* accepts NULL; *s is all
                                                   zero afterwards */

#endif
