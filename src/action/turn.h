/* SPDX-License-Identifier: GPL-3.0-or-later */
/* turn.h - drives one request from its words to the last answer.
 *
 * A turn asks a model, or the offline engine, for an AiAction (agent_loop.h,
 * offline_proposal.h), judges its steps, asks about them, runs them (plan.h),
 * sends their results back where the model is to see them, and goes on until an
 * answer needs nothing more. It is a state machine on the loop: it never waits,
 * knows nobody who asks or shows, and many are under way at once. What it meets
 * is in the journal before its listener hears of it.
 *
 * Three events may hold a turn, by returning true: it goes on when the listener
 * says so, now or later. `judge` is held until turn_judge, `answered` until
 * turn_go_on, turn_choose or turn_revise, `plan_complete` until turn_go_on or
 * turn_judge. turn_cancel and turn_stop end it in each of these states too. */
#ifndef ACTION_TURN_H
#define ACTION_TURN_H

#include "action/conversation.h"
#include "action/plan.h"
#include "action/proposal.h"
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
    const struct policy *policy; /* NULL: each turn_judge brings the rules, and
                                    no model is asked */
    struct registry *registry;   /* NULL: no step names a tool */
    const char *const *named;    /* see struct path_context */
    struct model *model;         /* NULL: the offline engine */
    const struct model_selection *selection; /* of the model */
    struct conversation *conversation; /* that it adds to; NULL: its own */
    struct shell_exchange *exchange;   /* likewise, of a shell; NULL */
    struct run_audit *audit;           /* NULL: nothing is recorded */
    const struct peer_files *files;    /* see struct tool_invocation */
    struct tool_pool *pool; /* whose servers stay; NULL: one of the turn's */
};

/* How it goes about it; the first members are as in plan_setting. */
struct turn_setting {
    bool can_ask, yes, reduced, each_step, by_step, reads_only, writes, colour,
        own_terminal;
    bool (*is_covered)(void *arg, const struct step *s);
    bool (*was_allowed)(void *arg, const char *digest);
    void *covered_arg;
    bool aside;         /* steps and calls of the model are judged in threads */
    bool all_results;   /* the model sees the results of each plan, and what
                           failed is its business; else only where the plan
                           wants that */
    bool no_tool_calls; /* the model calls no tools before it answers */
    int rounds;         /* answers of a model, at most; 0: the usual limit */
    size_t columns;     /* of the screen with an offline answer; 0: none */
    const struct host_list *hosts; /* as in plan_setting; no tool is called */
    struct undo_files *undoing;    /* as in plan_setting */
    bool show_request; /* only `request` before `over`: no model is needed */
};

/* How a plan is judged, and how it runs then; borrowed until it is over. */
struct turn_judging {
    const struct policy *policy; /* NULL: the rules of the context */
    const struct view *preview;  /* as in plan_setting */
    const struct grant *grants;  /* as in plan_setting */
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
    int status;         /* the exit status of that; of TURN_ANSWERED without
                           all_results, that of the steps which the answer is
                           about */
    size_t executed;    /* steps that ran, of all plans */
    const char *answer; /* of TURN_ANSWERED; borrowed */
    bool unfit;         /* the answer only says why nothing is proposed */
    const struct conversation_usage *usage; /* borrowed; NULL: of no model */
};

/* From the loop, or a call of the listener; `output` may not free the turn. */
struct turn_events {
    /* For show_request: the first request to the model. Optional, as others
     * below: NULL does nothing and holds nothing. */
    void (*request)(void *arg, const struct model_request *r);
    /* The model, or the offline engine, is asked: at first, with the results of
     * a plan, or for another one. The last proposal and its plan are valid
     * until this returns. Optional. */
    void (*asked)(void *arg);
    /* What the person should know besides, such as prices that are not valid.
     * Optional. */
    void (*note)(void *arg, const char *line);
    /* A part of an answer in words, as it streams; it may never come. */
    void (*text)(void *arg, const char *bytes, size_t n);
    /* Why it takes longer; a tool that the model calls (NULL: the model is
     * asked again), and how that ended. */
    void (*waiting)(void *arg, const char *line);
    void (*tool_started)(void *arg, const char *line);
    void (*tool_ended)(void *arg, const struct tool_loop_call *c);
    /* The model was paid for an answer. */
    void (*usage)(void *arg, const struct conversation_usage *u);
    /* No answer came. True: another turn takes the request over, so that the
     * journal gets no end of it. Optional. */
    bool (*hands_over)(void *arg, const struct err *why);
    /* An answer in words. It may hold the turn. Optional. */
    bool (*answered)(void *arg, const struct proposal *p);
    /* Steps are proposed, and not judged yet. The action may be edited while
     * the turn is held here, and while a question is withdrawn. It may hold the
     * turn. Optional. */
    bool (*judge)(void *arg, const struct proposal *p);
    /* The steps are judged, for the first time or again, and nothing is asked
     * or run before this returns. The plan is valid until the next judging,
     * both until `asked` or `over`. */
    void (*proposed)(void *arg, const struct aiaction *a, const struct plan *p);
    /* A question about a step of that plan, for turn_answer. */
    void (*ask)(void *arg, unsigned token, enum plan_question q, size_t step);
    void (*step_begin)(void *arg, size_t step);
    /* A step has a program run as root, or may not. Optional. */
    void (*elevate)(void *arg, const char *const *argv,
                    enum plan_elevation_by how);
    void (*output)(void *arg, size_t step, const char *host, const char *stream,
                   const char *bytes, size_t n);
    void (*step_complete)(void *arg, size_t step, const struct step_end *end);
    /* A plan is over; why->code is ERR_NONE where no step failed. It may hold
     * the turn. */
    bool (*plan_complete)(void *arg, const struct plan_end *end);
    /* The last event; it comes from the loop, and may free the turn. */
    void (*over)(void *arg, const struct turn_end *end);
};

/* Begins a turn. The request is copied; events come later, from the loop. */
struct turn *turn_start(const struct turn_context *cx,
                        const struct user_request *request,
                        const struct turn_setting *set,
                        const struct turn_events *ev, void *arg, struct err *e);
/* The same with a plan that was saved: nobody is asked for one. The action is
 * the turn's, but not on failure. outside: see plan_setting; borrowed. */
struct turn *turn_start_saved(const struct turn_context *cx,
                              struct aiaction *action, const char *outside,
                              const struct turn_setting *set,
                              const struct turn_events *ev, void *arg,
                              struct err *e);
void turn_free(struct turn *t); /* ends what runs, without an event */
DEFINE_CLEANUP(struct turn, turn_free)

/* Answers the open question; one with another token changes nothing, and
 * returns false. what: in words, for the journal; NULL: it has them already. */
bool turn_answer(struct turn *t, unsigned token, enum plan_choice v,
                 const char *what);

/* Closes the open question without an answer to it: turn_judge, turn_revise or
 * turn_stop follows. The same return value; what: what was said instead. */
bool turn_withdraw(struct turn *t, unsigned token, const char *what);

/* Judges the steps of the proposal as they are now, from the loop; `proposed`
 * comes again. A plan that was judged before is over without an event. */
void turn_judge(struct turn *t, const struct turn_judging *how);

/* Asks for another proposal with the person's words: the model in their
 * conversation, the offline engine with the words behind those of the request.
 * Of a plan of the engine: false, and all stays as it was, where it has no
 * other one for that. What else goes wrong ends the turn. */
bool turn_revise(struct turn *t, const char *words);

/* Makes a plan of a command that the offline engine's answer numbers. */
void turn_choose(struct turn *t, size_t chosen);

/* Whether the model gets the results of the plan that is complete when the turn
 * goes on. */
bool turn_will_continue(const struct turn *t);

/* Goes on, where `answered` or `plan_complete` holds the turn. why: in place of
 * the plan's own reason, or why an answer is none; NULL: it stays. */
void turn_go_on(struct turn *t, const struct err *why);

/* Withdraws an open question and ends what runs: `over` comes soon, with
 * ERR_INTERRUPTED. A second call does nothing. */
void turn_cancel(struct turn *t);

/* The same for another reason; NULL: the proposal was all that was wanted,
 * which is TURN_RAN. */
void turn_stop(struct turn *t, const struct err *why);

/* While paused neither an answer nor a step's output is read. */
void turn_pause(struct turn *t, bool paused);

/* Sends a signal to the processes of the step that runs: see plan_signal. */
void turn_signal(struct turn *t, int signo);

#endif
