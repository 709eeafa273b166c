/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rerun_place.h - where a command is run again: its directory, sandbox, view,
 * shell and environment. */
#ifndef UI_RERUN_PLACE_H
#define UI_RERUN_PLACE_H

#include "guard/guard.h"
#include "guard/path/secret_tree.h"
#include "model/prompt/last_command.h"
#include "sandbox/setup.h"
#include "ui/app.h"

#define RERUN_SHELL_WORDS 8 /* and a NULL behind them */

struct rerun_place {
    struct app *app;
    struct seat *moved;      /* NULL: the command ran in the app's directory */
    const struct seat *seat; /* the one or the other */
    struct path_context where;
    char workspace[PATH_MAX];
    struct guard_finding found; /* of the line */
    struct secret_tree secrets; /* of the workspace, closed to it */
    struct sandbox_setup setup;
    struct view *view; /* NULL: there is no workspace */
    const char *shell[RERUN_SHELL_WORDS];
    char program[PATH_MAX]; /* of the shell */
    struct buf words;       /* the launcher's */
    const char **argv;      /* into words */
    char *launcher;
    char **env;
    const char **envp; /* env, and what keeps programs quiet */
};

/* Fills in p, which is all zero, for a line that may run again. -1: it may not,
 * or nothing would hold it, and e says why, as a clause. rerun_place_done comes
 * in any case. Nothing was run. */
int rerun_place_make(struct rerun_place *p, struct app *a,
                     const struct last_command *last, struct err *e);

/* Removes the view with all that was written in it. */
void rerun_place_done(struct rerun_place *p);

/* Whether a limit of the place, not the command itself, may be the reason why
 * it failed: what it showed does not count then, and e says why. notes: what
 * the launcher says of refused system calls. */
bool rerun_place_limited(const struct rerun_place *p, const struct buf *text,
                         int notes, struct err *e);

#endif
