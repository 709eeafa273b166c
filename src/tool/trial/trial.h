/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trial.h - a plugin, tried against the contract behind its own walls.
 *
 * Speaks with it as the front does, and as nobody should: lines that are no
 * JSON, arguments that its schema refuses. It need not be agreed to: who asks
 * for the trial has said so. Actions that change things are only called with
 * what must be refused, unless run_all. Each wait has a deadline; unlike the
 * rest of tool/ it does wait, for a door that does nothing else meanwhile.
 * The working directory and XDG_STATE_HOME are those of a scratch directory
 * afterwards. */
#ifndef TOOL_TRIAL_H
#define TOOL_TRIAL_H

#include <stdbool.h>

#include "base/loop.h"
#include "config/config.h"

enum trial_verdict {
    TRIAL_OK,
    TRIAL_NOT_OK,
    TRIAL_SKIPPED, /* came says why */
    TRIAL_NOTE,    /* came is worth knowing, and no fault */
};

/* One test; texts are valid during the call and may be "". They hold what a
 * plugin wrote. */
struct trial_finding {
    enum trial_verdict verdict;
    const char *name;   /* a sentence that is true when it passed */
    const char *wanted; /* when it did not: what was expected, */
    const char *came;   /* what came, */
    const char *advice; /* and what to do */
};

struct trial_wish {
    struct loop *loop;
    const struct config *config;
    const char *dir; /* the plugin's */
    bool run_all;
    const int *stop; /* not 0: the person wants it to end */
    void (*told)(void *arg, const struct trial_finding *f);
    void *arg;
};

/* Returns how many tests failed; -1: it could not be tried (ERR_USAGE: dir is
 * no directory). */
int trial_run(const struct trial_wish *w, struct err *e);

#endif
