/* SPDX-License-Identifier: GPL-3.0-or-later */
/* recall.h - ai log: the journal as a person or a program reads it.
 *
 * All of it is bytes from outside: shown with every byte visible. Each
 * function prints in the form that was asked for and returns the exit
 * status. */
#ifndef PERSON_RECALL_H
#define PERSON_RECALL_H

#include "person/app.h"

/* Which runs are listed; NULL or "": all. */
struct recall_filter {
    const char *words;     /* each of them in a request, a plan or an answer */
    const char *status;    /* as recall_status calls it */
    const char *directory; /* where it was asked, or above that */
};

/* The newest runs, the newest first: n of them, or (n < 1) as many as the
 * screen has lines. As text without those of agentsh tool call, unless they
 * are asked for (tools) or there are no others: a program that calls tools
 * makes many of them. With a filter as many of those that fit it, of all runs.
 */
int recall_list(struct app *a, int64_t n, bool tools,
                const struct recall_filter *filter);

/* Everything of one run, named by its beginning or its end. */
int recall_run(struct app *a, const char *word);

/* Whether the chain holds: 1 when it does not. */
int recall_verify(struct app *a);

#endif
