/* SPDX-License-Identifier: GPL-3.0-or-later */
/* confinement_cache.h - keeps the sandbox setups of tools between their calls.
 *
 * For who calls the same tools many times in one session. A setup is kept
 * where it depends on the tool alone, not on what a call may write, and is made
 * anew when what it was made from has changed (sandbox/setup_stamps.h). */
#ifndef TOOL_CONFINEMENT_CACHE_H
#define TOOL_CONFINEMENT_CACHE_H

#include "tool/confinement.h"

#define CONFINEMENT_CACHE_MAX 16 /* tools; a session uses a few of them */

/* A setup that held this long ago holds: from a setup to a process that is
 * confined by it more time passes, in which nothing is noticed either. */
#define CONFINEMENT_CACHE_MS 1

struct confinement_cache;

struct confinement_cache *confinement_cache_new(struct err *e);
void confinement_cache_free(struct confinement_cache *c); /* accepts NULL */
DEFINE_CLEANUP(struct confinement_cache, confinement_cache_free)

/* The setup of confinement_fill for p, borrowed until the next call. Seat,
 * config, closed and report are the same at each call with this cache. NULL
 * without an error: a setup of p is not kept. NULL with e->code set: the errors
 * of confinement_fill. */
const struct sandbox_spec *
confinement_cache_get(struct confinement_cache *c,
                      const struct confinement_params *p, struct err *e);

/* A command or tool may just have changed something: nothing holds unseen. */
void confinement_cache_doubt(struct confinement_cache *c);

#endif
