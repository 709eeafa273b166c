/* SPDX-License-Identifier: GPL-3.0-or-later */
/* turn.h - drives one request from its words to the last answer.
 *
 * A turn asks a model, or the offline engine, for an AiAction (agent_loop.h,
 * offline_proposal.h), judges its steps, asks about them, runs them (plan.h),
 * sends their results back where the model is to see them, and goes on until an
 * answer needs nothing more. It is a state machine on the loop: it never waits,
 * knows nobody who asks or shows, and many are under way at once. What it meets
 * and decides is in the journal before its listener hears of it. */
#ifndef ACTION_TURN_H
#define ACTION_TURN_H

#include "action/conversation.h"
#include "action/plan.h"
#include "action/run_audit.h"
#include "action/tool_loop.h"
#include "action/user_request.h"
#include "model/select.h"

struct turn;

/* What a turn works with; all of it outlives the turn. */
struct turn_context {
    struct loop *loop;
    const struct seat *seat;
    const struct config *config;
    const struct policy *policy;
    struct registry *registry;               /* NULL: no step names a tool */
    const char *const *named;                /* see struct path_context */
    struct model *model;                     /* NULL: the offline engine */
    const struct model_selection *selection; /* of the model */
    struct conversation *conversation; /* of a session, which the turn adds to;
                                          NULL: it has no other turns */
    struct run_audit *audit;           /* NULL: nothing is recorded */
    const struct peer_files *files;    /* see struct tool_invocation */
    struct tool_pool *pool; /* of a session, whose servers stay; NULL:
                               the turn has its own */
};

/* How it goes about it. */
struct turn_setting {
    bool can_ask; /* questions can be answered; else each is a no */
    /* as in plan_setting */
    bool reads_only, writes;
    bool (*is_covered)(void *arg, const struct step *s);
    void *covered_arg;
    bool no_tool_calls; /* the model calls no tools before it answers */
    int rounds;         /* answers of a model, at most; 0: the usual limit */
};

enum turn_outcome {
    TURN_ANSWERED, /* the last answer was in words */
    TURN_RAN,      /* the steps ran, and nobody wants their results */
    TURN_LIMIT,    /* the same, and the model could not be asked again */
    TURN_FAILED,   /* why says what went wrong, or who said no */
};

struct turn_end {
    enum turn_outcome outcome;
    struct err why;     /* of TURN_FAILED */
    size_t executed;    /* steps that ran, of all plans */
    const char *answer; /* of TURN_ANSWERED; borrowed */
    bool unfit;         /* the answer only says why nothing is proposed */
    const struct conversation_usage *usage; /* borrowed; NULL: no model was
                                               asked */
};

/* All come from the loop, or from turn_answer and turn_cancel. */
struct turn_events {
    /* A part of an answer in words, as it streams; it may never come. */
    void (*text)(void *arg, const char *bytes, size_t n);
    /* Why it takes longer; a tool that the model calls (NULL: the model is
     * asked again), and how that ended. */
    void (*waiting)(void *arg, const char *line);
    void (*tool_started)(void *arg, const char *line);
    void (*tool_ended)(void *arg, const struct tool_loop_call *c);
    /* The model was paid for an answer. */
    void (*usage)(void *arg, const struct conversation_usage *u);
    /* The steps are judged, and nothing is asked or run before this returns.
     * Both are valid until the next one, or `over`. */
    void (*proposed)(void *arg, const struct aiaction *a, const struct plan *p);
    /* A question about a step of that plan, for turn_answer. */
    void (*ask)(void *arg, unsigned token, enum plan_question q, size_t step);
    void (*step_begin)(void *arg, size_t step);
    void (*output)(void *arg, size_t step, const char *stream,
                   const char *bytes, size_t n);
    void (*step_complete)(void *arg, size_t step, const struct step_end *end);
    /* A plan is over; why->code is ERR_NONE where no step failed. */
    void (*plan_complete)(void *arg, const struct plan_end *end);
    /* The last event; it comes from the loop, and may free the turn. */
    void (*over)(void *arg, const struct turn_end *end);
};

/* Begins a turn. The request is copied; events come later, from the loop. */
struct turn *turn_start(const struct turn_context *cx,
                        const struct user_request *request,
                        const struct turn_setting *set,
                        const struct turn_events *ev, void *arg, struct err *e);
void turn_free(struct turn *t); /* ends what runs, without an event */
DEFINE_CLEANUP(struct turn, turn_free)

/* Answers the open question; one with another token changes nothing, and
 * returns false. what: in words, for the journal. */
bool turn_answer(struct turn *t, unsigned token, enum plan_choice v,
                 const char *what);

/* Withdraws an open question and ends what runs: `over` comes soon, with
 * ERR_INTERRUPTED. A second call does nothing. */
void turn_cancel(struct turn *t);

/* While paused neither an answer nor a step's output is read. */
void turn_pause(struct turn *t, bool paused);

#endif
