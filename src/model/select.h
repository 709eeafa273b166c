/* SPDX-License-Identifier: GPL-3.0-or-later */
/* select.h - selects the provider and the model that answer.
 *
 * A provider that the command line, AGENTSH_PROVIDER or the configuration
 * names is used. When none is named, these are tried in order: a provider
 * whose API key is in the seat's variables (the first of openai, anthropic,
 * gemini), one whose address is (OPENAI_BASE_URL and so on; OLLAMA_HOST when it
 * is not this machine), then a model server on this machine that the person
 * agreed to. When there is none, the offline engine answers. */
#ifndef MODEL_SELECT_H
#define MODEL_SELECT_H

#include <stdbool.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/loop.h"
#include "base/seat.h"
#include "config/config.h"

struct discovery_missing; /* discovery.h */

/* What the command line says; NULL where it says nothing. After it come
 * AGENTSH_PROVIDER and AGENTSH_MODEL, then the configuration. */
struct model_select_params {
    const char *provider; /* --provider */
    const char *model;    /* -m */
    const char *key;      /* that the person typed; NULL: it is looked for */
    bool offline;         /* --offline */
    bool can_ask;         /* the person can be asked about a local server */
    /* api_key_command may use the terminal of this process, in its group, and
     * ask there for a passphrase. Else it leads a group, and has no input. */
    bool on_terminal;
    /* Receives which local server was expected but does not answer. Unless it
     * is NULL, one that the person agreed to gets a second (discovery.h). */
    struct discovery_missing *missing;
};

struct model_selection; /* provider, model, URL, key and limits */

/* One of them is called, once, from the loop. It may free the search. */
struct model_search_events {
    /* m: the callee's, which calls model_selection_free(); NULL: there is no
     * model, the offline engine answers. */
    void (*found)(void *arg, struct model_selection *m);
    void (*failed)(void *arg, const struct err *why);
};

struct model_search; /* a selection that is being made */

/* Selects by the command line, the variables of the seat and the
 * configuration. Runs api_key_command when that has one, and discovers the
 * servers of this machine where nobody named a provider. It fails with
 * ERR_MODEL (a named provider has no key, and so on), ERR_CONFIG, ERR_TIMEOUT,
 * or ERR_USAGE for an unknown provider or a model name that is not valid.
 *
 * p is copied, and what it points to borrowed until the search is freed, as are
 * the seat and the configuration. ERR_NOMEM: nothing was started.
 *
 * For a server on this machine that the person was never asked about,
 * model_selection_needs_consent() is true: the caller asks, then calls
 * model_selection_store_consent(). Where nobody can be asked, the caller goes
 * on as if there were no model. */
struct model_search *model_search_start(struct loop *l, const struct seat *s,
                                        const struct config *c,
                                        const struct model_select_params *p,
                                        const struct model_search_events *ev,
                                        void *arg, struct err *e);
/* Ends what runs for it: the command with its descendants, and the process
 * that asks servers. No event comes afterwards. */
void model_search_free(struct model_search *s); /* accepts NULL */
DEFINE_CLEANUP(struct model_search, model_search_free)

/* Whether the person said that no model is to be used: by the provider
 * "offline". */
bool model_is_declined(const struct seat *s, const struct config *c);

void model_selection_free(struct model_selection *m);
DEFINE_CLEANUP(struct model_selection, model_selection_free)

const char *model_selection_provider(const struct model_selection *m);
const char *model_selection_title(const struct model_selection *m);
const char *model_selection_model(const struct model_selection *m);
/* The base URL, without its query. */
const char *model_selection_url(const struct model_selection *m);
/* Whether the URL is one of this machine. */
bool model_selection_is_local(const struct model_selection *m);
/* By the setting "images", or by what its server is known to take. */
bool model_selection_takes_images(const struct model_selection *m);

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
