/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spare.h - a launcher that was started before it is needed.
 *
 * The other side of launch/wait.h. It is a convenience: where it is not there
 * or does not answer, the launcher is executed as ever. */
#ifndef SANDBOX_SPARE_H
#define SANDBOX_SPARE_H

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/proc.h"

struct spare;

/* Starts `program --wait`, which serves by wait.h; it is ready a few
 * milliseconds later, which nobody waits for. */
struct spare *spare_new(const char *program, struct err *e);
void spare_free(struct spare *s); /* ends it, not what it launched */
DEFINE_CLEANUP(struct spare, spare_free)

/* Starts the launcher's n words (spec_write) with these variables, in our
 * working directory, with pipes for its three streams and `report` as its
 * descriptor 3. The process is our child. After a failure on the way there
 * every further one fails at once. */
struct proc *spare_start(struct spare *s, const struct buf *words, size_t n,
                         const char *const *variables, int report,
                         struct err *e);

#endif
