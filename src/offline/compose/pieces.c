/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pieces.c - split and tee: output in several files. */
#include "offline/compose/composers.h"
#include "offline/compose/sketch.h"

/* Whether one of the nouns follows the literal: "100 lines". */
static bool
counts(const struct sketch *k, const struct literal *l, const char *nouns)
{
    const struct request *q = k->l->q;

    for (size_t i = l->word + 1; i < q->n && i < l->word + 3; i++)
        if (literals_word_is(&q->words[i], nouns))
            return true;
    return false;
}

static const struct literal *
take_counted(struct sketch *k, const char *nouns)
{
    for (size_t i = 0; i < k->l->n; i++) {
        const struct literal *l = &k->l->v[i];

        if (!sketch_is_free(k, l) || l->value->is != SLOT_NUMBER ||
            !counts(k, l, nouns))
            continue;
        sketch_mark(k, l->word);
        sketch_says(k, nouns);
        return l;
    }
    return NULL;
}

static void
put_size(struct sketch *k)
{
    const struct literal *l = sketch_take(k, ROLE_ANY, 1u << SLOT_SIZE);
    char unit;

    if (l && l->value->is == SLOT_SIZE) {
        unit = l->value->unit;
        buf_printf(&k->out, " -b %lld", (long long)l->value->amount);
        if (unit && unit != 'c')
            buf_ch(&k->out, unit);
        sketch_says(k, "size");
    } else if ((l = take_counted(k, "line lines"))) {
        sketch_put(k, "-l");
        buf_printf(&k->out, " %lld", (long long)l->value->amount);
    } else if ((l = take_counted(k, "byte bytes"))) {
        sketch_put(k, "-b");
        buf_printf(&k->out, " %lld", (long long)l->value->amount);
    } else if ((l = take_counted(k, "file files part parts piece pieces chunk "
                                    "chunks equal"))) {
        sketch_put(k, "-n");
        buf_printf(&k->out, " %lld", (long long)l->value->amount);
    }
}

static int
add_split(struct sketch *k, struct shortlist *s, struct err *e)
{
    const struct literal *suffix = NULL;
    const struct literal *prefix = NULL;
    const struct request *q = k->l->q;
    size_t len;

    sketch_source(k);
    sketch_put(k, "split");
    if (sketch_says(k, "numeric numerical digits"))
        sketch_put_option(k, "-d");
    for (size_t i = 0; i < k->l->n; i++) {
        const struct literal *l = &k->l->v[i];
        size_t from = l->word > 3 ? l->word - 3 : 0;

        for (size_t at = from; at < l->word && sketch_is_free(k, l); at++) {
            if (literals_word_is(&q->words[at], "length") &&
                l->value->is == SLOT_NUMBER)
                suffix = l;
            else if (literals_word_is(&q->words[at], "prefix named name"))
                prefix = l;
        }
    }
    if (suffix) {
        sketch_mark(k, suffix->word);
        sketch_says(k, "length");
        buf_printf(&k->out, " -a %lld", (long long)suffix->value->amount);
    }
    if (prefix)
        sketch_mark(k, prefix->word);
    put_size(k);
    sketch_says(k, "suffix suffixes");
    len = k->out.len;
    sketch_files(k, ROLE_ANY & ~(1u << ROLE_NAMED));
    if (k->out.len == len && prefix && k->piped)
        sketch_put(k, "-");
    else if (k->out.len == len && !k->piped)
        sketch_open(k, "FILE");
    if (prefix) {
        sketch_put_literal(k, prefix);
        sketch_says(k, "prefix named");
    }
    sketch_says(k, "split");
    sketch_says(k, "file files piece pieces part parts");
    return sketch_add_plain(k, s, k->open ? FIT_LIKELY : FIT_SURE,
                            "split a file", e);
}

static bool
wants_tee(const struct sketch *k)
{
    if (sketch_plain_at(k, "tee") != REQUEST_NONE)
        return true;
    if (!sketch_has(k, "write print save send show append display output"))
        return false;
    return sketch_row_at(k, "standard output and") != REQUEST_NONE ||
           sketch_row_at(k, "stdout and") != REQUEST_NONE ||
           sketch_row_at(k, "screen/terminal/console and") != REQUEST_NONE ||
           sketch_row_at(k, "both screen/terminal/stdout/file") != REQUEST_NONE;
}

/* What is written: a command's output, a file, a text. */
static bool
put_written(struct sketch *k)
{
    const struct literal *what = sketch_find(
        k, 1u << ROLE_OBJECT | 1u << ROLE_IN, ~0u);

    if (k->start) {
        buf_cut(&k->out, k->start - 3);
    } else if (what && what->noun != NOUN_TEXT &&
               (sketch_says(k, "content contents") ||
                literal_is_surely_file(what))) {
        buf_str(&k->out, "cat");
        sketch_put_literal(k, what);
    } else if (what) {
        buf_str(&k->out, "echo");
        sketch_mark(k, what->word);
        sketch_put_quoted(k, what->value->text);
    } else {
        return false;
    }
    return true;
}

static int
add_tee(struct sketch *k, struct shortlist *s, struct err *e)
{
    sketch_source(k);
    if (!put_written(k))
        return 0;
    if (sketch_row(k, "output and error/errors") ||
        sketch_row(k, "error/errors"))
        sketch_put(k, "2>&1");
    sketch_put(k, "| tee");
    sketch_option(k, "append appending appends", "-a");
    sketch_files_or(k, ROLE_ANY, "FILE");
    sketch_says(k, "write print save send show display");
    sketch_row(k, "standard output");
    sketch_says(k, "screen terminal console stdout");
    sketch_says(k, "file");
    return sketch_add_plain(k, s, FIT_SURE, "show output and keep it", e);
}

int
pieces_compose(const struct request *q, struct shortlist *s, struct err *e)
{
    struct literals l;
    CLEANUP_SKETCH struct sketch k;

    literals_read(q, &l);
    sketch_init(&k, &l, "pieces");
    if (sketch_has(&k, "split") &&
        !sketch_has(&k, "screen window pane string terminal tmux column"))
        return add_split(&k, s, e);
    if (wants_tee(&k))
        return add_tee(&k, s, e);
    return 0;
}
