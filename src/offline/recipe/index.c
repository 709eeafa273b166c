/* SPDX-License-Identifier: GPL-3.0-or-later */
/* index.c - reading an index: its tables, its recipes, its stems. */
#include <stdio.h>
#include <string.h>

#include "offline/recipe/index_form.h"

struct index_tables
index_tables_of(const struct index *x)
{
    struct index_tables t;

    t.recipes = (const void *)(x + 1);
    t.steps = (const void *)(t.recipes + x->n_recipes);
    t.phrases = (const void *)(t.steps + x->n_steps);
    t.terms = (const void *)(t.phrases + x->n_phrases);
    t.stems = (const void *)(t.terms + x->n_terms);
    t.postings = (const void *)(t.stems + x->n_stems);
    t.words = (const void *)(t.postings + x->n_postings);
    t.programs = (const void *)(t.words + x->n_words);
    t.text = (const void *)(t.programs + x->n_programs);
    return t;
}

size_t
index_count(const struct index *x)
{
    return x->n_recipes;
}

void
index_recipe(const struct index *x, size_t i, struct recipe *out)
{
    struct index_tables t = index_tables_of(x);
    const struct index_recipe *r = &t.recipes[i];

    *out = (struct recipe){
        .id = t.text + r->id,
        .title = t.text + r->title,
        .n_phrases = r->n_phrases,
        .n_steps = r->n_steps,
        .job = r->job != 0,
        .composer = r->composer ? t.text + r->composer : NULL,
        .needs = t.text + r->needs,
        .risk = r->risk,
        .file = t.text + r->file,
        .line = r->line,
    };
    for (size_t k = 0; k < r->n_phrases; k++)
        out->phrases[k] = t.text + t.phrases[r->phrase + k].text;
    for (size_t k = 0; k < r->n_steps; k++) {
        const struct index_step *s = &t.steps[r->step + k];

        out->steps[k].command = t.text + s->command;
        if (s->description)
            out->steps[k].description = t.text + s->description;
    }
}

const void *
index_find(const char *texts, const void *rows, size_t n, size_t size,
           const char *text)
{
    size_t from = 0, to = n;

    while (from < to) {
        size_t mid = from + (to - from) / 2;
        const char *row = (const char *)rows + mid * size;
        int order = strcmp(text, texts + *(const uint32_t *)(const void *)row);

        if (order == 0)
            return row;
        if (order < 0)
            to = mid;
        else
            from = mid + 1;
    }
    return NULL;
}

const struct index_stem *
index_stem_find(const struct index *x, const char *stem)
{
    struct index_tables t = index_tables_of(x);

    return index_find(t.text, t.stems, x->n_stems, sizeof(*t.stems), stem);
}

double
index_weight(const struct index *x, const char *stem)
{
    const struct index_stem *s = index_stem_find(x, stem);

    return (s ? s->weight : x->unknown) / INDEX_ONE;
}

void
index_slot_stem(enum slot_type type, char name[INDEX_SLOT_MAX])
{
    snprintf(name, INDEX_SLOT_MAX, "<%s>", slot_name(type));
}

const char *
index_kind(const struct request_value *v)
{
    const char *slash = strrchr(v->text, '/');
    const char *name = slash ? slash + 1 : v->text;
    const char *dot = strchr(name, '.');

    if (v->is == SLOT_EXT)
        return v->text;
    if ((v->is != SLOT_PATH && v->is != SLOT_GLOB) || !dot || dot == name)
        return "";
    return dot + 1;
}
