/* SPDX-License-Identifier: GPL-3.0-or-later */
/* view.h - one run in a copy-on-write view, from its beginning until what it
 * changed is kept or dropped, which may be another process and another day.
 *
 * It is a directory RUN with upper/, work/ and `run`, a record of what it is
 * a view of, in $XDG_STATE_HOME/agentsh/preview. Where that lies in the
 * workspace itself or on a filesystem that cannot hold one (in a container),
 * it is in the runtime directory or in /dev/shm, which may be memory. Who has
 * it open holds a lock on `run`. */
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
    int top, lock;       /* descriptors: the directory that holds RUN, … */
    struct err broken;   /* why it can only be dropped; code 0: it is whole */
};

/* Makes one; the run may begin when it returns. ERR_SANDBOX: no place can
 * hold it, and why. */
struct view *view_new(const char *workspace, const char *command,
                      struct err *e);

/* The same without the wait after which a change of somebody else's can be told
 * from the run's: for a run of which only additions are kept (additions.h). */
struct view *view_new_at_once(const char *workspace, const char *command,
                              struct err *e);

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
