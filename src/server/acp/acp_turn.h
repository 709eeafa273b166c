/* SPDX-License-Identifier: GPL-3.0-or-later */
/* acp_turn.h - what a turn of a session is in every dialect: its start, how far
 * it is, the updates to the editors, the question about a step, and its end.
 *
 * A dialect has a struct of its own that begins with struct acp_turn, and a
 * struct acp_turn_dialect. It listens to the events of the turn
 * (action/turn.h), writes its own updates about them, and calls the functions
 * below in those events, so that struct acp_turn says at any time how far the
 * turn is.
 *
 * From acp_turn_start on the turn belongs to its session, which cancels, pauses
 * and frees it (struct acp_turn_ops). A turn that ends by itself calls
 * acp_turn_end in its event `over`, sends its last updates, and frees itself
 * with acp_turn_free.
 *
 * An update that is too long, or that nobody reads, is lost: the turn goes on.
 * Only starting a turn can fail. */
#ifndef SERVER_ACP_ACP_TURN_H
#define SERVER_ACP_ACP_TURN_H

#include "server/acp/acp_permission.h"
#include "server/acp/acp_session.h"
#include "server/acp/acp_step_output.h"
#include "server/acp/acp_update.h"

/* A dialect. Its functions get the struct of the dialect; each but `quiet` may
 * be NULL. */
struct acp_turn_dialect {
    size_t size;               /* bytes of that struct */
    bool can_ask;              /* it has a question about a step */
    struct turn_events events; /* their argument is that struct, too */
    /* Frees the dialect's own members, and sends what an editor waits for; the
     * question is withdrawn already. */
    void (*free)(void *turn);
    /* The turn is about to be cancelled. */
    void (*cancel)(void *turn);
    /* See struct acp_turn_ops. What `show` sends by acp_turn_send goes to the
     * editor that comes, and to no other. */
    void (*leave)(void *turn, const struct acp_editor *ed);
    void (*show)(void *turn, bool replayed);
    /* Nothing was sent for 5 s, the longest silence that the specification
     * allows, and no question is open: something must be sent. */
    void (*quiet)(void *turn);
};

/* The members are set by the functions below, and read by the dialects. */
struct acp_turn {
    const struct acp_turn_dialect *dialect;
    struct acp_session *session;
    struct turn *turn;
    bool cancelled;
    struct watch *progress;
    int64_t sent_ms;         /* when the last update was sent */
    struct acp_editor *only; /* gets all that is sent; NULL: everybody does */

    struct buf streamed;            /* the message's text so far */
    char message[ACP_TOOL_CALL_ID]; /* its id; "": none has begun */

    unsigned n_calls;            /* of the model, so far */
    char call[ACP_TOOL_CALL_ID]; /* the one under way; "": there is none */

    const struct aiaction *action; /* that is proposed; NULL: none yet */
    const struct plan *plan;
    unsigned n_plans;
    size_t at;                     /* the step that runs, or is next */
    bool running;                  /* it runs */
    bool open;                     /* some steps have no end yet */
    struct acp_step_output output; /* of step `at` */
    struct acp_permission question;
};

/* Begins a turn for a prompt. The session has none under way. Returns the
 * dialect's struct, whose own members are zero; the first event comes later,
 * from the loop. Errors: see acp_session_begin_turn. */
void *acp_turn_start(struct acp_session *s, const struct acp_turn_dialect *d,
                     const struct acp_prompt *p, struct err *e);

/* Keeps the turn in the history and ends it in the session. */
void acp_turn_end(struct acp_turn *t, const struct turn_end *end);
void acp_turn_free(void *turn);
DEFINE_CLEANUP(void, acp_turn_free)

/* As the session cancels it. */
void acp_turn_cancel(void *turn);

/* Whether a reason is no fault of the connection or the model: it is a message,
 * and the turn has ended as turns do. */
bool acp_turn_ends_in_message(const struct err *why);

/* Sends the params of an update. */
void acp_turn_send(struct acp_turn *t, const struct buf *params);

/* The prompt is kept in the history; id NULL: it has none. Returns the title
 * that it gives to the session, for the editors, which the caller frees; NULL:
 * the session has one. */
char *acp_turn_keep_prompt(const struct acp_turn *t, const char *text,
                           const char *id);

/* A part of a message of the agent came: adds it to `streamed`. */
void acp_turn_add_text(struct acp_turn *t, const char *bytes, size_t n);
/* The next part is of another message. */
void acp_turn_end_text(struct acp_turn *t);
/* Writes the id of a new message. */
void acp_turn_message_id(const struct acp_turn *t, char id[ACP_TOOL_CALL_ID]);
/* Keeps a whole message in the history; id NULL: it has none. */
void acp_turn_keep_message(const struct acp_turn *t, const char *kind,
                           const char *text, const char *id);

/* Adds what the model was paid for, and writes the update about it. */
void acp_turn_put_usage(const struct acp_turn *t, struct buf *out,
                        const struct conversation_usage *u);

/* The model calls a tool: `call` is its id until it is cleared. */
void acp_turn_begin_call(struct acp_turn *t);

/* Steps are proposed; one begins, and is over. next: the step that may run
 * then, which is the same one where it is asked about again. */
void acp_turn_propose(struct acp_turn *t, const struct aiaction *a,
                      const struct plan *p);
void acp_turn_begin_step(struct acp_turn *t, size_t step);
void acp_turn_end_step(struct acp_turn *t, size_t next);
/* What the editors see first of a proposal. */
const char *acp_turn_summary(const struct aiaction *a);
/* The plan is over; `at` is the first step that did not run. */
void acp_turn_end_plan(struct acp_turn *t);

/* The id of a step, which is a tool call, too. */
void acp_turn_step_id(const struct acp_turn *t, size_t step,
                      char id[ACP_TOOL_CALL_ID]);

/* The event of that name: the step's output is sent a little later. Sends the
 * end of it at once. */
void acp_turn_output(void *turn, size_t step, const char *host,
                     const char *stream, const char *bytes, size_t n);
void acp_turn_send_output(struct acp_turn *t);

/* Begins the question about a step, for the dialect to write its params. about:
 * what it says, which is in `sandbox` and in the turn. */
void acp_turn_begin_question(struct acp_turn *t, unsigned token, size_t step,
                             struct acp_question *about, struct buf *sandbox);

#endif
