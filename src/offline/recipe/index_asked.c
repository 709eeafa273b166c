/* SPDX-License-Identifier: GPL-3.0-or-later */
/* index_asked.c - the stems that a request asks an index for. */
#include <stdlib.h>
#include <string.h>

#include "offline/recipe/index_search.h"
#include "offline/request/synonyms.h"
#include "offline/request/words.h"

/* What a literal may be, but is not likely to, counts for less. */
#define UNLIKELY 0.5

/* So does a word that nobody knows, where a name is wanted. */
#define NAME_SHARE 0.8

/* "this folder" is nearly a path. */
#define PLACE_SHARE 0.8

/* The kind of a file that is named says something of what is to be done. */
#define KIND_SHARE 0.6

/* The place of a stem in asked, added where it is not there yet. */
static unsigned
ask(struct search *s, const struct index_stem *stem, size_t word, double share)
{
    unsigned number = (unsigned)(stem - s->t.stems);
    struct search_asked *a;

    if (!s->place[number]) {
        if (s->n == SEARCH_ASKED_MAX)
            return SEARCH_ASKED_MAX;
        s->asked[s->n++] = (struct search_asked){.stem = stem};
        s->place[number] = (uint16_t)s->n;
    }
    a = &s->asked[s->place[number] - 1];
    a->words |= 1ull << word;
    if (a->share < share)
        a->share = share;
    return s->place[number] - 1u;
}

/* The same of a word that says it itself. */
static unsigned
add(struct search *s, const struct index_stem *stem, size_t word, double share)
{
    unsigned at = ask(s, stem, word, share);

    if (at < SEARCH_ASKED_MAX)
        s->asked[at].own |= 1ull << word;
    return at;
}

const struct search_asked *
search_asked_of(const struct search *s, uint32_t stem)
{
    return s->place[stem] ? &s->asked[s->place[stem] - 1] : NULL;
}

static void
ask_kind(struct search *s, size_t word, const char *kind)
{
    char text[REQUEST_STEM_MAX];
    const struct index_stem *stem;

    words_stem(kind, strlen(kind), text);
    stem = *text ? index_stem_find(s->x, text) : NULL;
    if (stem)
        add(s, stem, word, KIND_SHARE);
}

/* "unpack x.tar.gz" asks for tar.gz, and for gz a little. */
static void
ask_kinds(struct search *s, size_t word, const struct request_value *v)
{
    const char *kind = index_kind(v), *last = strrchr(kind, '.');

    ask_kind(s, word, kind);
    if (last)
        ask_kind(s, word, last + 1);
}

/* What a literal is likely to be comes into the row. */
static unsigned
ask_value(struct search *s, size_t word, const struct request_value *v)
{
    unsigned likely = SEARCH_ASKED_MAX;
    char name[INDEX_SLOT_MAX];

    for (int type = 0; type < SLOT_TYPES; type++) {
        const struct index_stem *stem;
        bool is = v->is == (enum slot_type)type;

        if (!is && !(v->types & 1u << type))
            continue;
        index_slot_stem(type, name);
        stem = index_stem_find(s->x, name);
        if (!stem)
            continue;
        if (is)
            likely = add(s, stem, word, 1);
        else
            add(s, stem, word, UNLIKELY);
        if (is)
            s->weight[word] = stem->weight / INDEX_ONE;
    }
    ask_kinds(s, word, v);
    return likely;
}

/* A word that may stand where a slot does. */
static void
ask_slot(struct search *s, size_t word, enum slot_type type, double share)
{
    char name[INDEX_SLOT_MAX];
    const struct index_stem *stem;

    index_slot_stem(type, name);
    stem = index_stem_find(s->x, name);
    if (stem)
        ask(s, stem, word, share);
}

/* What is asked about "this folder" is asked about a path. */
static bool
is_a_place(const char *stem)
{
    return strcmp(stem, "current") == 0 || strcmp(stem, "here") == 0;
}

static unsigned
ask_word(struct search *s, size_t word, const char *text)
{
    const struct index_stem *stem = index_stem_find(s->x, text);

    s->weight[word] = (stem ? stem->weight : s->x->unknown) / INDEX_ONE;
    if (is_a_place(text))
        ask_slot(s, word, SLOT_PATH, PLACE_SHARE);
    /* What is no word of the language may name something (kill {name}), but for
     * what comes first: that says what is to be done. */
    if (s->n_row > 0 && (!stem || !vocabulary_has(text)))
        ask_slot(s, word, SLOT_NAME, NAME_SHARE);
    if (stem)
        return add(s, stem, word, 1);
    return SEARCH_ASKED_MAX;
}

void
search_done(struct search *s)
{
    if (!s)
        return;
    free(s->place);
}

int
search_ask(struct search *s, const struct index *x, const struct request *q)
{
    *s = (struct search){.x = x, .t = index_tables_of(x), .q = q};
    s->place = calloc(x->n_stems + 1, sizeof(*s->place));
    if (!s->place)
        return -1;
    for (size_t i = 0; i < q->n; i++) {
        const struct request_word *w = &q->words[i];
        const struct request_value *v = request_value_of(q, i);

        if (!v && (w->weak || !*w->stem))
            continue;
        s->row[s->n_row++] = v ? ask_value(s, i, v) : ask_word(s, i, w->stem);
        s->all += s->weight[i];
    }
    return 0;
}
