/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan_in.h - what plan.c and plan_step.c share. */
#ifndef ACTION_PLAN_IN_H
#define ACTION_PLAN_IN_H

#include "action/plan.h"
#include "sandbox/preview/additions.h"
#include "tool/call.h"

/* The tool of a step that names none. */
struct plan_tool {
    struct manifest *manifest;
    char *program;
    struct tool tool;
};

#define PLAN_READ_MAX                                                          \
    (2u << 20) /* of a reader's output: escaped it still fits a request */

/* What of a step runs now. */
enum plan_part {
    PLAN_WHOLE,
    PLAN_READER, /* profile_choice.reader */
    PLAN_REST,   /* profile_choice.rest, with what that wrote */
};

struct plan {
    struct loop *loop;
    const struct aiaction *action;
    struct plan_setting set;
    const struct plan_events *ev;
    void *arg;
    struct judge judge;
    struct secret_tree secrets; /* closed to what nobody was asked about */
    char *cwd;                  /* judge.cwd */
    struct judgement *judged;   /* one a step */
    /* a digest a step, as it was when the plan was approved */
    char (*digests)[SHA256_HEX_SIZE];
    bool approved;
    bool unasked;                /* by the rules alone: nobody said yes */
    size_t at;                   /* the step that is next or runs */
    bool step_asked, word_asked; /* questions of step `at` answered yes */
    bool stricter;  /* step `at` is judged so, since it was approved, or
                       would run in another profile */
    unsigned token; /* of the open question; 0: none */
    unsigned last_token;
    enum plan_question question;
    bool held;     /* nobody takes its output at the moment */
    bool streamed; /* step `at` wrote something while it ran */
    struct plan_tool tool;
    struct tool_pool *pool; /* commands in the same walls share a process */
    struct tool_call *call; /* of the step that runs */
    /* of a step that begins with a reader of others: what that wrote, while it
     * runs and for the rest of the line; unused before */
    struct buf read;
    enum plan_part part;
    int64_t reader_ms;           /* that it took */
    struct additions *additions; /* its view, when nobody was asked about it */
    const char *const *need; /* what it wants run as root; NULL: no question */
    struct watch *soon;      /* goes on from the loop, not from a callback */
    struct plan_end end;
    struct denial_remedy gain; /* that step `at` lacked */
    struct err skipped;        /* of a failed step that was skipped */
    bool over;
};

/* The last event; p->end says how it ended. */
void plan_complete(struct plan *p);

/* Puts a question about step `at`, or ends the plan where nobody can be
 * asked. */
void plan_ask(struct plan *p, enum plan_question q);

/* Step `at` is over: the next turn of the loop goes on behind it. */
void plan_step_over(struct plan *p);

/* The call ends, or has. */
void plan_call_over(struct plan *p);

/* The answer to PLAN_ASK_NEED. */
void plan_agree(struct plan *p, bool yes);

/* Starts step `at`, if it is still what was approved. What comes of it goes
 * on by itself. */
int plan_run_step(struct plan *p, struct err *e);

#endif
