/* SPDX-License-Identifier: GPL-3.0-or-later */
/* undo_call.h - steps that change packages or services, and what their tools
 * know about going back.
 *
 * An action whose manifest says "undo" changes something that the tool can tell
 * as one object of texts, by its read-only action `state`; its action `reverse`
 * makes of two such objects the calls that lead back. What the objects hold is
 * the tool's business alone. A command line that plainly is such a change is
 * treated as if it had been made by the tool. */
#ifndef ACTION_UNDO_CALL_H
#define ACTION_UNDO_CALL_H

#include "action/step_verdict.h"
#include "base/loop.h"
#include "json/json.h"

#define UNDO_CALL_TEXT_MAX (8u << 20) /* of a state, as JSON */

/* What a step is for the tool that can tell of it. */
struct undo_call {
    const char *tool; /* its name; borrowed from the step, or a constant */
    char *of;         /* the arguments of the call, as JSON; owned */
    bool versions;    /* it is taken back as far as old versions can be had */
};

/* 1: the step is one; 0: it is none; -1: no memory. After 1 undo_call_done is
 * due. */
int undo_call_find(const struct step *s, const struct step_verdict *v,
                   struct undo_call *out, struct err *e);
void undo_call_done(struct undo_call *c); /* accepts NULL */

/* A question to a tool, which changes nothing and runs nothing as root. */
struct undo_query;
struct undo_query_params {
    struct loop *loop;
    const struct seat *seat;
    const struct config *config;
    const struct tool *tool; /* all borrowed while it lives */
    const char *action;      /* state, or reverse */
    const char *args;        /* as JSON; only for the call */
};

/* cb comes once, from the loop, with the meta of the answer, borrowed, or why
 * there is none; it may free the query. */
typedef void undo_query_cb(void *arg, const struct json *meta,
                           const struct err *why);
struct undo_query *undo_query_start(const struct undo_query_params *p,
                                    undo_query_cb *cb, void *arg,
                                    struct err *e);
void undo_query_free(struct undo_query *q); /* ends it; accepts NULL */
DEFINE_CLEANUP(struct undo_query, undo_query_free)

/* Asks the tool for the state that a call of it changes; of: the arguments of
 * that, as JSON. */
struct undo_query *undo_query_state(const struct undo_query_params *p,
                                    const struct undo_call *c,
                                    undo_query_cb *cb, void *arg,
                                    struct err *e);

/* The same for a step that was judged so (undo_paths.h). */
struct undo_query *undo_query_step(const struct undo_query_params *p,
                                   const struct step *s,
                                   const struct step_verdict *v,
                                   undo_query_cb *cb, void *arg, struct err *e);

/* The tool of that name, which must be built in. NULL with the reason. */
const struct tool *undo_call_tool(struct registry *tools, const char *name,
                                  struct err *e);

#endif
