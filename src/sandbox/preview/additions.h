/* SPDX-License-Identifier: GPL-3.0-or-later */
/* additions.h - what a step that nobody was asked about may leave behind.
 *
 * The step runs in a copy-on-write view of the workspace (view.h). Afterwards
 * exactly the files that were named before it ran are there: new ones, and
 * files that have grown, whose old bytes are the beginning of the new ones.
 * Whatever else it made, changed or deleted is dropped and reported. So a
 * command that does something else than it seemed to costs no data.
 *
 * What is new is the person's own as any new file is: the step decides no owner
 * and no access list, and others may write only where the person's umask lets
 * them. A file that was there gets no time that the step chose.
 *
 * A new file is created with O_EXCL and a grown one is appended to, so no
 * file of somebody else's is ever replaced. */
#ifndef SANDBOX_ADDITIONS_H
#define SANDBOX_ADDITIONS_H

#include "base/buf.h"
#include "guard/profile/profile.h"
#include "sandbox/preview/view.h"

struct additions; /* one step's view */

/* Makes the view; command is for people, should the front die meanwhile:
 * then it is left as a preview. ERR_SANDBOX: no place can hold it. */
struct additions *additions_open(const char *workspace, const char *command,
                                 struct err *e);
/* Removes the view with what was not kept. */
void additions_close(struct additions *a); /* accepts NULL */
DEFINE_CLEANUP(struct additions, additions_close)

/* For site_use_view; a's. */
const struct view *additions_view(const struct additions *a);

/* When the step is over: adds what is named to the workspace. Appends to
 * `dropped` what was not kept, in words, or nothing when all was:
 *     b (deleted), c (changed) and 2 more
 * -1: something named could not be added, and why; the rest is. ERR_DENIED:
 * a named file was changed in another way, or nothing that was named came of
 * it; so the step did not do its work. */
int additions_keep(struct additions *a, const struct profile_addition *named,
                   size_t n, struct buf *dropped, struct err *e);

#endif
