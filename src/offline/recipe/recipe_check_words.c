/* SPDX-License-Identifier: GPL-3.0-or-later */
/* recipe_check_words.c - phrases: enough of them, each with other words, and
 * no slot that no command takes. */
#include <string.h>

#include "offline/recipe/index_terms.h"
#include "offline/recipe/recipe_check.h"

#define PHRASE_BYTES_MAX 120

struct looking {
    struct recipe_slot slot; /* that is looked for */
    bool found;
};

/* An extension makes a pattern: {ext} of a phrase fills {glob}. */
static int
see_command_slot(void *arg, const struct recipe_slot *s, size_t from, size_t to)
{
    struct looking *l = arg;

    (void)from, (void)to;
    l->found |= !s->known && s->nth == l->slot.nth &&
                (s->type == l->slot.type ||
                 (s->type == SLOT_GLOB && l->slot.type == SLOT_EXT));
    return 0;
}

static int
see_phrase_slot(void *arg, const struct recipe_slot *s, size_t from, size_t to)
{
    struct recipe_checking *c = arg;
    struct looking l = {.slot = *s};

    (void)from, (void)to;
    if (s->known)
        recipe_complain(c, "a phrase with {@…}, which commands alone have");
    for (size_t i = 0; !s->known && i < c->r->n_steps; i++)
        recipe_slots(c->r->steps[i].command, see_command_slot, &l, NULL);
    if (!s->known && !l.found && c->r->n_steps > 0)
        recipe_complain(c, "no command has slot %u of type %s, a phrase has",
                        s->nth, slot_name(s->type));
    return 0;
}

/* Whether two phrases have the same stems, in whatever order. */
static bool
are_same(const struct index_terms *t, uint32_t one, uint32_t other)
{
    size_t n[2] = {0, 0}, both = 0;

    for (size_t i = 0; i < t->n; i++) {
        bool found = false;

        n[0] += t->v[i].phrase == one;
        n[1] += t->v[i].phrase == other;
        for (size_t k = 0; k < t->n && t->v[i].phrase == one; k++)
            found |= t->v[k].phrase == other &&
                     strcmp(t->v[i].stem, t->v[k].stem) == 0;
        both += found;
    }
    return n[0] == n[1] && both == n[0];
}

static void
check_sameness(struct recipe_checking *c)
{
    CLEANUP(index_terms_done) struct index_terms t = {0};
    const struct recipe *r = c->r;
    struct err e = {0};

    for (uint32_t i = 0; i < r->n_phrases; i++) {
        size_t before = t.n;

        if (index_terms_add(&t, r->phrases[i], i, &e) < 0) {
            recipe_complain(c, "%s", e.text);
            return;
        }
        if (t.n == before)
            recipe_complain(c, "a phrase that says nothing: %s", r->phrases[i]);
    }
    for (uint32_t i = 0; i < r->n_phrases; i++)
        for (uint32_t k = i + 1; k < r->n_phrases; k++)
            if (are_same(&t, i, k))
                recipe_complain(c, "the same words: `%s' and `%s'",
                                r->phrases[i], r->phrases[k]);
}

void
recipe_check_phrases(struct recipe_checking *c)
{
    const struct recipe *r = c->r;

    if (r->n_phrases < RECIPE_PHRASES_MIN)
        recipe_complain(c, "%zu phrases: three to six", r->n_phrases);
    for (size_t i = 0; i < r->n_phrases; i++) {
        if (strlen(r->phrases[i]) > PHRASE_BYTES_MAX)
            recipe_complain(c, "a phrase of more than %d bytes",
                            PHRASE_BYTES_MAX);
        recipe_slots(r->phrases[i], see_phrase_slot, c, NULL);
    }
    check_sameness(c);
}
