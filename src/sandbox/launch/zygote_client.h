/* SPDX-License-Identifier: GPL-3.0-or-later */
/* zygote_client.h - the front's side of a launcher that was started early.
 *
 * zygote.h is the other side. A zygote only saves time: where there is none,
 * or it does not answer, the caller executes the launcher as usual. */
#ifndef SANDBOX_LAUNCH_ZYGOTE_CLIENT_H
#define SANDBOX_LAUNCH_ZYGOTE_CLIENT_H

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/proc.h"

struct zygote_client; /* one zygote process and the socket to it */

/* Starts `program --wait`, which calls zygote_serve. It is ready a few
 * milliseconds later; nobody waits for that. */
struct zygote_client *zygote_client_new(const char *program, struct err *e);

/* Ends the zygote, but not what it has launched. Accepts NULL. */
void zygote_client_free(struct zygote_client *s);
DEFINE_CLEANUP(struct zygote_client, zygote_client_free)

/* Launches the n words of spec_write with these environment variables, in the
 * directory `dir`, with pipes for the three standard streams and `report` as
 * descriptor 3. Both descriptors stay the caller's. The process is our child.
 * ERR_SANDBOX: the zygote does not answer; every later call fails at once. */
struct proc *zygote_client_start(struct zygote_client *s,
                                 const struct buf *words, size_t n,
                                 const char *const *variables, int dir,
                                 int report, struct err *e);

#endif
