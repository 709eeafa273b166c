/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan.h - a plan on its way: judged, asked about, run step by step.
 *
 * A state machine. It emits events to callbacks that the door gave it and
 * goes on when the door answers a question by its token, now or a day later.
 * What runs is what was approved: the digest of the steps is taken when the
 * plan is approved and compared before each step. A failed step stops the
 * plan until the door says how to go on. */
#ifndef ACTION_PLAN_H
#define ACTION_PLAN_H

#include "action/grant.h"
#include "action/judge.h"
#include "base/loop.h"
#include "config/config.h"
#include "sandbox/preview/view.h"

struct plan;

struct plan_setting {
    const struct policy *policy; /* the rules, borrowed */
    const struct config *config; /* the settings, borrowed */
    struct registry *registry;   /* NULL: no step names a tool */
    const char *outside;         /* see struct judge; borrowed */
    const char *const *named;    /* see struct risk_context; borrowed */
    /* in which the steps run, and which the caller shows, keeps or drops
     * afterwards; NULL: they run for real. Borrowed */
    const struct view *preview;
    /* one a step, AIACTION_STEPS_MAX; the caller adds to them while a question
     * is open; NULL: none */
    const struct grant *grants;
    bool yes;       /* --yes: approve a plan all of whose steps are allow */
    bool reduced;   /* --profile reduced: yes covers what writes where there
                       are no namespaces, as the setting does */
    bool each_step; /* --step: ask before every step */
    bool can_ask;   /* somebody can answer; else a question is a denial */
    bool colour;    /* the person's terminal shows colour */
    bool reports;   /* the model sees the results: a failed step is no question,
                       but the end */
};

enum plan_question {
    PLAN_ASK_ALL,    /* the whole plan */
    PLAN_ASK_STEP,   /* one step of it */
    PLAN_ASK_WORD,   /* a destructive or privileged step, by itself */
    PLAN_ASK_NEED,   /* what a running step asks to be run as root */
    PLAN_ASK_FAILED, /* a step failed: retry, skip or quit */
    PLAN_ASK_SUDO,   /* a step needs sudo, so that nothing of it runs: no
                        verdict runs it, but a person may type it */
};

enum plan_verdict {
    PLAN_RUN,   /* yes; for PLAN_ASK_FAILED: try it again */
    PLAN_STEPS, /* yes, but ask before each step */
    PLAN_MORE,  /* of PLAN_ASK_FAILED: try it again, with the grants as they
                   are now */
    PLAN_SKIP,  /* go on without this step */
    PLAN_QUIT,  /* no */
};

/* By whose word a step's tool has a program run as root, or not. */
enum plan_need {
    PLAN_NEED_STEP,   /* yes: the word for the step, whose tool is built in */
    PLAN_NEED_YES,    /* the person's, asked about these very words */
    PLAN_NEED_NO,     /* the same */
    PLAN_NEED_NOBODY, /* no: there is nobody to ask */
};

/* How a step ended. Texts are what the tool kept, borrowed. */
struct step_end {
    int exit_code;           /* of a tool without one: 0, or 1 when it failed */
    const char *error_code;  /* of the Plugin Tool API; NULL: none */
    const struct json *meta; /* of a tool that the step names; NULL: nothing */
    int64_t duration_ms;
    const char *out, *err;
    size_t out_len, err_len;
    bool truncated;      /* the texts are the end of what it wrote */
    bool secret;         /* they may hold what opens doors: for the person */
    const char *blocked; /* which wall it met, when it failed; "" */
    /* of a step that nobody was asked about: what it made, changed or deleted
     * beside the new files that it named, and was dropped; "" */
    const char *dropped;
};

struct plan_end {
    bool success;        /* no step that ran failed */
    size_t executed;     /* steps that ran */
    int64_t duration_ms; /* of the steps, together */
    struct err why;      /* ERR_NONE on success */
};

struct plan_events {
    void (*ask)(void *arg, unsigned token, enum plan_question q, size_t step);
    void (*step_begin)(void *arg, size_t step);
    void (*output)(void *arg, size_t step, const char *stream,
                   const char *bytes, size_t n);
    void (*need)(void *arg, size_t step, const char *const *argv,
                 enum plan_need how);
    void (*step_complete)(void *arg, size_t step, const struct step_end *end);
    void (*complete)(void *arg, const struct plan_end *end); /* the last */
};

/* Judges every step from the working directory. The action stays the
 * caller's and is not changed while the plan lives. */
struct plan *plan_new(struct loop *l, const struct aiaction *a,
                      const struct plan_setting *s,
                      const struct plan_events *ev, void *arg, struct err *e);
void plan_free(struct plan *p); /* ends a step that runs */
DEFINE_CLEANUP(struct plan, plan_free)

const struct judgement *plan_judgement(const struct plan *p, size_t step);

/* Why a step that the rules allow runs only after a yes all the same, in words:
 * it changes more than new files; "" where it does not. */
int plan_needs_yes(const struct plan *p, size_t step, char why[256],
                   struct err *e);

/* Whether a step cannot be run by us: the plan ends when it is started. */
bool plan_refuses(const struct plan *p);

/* SHA-256 over the digests of all steps: what the approval is for. */
int plan_digest(const struct plan *p, char hex[SHA256_HEX_SIZE], struct err *e);

/* While it is asked, borrowed: what is to run as root; why a step failed. */
const char *const *plan_needed(const struct plan *p);
const char *plan_trouble(const struct plan *p);

/* Whether the step has been granted more than its profile. */
bool plan_is_granted(const struct plan *p, size_t step);

/* While it is asked: what would have let the step that failed do its work. */
const struct denial_remedy *plan_gain(const struct plan *p);

/* Asks, approves or refuses; all news comes as events, from here on. */
void plan_start(struct plan *p);
void plan_answer(struct plan *p, unsigned token, enum plan_verdict v);

/* To the tree of the step: Ctrl-Z stops it (SIGTSTP), SIGCONT goes on. */
void plan_signal(struct plan *p, int signo);

/* Held: output is not taken from the step, which must wait with it. */
void plan_hold(struct plan *p, bool held);

/* Ctrl-C: ends the step's tree; complete(ERR_INTERRUPTED) comes. */
void plan_cancel(struct plan *p);

#endif
