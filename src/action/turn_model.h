/* SPDX-License-Identifier: GPL-3.0-or-later */
/* turn_model.h - inside a turn: asks its model for proposals.
 *
 * It learns the tools of MCP servers that are not known, writes the first
 * message, and prices what the model answers. What comes of a proposal is the
 * turn's business. */
#ifndef ACTION_TURN_MODEL_H
#define ACTION_TURN_MODEL_H

#include "action/turn.h"

struct turn_model;

/* All is borrowed, but for the setting, which is copied. What only the person
 * is to know (note, text, waiting, tool_started) goes to the turn's listener.
 */
struct turn_model_params {
    const struct turn_context *cx;
    const struct user_request *request;
    const struct turn_setting *set;
    const struct turn_events *listener;
    void *listener_arg;
};

/* All come from the loop. */
struct turn_model_events {
    /* The first message is written: its bytes; then it is sent. With
     * show_request the listener gets it instead, and nothing follows. */
    void (*written)(void *arg, size_t bytes);
    void (*sent)(void *arg);
    void (*tool_ended)(void *arg, const struct tool_loop_call *c);
    /* One of these two ends each question. The proposal is the callee's; spent
     * is what was paid without an answer, NULL: nothing was asked. */
    void (*proposed)(void *arg, struct proposal *p);
    void (*failed)(void *arg, const struct err *why,
                   const struct conversation_usage *spent);
};

struct turn_model *turn_model_start(const struct turn_model_params *p,
                                    const struct turn_model_events *ev,
                                    void *arg, struct err *e);
void turn_model_free(struct turn_model *m); /* without an event */
DEFINE_CLEANUP(struct turn_model, turn_model_free)

/* As in agent_loop.h: may_continue before the first message is sent is true,
 * usage NULL. */
bool turn_model_may_continue(const struct turn_model *m);
const struct conversation_usage *turn_model_usage(const struct turn_model *m);
int turn_model_send_results(struct turn_model *m, const struct buf *results,
                            struct err *e);
int turn_model_revise(struct turn_model *m, const char *words, struct err *e);

/* `failed` comes, with ERR_INTERRUPTED. */
void turn_model_cancel(struct turn_model *m);

#endif
