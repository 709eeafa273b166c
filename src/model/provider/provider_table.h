/* SPDX-License-Identifier: GPL-3.0-or-later */
/* provider_table.h - lists the providers that agentsh can talk to. */
#ifndef MODEL_PROVIDER_PROVIDER_TABLE_H
#define MODEL_PROVIDER_PROVIDER_TABLE_H

#include "model/provider/provider.h"

/* Each is defined in the file that has its name. */
const struct provider *provider_openai(void);
const struct provider *provider_anthropic(void);
const struct provider *provider_gemini(void);
const struct provider *provider_ollama(void);

/* The provider of this name; NULL: there is none. */
const struct provider *provider_find(const char *name);
/* The i-th provider; NULL after the last. API keys in the environment are
 * looked for in this order. */
const struct provider *provider_at(size_t i);

#endif
