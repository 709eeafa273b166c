/* SPDX-License-Identifier: GPL-3.0-or-later */
/* additions.h - lets a step that nobody was asked about add files.
 *
 * The step runs in a copy-on-write view of the workspace (view.h). Afterwards
 * exactly the files that were named before it ran are added: new ones, and
 * files that have grown, whose old bytes are the beginning of the new ones.
 * Whatever else the step created, changed or deleted is dropped and reported.
 * So a command that does something else than it seemed to costs no data.
 *
 * A new file belongs to the person like any other: the step decides neither its
 * owner nor its access list, and others may write to it only where the person's
 * umask allows that. A file that existed gets no time that the step chose.
 *
 * A new file is created with O_EXCL and a grown one is appended to, so nobody
 * else's file is ever replaced. */
#ifndef SANDBOX_PREVIEW_ADDITIONS_H
#define SANDBOX_PREVIEW_ADDITIONS_H

#include "base/buf.h"
#include "guard/profile/profile.h"
#include "sandbox/preview/view.h"

struct additions; /* one step's view */

/* Makes the view; the seat is borrowed. If the front dies, it is left as a
 * preview, which shows command to people. ERR_SANDBOX: no place can hold a
 * view. */
struct additions *additions_open(const struct seat *s, const char *workspace,
                                 const char *command, struct err *e);
/* Removes the view with everything that was not kept. */
void additions_close(struct additions *a); /* accepts NULL */
DEFINE_CLEANUP(struct additions, additions_close)

/* Returns the view, for sandbox_setup_use_view; it belongs to a. */
const struct view *additions_view(const struct additions *a);

/* When the step has ended: adds what is named to the workspace. Appends to
 * `dropped` in words what was not kept, or nothing if everything was:
 *     b (deleted), c (changed) and 2 more
 * -1: something named could not be added, and why; the rest was. ERR_DENIED: a
 * named file was changed in another way, or no named file was created, so the
 * step did not do its work. */
int additions_keep(struct additions *a, const struct profile_addition *named,
                   size_t n, struct buf *dropped, struct err *e);

#endif
