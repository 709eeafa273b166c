/* SPDX-License-Identifier: GPL-3.0-or-later */
/* index_terms.c - reads a phrase of a recipe as a request is read.
 *
 * Each slot is replaced by an example and the text goes through
 * request_read(), so that a phrase is divided into the same words as a
 * request of its kind. */
#include "offline/index/index_terms.h"

#include <stdlib.h>
#include <string.h>

#include "offline/index/index_format.h"
#include "offline/index/recipe_example.h"
#include "offline/parse/lexicon.h"

struct adding {
    struct index_terms *to;
    const struct request *q;
    const struct recipe_fills *fills;
    size_t fill; /* the first slot that no word has reached */
    uint32_t phrase, place;
    struct err *e;
};

void
index_terms_done(struct index_terms *t)
{
    if (!t)
        return;
    free(t->v);
    free(t->words);
    *t = (struct index_terms){0};
}

/* Grows an array of elements of `size` bytes so that one more fits. */
static int
grow_array(void **v, size_t n, size_t *room, size_t size, struct err *e)
{
    size_t more = *room ? 2 * *room : 1024;
    void *p;

    if (n < *room)
        return 0;
    p = reallocarray(*v, more, size);
    if (!p)
        return err_sys(e, "the words of recipes");
    *v = p;
    *room = more;
    return 0;
}

static int
add_index_term(struct adding *a, const char *stem)
{
    struct index_terms *t = a->to;
    struct index_term *term;

    if (!*stem)
        return 0;
    if (grow_array((void **)&t->v, t->n, &t->room, sizeof(*t->v), a->e) < 0)
        return -1;
    term = &t->v[t->n++];
    *term = (struct index_term){.phrase = a->phrase, .place = a->place++};
    strncpy(term->stem, stem, sizeof(term->stem) - 1);
    return 0;
}

static int
add_known(struct adding *a, const struct request_word *w)
{
    struct index_terms *t = a->to;

    if (grow_array((void **)&t->words, t->n_words, &t->words_room,
                   sizeof(*t->words), a->e) < 0)
        return -1;
    memcpy(t->words[t->n_words++].word, w->plain, sizeof(w->plain));
    return 0;
}

static int
add_slot_term(struct adding *a, enum slot_type type)
{
    char name[INDEX_SLOT_MAX];

    index_slot_stem(type, name);
    return add_index_term(a, name);
}

/* Adds the slots whose examples overlap the word. Returns 1 when there are
 * any. */
static int
add_slots(struct adding *a, const struct request_word *w)
{
    const struct recipe_fills *f = a->fills;
    bool some = a->fill > 0 && f->v[a->fill - 1].to > w->from;

    for (; a->fill < f->n && f->v[a->fill].from < w->to; a->fill++) {
        if (add_slot_term(a, f->v[a->fill].slot.type) < 0)
            return -1;
        some = true;
    }
    return some;
}

/* Adds a value that the phrase itself has: "extract a tar.gz". */
static int
add_value_terms(struct adding *a, const struct request_value *v)
{
    char stem[REQUEST_STEM_MAX];

    if (add_slot_term(a, v->is) < 0)
        return -1;
    lexicon_stem(index_kind(v), strlen(index_kind(v)), stem);
    return add_index_term(a, stem);
}

static int
add_word_terms(struct adding *a, const struct request_word *w)
{
    int slots = add_slots(a, w);

    if (slots != 0)
        return slots < 0 ? -1 : 0;
    if (w->value >= 0)
        return add_value_terms(a, &a->q->values[w->value]);
    if (add_known(a, w) < 0)
        return -1;
    return w->weak ? 0 : add_index_term(a, w->stem);
}

static bool
no_path(void *arg, const char *path, bool *is_dir)
{
    (void)arg, (void)path, (void)is_dir;
    return false;
}

static const char *
no_mending(void *arg, const char *word)
{
    (void)arg, (void)word;
    return NULL;
}

int
index_terms_add(struct index_terms *t, const char *text, uint32_t phrase,
                struct err *e)
{
    static const struct request_world nowhere = {.path = no_path,
                                                 .mend = no_mending};
    CLEANUP_BUF struct buf example = buf_of(REQUEST_BYTES_MAX);
    CLEANUP(request_done) struct request q = {0};
    struct recipe_fills fills;
    struct adding a = {
        .to = t, .q = &q, .fills = &fills, .phrase = phrase, .e = e};

    if (recipe_example(text, &example, &fills, e) < 0 ||
        request_read(example.p, &nowhere, &q, e) < 0)
        return -1;
    for (size_t i = 0; i < q.n; i++)
        if (add_word_terms(&a, &q.words[i]) < 0)
            return -1;
    return (int)q.n;
}
