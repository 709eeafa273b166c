/* SPDX-License-Identifier: GPL-3.0-or-later */
/* api_key.h - finds the API key of a provider. */
#ifndef MODEL_API_KEY_H
#define MODEL_API_KEY_H

#include "config/config.h"
#include "model/provider/provider.h"

/* Finds the key in the provider's variables; else, when the configuration is
 * about this provider (configured), by api_key_command or api_key_file. *key
 * is NULL without error when there is none; the caller frees it with
 * api_key_free(). *name is the variable or setting that it is from, static.
 * ERR_CONFIG: other users can read the file, or it holds something else than a
 * key. ERR_MODEL: the command failed. */
int api_key_find(const struct config *c, const struct provider *p,
                 bool configured, char **key, const char **name, struct err *e);
/* The value of the provider's variable, borrowed; NULL: none is set. */
const char *api_key_in_environment(const struct provider *p);
void api_key_free(char *key); /* wipes it first */

#endif
