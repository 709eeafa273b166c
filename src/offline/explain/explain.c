/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain.c - a command line, part by part. */
#include "offline/explain/explain.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/utf8.h"
#include "offline/explain/explain_fact.h"

/* A meaning is a sentence or two, and names parts of the line. */
#define MEANING_MAX 4096

static char *
format_meaning(const char *fmt, va_list ap)
{
    CLEANUP_BUF struct buf b = buf_of(MEANING_MAX);

    buf_vprintf(&b, fmt, ap);
    return explain_sentence(&b);
}

char *
explain_sentence(const struct buf *b)
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
explain_say_again(struct explainer *x, size_t part, const struct buf *meaning)
{
    char *said = explain_sentence(meaning);

    if (!said)
        x->nomem = true;
    if (!said || part >= x->out->n) {
        free(said);
        return;
    }
    free(x->out->parts[part].meaning);
    x->out->parts[part].meaning = said;
}

static bool
make_room(struct explainer *x)
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
add_part(struct explainer *x, const struct explain_part *form, const char *what,
         const char *fmt, va_list ap)
{
    struct explain_part p = *form;

    if (!make_room(x))
        return NULL;
    p.what = what ? strdup(what) : strndup(x->line + p.from, p.to - p.from);
    p.meaning = format_meaning(fmt, ap);
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
    p = add_part(x, &form, what, fmt, ap);
    va_end(ap);
    return p;
}

struct explain_part *
explain_add_word(const struct scope *s, const struct syntax_word *w,
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
    p = add_part(s->x, &form, s->mapped ? w->text : NULL, fmt, ap);
    va_end(ap);
    return p;
}

void
explain_unknown(struct explain_part *p)
{
    if (p)
        p->known = false;
}

/* Parts come as they are understood; a reader reads from left to right. */
static void
sort_parts(struct explain *x)
{
    for (size_t i = 1; i < x->n; i++) {
        struct explain_part p = x->parts[i];
        size_t k = i;

        for (; k > 0 && x->parts[k - 1].from > p.from; k--)
            x->parts[k] = x->parts[k - 1];
        x->parts[k] = p;
    }
}

/* "tar(1), gzip(1)": each source once. */
static char *
join_sources(const struct explain *x)
{
    CLEANUP_BUF struct buf b = buf_of(MEANING_MAX);

    for (size_t i = 0; i < x->n; i++) {
        const char *source = x->parts[i].source;
        bool seen = !source;

        for (size_t k = 0; !seen && k < i; k++)
            seen = x->parts[k].source && !strcmp(x->parts[k].source, source);
        if (!seen)
            buf_printf(&b, "%s%s", b.len ? ", " : "", source);
    }
    return buf_take(&b);
}

int
explain_line(const char *line, struct explain *out, struct err *e)
{
    CLEANUP(explain_done) struct explain made = {0};
    struct explainer x = {.line = line, .out = &made};

    if (strlen(line) > SYNTAX_LINE_MAX)
        return err_set(e, ERR_INVALID, "a command line of %zu bytes",
                       strlen(line));
    x.depth = (unsigned)-1; /* the outermost line has depth 0 */
    explain_inner(&x, 0, strlen(line));
    made.summary = x.said ? TAKE_PTR(x.said) : strdup("");
    made.line = strdup(line);
    if (explain_judge(line, &made.risk) < 0)
        x.nomem = true;
    facts_done(&x);
    knowledge_done(&x.known);
    sort_parts(&made);
    made.source = join_sources(&made);
    if (x.nomem || !made.source || !made.summary || !made.line)
        return err_set(e, ERR_NOMEM, "out of memory to explain a command");
    *out = made;
    made = (struct explain){0};
    return 0;
}

void
explain_done(struct explain *x)
{
    if (!x)
        return;
    for (size_t i = 0; i < x->n; i++) {
        free(x->parts[i].what);
        free(x->parts[i].meaning);
        free(x->parts[i].source);
    }
    free(x->parts);
    free(x->source);
    free(x->summary);
    free(x->line);
    for (size_t i = 0; i < x->risk.n; i++)
        free(x->risk.reasons[i]);
    free(x->risk.reasons);
    *x = (struct explain){0};
}
