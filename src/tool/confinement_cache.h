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
#define CONFINEMENT_CACHE_MS 3

struct confinement_cache;

struct confinement_cache *confinement_cache_new(struct err *e);
void confinement_cache_free(struct confinement_cache *c); /* accepts NULL */
DEFINE_CLEANUP(struct confinement_cache, confinement_cache_free)

/* Sets sandbox and plan of p for its tool, permit and workspace, borrowed until
 * the next call. All else in p is the same at each call with this cache.
 * Nothing is set where such a setup is not kept. The errors are those of
 * confinement_fill. */
int confinement_cache_use(struct confinement_cache *c,
                          struct confinement_params *p, struct err *e);

/* A command or tool may just have changed something: nothing holds unseen. */
void confinement_cache_doubt(struct confinement_cache *c);

#endif
