/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_fact.c - what was found out about each command of a line. */
#include "offline/explain/explain_fact.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "offline/explain/explain_args.h"

static void
fact_free(struct fact *f)
{
    if (!f)
        return;
    free(f->operands);
    free(f->options);
    free(f->said);
    free(f);
}
DEFINE_CLEANUP(struct fact, fact_free)

static void *
copy_of(const void *bytes, size_t n, size_t size)
{
    void *p = calloc(n + 1, size);

    if (p && n > 0)
        memcpy(p, bytes, n * size);
    return p;
}

struct fact *
fact_keep(struct args *a)
{
    CLEANUP(fact_free_p) struct fact *f = calloc(1, sizeof(*f));
    CLEANUP(free_p) char *said = TAKE_PTR(a->said);
    struct explainer *x = a->s->x;

    if (a->s->mapped)
        return NULL;
    if (f) {
        f->options = copy_of(a->used, a->n_used, sizeof(*f->options));
        f->operands = copy_of(a->operands, a->n_operands, sizeof(*f->operands));
    }
    if (!f || !f->options || !f->operands) {
        x->nomem = true;
        return NULL;
    }
    f->n_options = a->n_used;
    f->n_operands = a->n_operands;
    f->n_before = a->behind ? a->n_before : a->n_operands;
    f->at = a->s->base + a->c->argv[0]->from;
    f->name_to = a->name_to;
    f->base = a->s->base;
    f->p = program_is_known(a->p) ? a->p : NULL;
    if (f->p)
        f->table = a->family ? a->family->table : f->p->table;
    f->is_function = a->is_function;
    f->lacks = a->lacks || (a->inner && a->inner->lacks);
    f->inner = a->inner;
    f->said = TAKE_PTR(said);
    f->next = x->facts;
    x->facts = f;
    return TAKE_PTR(f);
}

const struct fact *
fact_at(const struct explainer *x, size_t at)
{
    const struct fact *f = x->facts;

    while (f && f->at != at)
        f = f->next;
    return f;
}

const struct fact_option *
fact_option(const struct fact *f, const char *name, size_t n)
{
    for (size_t i = f->n_options; i-- > 0;)
        if (page_row_names(f->options[i].row, name, n))
            return &f->options[i];
    return NULL;
}

void
facts_done(struct explainer *x)
{
    while (x->facts) {
        struct fact *next = x->facts->next;

        fact_free(x->facts);
        x->facts = next;
    }
    free(x->said);
    x->said = NULL;
}
