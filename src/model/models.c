/* SPDX-License-Identifier: GPL-3.0-or-later */
/* models.c - what a model server says of the models that it has. */
#include "model/models.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BILLIONS_MAX 1e5 /* parameters: a hundred times the largest known */

void
model_list_done(struct model_list *l)
{
    if (!l)
        return;
    free(l->v);
    *l = (struct model_list){0};
}

/* Digits with at most one point; *end is behind them. */
static double
read_number(const char *p, const char **end)
{
    double value = 0, unit = 1;
    bool point = false;

    for (; isdigit((unsigned char)*p) || (*p == '.' && !point); p++) {
        if (*p == '.') {
            point = true;
            continue;
        }
        value = 10 * value + (*p - '0');
        if (point)
            unit *= 10;
    }
    *end = p;
    return value / unit;
}

/* "7b", "1.5B", "8x7b", "270m" from p on, as a word of its own; else 0. */
static double
size_at(const char *p)
{
    const char *end;
    double value = read_number(p, &end);

    if ((*end == 'x' || *end == 'X') && isdigit((unsigned char)end[1]))
        value *= read_number(end + 1, &end);
    if (!strchr("bBmM", *end) || !*end || isalnum((unsigned char)end[1]))
        return 0;
    return tolower((unsigned char)*end) == 'm' ? value / 1000 : value;
}

double
models_billions(const char *text)
{
    char before = ' ';

    for (const char *p = text; *p; before = *p++) {
        bool starts = isdigit((unsigned char)*p) &&
                      !isalnum((unsigned char)before) && before != '.';
        double value = starts ? size_at(p) : 0;

        if (value > 0 && value < BILLIONS_MAX)
            return value;
    }
    return 0;
}

static struct model_info *
find(const struct model_list *l, const char *name)
{
    for (size_t i = 0; i < l->n; i++) {
        if (strcmp(l->v[i].name, name) == 0)
            return &l->v[i];
    }
    return NULL;
}

/* A name that would not go into a request, or onto a screen, is passed over. */
static const char *
name_of(const struct json *v)
{
    static const char *const members[] = {"model", "name", "id"};
    const char *name = NULL;

    for (size_t i = 0; !name && i < 3; i++)
        name = json_get_str(v, members[i]);
    if (!name || !*name || strlen(name) >= MODEL_NAME_SIZE)
        return NULL;
    for (const char *p = name; *p; p++) {
        if (*p <= ' ' || *p > '~')
            return NULL;
    }
    return name;
}

static bool
is_word(const struct json *v, const char *name, const char *word)
{
    const char *text = json_get_str(v, name);

    return text && strcmp(text, word) == 0;
}

static bool
list_has(const struct json *list, const char *word)
{
    for (const struct json *c = json_first(list); c; c = json_next(c)) {
        const char *text = json_str(c, NULL);

        if (text && strcmp(text, word) == 0)
            return true;
    }
    return false;
}

/* What Ollama and llama-server say that it can do, where they say so. */
static void
read_abilities(const struct json *v, struct model_info *m)
{
    const struct json *can = json_get(v, "capabilities");

    if (json_count(can) > 0 && !list_has(can, "completion") &&
        !list_has(can, "chat"))
        m->no_chat = true;
    if (is_word(v, "type", "embeddings") || is_word(v, "type", "embedding"))
        m->no_chat = true;
    if (is_word(v, "type", "vlm"))
        m->vision = true;
}

static void
read_size(const struct json *v, struct model_info *m)
{
    const struct json *meta = json_get(v, "meta");
    const char *text = json_get_str(json_get(v, "details"), "parameter_size");
    double n = 0;

    if (json_num(json_get(meta, "n_params"), &n) && n > 0 &&
        n <= BILLIONS_MAX * 1e9)
        m->billions = n / 1e9;
    else if (text && models_billions(text) > 0)
        m->billions = models_billions(text);
    else if (m->billions <= 0)
        m->billions = models_billions(m->name);
    if (!json_int(json_get(v, "size"), &m->bytes))
        (void)json_int(json_get(meta, "size"), &m->bytes);
    if (m->bytes < 0)
        m->bytes = 0;
}

static void
read_model(const struct json *v, bool alone, struct model_info *m)
{
    const char *remote = json_get_str(v, "remote_host");

    read_size(v, m);
    read_abilities(v, m);
    if (alone || is_word(v, "state", "loaded") ||
        is_word(json_get(v, "status"), "value", "loaded"))
        m->loaded = true;
    if (remote && *remote)
        m->elsewhere = true;
}

static int
read_all(const struct json *rows, bool alone, struct model_list *out,
         struct err *e)
{
    for (const struct json *v = json_first(rows); v; v = json_next(v)) {
        const char *name = name_of(v);
        struct model_info *m = name ? find(out, name) : NULL;

        if (!name || (!m && out->n == MODELS_MAX))
            continue;
        if (!m && !out->v)
            out->v = calloc(MODELS_MAX, sizeof(*out->v));
        if (!out->v)
            return err_sys(e, "models");
        if (!m) {
            m = &out->v[out->n++];
            snprintf(m->name, sizeof(m->name), "%s", name);
        }
        read_model(v, alone, m);
    }
    return 0;
}

/* llama-server writes both forms, each with a part of what it knows. */
int
models_read(const struct json *list, bool alone, struct model_list *out,
            struct err *e)
{
    const struct json *data = json_get(list, "data");

    alone = alone && json_count(data) == 1;
    if (read_all(data, alone, out, e) < 0)
        return -1;
    return read_all(json_get(list, "models"), alone, out, e);
}

void
models_mark(const struct json *running, struct model_list *l)
{
    const struct json *v = json_first(json_get(running, "models"));

    for (; v; v = json_next(v)) {
        const char *name = name_of(v);
        struct model_info *m = name ? find(l, name) : NULL;

        if (m)
            m->loaded = true;
    }
}
