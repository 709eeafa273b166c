/* SPDX-License-Identifier: GPL-3.0-or-later */
/* undo_plan.h - finds what a run changed, and puts it back (undo_apply.c).
 *
 * The plan is made before the question. What is there when it is put back is
 * compared with what was there then, by exchanging the two in one step of the
 * kernel, so that nothing is lost that somebody writes in between. */
#ifndef ACTION_UNDO_PLAN_H
#define ACTION_UNDO_PLAN_H

#include "action/undo_store.h"

#define UNDO_TEMP_SIZE 320

/* What is to be done about one path. */
enum undo_act {
    UNDO_NOTHING, /* it is as it was */
    UNDO_RESTORE, /* its contents, or all of it */
    UNDO_SET,     /* only its mode, owner, times or attributes */
    UNDO_REMOVE,  /* the run made it */
    UNDO_SINCE,   /* left alone: it was changed since */
    UNDO_CANNOT,  /* left alone: it cannot be put back */
};
/* When an item is put back. */
enum undo_turn {
    UNDO_NOW,   /* by the next undo_plan_apply */
    UNDO_LATER, /* by none */
    UNDO_DONE,  /* it was; of a directory the times are set again */
};
struct undo_item {
    const char *path; /* borrowed from the plan */
    enum undo_act act;
    enum undo_turn turn;   /* set by the caller; UNDO_NOW at first */
    char why[96];          /* of UNDO_CANNOT; "": nothing is known */
    struct undo_path *row; /* private */
};
struct undo_plan {
    struct undo_item *v; /* sorted by path */
    size_t n;
    bool killed; /* a step was killed, so that nothing says what is newer */
    struct undo_memory *memory; /* private */
};

/* A path of the run: as it was before its first step, and after its last. */
struct undo_path {
    struct undo_entry before, after; /* what they point to is of the lists */
    size_t step, number;             /* of its contents */
    bool has_before, has_after;
    struct stat seen; /* what was there when the plan was made */
    bool times;       /* they are set back, too */
};
struct undo_memory {
    struct undo_list before[UNDO_STEPS_MAX], after[UNDO_STEPS_MAX];
    bool killed[UNDO_STEPS_MAX];
    struct undo_path *v;
    size_t n, room;
};

/* Finds out what would be put back now. killed: only what a killed step left,
 * whoever changed it since. After 0 undo_plan_done is due. */
int undo_plan_make(struct undo_store *u, bool killed, struct undo_plan *out,
                   struct err *e);
void undo_plan_done(struct undo_plan *p);

/* Appends the paths about which something is to be done now, or that were
 * changed since. */
int undo_plan_paths(const struct undo_plan *p, struct undo_targets *out,
                    struct err *e);

/* Puts it back. by: the run that does, after which temporary files are named,
 * so that the next start finds them. What cannot be is UNDO_CANNOT or
 * UNDO_SINCE afterwards; -1: one of them, and the first reason. It may be
 * called again. */
int undo_plan_apply(struct undo_store *u, struct undo_plan *p, const char *by,
                    struct err *e);

/* Opens the bytes of an original that are in the store; -1 with errno. */
int undo_open_kept(const struct undo_store *u, const struct undo_path *x);

/* The name of a temporary file beside the place of an original. */
void undo_temp_name(const char *by, size_t number, char name[UNDO_TEMP_SIZE]);

#endif
