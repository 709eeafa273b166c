/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shortlist.c - keeps the best few candidate commands. */
#include "offline/generate/shortlist.h"

#include <stdlib.h>
#include <string.h>

static struct candidate *
find_same(struct shortlist *s, const char *command)
{
    for (size_t i = 0; i < s->n; i++) {
        if (strcmp(s->v[i].command, command) == 0)
            return &s->v[i];
    }
    return NULL;
}

/* A recipe says more exactly what it does than a generator. */
static void
merge_candidate(struct candidate *into, const struct candidate *c)
{
    into->used |= c->used;
    if (!into->title[0] || (into->recipe < 0 && c->title[0])) {
        memcpy(into->title, c->title, sizeof(into->title));
        memcpy(into->shown, c->shown, sizeof(into->shown));
    }
    if (into->recipe < 0) {
        into->recipe = c->recipe;
        into->hit = c->hit;
        into->filled = c->filled;
        into->way = c->way;
    }
    if (!into->generator)
        into->generator = c->generator;
    if (c->fit > into->fit)
        into->fit = c->fit;
    if (c->open < into->open)
        into->open = c->open;
}

/* The candidate with the least fit, the later one of equal ones. */
static struct candidate *
weakest_candidate(struct shortlist *s)
{
    struct candidate *worst = &s->v[0];

    for (size_t i = 1; i < s->n; i++) {
        if (s->v[i].fit <= worst->fit)
            worst = &s->v[i];
    }
    return worst;
}

int
shortlist_add(struct shortlist *s, const struct candidate *c, struct err *e)
{
    struct candidate *place = find_same(s, c->command);
    char *command;

    if (place) {
        merge_candidate(place, c);
        return 0;
    }
    place = s->n < SHORTLIST_MAX ? &s->v[s->n] : weakest_candidate(s);
    if (s->n == SHORTLIST_MAX && place->fit >= c->fit)
        return 0;
    command = strdup(c->command);
    if (!command)
        return err_sys(e, "a command");
    if (s->n == SHORTLIST_MAX)
        free(place->command);
    else
        s->n++;
    *place = *c;
    place->command = command;
    return 0;
}

int
shortlist_offer(struct shortlist *s, struct candidate *c,
                const struct buf *command, struct err *e)
{
    if (command->bad)
        return 0;
    c->command = command->p;
    return shortlist_add(s, c, e);
}

void
shortlist_drop(struct shortlist *s, size_t i)
{
    free(s->v[i].command);
    s->n--;
    memmove(&s->v[i], &s->v[i + 1], (s->n - i) * sizeof(s->v[0]));
}

void
shortlist_done(struct shortlist *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < s->n; i++)
        free(s->v[i].command);
    s->n = 0;
}
