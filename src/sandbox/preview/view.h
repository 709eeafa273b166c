/* SPDX-License-Identifier: GPL-3.0-or-later */
/* view.h - one run in a copy-on-write view, from its beginning until what it
 * changed is kept or dropped, which may be another process and another day.
 *
 * It is a directory RUN with upper/, work/ and `run`, a record of what it is
 * a view of, in $XDG_STATE_HOME/agentsh/preview. Where that lies in the
 * workspace itself or on a filesystem that cannot hold one (in a container),
 * it is in the runtime directory or in /dev/shm, which may be memory. Who has
 * it open holds a lock on `run`.
 *
 * What can be done is found by trying. Where no place can hold a view, or
 * nobody may make namespaces, upper/ is a copy of the workspace (workcopy.h),
 * and the file `copied` says what it was. With namespaces the copy is mounted
 * over the workspace; without, the run works in the copy itself, and the paths
 * of the workspace are closed to it. */
#ifndef SANDBOX_VIEW_H
#define SANDBOX_VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "sandbox/preview/beneath.h"
#include "sandbox/preview/changes.h"

struct view {
    char id[32];
    char *dir;       /* for sandbox_spec.preview */
    char *workspace; /* absolute */
    char *command;   /* for people */
    struct changes_spec spec;
    bool memory;         /* what is written in it is lost with the power, */
    uint64_t room_bytes; /* and so much is free */
    struct workcopy
        *copied;       /* it is a copy, which was this; NULL: it is none */
    bool apart;        /* the run works in the copy itself */
    struct err why;    /* why a new one is a copy */
    int top, lock;     /* descriptors: the directory that holds RUN, … */
    struct err broken; /* why it can only be dropped; code 0: it is whole */
};

/* What may end the making of a copy: see workcopy_spec. */
struct view_stop {
    bool (*goes_on)(void *arg);
    void *arg;
};

/* Makes one; the run may begin when it returns. stop may be NULL. ERR_SANDBOX:
 * no place can hold it, or nothing would confine the run, and why. */
struct view *view_new(const char *workspace, const char *command,
                      const struct view_stop *stop, struct err *e);

/* The same, never a copy, without the wait after which a change of somebody
 * else's can be told from the run's: for a run of which only additions are kept
 * (additions.h). */
struct view *view_new_at_once(const char *workspace, const char *command,
                              struct err *e);

/* Where the run meets a path of the workspace, or another; the caller frees
 * it. NULL: no memory. */
char *view_path(const struct view *v, const char *path);

/* Finds one that was left. id NULL or "": the only one. ERR_NOT_FOUND,
 * ERR_USAGE (which of many?), ERR_PERMISSION: it is in use. */
struct view *view_open(const char *id, struct err *e);

/* Closes; the directory stays. Accepts NULL. */
void view_free(struct view *v);
DEFINE_CLEANUP(struct view, view_free)

/* Removes it with all that the run wrote in it, and what a keep that was
 * ended by force left in the workspace. v is still to be freed. */
int view_remove(struct view *v, struct err *e);

/* The ids of all that are there, oldest first; for beneath_paths_done. */
int view_list(struct beneath_paths *out, struct err *e);

#endif
