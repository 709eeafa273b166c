/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_gap.c - operators and reserved words between what the tree holds. */
#include <stdlib.h>
#include <string.h>

#include "offline/explain/explain_state.h"

static int
by_place(const void *a, const void *b)
{
    const struct syntax_word *const *x = a, *const *y = b;

    return ((*x)->from > (*y)->from) - ((*x)->from < (*y)->from);
}

/* The bodies of here-documents that have a place, in v when it is not NULL. */
static size_t
gather(const struct syntax *s, const struct syntax_word **v)
{
    size_t n = 0;

    for (const struct syntax_node *node = s->all; node; node = node->after)
        for (struct syntax_redirect *r = node->redirects; r; r = r->next) {
            if (!r->heredoc || node->mapped)
                continue;
            if (v)
                v[n] = r->heredoc;
            n++;
        }
    return n;
}

bool
explain_gap_prepare(struct scope *s)
{
    size_t n = gather(s->s, NULL);

    s->heredocs = calloc(n + 1, sizeof(const struct syntax_word *));
    if (!s->heredocs)
        return false;
    s->n_heredocs = gather(s->s, s->heredocs);
    qsort(s->heredocs, n, sizeof(const struct syntax_word *), by_place);
    return true;
}

/* Behind the here-document whose body begins at `at`, or `at`: its lines and
 * the one that ends them are no operators. */
static size_t
skip_heredoc(const struct scope *s, size_t at, size_t to)
{
    const char *line = s->x->line + s->base, *end;
    struct syntax_word key = {.from = at};
    const struct syntax_word *k = &key, *const * found;

    found = bsearch(&k, s->heredocs, s->n_heredocs, sizeof(k), by_place);
    if (!found)
        return at;
    at = (*found)->to;
    end = at < to ? memchr(line + at, '\n', to - at) : NULL;
    return end ? (size_t)(end - line) : to;
}

void
explain_gap(const struct scope *s, const struct syntax_node *node, size_t from,
            size_t to)
{
    const char *line = s->x->line + s->base, *end;

    if (s->mapped)
        return;
    while (from < to && s->x->out->n < EXPLAIN_PARTS_MAX) {
        size_t behind = to;

        if (line[from] == '#') {
            end = memchr(line + from, '\n', to - from);
            from = end ? (size_t)(end - line) : to;
        } else if (line[from] == '\n') {
            from = skip_heredoc(s, from + 1, to);
        } else if (explain_sign(s, node, from, &behind)) {
            from = behind;
        } else {
            from++;
        }
    }
}
