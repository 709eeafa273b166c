/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model_memory.h - remembers which model answers where a default is gone. */
#ifndef MODEL_MODEL_MEMORY_H
#define MODEL_MODEL_MEMORY_H

#include "model/model_dirs.h"
#include "model/model_rank.h"

/* Copies the model that answered at this address when the default `gone` did
 * not exist. -1: nothing is remembered, or it is older than 30 days: then the
 * default is tried again. */
int model_memory_load(const struct model_dirs *dirs, const char *url,
                      const char *gone, char model[MODEL_NAME_SIZE]);

/* Remembers it. A failure is not reported: the next run asks again. */
void model_memory_store(const struct model_dirs *dirs, const char *url,
                        const char *gone, const char *model);

#endif
