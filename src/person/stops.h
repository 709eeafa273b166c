/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stops.h - the signals that end a run: Ctrl-C, kill(1), a lost terminal. */
#ifndef PERSON_STOPS_H
#define PERSON_STOPS_H

#include "base/loop.h"

#define STOPS_N 3

struct stops {
    struct watch *v[STOPS_N]; /* all zero: none is watched */
};

/* Calls cb with the signal's number for each of them until stops_done, which
 * s needs in any case. */
int stops_init(struct stops *s, struct loop *l, loop_cb *cb, void *arg,
               struct err *e);
void stops_done(struct stops *s); /* accepts NULL; s is all zero afterwards */

#endif
