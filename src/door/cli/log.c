/* SPDX-License-Identifier: GPL-3.0-or-later */
/* log.c - ai log: what happened. */
#include <errno.h>
#include <stdlib.h>

#include "door/cli/call.h"
#include "person/recall.h"

#define RUNS_MAX 1000000

/* 0: not given. */
static int
read_count(const char *text, int64_t *n, struct err *e)
{
    char *end = NULL;
    long v;

    if (!text)
        return 0;
    errno = 0;
    v = strtol(text, &end, 10);
    if (errno || end == text || *end || v < 1 || v > RUNS_MAX)
        return err_set(e, ERR_USAGE, "-n is a number of runs, not '%.40s'",
                       text);
    *n = v;
    return 0;
}

int
call_log(struct call *c)
{
    const struct options *o = &c->options;
    const struct recall_filter filter = {o->search, o->status, o->directory};
    bool filtered = o->search || o->status || o->directory;
    struct err e = {0};
    int64_t n = 0;

    if (c->n > 1)
        err_set(&e, ERR_USAGE, "log takes one run; options go before it");
    else if (o->verify && (c->n > 0 || o->count))
        err_set(&e, ERR_USAGE, "--verify checks all of it: no run, no -n");
    else if (c->n == 1 && o->count)
        err_set(&e, ERR_USAGE, "-n is for the list of runs");
    else if (o->tools && (c->n == 1 || o->verify))
        err_set(&e, ERR_USAGE, "--tools is for the list of runs");
    else if (filtered && (c->n == 1 || o->verify))
        err_set(&e, ERR_USAGE,
                "-s, --status and --directory are for the list of runs");
    else
        (void)read_count(o->count, &n, &e);
    if (e.code != ERR_NONE)
        return app_fail(c->app, &e);
    if (o->verify)
        return recall_verify(c->app);
    if (c->n == 1)
        return recall_run(c->app, c->words[0]);
    return recall_list(c->app, n, o->tools, &filter);
}
