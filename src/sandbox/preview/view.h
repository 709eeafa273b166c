/* SPDX-License-Identifier: GPL-3.0-or-later */
/* view.h - a copy-on-write view in which one command runs.
 *
 * The folder preview/ runs a command on a view of the workspace in place of the
 * workspace itself, lists what the command changed (changes.h), and applies or
 * drops it (apply.h, additions.h). It must not know who decides that, nor what
 * the command was for. What can fail: no place can hold a view (ERR_SANDBOX),
 * the workspace is changed by others meanwhile, the disk is full; then the
 * workspace stays as it was, or the same call completes what is left.
 *
 * A view lives until what the command changed is kept or dropped, which may
 * happen in another process on another day. It is a directory RUN with upper/,
 * work/ and `run`, a record of what it is a view of, in
 * $XDG_STATE_HOME/agentsh/preview. Where that lies in the workspace itself, or
 * on a filesystem that cannot hold a view (in a container), it is in the
 * runtime directory or in /dev/shm, which may be memory. A process that has a
 * view open holds a lock on `run`.
 *
 * What is possible is found by trying. Where no place can hold a view, or
 * namespaces are refused, upper/ is a copy of the workspace (workcopy.h), and
 * the file `copied` lists what it was. With namespaces the copy is mounted over
 * the workspace; without, the command works in the copy itself, and the paths
 * of the workspace are closed to it. */
#ifndef SANDBOX_PREVIEW_VIEW_H
#define SANDBOX_PREVIEW_VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "base/seat.h"
#include "sandbox/preview/beneath.h"
#include "sandbox/preview/changes.h"

struct view {
    char id[32];
    char *dir;       /* for sandbox_spec.preview */
    char *workspace; /* absolute */
    char *command;   /* to be shown */
    /* of the session that made or opened it; borrowed */
    const struct seat *seat;
    struct changes_spec spec;
    bool memory;         /* its contents are lost with the machine's power */
    uint64_t room_bytes; /* bytes that are free there */
    struct workcopy
        *copied;       /* it is a copy, which was this; NULL: it is none */
    bool apart;        /* the command works in the copy itself */
    struct err why;    /* why a new view is a copy */
    int top, lock;     /* descriptors: the directory that holds RUN, … */
    struct err broken; /* why it can only be dropped; code 0: it can be kept */
};

/* Lets the caller end the making of a copy (struct workcopy_spec). */
struct view_stop {
    bool (*goes_on)(void *arg);
    void *arg;
};

/* Makes a view, in a directory of the seat's person; the command may start when
 * this returns. stop may be NULL. The seat is borrowed. ERR_SANDBOX: no place
 * can hold a view, or nothing would confine the command, and why. */
struct view *view_new(const struct seat *s, const char *workspace,
                      const char *command, const struct view_stop *stop,
                      struct err *e);

/* The same, but never a copy, and without waiting until changes by somebody
 * else can be told from the command's: for a step of which only additions are
 * kept (additions.h). */
struct view *view_new_at_once(const struct seat *s, const char *workspace,
                              const char *command, struct err *e);

/* Returns the path at which the command finds a path of the workspace, or any
 * other path; the caller frees it. NULL: no memory. */
char *view_path(const struct view *v, const char *path);

/* Opens a view that exists. id NULL or "": the only one. ERR_NOT_FOUND: there
 * is none; ERR_USAGE: there are several; ERR_PERMISSION: it is in use. */
struct view *view_open(const struct seat *s, const char *id, struct err *e);

/* Closes the view; its directory stays. Accepts NULL. */
void view_free(struct view *v);
DEFINE_CLEANUP(struct view, view_free)

/* Removes the view's directory with everything in it, and what an apply_keep
 * that was killed left in the workspace. The caller still frees v. */
int view_remove(struct view *v, struct err *e);

/* Lists the ids of all views, oldest first; the caller calls
 * beneath_paths_done. */
int view_list(const struct seat *s, struct beneath_paths *out, struct err *e);

#endif
