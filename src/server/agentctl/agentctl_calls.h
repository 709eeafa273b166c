/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agentctl_calls.h - requests that were passed on to an agent, by their ids.
 *
 * The agent sees ids that are ours, integers counted from 1; an answer gets the
 * id back that the client gave. */
#ifndef SERVER_AGENTCTL_AGENTCTL_CALLS_H
#define SERVER_AGENTCTL_AGENTCTL_CALLS_H

#include "base/loop.h"
#include "server/agentctl/agentctl_message.h"

#define AGENTCTL_CALLS_MAX    1024 /* that wait at once */
#define AGENTCTL_CALLS_OF_ONE 256  /* with the same argument */

struct agentctl_calls;

/* A line of the agent's. */
struct agentctl_line {
    const char *p;
    size_t n;
    struct buf *memory; /* that has them, and may be taken; or NULL */
};

/* line is the agent's response, as it came, or with the client's id; NULL:
 * there is none, and why says so. */
typedef void agentctl_call_cb(void *arg, const struct agentctl_line *line,
                              const struct err *why);

/* cb gets the answers that nobody in particular waits for. */
struct agentctl_calls *agentctl_calls_new(struct loop *l, agentctl_call_cb *cb,
                                          void *arg, struct err *e);
/* No callback is called. Accepts NULL. */
void agentctl_calls_free(struct agentctl_calls *c);
DEFINE_CLEANUP(struct agentctl_calls, agentctl_calls_free)

/* Adds a call, and returns the id that the agent is to get, or -1: ERR_NOMEM,
 * too many are open. id: the client's own, as it is written; NULL: it gave
 * none. timeout_ms 0: no limit. cb is called once. NULL: its answer, also a
 * late one, is for all; arg is NULL then. Another call, which was left, may
 * have to give its place: its cb gets ERR_DENIED before this returns. */
int64_t agentctl_calls_add(struct agentctl_calls *c, const char *id,
                           int64_t timeout_ms, agentctl_call_cb *cb, void *arg,
                           struct err *e);

/* Forgets one that was not sent. */
void agentctl_calls_remove(struct agentctl_calls *c, int64_t id);

/* Concludes the call that a response is for, m being the line, which r has
 * read. False: there is none. */
bool agentctl_calls_answer(struct agentctl_calls *c, const struct jsonrpc *m,
                           const struct agentctl_line *line,
                           struct agentctl_reading *r);

/* Concludes the call with this id of the agent's, or all (NULL), by an error
 * response of ours, as if the agent had sent it. False: there is none. */
bool agentctl_calls_refuse(struct agentctl_calls *c, const char *id,
                           const char *message);

/* Whether a call is open whose answer gets another id. */
bool agentctl_calls_have_ids(const struct agentctl_calls *c);

/* Nobody waits any more for the calls whose callback has this argument: they
 * take no place from others, and their answers are for all as long as they are
 * known. */
void agentctl_calls_leave(struct agentctl_calls *c, const void *arg);

/* Who waits for the calls with this argument has perhaps gone: they are
 * answered, but are the first to give their place to others. */
void agentctl_calls_yield(struct agentctl_calls *c, const void *arg);

/* The agent has ended: concludes all. */
void agentctl_calls_fail(struct agentctl_calls *c, const struct err *why);

size_t agentctl_calls_open(const struct agentctl_calls *c);    /* that wait */
uint64_t agentctl_calls_total(const struct agentctl_calls *c); /* ever */

#endif
