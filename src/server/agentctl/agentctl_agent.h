/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agentctl_agent.h - one agent: started and ended by request, its messages
 * passed on. */
#ifndef SERVER_AGENTCTL_AGENTCTL_AGENT_H
#define SERVER_AGENTCTL_AGENTCTL_AGENT_H

#include "base/loop.h"
#include "server/agentctl/agentctl_calls.h"
#include "server/agentctl/agentctl_output.h"
#include "server/agentctl/agentctl_settings.h"
#include "json/write.h"

#define AGENTCTL_HOW_MAX 64 /* bytes of how an agent has ended */

struct agentctl_agent;

struct agentctl_agent_events {
    /* A line of its standard output that answers no call. */
    void (*message)(void *arg, const char *line, size_t n);
    /* It has written a line, which is the last of its output. */
    void (*output)(void *arg);
    /* It was written to, or has written: it has begun its work. */
    void (*begun)(void *arg);
    /* All calls have failed. how: "exit status 3". It may be started again. */
    void (*ended)(void *arg, const char *how);
    void (*log)(void *arg, enum agentctl_level level, const char *line);
};

/* All is borrowed while the agent lives. */
struct agentctl_agent *agentctl_agent_new(
    struct loop *l, const struct seat *seat, const struct agentctl_settings *s,
    const struct agentctl_agent_events *ev, void *arg, struct err *e);
/* Kills it; no event follows. Accepts NULL. */
void agentctl_agent_free(struct agentctl_agent *a);

/* ERR_INVALID: it runs already; else why it cannot be started. */
int agentctl_agent_start(struct agentctl_agent *a, struct err *e);
/* `ended` follows. */
void agentctl_agent_stop(struct agentctl_agent *a, bool force);
bool agentctl_agent_is_running(const struct agentctl_agent *a);
bool agentctl_agent_is_idle(struct agentctl_agent *a); /* as its process is */

/* Pass on a message, which agentctl_message_check took, and what its thread has
 * made of it. ERR_NOT_FOUND: the agent does not run; ERR_NOMEM: it reads too
 * slowly, or too many calls are open; ERR_PEER: it is ending. Of an answer
 * ERR_INVALID: no request of the agent's with that id is open. cb and arg NULL:
 * the answer is for all who listen. */
int agentctl_agent_request(struct agentctl_agent *a,
                           struct agentctl_reading *read,
                           const struct jsonrpc *m, int64_t timeout_ms,
                           agentctl_call_cb *cb, void *arg, struct err *e);
int agentctl_agent_notify(struct agentctl_agent *a,
                          struct agentctl_reading *read,
                          const struct jsonrpc *m, struct err *e);
int agentctl_agent_answer(struct agentctl_agent *a,
                          struct agentctl_reading *read,
                          const struct jsonrpc *m, struct err *e);

/* Nobody waits any more for the requests with this argument: their answers are
 * for all who listen. */
void agentctl_agent_leave_calls(struct agentctl_agent *a, const void *arg);
/* Perhaps nobody does: they are the first to give their place to others. */
void agentctl_agent_yield_calls(struct agentctl_agent *a, const void *arg);

/* Its own requests that wait for an answer. */
void agentctl_agent_each_question(const struct agentctl_agent *a,
                                  void (*each)(void *arg, const char *line,
                                               size_t n),
                                  void *arg);

/* The members of an object: agent_status, process_info. */
void agentctl_agent_put_status(struct agentctl_agent *a, struct json_writer *w);

/* Appends what it has written on standard error last, of the run under way or
 * the last one. */
void agentctl_agent_put_errors(const struct agentctl_agent *a, struct buf *out);

const struct agentctl_output *
agentctl_agent_output(const struct agentctl_agent *a);
void agentctl_agent_put_metrics(const struct agentctl_agent *a,
                                struct buf *out);

#endif
