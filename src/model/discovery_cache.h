/* SPDX-License-Identifier: GPL-3.0-or-later */
/* discovery_cache.h - keeps the result of a discovery between runs. */
#ifndef MODEL_DISCOVERY_CACHE_H
#define MODEL_DISCOVERY_CACHE_H

#include "model/discovery.h"
#include "model/model_dirs.h"

/* Fills in the servers that out lists already. Returns -1, and leaves out as
 * it is, when the cache has nothing fresh for these sockets and this named
 * model (NULL: none). */
int discovery_cache_load(const struct model_dirs *dirs, const char *sockets,
                         const char *model, struct discovery *out);
/* Stores a result. A failure is not reported: the next run asks again. */
void discovery_cache_store(const struct model_dirs *dirs, const char *sockets,
                           const char *model, const struct discovery *d);

/* Removes the cache: the next discovery asks the servers. */
void discovery_cache_drop(const struct model_dirs *dirs);

/* Reads the next field of a file whose fields are separated by tabs and
 * newlines; also the quirk cache is such a file. Ends the field in place with
 * a NUL and moves *at behind its separator. Returns NULL, and leaves *at, when
 * no separator follows. */
char *discovery_cache_next_field(char **at);

#endif
