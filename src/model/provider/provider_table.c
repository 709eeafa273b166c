/* SPDX-License-Identifier: GPL-3.0-or-later */
/* provider_table.c - lists the providers that agentsh can talk to. */
#include "model/provider/provider_table.h"

#include <string.h>

#include "base/array.h"

typedef const struct provider *provider_function(void);

/* In the order of provider_names.h. */
static provider_function *const providers[] = {
    provider_openai,
    provider_anthropic,
    provider_gemini,
    provider_ollama,
};

const struct provider *
provider_at(size_t i)
{
    return i < ARRAY_SIZE(providers) ? providers[i]() : NULL;
}

const struct provider *
provider_find(const char *name)
{
    const struct provider *p;

    for (size_t i = 0; (p = provider_at(i)) != NULL; i++) {
        if (strcmp(p->name, name) == 0)
            return p;
    }
    return NULL;
}
