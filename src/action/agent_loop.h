/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent_loop.h - sends a request to a model until it answers with an AiAction.
 *
 * The model may call read-only tools first (tool_loop.h): their results are
 * sent to it and it is asked again, for a bounded number of rounds. An answer
 * that is not a valid AiAction is sent back once, with the reason and without
 * an offer of tools; a second one is ERR_ANSWER. After a proposed action the
 * same conversation may go on, with the results of its steps or with the
 * person's words on how to change it. It runs no step and knows no terminal: it
 * calls its owner back. */
#ifndef ACTION_AGENT_LOOP_H
#define ACTION_AGENT_LOOP_H

#include "action/aiaction.h"
#include "action/conversation.h"
#include "action/tool_loop.h"
#include "model/client.h"

struct agent_loop;

/* What is asked, and with which means; borrowed for as long as the agent_loop
 * lives, but for the user's message, which is copied. */
struct agent_loop_params {
    enum aiaction_mode mode;
    const char *system;                 /* the system's message */
    const char *schema;                 /* of the answer: answer_schema.h */
    const char *user;                   /* the whole user's message … */
    const char *outside;                /* … and its origin: model/client.h */
    struct model_images *images;        /* beside it; NULL: none */
    struct tool_loop *tool_loop;        /* NULL: the model answers at once */
    const struct aiaction_tools *tools; /* that a step may name; NULL: none */
    /* of a session, to which this request is added; NULL: one of its own */
    struct conversation *conversation;
    int rounds; /* answers, at most; 0: TOOL_LOOP_ROUNDS_MAX */
};

struct agent_loop_events {
    /* text of an answer_only's summary, as it streams; may never come */
    void (*text)(void *arg, const char *bytes, size_t n);
    void (*waiting)(void *arg, const char *line); /* why it takes longer */
    /* a tool is at work; NULL: the model is asked again */
    void (*tool_started)(void *arg, const char *line);
    void (*tool_ended)(void *arg, const struct tool_loop_call *c);
    /* exactly one of these two comes last; the action is the callee's */
    void (*proposed)(void *arg, struct aiaction *a,
                     const struct conversation_usage *u);
    void (*failed)(void *arg, const struct err *why);
};

/* Sends the request to m. */
struct agent_loop *agent_loop_start(struct model *m,
                                    const struct agent_loop_params *p,
                                    const struct agent_loop_events *ev,
                                    void *arg, struct err *e);
/* Ends a query or a tool call that runs, without an event. The model outlives
 * it. */
void agent_loop_free(struct agent_loop *q);
DEFINE_CLEANUP(struct agent_loop, agent_loop_free)

/* Fills all of a request but its turns: the system's text, the schema, and the
 * tools, which are left out after so many rounds. */
void agent_loop_fill_request(const struct agent_loop_params *p, int rounds,
                             struct model_request *r);

/* Whether another action may follow in this conversation. */
bool agent_loop_may_continue(const struct agent_loop *q);

/* What its answers cost so far. Borrowed until the next one. */
const struct conversation_usage *agent_loop_usage(const struct agent_loop *q);

/* What was sent so far that others could have written, in words for a review;
 * NULL: nothing. */
const char *agent_loop_outside(const struct agent_loop *q);

/* After `proposed`: sends the results of the action's steps, n bytes from
 * outside, to the model. Another last event comes. */
int agent_loop_send_results(struct agent_loop *q, const char *results, size_t n,
                            struct err *e);

/* After `proposed`, in place of that: sends the person's words on how the
 * action is to be changed. */
int agent_loop_revise(struct agent_loop *q, const char *words, struct err *e);

/* Ctrl-C: ends the query or the tool call; failed(ERR_INTERRUPTED) comes. */
void agent_loop_cancel(struct agent_loop *q);

#endif
