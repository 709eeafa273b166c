/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_variable.c - what the line itself says of its variables. */
#include <string.h>

#include "guard/risk/risk_expand.h"
#include "guard/risk/risk_memory.h"

#define VARIABLES_MAX 256 /* of one line; more: opaque */

size_t
risk_from(const struct risk_frame *f, size_t from)
{
    return f->mapped ? f->from : from;
}

size_t
risk_to(const struct risk_frame *f, size_t to)
{
    return f->mapped ? f->to : to;
}

const struct risk_variable *
risk_variable(const struct risk_state *st, const char *name, size_t n)
{
    for (const struct risk_variable *v = st->variables; v; v = v->next)
        if (strncmp(v->name, name, n) == 0 && !v->name[n])
            return v;
    return NULL;
}

void
risk_assign(struct risk_state *st, const char *name, size_t n,
            struct risk_args *value, bool instead)
{
    struct risk_variable *v = st->variables;

    while (v && (strncmp(v->name, name, n) != 0 || v->name[n]))
        v = v->next;
    if (!v) {
        st->full = st->full || st->n_variables == VARIABLES_MAX;
        v = st->full ? NULL : risk_alloc(st, sizeof(*v));
        if (!v)
            return;
        st->n_variables++;
        v->name = risk_copy(st, name, n);
        v->next = st->variables;
        st->variables = v;
    }
    if (instead) {
        v->n = 0;
        v->unknown = false;
    }
    if (!value || v->n == RISK_VALUES_MAX)
        v->unknown = true;
    else
        v->values[v->n++] = value;
}

struct risk_args *
risk_value(struct risk_state *st, const char *text)
{
    struct risk_args *value = risk_alloc(st, sizeof(*value));
    struct risk_arg *a = value ? risk_args_add(st, value) : NULL;

    if (!a)
        return NULL;
    a->text = a->glob = text;
    a->known = true;
    return value;
}
