/* SPDX-License-Identifier: GPL-3.0-or-later */
/* step_run.h - runs the approved steps of a plan, one at a time, by their
 * tools.
 *
 * plan.c decides which step runs, and asks about it. A step without a tool is a
 * command of cmd.run in the profile of its verdict. One that begins with a
 * reader of other processes (profile_choice.reader) runs in two parts: the
 * reader, then the rest of the line with what it wrote. */
#ifndef ACTION_STEP_RUN_H
#define ACTION_STEP_RUN_H

#include "action/step_verdict.h"
#include "base/loop.h"
#include "guard/denial.h"
#include "sandbox/preview/view.h"
#include "tool/call.h"

struct step_run; /* the means to run steps, and the one that runs */

/* How a step ended. Texts are what the tool kept, borrowed. */
struct step_end {
    const char *host;        /* where; NULL: here */
    const char *lost;        /* of a host: why it did not run to its end; "" */
    bool partial;            /* it has not ended on every host */
    int exit_code;           /* of a tool without one: 0, or 1 when it failed */
    const char *error_code;  /* of the Plugin Tool API; NULL: none */
    const struct json *meta; /* of a tool that the step names; NULL: nothing */
    int64_t duration_ms;
    const char *out, *err;
    size_t out_len, err_len;
    bool truncated;     /* the texts are the end of what it wrote */
    bool secret;        /* they may hold secrets: they are for the person */
    const char *denied; /* what the sandbox denied, when it failed; "" */
    /* of a step that nobody was asked about: what it made, changed or deleted
     * beside the new files that it named, and was dropped; "" */
    const char *dropped;
};

/* What all steps of a plan share; borrowed while the step_run lives. */
struct step_run_params {
    struct loop *loop;
    const struct config *config;
    const struct view *preview; /* the view in which they run; NULL: for real */
    const char *const *named;   /* see struct path_context */
    const struct secret_tree *secrets; /* closed where the verdict says so */
    const struct seat *seat;           /* as in step_verdict_params */
    const struct peer_files *files;    /* see struct tool_invocation */
    struct tool_pool *pool; /* of the owner; NULL: it has one of its own */
    const struct host_list *hosts; /* where they run; NULL: here */
    bool reuse;   /* commands in the same confinement share a process */
    bool colour;  /* the person's terminal shows colour */
    bool can_ask; /* somebody can answer */
};

/* The step to run; borrowed until `over` or step_run_stop. */
struct step_run_step {
    size_t index; /* in the plan, from 0 */
    const struct step *step;
    const struct step_verdict *verdict;
    const struct view *view; /* in which it runs (undo_view.h); NULL: none */
    const char *digest;      /* of the verdict when it was approved */
    bool auto_approved;      /* the rules alone approved it */
    bool privileged;   /* a yes for this step covers what it runs as root */
    bool own_terminal; /* as in step_verdict_params: by sudo, where needed */
};

struct step_run_events {
    /* as in struct tool_events, while the step runs; host NULL: here */
    void (*output)(void *arg, const char *host, const char *stream,
                   const char *bytes, size_t n);
    enum tool_elevation (*elevate)(void *arg, const char *const *argv);
    /* the tool has answered; `over` follows. tool_ms: of its last part. Of
     * other hosts: once for each */
    void (*complete)(void *arg, const struct step_end *end, int64_t tool_ms);
    /* one of these two is the last. why NULL: the step succeeded */
    void (*over)(void *arg, const struct err *why);
    /* the second part of the step could not be started */
    void (*not_started)(void *arg, const struct err *why);
};

/* The params are copied, what they point to is borrowed. */
struct step_run *step_run_new(const struct step_run_params *p,
                              const struct step_run_events *ev, void *arg,
                              struct err *e);
void step_run_free(struct step_run *run); /* ends what runs; accepts NULL */
DEFINE_CLEANUP(struct step_run, step_run_free)

/* Starts a step, if it is still what was approved (ERR_DENIED). The events
 * come from the loop; a next step may be started in `over`. */
int step_run_start(struct step_run *run, const struct step_run_step *s,
                   struct err *e);

/* Ends the step, if one runs; no event of it comes afterwards. */
void step_run_stop(struct step_run *run);

/* Ends the processes that wait for another step. */
void step_run_end_pool(struct step_run *run);

bool step_run_is_running(const struct step_run *run);
void step_run_signal(struct step_run *run, int signo);
void step_run_pause(struct step_run *run, bool paused); /* output is not read */
void step_run_elevate(struct step_run *run, bool yes);  /* TOOL_ELEVATE_LATER */

/* Where a step failed on some of several hosts, but not on all: why is set to
 * that. */
void step_run_note_failure(const struct step_run *run, struct err *why);

/* What would have let the last step do its work; the caller may clear it. */
struct denial_remedy *step_run_remedy(struct step_run *run);

#endif
