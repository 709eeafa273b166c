/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_report.h - the state of a plugin check, its reports and its scratch
 * directory. */
#ifndef TOOL_CHECK_CHECK_REPORT_H
#define TOOL_CHECK_CHECK_REPORT_H

#include <limits.h>

#include "tool/check/check.h"
#include "tool/confinement.h"

struct check_lines; /* check_exchange.h */

#define CHECK_REFUSED_MAX 64 /* names; further ones are reported again */

/* A check that runs. check.c owns it; the other files change what their
 * functions say. */
struct check {
    const struct check_params *params;
    struct tool tool;
    struct manifest *manifest;
    struct sandbox_setup step_setup;  /* of cmd.run, which has a step's setup */
    struct confinement confined;      /* what its process is started with */
    char *dir, *program;              /* of the plugin, real */
    char scratch[PATH_MAX];           /* its workspace; "": not made yet */
    struct seat *seat;                /* in it, with a state directory of its
                                         own; NULL: not made yet */
    struct check_lines *lines;        /* with its process; NULL: none */
    char *refused[CHECK_REFUSED_MAX]; /* denied calls reported so far; owned */
    size_t n_refused;
    int64_t id, limit_ms;
    int failed;
    bool answered; /* it has given a valid answer */
    bool hopeless; /* the other tests make no sense */
};

/* Reports the result of a test, whose name is a sentence. A failure is counted;
 * after an interrupt none is reported. */
void check_report_pass(struct check *t, const char *name);
void check_report_failure(struct check *t, const char *name,
                          const char *expected, const char *came,
                          const char *advice);
void check_report(struct check *t, enum check_verdict v, const char *name,
                  const char *came);

/* Whether the other tests are left out: they make no sense, or the person
 * interrupted. */
bool check_is_over(const struct check *t);

/* Makes the scratch directory with a file CHECK_SAMPLE in it, a state
 * directory, and the seat in them. */
int check_make_scratch(struct check *t, struct err *e);
void check_drop_scratch(struct check *t); /* removes it */
#define CHECK_SAMPLE "sample.txt"

#endif
