/* SPDX-License-Identifier: GPL-3.0-or-later */
/* index_programs.c - the programs that recipes begin with. */
#include "offline/recipe/index_programs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A job begins with any: it speaks for none. */
static void
name_of(const struct recipe *r, struct index_program_name *out)
{
    struct programs p = {.n = 0};
    const char *command = r->n_steps > 0 && !r->job ? r->steps[0].command : "";

    programs_of(command, &p);
    if (r->composer)
        snprintf(out->text, sizeof(out->text), "%s", r->composer);
    else if (p.n > 0)
        snprintf(out->text, sizeof(out->text), "%s", p.names[0]);
    else /* timeout {number} {path} */
        snprintf(out->text, sizeof(out->text), "%.*s",
                 (int)strcspn(command, " {"), command);
}

static int
by_name(const void *a, const void *b)
{
    const struct index_program_name *p = a, *q = b;

    return strcmp(p->text, q->text);
}

int
index_program_names(const struct recipe_book *b,
                    struct index_program_names *out, struct err *e)
{
    size_t n = recipe_book_count(b), kept = 0;
    struct index_program_name *v = calloc(n + 1, sizeof(*v));

    if (!v)
        return err_sys(e, "the programs of recipes");
    for (size_t i = 0; i < n; i++)
        name_of(recipe_book_at(b, i), &v[i]);
    qsort(v, n, sizeof(*v), by_name);
    for (size_t i = 0; i < n; i++)
        if (kept == 0 || by_name(&v[i], &v[kept - 1]) != 0)
            v[kept++] = v[i];
    *out = (struct index_program_names){v, kept};
    return 0;
}

void
index_program_names_done(struct index_program_names *p)
{
    if (!p)
        return;
    free(p->v);
    *p = (struct index_program_names){0};
}

uint32_t
index_program_find(const struct index_program_names *p, const struct recipe *r)
{
    struct index_program_name own;
    const struct index_program_name *found;

    name_of(r, &own);
    found = bsearch(&own, p->v, p->n, sizeof(*p->v), by_name);
    return found ? (uint32_t)(found - p->v) : 0;
}
