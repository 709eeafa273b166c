/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sketch_add.c - a command that is written, with what is done with what it
 * prints, put on the shortlist. */
#include <ctype.h>
#include <stdio.h>

#include "offline/compose/compose.h"
#include "offline/compose/sketch.h"

static bool
is_identifier(const char *text)
{
    if (!isalpha((unsigned char)*text) && *text != '_')
        return false;
    while (isalnum((unsigned char)*text) || *text == '_')
        text++;
    return !*text;
}

/* The variable that the request wants the output in; NULL. */
static const struct literal *
take_variable(struct sketch *k)
{
    if (!sketch_has(k, "variable") ||
        !sketch_has(k, "save store assign put set keep record capture"))
        return NULL;
    for (size_t i = 0; i < k->l->n; i++) {
        const struct literal *l = &k->l->v[i];
        const struct request *q = k->l->q;
        bool next = l->word + 1 < q->n &&
                    literals_word_is(&q->words[l->word + 1], "variable");
        bool after = l->word > 0 &&
                     literals_word_is(&q->words[l->word - 1], "variable");

        if (!sketch_is_free(k, l) || (!next && !after) ||
            !is_identifier(l->value->text))
            continue;
        sketch_mark(k, l->word);
        sketch_says(k, "variable");
        sketch_says(k, "save store assign put set keep record capture");
        return l;
    }
    return NULL;
}

static int
add(const struct sketch *k, const struct literal *variable, struct shortlist *s,
    double fit, const char *title, struct err *e)
{
    CLEANUP_BUF struct buf line = buf_of(SKETCH_BYTES + 128);
    struct candidate c = {
        .used = k->used,
        .fit = fit,
        .open = k->open,
        .recipe = -1,
        .composer = k->composer,
    };

    if (variable)
        buf_printf(&line, "%s=$(%s)", variable->value->text, k->out.p);
    else
        buf_str(&line, k->out.p);
    snprintf(c.title, sizeof(c.title), "%s", title);
    return shortlist_offer(s, &c, k->out.bad ? &k->out : &line, e);
}

int
sketch_add_plain(struct sketch *k, struct shortlist *s, double fit,
                 const char *title, struct err *e)
{
    uint64_t used = k->used;
    const struct literal *variable = take_variable(k);
    int r = add(k, variable, s, fit, title, e);

    k->used = used;
    return r;
}

int
sketch_add(struct sketch *k, struct shortlist *s, double fit, const char *title,
           struct err *e)
{
    uint64_t used = k->used;
    size_t len = k->out.len;
    const struct literal *variable = take_variable(k);
    int r;

    compose_tail(k->l->q, &k->used, &k->out);
    r = add(k, variable, s, fit, title, e);
    k->used = used;
    buf_cut(&k->out, len);
    return r;
}
