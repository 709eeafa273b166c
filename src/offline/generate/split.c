/* SPDX-License-Identifier: GPL-3.0-or-later */
/* split.c - generates split and tee commands. */

#include "offline/generate/builder.h"
#include "offline/generate/generate.h"

/* Whether one of the nouns follows the literal: "100 lines". */
static bool
counts_pieces(const struct builder *k, const struct literal *l,
              const char *nouns)
{
    const struct request *q = k->l->q;

    for (size_t i = l->word + 1; i < q->n && i < l->word + 3; i++)
        if (literals_word_is(&q->words[i], nouns))
            return true;
    return false;
}

static const struct literal *
take_counted(struct builder *k, const char *nouns)
{
    for (size_t i = 0; i < k->l->n; i++) {
        const struct literal *l = &k->l->v[i];

        if (!builder_is_free(k, l) || l->value->is != SLOT_NUMBER ||
            !counts_pieces(k, l, nouns))
            continue;
        builder_mark(k, l->word);
        builder_says(k, nouns);
        return l;
    }
    return NULL;
}

static void
put_stated_size(struct builder *k)
{
    const struct literal *l = builder_take(k, ROLE_ANY, 1u << SLOT_SIZE);
    char unit;

    if (l && l->value->is == SLOT_SIZE) {
        unit = l->value->unit;
        buf_printf(&k->out, " -b %lld", (long long)l->value->amount);
        if (unit && unit != 'c')
            buf_ch(&k->out, unit);
        builder_says(k, "size");
    } else if ((l = take_counted(k, "line lines"))) {
        builder_put(k, "-l");
        buf_printf(&k->out, " %lld", (long long)l->value->amount);
    } else if ((l = take_counted(k, "byte bytes"))) {
        builder_put(k, "-b");
        buf_printf(&k->out, " %lld", (long long)l->value->amount);
    } else if ((l = take_counted(k, "file files part parts piece pieces chunk "
                                    "chunks equal"))) {
        builder_put(k, "-n");
        buf_printf(&k->out, " %lld", (long long)l->value->amount);
    }
}

static int
add_split(struct builder *k, struct shortlist *s, struct err *e)
{
    const struct literal *suffix = NULL;
    const struct literal *prefix = NULL;
    const struct request *q = k->l->q;
    size_t len;

    builder_source(k);
    builder_put(k, "split");
    if (builder_says(k, "numeric numerical digits"))
        builder_put_option(k, "-d");
    for (size_t i = 0; i < k->l->n; i++) {
        const struct literal *l = &k->l->v[i];
        size_t from = l->word > 3 ? l->word - 3 : 0;

        for (size_t at = from; at < l->word && builder_is_free(k, l); at++) {
            if (literals_word_is(&q->words[at], "length") &&
                l->value->is == SLOT_NUMBER)
                suffix = l;
            else if (literals_word_is(&q->words[at], "prefix named name"))
                prefix = l;
        }
    }
    if (suffix) {
        builder_mark(k, suffix->word);
        builder_says(k, "length");
        buf_printf(&k->out, " -a %lld", (long long)suffix->value->amount);
    }
    if (prefix)
        builder_mark(k, prefix->word);
    put_stated_size(k);
    builder_says(k, "suffix suffixes");
    len = k->out.len;
    builder_files(k, ROLE_ANY & ~(1u << ROLE_NAMED));
    if (k->out.len == len && prefix && k->piped)
        builder_put(k, "-");
    else if (k->out.len == len && !k->piped)
        builder_open(k, "FILE");
    if (prefix) {
        builder_put_literal(k, prefix);
        builder_says(k, "prefix named");
    }
    builder_says(k, "split");
    builder_says(k, "file files piece pieces part parts");
    return builder_add_plain(k, s, k->open ? FIT_LIKELY : FIT_SURE,
                             "split a file", e);
}

static bool
wants_tee(const struct builder *k)
{
    if (builder_plain_at(k, "tee") != REQUEST_NONE)
        return true;
    if (!builder_has(k, "write print save send show append display output"))
        return false;
    return builder_row_at(k, "standard output and") != REQUEST_NONE ||
           builder_row_at(k, "stdout and") != REQUEST_NONE ||
           builder_row_at(k, "screen/terminal/console and") != REQUEST_NONE ||
           builder_row_at(k, "both screen/terminal/stdout/file") !=
               REQUEST_NONE;
}

/* What is written: a command's output, a file, a text. */
static bool
put_written(struct builder *k)
{
    const struct literal *what = builder_find(
        k, 1u << ROLE_OBJECT | 1u << ROLE_IN, ~0u);

    if (k->start) {
        buf_cut(&k->out, k->start - 3);
    } else if (what && what->noun != NOUN_TEXT &&
               (builder_says(k, "content contents") ||
                literal_is_surely_file(what))) {
        buf_str(&k->out, "cat");
        builder_put_literal(k, what);
    } else if (what) {
        buf_str(&k->out, "echo");
        builder_mark(k, what->word);
        builder_put_quoted(k, what->value->text);
    } else {
        return false;
    }
    return true;
}

static int
add_tee(struct builder *k, struct shortlist *s, struct err *e)
{
    builder_source(k);
    if (!put_written(k))
        return 0;
    if (builder_row(k, "output and error/errors") ||
        builder_row(k, "error/errors"))
        builder_put(k, "2>&1");
    builder_put(k, "| tee");
    builder_option(k, "append appending appends", "-a");
    builder_files_or(k, ROLE_ANY, "FILE");
    builder_says(k, "write print save send show display");
    builder_row(k, "standard output");
    builder_says(k, "screen terminal console stdout");
    builder_says(k, "file");
    return builder_add_plain(k, s, FIT_SURE, "show output and keep it", e);
}

int
generate_split(const struct request *q, struct shortlist *s, struct err *e)
{
    struct literals l;
    CLEANUP_BUILDER struct builder k;

    literals_read(q, &l);
    builder_init(&k, &l, "pieces");
    if (builder_has(&k, "split") &&
        !builder_has(&k, "screen window pane string terminal tmux column"))
        return add_split(&k, s, e);
    if (wants_tee(&k))
        return add_tee(&k, s, e);
    return 0;
}
