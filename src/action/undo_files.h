/* SPDX-License-Identifier: GPL-3.0-or-later */
/* undo_files.h - the files of a run that are to be put back, as steps of a
 * plan.
 *
 * A step of such a plan has a range of what is to be done (struct step,
 * `restores`) in the order in which that can be done one after the other: what
 * the run made is removed, deepest first, then files are put back, directories
 * before what is in them; the times of directories are set after each step.
 * agentsh does it by itself: no command runs. */
#ifndef ACTION_UNDO_FILES_H
#define ACTION_UNDO_FILES_H

#include "action/aiaction.h"
#include "action/undo_plan.h"

struct undo_left {
    char *what, *why;
};

struct undo_files {
    struct undo_store *store; /* of the run; locked as long as this is there */
    struct undo_plan plan;
    struct undo_item **order; /* what is to be put back */
    size_t n;
    struct undo_left *left; /* what is left alone beside paths; owned */
    size_t n_left;          /* of these */
    size_t all_left;        /* with the paths */
    bool begun;             /* something was put back */
};

/* Finds what is to be put back; the store is taken over, on failure too. */
struct undo_files *undo_files_new(struct undo_store *store, struct err *e);
void undo_files_free(struct undo_files *f); /* accepts NULL */
DEFINE_CLEANUP(struct undo_files, undo_files_free)

/* Notes something that is no path and is left alone. */
int undo_files_leave(struct undo_files *f, const char *what, const char *why,
                     struct err *e);

/* What it does to a path, in English, for gettext too: "remove". */
const char *undo_files_act(const struct undo_item *item);

/* Appends the paths of a step. */
int undo_files_targets(const struct undo_files *f, const struct step *s,
                       struct undo_targets *out, struct err *e);

/* Puts back what the step is about. by: see undo_plan_apply. What is there must
 * have been kept. It may be called in a thread. What was changed meanwhile is
 * left alone, and counted in `all_left`; -1: some of it, with the first reason.
 */
int undo_files_apply(struct undo_files *f, const struct step *s, const char *by,
                     struct err *e);

#endif
