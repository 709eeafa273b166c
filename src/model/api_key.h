/* SPDX-License-Identifier: GPL-3.0-or-later */
/* api_key.h - finds the API key of a provider. */
#ifndef MODEL_API_KEY_H
#define MODEL_API_KEY_H

#include "base/cleanup.h"
#include "base/loop.h"
#include "base/seat.h"
#include "config/config.h"
#include "model/provider/provider.h"

struct api_key_search; /* one that runs on the loop */

/* All is borrowed until the search is freed. */
struct api_key_params {
    const struct config *config;
    const struct seat *seat; /* whose variables, and whose home */
    const struct provider *provider;
    bool configured;  /* the configuration is about this provider */
    bool on_terminal; /* as in model_select_params */
};

/* One of them is called, once, from the loop. It may free the search. */
struct api_key_events {
    /* key: the callee's, which frees it with api_key_free(); NULL: there is
     * none. name: the variable or setting that it is from, static. */
    void (*found)(void *arg, char *key, const char *name);
    void (*failed)(void *arg, const struct err *why);
};

/* Finds the key in the provider's variables; else, when the configuration is
 * about this provider, by api_key_command, which has a minute, or by
 * api_key_file. It fails with ERR_CONFIG: other users can read the file, or it
 * holds something else than a key; ERR_MODEL: the command failed; ERR_TIMEOUT.
 * p is copied. */
struct api_key_search *api_key_search_start(struct loop *l,
                                            const struct api_key_params *p,
                                            const struct api_key_events *ev,
                                            void *arg, struct err *e);
/* Kills the command and its descendants. No event comes afterwards. */
void api_key_search_free(struct api_key_search *s); /* accepts NULL */
DEFINE_CLEANUP(struct api_key_search, api_key_search_free)

/* Copies a key from text: its first line without the blanks around it, which
 * the caller frees with api_key_free(). ERR_CONFIG: there is none, or it has
 * bytes that no key has; `where` says in the message where it is from. */
int api_key_parse(const char *text, const char *where, char **key,
                  struct err *e);

/* Appends the bytes of a file that its owner alone may read; setting names it
 * in messages. ERR_CONFIG: others may, or it is no file; or the system's
 * reason. */
int api_key_read_file(const char *setting, const char *path, struct buf *out,
                      struct err *e);

/* The name of the provider's variable that holds a key, static; NULL: none
 * does. */
const char *api_key_variable(const struct seat *s, const struct provider *p);
/* The value of the provider's variable, borrowed; NULL: none is set. */
const char *api_key_in_variables(const struct seat *s,
                                 const struct provider *p);
void api_key_free(char *key); /* wipes it first */

#endif
