/* SPDX-License-Identifier: GPL-3.0-or-later */
/* undo_paths.h - which files a step may change, and so can be undone. */
#ifndef ACTION_UNDO_PATHS_H
#define ACTION_UNDO_PATHS_H

#include "action/step_verdict.h"
#include "action/undo_keep.h"

#define UNDO_TEXT_SIZE (UNDO_WHY_SIZE + 96)

/* Why a step's originals cannot be kept before it. */
struct undo_doubt {
    char why[UNDO_WHY_SIZE]; /* "": they can be */
    bool unknown;            /* only what it writes is not known */
};

/* Appends the absolute paths, without links in their directories. No path and
 * no doubt: it changes nothing. */
int undo_paths_find(const struct step *s, const struct step_verdict *v,
                    struct undo_targets *out, struct undo_doubt *doubt,
                    struct err *e);

/* What a plan knows of the machine: whether a step can run in a view. */
struct undo_machine {
    uint64_t budget_bytes;
    struct registry *tools; /* NULL: steps call none */
    bool namespaces;        /* probe_machine */
    bool tried;             /* to make a view, and what came of it */
    struct err why;         /* ERR_NONE: it can be made */
};

/* Finds out how the step can be undone, and sets that in the verdict: whether
 * its originals can be kept within the budget is looked at now. */
void undo_paths_judge(const struct step *s, struct step_verdict *v,
                      struct undo_machine *m);

/* Writes what the review says about it: "can be undone: ...", in the language
 * of the person or, for programs, in English. "": it changes nothing. */
void undo_paths_describe(const struct step_verdict *v, bool person,
                         char text[UNDO_TEXT_SIZE]);

#endif
