/* SPDX-License-Identifier: GPL-3.0-or-later */
/* index.c - validates an index and looks recipes and stems up in it. */
#include <stdio.h>
#include <string.h>

#include "offline/index/index_format.h"
#include "offline/parse/lexicon.h"

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
        .generator = r->generator ? t.text + r->generator : NULL,
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

/* Spelling correction. */

/* The least length of a word that is corrected, and the least for distance 2:
 * short words are near to too many others. */
#define MEND_LEAST 4
#define MEND_TWO   7
#define MEND_FIRST 5 /* shorter, the first letter is right */

/* Whether a word is the better correction: the smaller distance first, then the
 * same first letter, then the word that recipes use more often. */
static bool
is_better_correction(unsigned slips, unsigned best, bool first, bool best_first,
                     uint32_t times, uint32_t best_times)
{
    if (slips != best)
        return slips < best;
    if (first != best_first)
        return first;
    return times > best_times;
}

const char *
index_spellcheck(const struct index *x, const char *word)
{
    struct index_tables t = index_tables_of(x);
    size_t length = strlen(word);
    unsigned most = length >= MEND_TWO ? 2 : 1, best = most + 1;
    const struct index_word *found = NULL;

    if (length < MEND_LEAST || length >= REQUEST_STEM_MAX)
        return NULL;
    for (size_t i = 0; i < x->n_words; i++) {
        const char *known = t.text + t.words[i].text;
        size_t n = strlen(known);
        unsigned slips;

        if (n + most < length || n > length + most || n < MEND_LEAST)
            continue;
        slips = lexicon_distance(word, known, most);
        if (slips == 0)
            return NULL; /* no slip at all */
        if (slips <= most && (length >= MEND_FIRST || known[0] == word[0]) &&
            is_better_correction(slips, best, known[0] == word[0],
                                 found && t.text[found->text] == word[0],
                                 t.words[i].times, found ? found->times : 0)) {
            best = slips;
            found = &t.words[i];
        }
    }
    return found ? t.text + found->text : NULL;
}

/* Validation: every number is checked once, so that no reader has to. */

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

/* Whether the rows of one owner follow those of the owner before it. */
static bool
row_follows(uint32_t first, uint32_t n, uint32_t all, uint64_t *next)
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
            r->generator >= x->n_text || r->program >= x->n_programs ||
            r->risk > RECIPE_ROOT || r->n_steps > RECIPE_STEPS_MAX ||
            r->n_phrases < 1 || r->n_phrases > RECIPE_PHRASES_MAX)
            return false;
        if (!row_follows(r->step, r->n_steps, x->n_steps, &step) ||
            !row_follows(r->phrase, r->n_phrases + INDEX_EXTRA, x->n_phrases,
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
            !row_follows(t->phrases[i].term, t->phrases[i].n_terms, x->n_terms,
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
            !row_follows(t->stems[i].posting, t->stems[i].n_postings,
                         x->n_postings, &posting))
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
