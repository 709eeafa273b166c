/* SPDX-License-Identifier: GPL-3.0-or-later */
/* terminal_step.h - runs the command of a step that has the person's terminal.
 *
 * Used by step_run.c in the place of cmd.run, whose commands have no terminal:
 * for sudo, which asks for the password there, and for an editor or passwd. The
 * step runs in the sandbox of its verdict, as the foreground job. */
#ifndef ACTION_TERMINAL_STEP_H
#define ACTION_TERMINAL_STEP_H

#include "action/step_verdict.h"
#include "sandbox/setup.h"
#include "tool/call.h"

struct terminal_step; /* a command that runs, or has ended */

struct terminal_step_params {
    const struct step_verdict *verdict;
    const char *command;
    const char *directory; /* where it starts; absolute */
    const struct sandbox_setup *setup;
    const struct seat *seat;
    const struct config *config;
    bool colour;
};

struct terminal_step_events {
    void (*output)(void *arg, const char *stream, const char *bytes, size_t n);
    /* the last event; it may free the step. interrupted: Ctrl-C ended it */
    void (*done)(void *arg, const struct tool_result *r, bool interrupted);
};

/* The params are borrowed during the call. ERR_UNSUPPORTED: another job has the
 * terminal. */
struct terminal_step *terminal_step_start(struct loop *l,
                                          const struct terminal_step_params *p,
                                          const struct terminal_step_events *ev,
                                          void *arg, struct err *e);
void terminal_step_free(struct terminal_step *t); /* ends it; accepts NULL */
DEFINE_CLEANUP(struct terminal_step, terminal_step_free)

void terminal_step_signal(struct terminal_step *t, int signo);
void terminal_step_pause(struct terminal_step *t, bool paused);

#endif
