/* SPDX-License-Identifier: GPL-3.0-or-later */
/* choose.h - which provider answers, and with what.
 *
 * When none is named: a key in the environment (first of openai, anthropic,
 * gemini), else a model server on this machine that was agreed to, else none
 * (the offline engine). */
#ifndef MODEL_CHOOSE_H
#define MODEL_CHOOSE_H

#include <stdbool.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "config/config.h"

/* What the command line says; NULL where it says nothing. After it come
 * AGENTSH_PROVIDER and AGENTSH_MODEL, then the configuration. */
struct model_wish {
    const char *provider; /* --provider */
    const char *model;    /* -m */
    bool offline;         /* --offline */
    bool can_ask;         /* about a server that is found here */
};

struct model_choice;

/* ERR_MODEL: a named provider without its key, and so on; ERR_CONFIG; and
 * ERR_USAGE for an unknown provider. *out is NULL without error when there is
 * no model: offline. Runs api_key_command when the configuration has one.
 * A server found on this machine that nobody was asked about comes back with
 * model_choice_found() true: the caller asks the person, then calls
 * model_choice_agree(); where nobody can be asked, it goes on as if there were
 * no model. */
int model_choose(const struct config *c, const struct model_wish *w,
                 struct model_choice **out, struct err *e);
void model_choice_free(struct model_choice *m);
DEFINE_CLEANUP(struct model_choice, model_choice_free)

const char *model_choice_provider(const struct model_choice *m);
const char *model_choice_title(const struct model_choice *m); /* "Ollama" */
const char *model_choice_model(const struct model_choice *m);
const char *model_choice_url(const struct model_choice *m);
bool model_choice_is_here(const struct model_choice *m); /* this machine */
bool model_choice_found(const struct model_choice *m);   /* not agreed to yet */
/* Of one that was found: why this model ("" when it was named), and who runs
 * the server; -1: unknown. */
const char *model_choice_why(const struct model_choice *m);
long model_choice_user(const struct model_choice *m);
/* Keeps what the person said. */
int model_choice_agree(struct model_choice *m, bool yes, struct err *e);

/* Whether the choice rests on an earlier search; when it turns out that it
 * cannot answer, forget that, and choose again. */
bool model_choice_remembered(const struct model_choice *m);
void model_choice_forget(struct model_choice *m);

#endif
