/* SPDX-License-Identifier: GPL-3.0-or-later */
/* select.h - selects the provider and the model that answer.
 *
 * A provider that the command line, AGENTSH_PROVIDER or the configuration
 * names is used. When none is named, these are tried in order: a provider
 * whose API key is in the environment (the first of openai, anthropic,
 * gemini), one whose address is (OPENAI_BASE_URL and so on; OLLAMA_HOST when it
 * is not this machine), then a model server on this machine that the person
 * agreed to. When there is none, the offline engine answers. */
#ifndef MODEL_SELECT_H
#define MODEL_SELECT_H

#include <stdbool.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "config/config.h"

struct discovery_missing; /* discovery.h */

/* What the command line says; NULL where it says nothing. After it come
 * AGENTSH_PROVIDER and AGENTSH_MODEL, then the configuration. */
struct model_select_params {
    const char *provider; /* --provider */
    const char *model;    /* -m */
    bool offline;         /* --offline */
    bool can_ask;         /* the person can be asked about a local server */
    /* Receives which local server was expected but does not answer. Unless it
     * is NULL, one that the person agreed to gets a second (discovery_wait). */
    struct discovery_missing *missing;
};

struct model_selection; /* provider, model, URL, key and limits */

/* Sets *out to the selection, or to NULL without error when there is no model:
 * offline. Runs api_key_command when the configuration has one. Fails with
 * ERR_MODEL (a named provider has no key, and so on), ERR_CONFIG, or ERR_USAGE
 * for an unknown provider or a model name that is not valid.
 *
 * For a server on this machine that the person was never asked about,
 * model_selection_needs_consent() is true: the caller asks, then calls
 * model_selection_store_consent(). Where nobody can be asked, the caller goes
 * on as if there were no model. */
int model_select(const struct config *c, const struct model_select_params *p,
                 struct model_selection **out, struct err *e);
void model_selection_free(struct model_selection *m);
DEFINE_CLEANUP(struct model_selection, model_selection_free)

const char *model_selection_provider(const struct model_selection *m);
const char *model_selection_title(const struct model_selection *m);
const char *model_selection_model(const struct model_selection *m);
/* The base URL, without its query. */
const char *model_selection_url(const struct model_selection *m);
/* Whether the URL is one of this machine. */
bool model_selection_is_local(const struct model_selection *m);

/* These are about a server that was discovered on this machine. */
bool model_selection_needs_consent(const struct model_selection *m);
/* Why this model of the server; "" when somebody named the model. */
const char *model_selection_reason(const struct model_selection *m);
/* The uid of the user who runs the server; -1: unknown. */
long model_selection_server_uid(const struct model_selection *m);
/* Stores the person's answer for later runs. */
int model_selection_store_consent(struct model_selection *m, bool yes,
                                  struct err *e);

/* Whether the selection comes from the cache of an earlier discovery. When
 * the server turns out not to answer, the caller drops the cache and selects
 * again. */
bool model_selection_is_cached(const struct model_selection *m);
void model_selection_drop_cache(struct model_selection *m);

#endif
