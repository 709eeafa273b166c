/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_args.c - the parts for options and values, and what is noted. */
#include "offline/explain/explain_args.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/cleanup.h"

#define VALUE_SHOWN 40 /* bytes of a value inside a sentence */

void
args_range(const struct args *a, const struct syntax_word *w, size_t k,
           size_t end, size_t *from, size_t *to)
{
    size_t begin = a->s->base + w->from, n = w->to - w->from, same = 0;
    const char *raw = a->s->x->line + begin;

    while (!a->s->mapped && same < n && w->text[same] == raw[same])
        same++;
    *from = begin + (k <= same ? k : 0);
    *to = begin + (end <= same && w->text[end] ? end : n);
}

const struct syntax_word *
args_word(const struct args *a, size_t i)
{
    return i < a->c->n ? a->c->argv[i] : NULL;
}

bool
args_is_listed(const struct args *a, const char *quirk, const char *option,
               size_t n)
{
    const char *list = program_quirk(a->p, quirk);

    while (list && *list) {
        size_t len = strcspn(list, " ");

        if (len == n && memcmp(list, option, n) == 0)
            return true;
        list += len;
        list += strspn(list, " ");
    }
    return false;
}

void
args_note(struct args *a, const struct page_row *row, size_t at, size_t end)
{
    if (a->n_used < USED_MAX)
        a->used[a->n_used++] = (struct fact_option){
            .row = row, .at = at, .end = end, .part = a->s->x->out->n};
}

void
args_take_said(struct args *a)
{
    free(a->said);
    a->said = TAKE_PTR(a->s->x->said);
}

static void
say_source(const struct args *a, struct buf *out)
{
    if (program_is_builtin(a->p))
        buf_str(out, "the builtin");
    else
        program_describe(a->p, out);
}

void
args_add_option(struct args *a, const struct syntax_word *w, size_t k,
                size_t end, const char *what, const struct page_row *row)
{
    CLEANUP_BUF struct buf source = buf_of(512);
    size_t from, to;

    args_range(a, w, k, end, &from, &to);
    if (row) {
        args_note(a, row, from, to);
        explain_add(a->s->x, EXPLAIN_OPTION, from, to, what, "%s",
                    *row->field[2] ? row->field[2]
                                   : "an option that the page only names");
        return;
    }
    say_source(a, &source);
    explain_unknown(explain_add(a->s->x, EXPLAIN_OPTION, from, to, what,
                                "an option not found in %s", source.p));
}

/* A value that a sentence can take in: a word, which is no sign and a number,
 * and not long. */
static bool
reads_as_name(const char *value, size_t n)
{
    return n > 0 && n <= VALUE_SHOWN && *value != '-' && *value != '+' &&
           !memchr(value, '\n', n);
}

/* Cuts what begins to explain the name, or speaks of some other value: ", where
 * MODE is …". */
static bool
cut_clause(struct buf *out)
{
    static const char *const begins[] = {", where ", ". If ", "; if ",
                                         ". When "};

    for (size_t i = 0; i < sizeof(begins) / sizeof(begins[0]); i++) {
        size_t n = strlen(begins[i]);

        if (out->len < n || memcmp(out->p + out->len - n, begins[i], n) != 0)
            continue;
        buf_cut(out, out->len - n);
        buf_ch(out, '.');
        return true;
    }
    return false;
}

/* The meaning with the person's own value where it names the value. */
static void
add_meaning(const char *meaning, const char *value, size_t n, struct buf *out)
{
    for (const char *p = meaning; *p; p++) {
        const char *end = *p == PAGE_VALUE_ON ? strchr(p, PAGE_VALUE_OFF)
                                              : NULL;

        if (!end) {
            buf_ch(out, *p);
            continue;
        }
        if (cut_clause(out))
            return;
        buf_add(out, value, n);
        p = end;
    }
}

/* Says the last option again, now that its value is known. */
static void
say_with_value(struct args *a, const struct page_row *row, const char *option,
               size_t n, const struct fact_option *o)
{
    CLEANUP_BUF struct buf meaning = buf_of(4096);
    const char *value = a->s->x->line + o->from;
    size_t len = o->to - o->from;

    if (a->s->mapped || len == 0)
        return;
    row = program_option_signed(a->p, row, option, n, *value);
    if (*row->field[1] == *value && !isalnum((unsigned char)*value)) {
        value++; /* the page names what stands behind the sign */
        len--;
    }
    if (!*row->field[2] || !reads_as_name(value, len))
        return;
    add_meaning(row->field[2], value, len, &meaning);
    explain_say_again(a->s->x, o->part, &meaning);
}

/* timeout -s KILL: a value that is the name of a signal. */
static bool
say_signal(struct args *a, size_t from, size_t to, const struct page_row *row)
{
    const char *meaning;
    char name[16] = "";

    if (strncasecmp(row->field[1], "sig", 3) != 0 || to - from >= sizeof(name))
        return false;
    memcpy(name, a->s->x->line + from, to - from);
    meaning = explain_signal(name);
    if (meaning)
        explain_add(a->s->x, EXPLAIN_VALUE, from, to, NULL, "this signal: %s",
                    meaning);
    return meaning != NULL;
}

void
args_add_value(struct args *a, size_t from, size_t to,
               const struct page_row *row, const char *option, size_t n)
{
    struct fact_option *last = a->n_used ? &a->used[a->n_used - 1] : NULL;

    if (last && last->row == row) {
        last->from = from;
        last->to = to;
        say_with_value(a, row, option, n, last);
    }
    if (say_signal(a, from, to, row))
        return;
    if (*row->field[1])
        explain_add(a->s->x, EXPLAIN_VALUE, from, to, NULL, "%s, for %.*s",
                    row->field[1], (int)(n < 64 ? n : 64), option);
    else
        explain_add(a->s->x, EXPLAIN_VALUE, from, to, NULL, "the value of %.*s",
                    (int)(n < 64 ? n : 64), option);
}

bool
args_value_follows(const struct args *a, const char *option, size_t n,
                   enum option_takes takes)
{
    const struct syntax_word *w = args_word(a, a->i + 1);
    const char *t = w ? w->text : "";

    if (takes != TAKES_MAYBE || !args_is_listed(a, "number", option, n))
        return takes == TAKES_VALUE;
    t += *t == '-' || *t == '+';
    return *t && strspn(t, "0123456789") == strlen(t);
}

/* tar -xzf, and nothing behind it. */
static void
say_lack(struct args *a, const struct page_row *row)
{
    CLEANUP_BUF struct buf meaning = buf_of(4096);
    const char *text = row->field[2];
    size_t n = strlen(text);

    a->lacks = true;
    if (a->n_used == 0)
        return;
    buf_add(&meaning, text, n > 0 && text[n - 1] == '.' ? n - 1 : n);
    buf_str(&meaning, "; its value is missing here");
    explain_say_again(a->s->x, a->used[a->n_used - 1].part, &meaning);
}

void
args_take_value(struct args *a, const struct page_row *row, const char *option,
                size_t n)
{
    const struct syntax_word *w = args_word(a, a->i + 1);

    if (!w) {
        say_lack(a, row);
        return;
    }
    a->i++;
    args_add_value(a, a->s->base + w->from, a->s->base + w->to, row, option, n);
    a->ended = a->ended || args_is_listed(a, "ends", option, n);
    if (args_is_listed(a, "shell", option, n) && explain_inner_word(a->s, w))
        args_take_said(a);
}
