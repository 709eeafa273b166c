/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_parts.c - keeps what is found in a command line: parts and facts. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/message.h"
#include "base/utf8.h"
#include "offline/explain/explain_args.h"
#include "offline/explain/explain_fact.h"

/* Bytes of a meaning: a sentence or two with parts of the line. */
#define MEANING_MAX 4096

const char *
explain_words(const struct explainer *x, const char *text)
{
    return message_for(x->out->person, text);
}

static char *
format_meaning(const char *fmt, va_list ap)
{
    CLEANUP_BUF struct buf b = buf_of(MEANING_MAX);

    buf_vprintf(&b, fmt, ap);
    return explain_one_line(&b);
}

char *
explain_one_line(const struct buf *b)
{
    CLEANUP_BUF struct buf whole = buf_of(3 * b->max); /* U+FFFD is three */
    size_t n = 0;

    if (b->bad)
        return NULL;
    utf8_repair(&whole, b->p, b->len);
    for (size_t i = 0; i < whole.len; i++)
        if (whole.p[i] != PAGE_VALUE_ON && whole.p[i] != PAGE_VALUE_OFF)
            whole.p[n++] = (unsigned char)whole.p[i] < 0x20 ? ' ' : whole.p[i];
    buf_cut(&whole, n);
    return buf_take(&whole);
}

void
explain_replace_meaning(struct explainer *x, size_t part,
                        const struct buf *meaning)
{
    char *line = explain_one_line(meaning);

    if (!line)
        x->nomem = true;
    if (!line || part >= x->out->n) {
        free(line);
        return;
    }
    free(x->out->parts[part].meaning);
    x->out->parts[part].meaning = line;
}

static bool
make_part_room(struct explainer *x)
{
    struct explain *out = x->out;
    size_t cap = x->cap ? x->cap * 2 : 32;
    void *p;

    if (out->n < x->cap)
        return true;
    if (out->n >= EXPLAIN_PARTS_MAX)
        return false;
    p = reallocarray(out->parts, cap, sizeof(*out->parts));
    if (!p) {
        x->nomem = true;
        return false;
    }
    out->parts = p;
    x->cap = cap;
    return true;
}

static struct explain_part *
add_explained_part(struct explainer *x, const struct explain_part *form,
                   const char *what, const char *fmt, va_list ap)
{
    struct explain_part p = *form;

    if (!make_part_room(x))
        return NULL;
    p.what = what ? strdup(what) : strndup(x->line + p.from, p.to - p.from);
    p.meaning = format_meaning(explain_words(x, fmt), ap);
    if (!p.what || !p.meaning) {
        free(p.what);
        free(p.meaning);
        x->nomem = true;
        return NULL;
    }
    x->out->parts[x->out->n] = p;
    return &x->out->parts[x->out->n++];
}

struct explain_part *
explain_add(struct explainer *x, enum explain_kind kind, size_t from, size_t to,
            const char *what, const char *fmt, ...)
{
    struct explain_part form = {
        .kind = kind, .from = from, .to = to, .depth = x->depth, .known = true};
    struct explain_part *p;
    va_list ap;

    va_start(ap, fmt);
    p = add_explained_part(x, &form, what, fmt, ap);
    va_end(ap);
    return p;
}

struct explain_part *
explain_add_word(const struct explain_scope *s, const struct syntax_word *w,
                 enum explain_kind kind, const char *fmt, ...)
{
    struct explain_part form = {.kind = kind,
                                .from = s->base + w->from,
                                .to = s->base + w->to,
                                .depth = s->x->depth,
                                .known = true};
    struct explain_part *p;
    va_list ap;

    va_start(ap, fmt);
    p = add_explained_part(s->x, &form, s->mapped ? w->text : NULL, fmt, ap);
    va_end(ap);
    return p;
}

void
explain_unknown(struct explain_part *p)
{
    if (p)
        p->known = false;
}

static void
fact_free(struct fact *f)
{
    if (!f)
        return;
    free(f->operands);
    free(f->options);
    free(f->sentence);
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
    CLEANUP(free_p) char *sentence = TAKE_PTR(a->sentence);
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
    f->sentence = TAKE_PTR(sentence);
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
    free(x->sentence);
    x->sentence = NULL;
}
