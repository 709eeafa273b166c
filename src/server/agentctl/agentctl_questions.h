/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agentctl_questions.h - an agent's own requests that have no answer yet.
 *
 * Each is answered once, by whoever is first. */
#ifndef SERVER_AGENTCTL_AGENTCTL_QUESTIONS_H
#define SERVER_AGENTCTL_AGENTCTL_QUESTIONS_H

#include "wire/jsonrpc.h"

#define AGENTCTL_QUESTIONS_MAX 64

struct agentctl_questions {
    struct agentctl_question *first; /* the oldest */
    size_t n;
};

/* Adds a request, m being the line. ERR_NOMEM: too many are open. */
int agentctl_questions_add(struct agentctl_questions *q,
                           const struct jsonrpc *m, const char *line, size_t n,
                           struct err *e);

/* Removes the request that a response is for, and returns its id as the agent
 * wrote it, which the caller frees. NULL: there is none, or no more. */
char *agentctl_questions_take(struct agentctl_questions *q,
                              const struct jsonrpc *m);

/* Hands out the lines of those that are open, without the very long ones. */
void agentctl_questions_each(const struct agentctl_questions *q,
                             void (*each)(void *arg, const char *line,
                                          size_t n),
                             void *arg);
void agentctl_questions_clear(struct agentctl_questions *q);

/* The answer to a session/request_permission that allows: the result, as JSON,
 * of the first option that allows; where there is none, that it is cancelled.
 */
void agentctl_questions_put_yes(const struct json *params, struct buf *out);

#endif
