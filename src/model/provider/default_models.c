/* SPDX-License-Identifier: GPL-3.0-or-later */
/* default_models.c - the models that are asked when nobody names one. */
#include "model/provider/default_models.h"

#include <string.h>

#include "base/array.h"

struct default_model {
    const char *provider, *model;
    const char *date;   /* when the source was looked at */
    const char *source; /* the npm package whose types have the model */
};

/* The newest first, of those that are quick and cheap enough for a command.
 * tests/check/defaults.sh says which rows were not looked at for half a year;
 * it reads these lines. */
/* clang-format off */
static const struct default_model rows[] = {
    {"openai", "gpt-6.1-terra", "2026-11-26", "openai 7.57.0"},
    {"openai", "gpt-5.6-terra", "2026-11-26", "openai 7.57.0"},
    {"openai", "gpt-5.4-mini", "2026-11-26", "openai 7.57.0"},
    {"anthropic", "claude-haiku-5-5", "2026-11-26", "@anthropic-ai/sdk 1.14"},
    {"anthropic", "claude-haiku-4-5", "2026-11-26", "@anthropic-ai/sdk 1.14"},
    {"anthropic", "claude-sonnet-5-5", "2026-11-26", "@anthropic-ai/sdk 1.14"},
    {"gemini", "gemini-flash-latest", "2026-11-26", "@ai-sdk/google 3.0"},
    {"gemini", "gemini-3.8-flash", "2026-11-26", "@ai-sdk/google 3.0"},
    {"gemini", "gemini-3.5-flash", "2026-11-26", "@ai-sdk/google 3.0"},
    {"ollama", "qwen3:4b", "2026-11-26", "a name that a person pulls"},
};
/* clang-format on */

/* A word that a family of models shares, from one version to the next. */
static const char *const families[][2] = {
    {"openai", "terra"},
    {"anthropic", "haiku"},
    {"gemini", "flash"},
};

const char *
default_models_at(const struct provider *p, size_t i)
{
    for (size_t k = 0; k < ARRAY_SIZE(rows); k++) {
        if (strcmp(rows[k].provider, p->name) == 0 && i-- == 0)
            return rows[k].model;
    }
    return NULL;
}

/* Gemini's list has names with "models/" before them. */
static const char *
bare_name(const char *name)
{
    return strncmp(name, "models/", 7) == 0 ? name + 7 : name;
}

static bool
is_listed(const struct model_list *l, const char *name)
{
    for (size_t i = 0; i < l->n; i++) {
        if (strcmp(bare_name(l->v[i].name), name) == 0)
            return true;
    }
    return false;
}

static const char *
newest_of_family(const char *family, const struct model_list *l,
                 const char *without)
{
    const char *best = NULL;

    for (size_t i = 0; i < l->n; i++) {
        const char *name = bare_name(l->v[i].name);

        if (!strstr(name, family) || strcmp(name, without) == 0 ||
            model_rank_exclusion(&l->v[i]))
            continue;
        if (!best || strverscmp(name, best) > 0)
            best = name;
    }
    return best;
}

static const char *
best_of_all(const struct model_list *l, const char *without)
{
    const struct model_info *best;

    for (size_t i = 0; i < l->n; i++) {
        if (strcmp(bare_name(l->v[i].name), without) == 0)
            l->v[i].no_chat = true; /* it is not chosen again */
    }
    best = model_rank_best(l, 0);
    return best ? bare_name(best->name) : NULL;
}

const char *
default_models_choose(const struct provider *p, const struct model_list *l,
                      const char *without)
{
    const char *name = NULL;

    for (size_t i = 0; (name = default_models_at(p, i)) != NULL; i++) {
        if (strcmp(name, without) != 0 && is_listed(l, name))
            return name;
    }
    for (size_t i = 0; i < ARRAY_SIZE(families) && !name; i++) {
        if (strcmp(families[i][0], p->name) == 0)
            name = newest_of_family(families[i][1], l, without);
    }
    return name ? name : best_of_all(l, without);
}
