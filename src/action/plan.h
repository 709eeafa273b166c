/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan.h - judges the steps of an AiAction, asks about them, and runs them.
 *
 * A state machine: it calls its owner back, and goes on when the owner answers
 * a question by its token, now or a day later. What runs is what was shown:
 * each step has a digest, taken when it is judged for the plan to be shown, and
 * compared before it runs, so that a change under an open question is asked
 * about again. A failed step stops the plan until the owner says how to go on.
 * It must not know who asks or shows. */
#ifndef ACTION_PLAN_H
#define ACTION_PLAN_H

#include "action/grant.h"
#include "action/step_run.h"
#include "base/loop.h"
#include "config/config.h"
#include "sandbox/preview/view.h"

struct plan;

struct plan_setting {
    const struct policy *policy; /* the rules, borrowed */
    const struct config *config; /* the settings, borrowed */
    struct registry *registry;   /* NULL: no step names a tool */
    const char *outside;         /* see struct step_verdict_params; borrowed */
    const char *const *named;    /* see struct path_context; borrowed */
    /* the view in which the steps run, for the caller to show, keep or drop
     * afterwards; NULL: they run for real. Borrowed */
    const struct view *preview;
    /* one a step, AIACTION_STEPS_MAX; the caller adds to them while a question
     * is open; NULL: none */
    const struct grant *grants;
    const struct seat *seat;        /* borrowed while the plan lives */
    const struct peer_files *files; /* see struct tool_invocation; borrowed */
    struct tool_pool *pool;         /* see struct step_run_params; borrowed */
    bool yes;       /* --yes: approve a plan all of whose steps are allow */
    bool reduced;   /* --profile reduced: without namespaces, `yes` covers steps
                       that write, as the setting allow_reduced does */
    bool each_step; /* --step: ask before every step */
    /* Steps are asked about one by one: the plan itself is not, and a step that
     * needs no yes runs without a question. One question is enough for a step,
     * a failed step is asked about only where more rights could help it, and
     * nothing is run as root */
    bool by_step;
    /* Of by_step, about a yes for good: whether it covers a step that the rules
     * allow, and that would be asked about only since it writes; and whether it
     * was given to the very step that has this digest (approval.h), which alone
     * counts once the model had text from outside. NULL: none did. With `aside`
     * the thread calls them */
    bool (*is_covered)(void *arg, const struct step *s);
    bool (*was_allowed)(void *arg, const char *digest);
    void *covered_arg;
    /* The steps are judged in a thread, since that reads directories: plan_new
     * returns before that, and `judged` comes first. Until then, and from the
     * answer to a question until the next event, nobody else uses policy,
     * registry, grants and covered_arg; after plan_cancel until plan_free,
     * which waits for the thread */
    bool aside;
    bool reads_only;   /* of by_step: what adds files needs a yes as well */
    bool writes;       /* of by_step: what the rules allow needs no yes where it
                          writes either */
    bool can_ask;      /* somebody can answer; else a question is a no */
    bool own_terminal; /* see step_verdict_params */
    bool colour;       /* the person's terminal shows colour */
    bool reports; /* the model gets the results: a failed step ends the plan
                     without a question */
    /* see step_verdict_params; then a failed step is no question, and a plan
     * that needs sudo neither */
    const struct host_list *hosts;
    /* the run's name in the journal, under which originals are kept; NULL:
     * none are. Borrowed until plan_new returns */
    const char *undo_run;
    /* the files that steps put back (undo_files.h); NULL: none do. Borrowed */
    struct undo_files *undoing;
};

enum plan_question {
    PLAN_ASK_ALL,     /* the whole plan */
    PLAN_ASK_STEP,    /* one step of it */
    PLAN_ASK_WORD,    /* one destructive or privileged step */
    PLAN_ASK_ELEVATE, /* a program that a running step asks to run as root */
    PLAN_ASK_FAILED,  /* a step failed: retry, skip or quit */
    PLAN_ASK_SUDO,    /* a step needs sudo, so that the plan does not run: no
                         answer runs it, but the person may type it */
};

enum plan_choice {
    PLAN_RUN,   /* yes; for PLAN_ASK_FAILED: try it again */
    PLAN_STEPS, /* yes, but ask before each step */
    PLAN_MORE,  /* of PLAN_ASK_FAILED: try it again, with the grants as they
                   are now */
    PLAN_SKIP,  /* go on without this step */
    PLAN_QUIT,  /* no */
};

/* Who decided whether a step's tool has a program run as root. */
enum plan_elevation_by {
    PLAN_ELEVATE_STEP,   /* yes: the step was approved, its tool is built in */
    PLAN_ELEVATE_YES,    /* the person, asked about this very argv: yes */
    PLAN_ELEVATE_NO,     /* the same: no */
    PLAN_ELEVATE_NOBODY, /* no: there is nobody to ask */
};

struct plan_end {
    bool success;        /* no step that ran failed */
    size_t executed;     /* steps that ran */
    int64_t duration_ms; /* of the steps, together */
    struct err why;      /* ERR_NONE on success */
};

struct plan_events {
    /* of `aside`: the plan may be looked at, and started; or why not. The plan
     * may be freed */
    void (*judged)(void *arg, const struct err *why);
    void (*ask)(void *arg, unsigned token, enum plan_question q, size_t step);
    /* true: the step starts when plan_start_step is called, now or later */
    bool (*step_begin)(void *arg, size_t step);
    /* host: where it runs; NULL: here */
    void (*output)(void *arg, size_t step, const char *host, const char *stream,
                   const char *bytes, size_t n);
    void (*elevate)(void *arg, size_t step, const char *const *argv,
                    enum plan_elevation_by how);
    /* of other hosts: once for each */
    void (*step_complete)(void *arg, size_t step, const struct step_end *end);
    void (*complete)(void *arg, const struct plan_end *end); /* the last */
};

/* Judges every step, in the directory of the seat. The action is borrowed,
 * and must not change while the plan lives. */
struct plan *plan_new(struct loop *l, const struct aiaction *a,
                      const struct plan_setting *s,
                      const struct plan_events *ev, void *arg, struct err *e);
void plan_free(struct plan *p); /* ends a step that runs */
DEFINE_CLEANUP(struct plan, plan_free)

/* The seat that it was made with. */
const struct seat *plan_seat(const struct plan *p);

/* The verdict about a step; borrowed until the plan goes on. */
const struct step_verdict *plan_step_verdict(const struct plan *p, size_t step);

/* Its digest (approval.h), as it was shown; borrowed likewise. */
const char *plan_step_digest(const struct plan *p, size_t step);

/* Why a step that the rules allow needs a yes all the same, in words: it does
 * more than add new files. "" when it needs none. */
int plan_needs_approval(const struct plan *p, size_t step, char why[256],
                        struct err *e);

/* Whether agentsh does not run one of the steps: plan_start ends the plan. */
bool plan_refuses(const struct plan *p);

/* Whether no step would run other code than when it was shown: for an answer
 * that does more than let the plan run. */
bool plan_is_as_shown(const struct plan *p);

/* Of the open question PLAN_ASK_STEP: the step is not what was shown before. */
bool plan_step_changed(const struct plan *p);

/* SHA-256 over the digests of all steps: what an approval is for. */
int plan_digest(const struct plan *p, char hex[SHA256_HEX_SIZE], struct err *e);

/* Of the open question, borrowed: the program to run as root (argv); why the
 * step failed. */
const char *const *plan_elevation(const struct plan *p);
const char *plan_failure(const struct plan *p);

/* Whether the person granted the step more than its profile. */
bool plan_is_granted(const struct plan *p, size_t step);

/* Of the open question: what would have let the failed step succeed. */
const struct denial_remedy *plan_remedy(const struct plan *p);

/* Asks, runs or refuses. From here on events report everything. */
void plan_start(struct plan *p);

/* Starts the step that step_begin held back; otherwise nothing happens. */
void plan_start_step(struct plan *p);

/* Answers the open question; an answer with another token is ignored. */
void plan_answer(struct plan *p, unsigned token, enum plan_choice v);

/* Sends a signal to the step's processes: Ctrl-Z is SIGTSTP, then SIGCONT. */
void plan_signal(struct plan *p, int signo);

/* While paused the step's output is not read, so that it blocks. */
void plan_pause(struct plan *p, bool paused);

/* Ctrl-C: kills the step's processes; complete(ERR_INTERRUPTED) comes. */
void plan_cancel(struct plan *p);

#endif
