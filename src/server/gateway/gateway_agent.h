/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gateway_agent.h - one agent for one task, with the agentctl beside it.
 *
 * The agentctl is a confined process of its own group, or a container, and
 * whatever it started ends with it. The gateway talks to it over a socket in a
 * directory that this user alone can enter. Everything the agent sends is
 * untrusted: it is checked, bounded, and cleaned of the secrets that its type
 * was given before an event is made of it. Callbacks are called from the loop,
 * and none by the functions of this header. */
#ifndef SERVER_GATEWAY_GATEWAY_AGENT_H
#define SERVER_GATEWAY_GATEWAY_AGENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/loop.h"
#include "base/seat.h"
#include "config/config.h"
#include "server/gateway/agent_type.h"

#define GATEWAY_AGENT_EVENT_MAX (1u << 20) /* bytes of the data of an event */

struct gateway_agent;

struct gateway_turn_end {
    bool success;
    const char *stop_reason; /* end_turn, cancelled, …; "" where none is said */
    const char *summary;     /* in the agent's words; "": none */
    int64_t tokens_in, tokens_out; /* of this turn; -1: it does not say */
    double cost;                   /* of the session; -1: it does not say */
};

/* Strings and buffers are borrowed until the callback returns. A callback may
 * call every function of this header, and gateway_agent_free in `ended` alone.
 */
struct gateway_agent_events {
    /* It has a session and waits for prompts. command: the agent's command
     * line, which is `agentsh acp` where the type's program and image are not
     * found. session_id is another one where the wanted one cannot be had. */
    void (*ready)(void *arg, const char *command, const char *session_id);
    /* kind: content, toolCall, update, result, error, log, progress, status,
     * heartbeat; data: one JSON value. */
    void (*event)(void *arg, const char *kind, const struct buf *data);
    /* It asks for permission; data: {"request_id","title","options"}. */
    void (*asks)(void *arg, const char *request_id, const struct buf *data);
    /* It no longer waits for the answer. */
    void (*withdrawn)(void *arg, const char *request_id);
    /* The turn of the oldest prompt is over; it waits for the next one. */
    void (*turn_ended)(void *arg, const struct gateway_turn_end *end);
    /* It is over, with its whole tree; the callee frees it. why NULL: it was
     * stopped as asked; else why was an event of the kind error before.
     * safe_to_retry: it never had a prompt. Called once, and nothing after it.
     */
    void (*ended)(void *arg, const struct err *why, bool safe_to_retry);
};

/* Milliseconds; 0: the usual time. */
struct gateway_agent_limits {
    int64_t start_ms;  /* from its start to its session (30 s) */
    int64_t silent_ms; /* in a turn without a word or a question (10 min) */
    int64_t cancel_ms; /* to end the turn after a cancel (10 s) */
};

/* Borrowed until gateway_agent_start returns, but for loop, type, events and
 * what arg and log_arg point to, which outlive the agent. */
struct gateway_agent_setup {
    struct loop *loop;
    const struct seat *seat; /* home, PATH and variables of the gateway */
    const struct config *config;
    void (*log)(void *arg, const char *line);
    void *log_arg;
    const struct agent_type *type;
    const char *agentctl; /* its program; NULL: the one that is installed */
    const char *task_id;
    const char *directory;        /* absolute: where it works */
    const char *description;      /* of the task; NULL: none */
    const char *session_id;       /* to resume; NULL: a new one */
    const char *const *variables; /* NAME=value, only for the agent, whose
                                     values are secret; or NULL */
    struct gateway_agent_limits limits;
    const struct gateway_agent_events *events;
    void *arg;
};

/* Starts one. Where that fails later, `ended` says why, with what the agent
 * wrote to its standard error. */
struct gateway_agent *gateway_agent_start(const struct gateway_agent_setup *set,
                                          struct err *e);

/* Begins a turn, after `ready` and when the turn before has ended. False: the
 * agent is about to end, and does not get the prompt. */
bool gateway_agent_prompt(struct gateway_agent *a, const char *text);
/* Ends the turn: `turn_ended` follows, or `ended` where it does not obey. */
void gateway_agent_cancel(struct gateway_agent *a);
/* The answer to `asks`. option_id NULL: nobody answers, it is cancelled. A
 * request that is not open is ignored. */
void gateway_agent_answer(struct gateway_agent *a, const char *request_id,
                          const char *option_id);
/* Ends the agent, with time to end by itself: `ended` follows. */
void gateway_agent_stop(struct gateway_agent *a);
/* Ends the whole tree at once, without a callback. Accepts NULL. */
void gateway_agent_free(struct gateway_agent *a);
DEFINE_CLEANUP(struct gateway_agent, gateway_agent_free)

/* Its id, which no other one has. Borrowed. */
const char *gateway_agent_instance(const struct gateway_agent *a);

#endif
