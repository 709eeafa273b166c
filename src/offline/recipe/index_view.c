/* SPDX-License-Identifier: GPL-3.0-or-later */
/* index_view.c - whether bytes are an index: every number is looked at once,
 * so that no reader needs to doubt one. */
#include "offline/recipe/index_form.h"

static bool
sizes_fit(const struct index *x, size_t n)
{
    uint64_t sum = sizeof(*x);

    sum += (uint64_t)x->n_recipes * sizeof(struct index_recipe);
    sum += (uint64_t)x->n_steps * sizeof(struct index_step);
    sum += (uint64_t)x->n_phrases * sizeof(struct index_phrase);
    sum += (uint64_t)x->n_terms * sizeof(uint32_t);
    sum += (uint64_t)x->n_stems * sizeof(struct index_stem);
    sum += (uint64_t)x->n_postings * sizeof(struct index_posting);
    sum += (uint64_t)x->n_words * sizeof(struct index_word);
    sum += (uint64_t)x->n_programs * sizeof(struct index_program);
    return sum + x->n_text == n && x->bytes == n && x->mean > 0;
}

/* The rows that one owns follow those of the owner before. */
static bool
follows(uint32_t first, uint32_t n, uint32_t all, uint64_t *next)
{
    bool ok = first == *next && first + (uint64_t)n <= all;

    *next += n;
    return ok;
}

static bool
recipes_fit(const struct index *x, const struct index_tables *t)
{
    uint64_t phrase = 0, step = 0;

    for (size_t i = 0; i < x->n_recipes; i++) {
        const struct index_recipe *r = &t->recipes[i];

        if (r->id >= x->n_text || r->title >= x->n_text ||
            r->needs >= x->n_text || r->file >= x->n_text ||
            r->composer >= x->n_text || r->program >= x->n_programs ||
            r->risk > RECIPE_ROOT || r->n_steps > RECIPE_STEPS_MAX ||
            r->n_phrases < 1 || r->n_phrases > RECIPE_PHRASES_MAX)
            return false;
        if (!follows(r->step, r->n_steps, x->n_steps, &step) ||
            !follows(r->phrase, r->n_phrases + INDEX_EXTRA, x->n_phrases,
                     &phrase))
            return false;
        for (size_t k = r->phrase; k < phrase; k++)
            if (t->phrases[k].recipe != i)
                return false;
    }
    return phrase == x->n_phrases && step == x->n_steps;
}

static bool
phrases_fit(const struct index *x, const struct index_tables *t)
{
    uint64_t term = 0;

    for (size_t i = 0; i < x->n_phrases; i++)
        if (t->phrases[i].text >= x->n_text ||
            !follows(t->phrases[i].term, t->phrases[i].n_terms, x->n_terms,
                     &term))
            return false;
    for (size_t i = 0; i < x->n_terms; i++)
        if (t->terms[i] >= x->n_stems)
            return false;
    for (size_t i = 0; i < x->n_steps; i++)
        if (t->steps[i].command >= x->n_text ||
            t->steps[i].description >= x->n_text)
            return false;
    return true;
}

static bool
stems_fit(const struct index *x, const struct index_tables *t)
{
    uint64_t posting = 0;

    for (size_t i = 0; i < x->n_stems; i++)
        if (t->stems[i].text >= x->n_text ||
            !follows(t->stems[i].posting, t->stems[i].n_postings, x->n_postings,
                     &posting))
            return false;
    for (size_t i = 0; i < x->n_postings; i++)
        if (t->postings[i].phrase >= x->n_phrases)
            return false;
    for (size_t i = 0; i < x->n_words; i++)
        if (t->words[i].text >= x->n_text)
            return false;
    for (size_t i = 0; i < x->n_programs; i++)
        if (t->programs[i].text >= x->n_text)
            return false;
    return true;
}

const struct index *
index_view(const void *bytes, size_t n, struct err *e)
{
    const struct index *x = bytes;
    struct index_tables t;

    if (n < sizeof(*x) || (uintptr_t)bytes % sizeof(uint32_t) != 0 ||
        x->magic != INDEX_MAGIC || x->version != INDEX_VERSION ||
        !sizes_fit(x, n)) {
        err_set(e, ERR_USAGE, "the index of recipes has an unknown format");
        return NULL;
    }
    t = index_tables_of(x);
    if (x->n_text == 0 || t.text[0] || t.text[x->n_text - 1] ||
        !recipes_fit(x, &t) || !phrases_fit(x, &t) || !stems_fit(x, &t)) {
        err_set(e, ERR_USAGE, "a broken index of recipes");
        return NULL;
    }
    return x;
}
