/* SPDX-License-Identifier: GPL-3.0-or-later */
/* quirk_cache.h - keeps the quirks of servers between runs. */
#ifndef MODEL_QUIRK_CACHE_H
#define MODEL_QUIRK_CACHE_H

#include "model/model_dirs.h"

/* The quirks (enum quirk) that this server and model had. A cache that cannot
 * be read or written is not an error: the quirks are detected again. */
unsigned quirk_cache_load(const struct model_dirs *dirs, const char *url,
                          const char *model);
void quirk_cache_store(const struct model_dirs *dirs, const char *url,
                       const char *model, unsigned quirks);

#endif
