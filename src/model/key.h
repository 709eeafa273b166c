/* SPDX-License-Identifier: GPL-3.0-or-later */
/* key.h - where the key of a provider comes from. */
#ifndef MODEL_KEY_H
#define MODEL_KEY_H

#include "config/config.h"
#include "model/provider.h"

/* Finds the provider's key: in its variables, else (mine: the configuration
 * is about this provider) by api_key_command or api_key_file. *key is NULL
 * without error when there is none. ERR_CONFIG: the file is open to others,
 * or what it holds is no key; ERR_MODEL: the command failed. */
int key_find(const struct config *c, const struct provider *p, bool mine,
             char **key, struct err *e);
const char *key_in_environment(const struct provider *p); /* NULL: none */
void key_free(char *key);                                 /* wipes it */

#endif
