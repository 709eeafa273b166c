/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check.h - tests a plugin against agentsh-plugin(7), in its own confinement.
 *
 * The folder check/ is `agentsh plugin check`. It must not know how its
 * findings are shown: each is reported to the caller (check_report.h). A plugin
 * that hangs, dies or writes garbage fails a test; only a directory that is
 * none, and memory, are errors.
 *
 * It sends the plugin valid requests, and invalid ones: lines that are not
 * JSON, arguments that its schema refuses. The plugin need not be trusted, for
 * the person asked for its check. Actions that change something only get
 * requests that they must refuse, unless run_all. Unlike the rest of tool/ it
 * waits, with a deadline each time, for a caller that does nothing else. */
#ifndef TOOL_CHECK_CHECK_H
#define TOOL_CHECK_CHECK_H

#include <stdbool.h>

#include "base/loop.h"
#include "config/config.h"

enum check_verdict {
    CHECK_OK,
    CHECK_FAILED,
    CHECK_SKIPPED, /* `came` says why */
    CHECK_NOTE,    /* `came` is information, and no error */
};

/* The result of one test. Texts are valid during the callback and may be "";
 * they hold bytes that the plugin wrote. */
struct check_finding {
    enum check_verdict verdict;
    const char *name;     /* a sentence that is true when it passed */
    const char *expected; /* when it failed: what was expected, */
    const char *came;     /* what came instead, */
    const char *advice;   /* and what to do */
};

struct check_params {
    struct loop *loop;
    const struct config *config;
    const struct seat *seat; /* the person's; `dir` is relative to it */
    const char *dir;         /* the plugin's */
    bool run_all;
    const int *stop; /* not 0: the person interrupts it */
    void (*report)(void *arg, const struct check_finding *f);
    void *arg;
};

/* Returns how many tests failed. -1: the plugin could not be tested
 * (ERR_USAGE: dir is not a directory). */
int check_plugin(const struct check_params *w, struct err *e);

#endif
