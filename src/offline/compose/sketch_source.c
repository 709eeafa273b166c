/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sketch_source.c - lines that come from elsewhere than from a file. */
#include <string.h>

#include "guard/syntax/syntax.h"
#include "offline/compose/compose.h"
#include "offline/compose/sketch.h"

/* Whether the shell reads it; only such a text is put in as it is. */
static bool
is_command(const char *text, size_t n)
{
    struct syntax s = {0};
    bool whole = n && syntax_read(text, n, &s, NULL) == 0 && !s.fault;

    syntax_done(&s);
    return whole && text[n - 1] != '&' && text[n - 1] != ';' &&
           !memchr(text, '#', n) && !memchr(text, '\n', n);
}

/* "the output of history": the words of a command, as they were said. */
static bool
put_output(struct sketch *k)
{
    const struct request *q = k->l->q;
    size_t at = sketch_row_at(k, "output of/from");
    const char *text;
    size_t n;

    if (at == REQUEST_NONE)
        at = sketch_row_at(k, "output and error/errors of/from");
    if (at == REQUEST_NONE)
        return false;
    while (at < q->n && q->words[at].value < 0 &&
           (q->words[at].weak ||
            literals_word_is(&q->words[at], "output error command")))
        at++;
    if (at >= q->n)
        return false;
    if (q->words[at].value >= 0) {
        text = q->values[q->words[at].value].text;
        n = strlen(text);
    } else {
        text = q->text + q->words[at].from;
        n = q->words[at].to - q->words[at].from;
    }
    if (!is_command(text, n))
        return false;
    sketch_row(k, "output of/from");
    sketch_row(k, "output and error/errors of/from");
    sketch_says(k, "command");
    sketch_mark(k, at);
    buf_add(&k->out, text, n);
    return true;
}

/* $x, ${x[@]}: nothing that would run anything. */
static bool
is_expansion(const char *text)
{
    static const char safe[] = "abcdefghijklmnopqrstuvwxyz"
                               "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_[]@*";

    if (text[0] != '$')
        return false;
    if (text[1] != '{')
        return text[1] && !text[1 + strspn(text + 1, safe)];
    return !strcmp(text + 2 + strspn(text + 2, safe), "}");
}

/* "the string 'a b'", "the value of $x", "the variable $x" */
static bool
put_text(struct sketch *k)
{
    for (size_t i = 0; i < k->l->n; i++) {
        const struct literal *l = &k->l->v[i];
        const struct request_word *before = NULL;
        bool variable = l->value->text[0] == '$' &&
                        !strchr(l->value->text, '/');

        if (l->word > 0)
            before = &k->l->q->words[l->word - 1];
        if (!before || !sketch_is_free(k, l) || l->value->exists)
            continue;
        if (!(literals_word_is(before, "string variable") &&
              (variable || l->role == ROLE_IN || l->role == ROLE_FROM)) &&
            !(variable &&
              (l->noun == NOUN_LINE || l->noun == NOUN_TEXT ||
               literals_word_is(before, "of in from")) &&
              sketch_has(k, "variable string value") &&
              !sketch_has(k, "content contents file")))
            continue;
        sketch_mark(k, l->word);
        sketch_says(k, "variable string value");
        buf_str(&k->out, "echo ");
        if (is_expansion(l->value->text))
            buf_printf(&k->out, "\"%s\"", l->value->text);
        else
            compose_quoted(&k->out, l->value->text);
        return true;
    }
    return false;
}

/* "the 'ps aux' output" */
static bool
put_quoted_output(struct sketch *k)
{
    for (size_t i = 0; i < k->l->n; i++) {
        const struct literal *l = &k->l->v[i];

        if (l->word + 1 >= k->l->q->n || !l->value->quoted ||
            !literals_word_is(&k->l->q->words[l->word + 1], "output") ||
            !is_command(l->value->text, strlen(l->value->text)))
            continue;
        sketch_mark(k, l->word);
        sketch_mark(k, l->word + 1);
        buf_str(&k->out, l->value->text);
        return true;
    }
    return false;
}

void
sketch_source(struct sketch *k)
{
    if (put_output(k) || put_quoted_output(k) || put_text(k)) {
        buf_str(&k->out, " | ");
        k->piped = true;
    } else if (sketch_row(k, "standard input") || sketch_says(k, "stdin")) {
        k->piped = true;
    }
    k->start = k->out.len;
    k->start_used = k->used;
}

void
sketch_again(struct sketch *k)
{
    buf_cut(&k->out, k->start);
    k->used = k->start_used;
    k->open = 0;
}
