/* SPDX-License-Identifier: GPL-3.0-or-later */
/* acp_draft_steps.h - tells the plans of a turn in the draft of version 2, and
 * as tool calls their steps, and what the model calls itself. Each call gets an
 * end. */
#ifndef SERVER_ACP_ACP_DRAFT_STEPS_H
#define SERVER_ACP_ACP_DRAFT_STEPS_H

#include "server/acp/acp_session.h"
#include "server/acp/acp_step_output.h"
#include "server/acp/acp_update.h"

/* The members are of acp_draft_steps.c; `running`, `open` and `action` are to
 * be read, and `cancelled` to be set. */
struct acp_draft_steps {
    struct acp_session *session;
    const struct aiaction *action; /* that is proposed; NULL: none yet */
    const struct plan *plan;
    unsigned n_plans;
    size_t at;                     /* the step that runs, or is next */
    bool running;                  /* it runs */
    bool open;                     /* some steps have no end yet */
    bool cancelled;                /* the turn was */
    struct acp_step_output output; /* of step `at` */
    unsigned n_calls;
    char call[ACP_TOOL_CALL_ID]; /* of the model's, under way; "": none */
    int64_t sent_ms;             /* of the last update */
    struct acp_editor *only;     /* what is sent is for; NULL: for all */
};

int acp_draft_steps_init(struct acp_draft_steps *p, struct acp_session *s,
                         struct err *e);
void acp_draft_steps_done(struct acp_draft_steps *p);

/* Sends the params of an update of the turn, whatever it is about. One that is
 * too long, or that nobody reads, is lost. */
void acp_draft_send(struct acp_draft_steps *p, const struct buf *params);

/* The events of a turn of the same names (action/turn.h). */
void acp_draft_steps_propose(struct acp_draft_steps *p,
                             const struct aiaction *a, const struct plan *plan);
void acp_draft_steps_begin(struct acp_draft_steps *p, size_t step);
void acp_draft_steps_complete(struct acp_draft_steps *p, size_t step,
                              const struct step_end *end);

/* A call of the model's begins; it is over, and may never have begun. */
void acp_draft_steps_begin_call(struct acp_draft_steps *p, const char *line);
void acp_draft_steps_end_call(struct acp_draft_steps *p,
                              const struct tool_loop_call *c);

/* The calls that have no end get one: the step that failed or was refused, and
 * those behind it, which do not run. why NULL: the turn was cancelled. */
void acp_draft_steps_end(struct acp_draft_steps *p, const struct err *why);

/* Sends the plan; and the output so far of the step that runs. */
void acp_draft_steps_send_plan(struct acp_draft_steps *p);
void acp_draft_steps_send_output(struct acp_draft_steps *p);

/* The id of a step's tool call. */
void acp_draft_steps_id(const struct acp_draft_steps *p, size_t step,
                        char id[ACP_TOOL_CALL_ID]);

#endif
