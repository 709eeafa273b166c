/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sketch.c - words of a request found and marked, a command written. */
#include "offline/compose/sketch.h"

#include <ctype.h>
#include <string.h>

#include "offline/compose/compose.h"

void
sketch_init(struct sketch *k, const struct literals *l, const char *composer)
{
    *k = (struct sketch){
        .l = l,
        .composer = composer,
        .out = buf_of(SKETCH_BYTES),
    };
}

void
sketch_done(struct sketch *k)
{
    buf_done(&k->out);
}

size_t
sketch_plain_at(const struct sketch *k, const char *list)
{
    const struct request *q = k->l->q;

    for (size_t i = 0; i < q->n; i++)
        if (q->words[i].value < 0 && literals_in(list, q->words[i].plain))
            return i;
    return REQUEST_NONE;
}

bool
sketch_says_plain(struct sketch *k, const char *list)
{
    size_t at = sketch_plain_at(k, list);

    sketch_mark(k, at);
    return at != REQUEST_NONE;
}

void
sketch_mark(struct sketch *k, size_t word)
{
    if (word < REQUEST_WORDS_MAX)
        k->used |= UINT64_C(1) << word;
}

size_t
sketch_at(const struct sketch *k, const char *list)
{
    const struct request *q = k->l->q;

    for (size_t i = 0; i < q->n; i++)
        if (literals_word_is(&q->words[i], list))
            return i;
    return REQUEST_NONE;
}

bool
sketch_has(const struct sketch *k, const char *list)
{
    return sketch_at(k, list) != REQUEST_NONE;
}

bool
sketch_says(struct sketch *k, const char *list)
{
    const struct request *q = k->l->q;
    bool said = false;

    for (size_t i = 0; i < q->n; i++) {
        if (!literals_word_is(&q->words[i], list))
            continue;
        sketch_mark(k, i);
        said = true;
    }
    return said;
}

/* The next item of a row, its alternatives between blanks. */
static const char *
row_item(const char *row, char *out, size_t size)
{
    size_t n = strcspn(row, " ");

    if (n >= size)
        n = size - 1;
    memcpy(out, row, n);
    out[n] = '\0';
    for (char *p = out; *p; p++)
        if (*p == '/')
            *p = ' ';
    row += strcspn(row, " ");
    return row + strspn(row, " ");
}

/* Whether the row stands at that word; adds its words to *set. */
static bool
row_stands(const struct request *q, const char *row, size_t at, uint64_t *set)
{
    uint64_t seen = 0;

    while (*row) {
        char item[128];

        row = row_item(row, item, sizeof(item));
        while (seen && at < q->n && q->words[at].weak &&
               !literals_word_is(&q->words[at], item))
            at++;
        if (at >= q->n || !literals_word_is(&q->words[at], item))
            return false;
        seen |= UINT64_C(1) << at++;
    }
    *set |= seen;
    return seen != 0;
}

size_t
sketch_row_at(const struct sketch *k, const char *row)
{
    uint64_t set = 0;

    for (size_t i = 0; i < k->l->q->n; i++)
        if (row_stands(k->l->q, row, i, &set))
            return i;
    return REQUEST_NONE;
}

bool
sketch_row(struct sketch *k, const char *row)
{
    size_t at = sketch_row_at(k, row);

    return at != REQUEST_NONE && row_stands(k->l->q, row, at, &k->used);
}

void
sketch_put(struct sketch *k, const char *words)
{
    if (k->out.len && k->out.p[k->out.len - 1] != ' ')
        buf_ch(&k->out, ' ');
    buf_str(&k->out, words);
}

void
sketch_put_quoted(struct sketch *k, const char *text)
{
    buf_ch(&k->out, ' ');
    compose_quoted(&k->out, text);
}

/* ".bak" of "the .bak files": an ending, and no name. */
static bool
is_ending(const struct sketch *k, const struct literal *l)
{
    const struct request *q = k->l->q;
    const char *text = l->value->text;

    if (l->value->is == SLOT_EXT)
        return !strpbrk(text, "*?[/");
    return text[0] == '.' && isalpha((unsigned char)text[1]) &&
           !strpbrk(text + 1, "./*?[") && l->word + 1 < q->n &&
           literals_in("files file", q->words[l->word + 1].plain) &&
           !l->value->exists;
}

void
sketch_put_literal(struct sketch *k, const struct literal *l)
{
    const struct request_value *v = l->value;

    sketch_mark(k, l->word);
    buf_ch(&k->out, ' ');
    if (is_ending(k, l)) {
        buf_str(&k->out, v->text[0] == '.' ? "*" : "*.");
        compose_word(&k->out, v->text);
    } else {
        compose_path(&k->out, v->text);
    }
}

void
sketch_put_program(struct sketch *k, const char *text)
{
    buf_str(&k->out, " '");
    for (const char *c = text; *c; c++) {
        k->out.bad |= *c == '\n'; /* another line of the program */
        if (*c == '\'')
            buf_str(&k->out, "'\\'");
        buf_ch(&k->out, *c);
    }
    buf_ch(&k->out, '\'');
}

/* Where the last word begins when it is of option letters; 0: it is none. */
static size_t
last_letters(const struct sketch *k)
{
    size_t n = k->out.len;
    size_t at = n;

    while (at > 0 && k->out.p[at - 1] != ' ')
        at--;
    if (!at || n - at < 2 || n - at > 6 || k->out.p[at] != '-')
        return 0;
    for (size_t i = at + 1; i < n; i++)
        if (!isalpha((unsigned char)k->out.p[i]))
            return 0;
    return at;
}

void
sketch_add_pattern(struct sketch *k, const struct literal *l)
{
    CLEANUP_BUF struct buf text = buf_of(SKETCH_BYTES);

    if (l->value->is == SLOT_EXT && !strpbrk(l->value->text, "*?["))
        buf_str(&text, l->value->text[0] == '.' ? "*" : "*.");
    buf_str(&text, l->value->text);
    compose_quoted(&k->out, text.p);
}

void
sketch_put_option(struct sketch *k, const char *option)
{
    if (option[0] == '-' && isalpha((unsigned char)option[1]) && !option[2] &&
        last_letters(k))
        buf_ch(&k->out, option[1]);
    else
        sketch_put(k, option);
}

void
sketch_put_within(struct sketch *k, const struct literal *dir,
                  const struct literal *kind)
{
    size_t n;

    sketch_put_literal(k, dir);
    n = k->out.len;
    if (k->out.p[n - 1] != '/')
        buf_ch(&k->out, '/');
    if (!kind) {
        buf_ch(&k->out, '*');
        return;
    }
    n = k->out.len;
    sketch_put_literal(k, kind);
    memmove(k->out.p + n, k->out.p + n + 1, k->out.len - n);
    k->out.len--;
}

bool
sketch_option(struct sketch *k, const char *list, const char *option)
{
    if (!sketch_says(k, list))
        return false;
    sketch_put_option(k, option);
    return true;
}

void
sketch_open(struct sketch *k, const char *word)
{
    sketch_put(k, word);
    k->open++;
}

bool
sketch_places(struct sketch *k)
{
    size_t len = k->out.len;

    buf_ch(&k->out, ' ');
    if (compose_places(k->l->q, &k->used, &k->out))
        return true;
    buf_cut(&k->out, len);
    return false;
}
