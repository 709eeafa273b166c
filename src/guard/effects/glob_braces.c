/* SPDX-License-Identifier: GPL-3.0-or-later */
/* glob_braces.c - expands {a,b} and {1..9} in a word. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "guard/effects/glob.h"

#define WORD_MAX   8192 /* longer than a path with its quotes can be */
#define ROUNDS_MAX 4096 /* expansions: {a,b} twelve times in a word */

/* A pair of braces in a word: its place, and whether it has commas of its
 * own. */
struct brace_pair {
    size_t open, close;
    bool commas;
};

/* Skips a backslash and its byte, or a quoted text. */
static size_t
skip_shell_quoted(const char *w, size_t at)
{
    char quote = w[at];
    const char *end;

    if (quote == '\\')
        return at + (w[at + 1] ? 2 : 1);
    end = strchr(w + at + 1, quote);
    return end ? (size_t)(end - w) + 1 : strlen(w);
}

/* Skips ${…}, or a lone $. */
static size_t
skip_dollar(const char *w, size_t at)
{
    const char *end = w[at + 1] == '{' ? strchr(w + at, '}') : NULL;

    return end ? (size_t)(end - w) + 1 : at + 1;
}

/* Skips a quoted text or an expansion; else one byte. */
static size_t
skip_one(const char *w, size_t at)
{
    if (strchr("\\'\"", w[at]))
        return skip_shell_quoted(w, at);
    return w[at] == '$' ? skip_dollar(w, at) : at + 1;
}

/* {1..9}, {a..e}, {01..10..3}: its ends, step and width. */
struct brace_range {
    long from, to, step;
    int width;
    bool letters;
};

static bool
read_range_number(const char **p, long *out, int *width)
{
    char *end;
    const char *digits = *p + (**p == '-');
    long v = strtol(*p, &end, 10);

    if (end == *p || end - *p > 9 || strchr(" +", **p))
        return false;
    if (digits[0] == '0' && end - digits > 1 && end - *p > *width)
        *width = (int)(end - *p);
    *p = end;
    *out = v;
    return true;
}

static bool
is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool
read_range_ends(const char **p, struct brace_range *r)
{
    if (is_letter((*p)[0]) && strncmp(*p + 1, "..", 2) == 0 &&
        is_letter((*p)[3])) {
        r->letters = true;
        r->from = (*p)[0];
        r->to = (*p)[3];
        *p += 4;
        return true;
    }
    if (!read_range_number(p, &r->from, &r->width) || strncmp(*p, "..", 2) != 0)
        return false;
    *p += 2;
    return read_range_number(p, &r->to, &r->width);
}

static bool
read_brace_range(const char *w, const struct brace_pair *pair,
                 struct brace_range *r)
{
    const char *p = w + pair->open + 1;
    int width = 0;

    *r = (struct brace_range){.step = 1};
    if (!read_range_ends(&p, r))
        return false;
    if (strncmp(p, "..", 2) == 0) {
        p += 2;
        if (!read_range_number(&p, &r->step, &width))
            return false;
        r->step = r->step < 0 ? -r->step : r->step;
    }
    if (r->step == 0)
        r->step = 1;
    return p == w + pair->close;
}

/* Finds the first pair that can be expanded. The open braces lie on a stack, so
 * that a word is read once however many of them are never closed. */
static bool
find_pair(const char *w, struct brace_pair *p, struct brace_range *r,
          bool *is_range)
{
    CLEANUP(free_p)
    struct brace_pair *open = calloc(strlen(w) + 1, sizeof(*open));
    size_t depth = 0;
    bool found = false;

    for (size_t at = 0; open && w[at]; at = skip_one(w, at)) {
        struct brace_pair *top = depth > 0 ? &open[depth - 1] : NULL;
        struct brace_range read;

        if (w[at] == '{') {
            open[depth++] = (struct brace_pair){.open = at};
        } else if (w[at] == ',' && top) {
            top->commas = true;
        } else if (w[at] == '}' && top) {
            top->close = at;
            depth--;
            if ((found && top->open > p->open) ||
                (!top->commas && !read_brace_range(w, top, &read)))
                continue;
            *p = *top;
            *is_range = !top->commas;
            found = true;
        }
    }
    return found && (!*is_range || read_brace_range(w, p, r));
}

/* Puts the word with its pair replaced on the list of what is to be
 * expanded. */
static void
push_replaced(struct glob_list *waiting, const char *w,
              const struct brace_pair *p, const char *with, size_t n)
{
    CLEANUP_BUF struct buf b = buf_of(WORD_MAX);

    buf_add(&b, w, p->open);
    buf_add(&b, with, n);
    buf_str(&b, w + p->close + 1);
    if (b.bad)
        waiting->more = true;
    else
        glob_list_add(waiting, b.p, b.len);
}

static void
push_range(struct glob_list *waiting, const char *w, const struct brace_pair *p,
           const struct brace_range *r)
{
    long step = r->from <= r->to ? r->step : -r->step;

    for (long i = r->from; step > 0 ? i <= r->to : i >= r->to; i += step) {
        char text[32];
        int n = r->letters ? snprintf(text, sizeof(text), "%c", (char)i)
                           : snprintf(text, sizeof(text), "%0*ld", r->width, i);

        push_replaced(waiting, w, p, text, (size_t)n);
        if (waiting->more)
            return;
    }
}

static void
push_commas(struct glob_list *waiting, const char *w,
            const struct brace_pair *p)
{
    size_t depth = 0, from = p->open + 1;

    for (size_t at = from; at <= p->close;) {
        bool ends = depth == 0 && (w[at] == ',' || at == p->close);

        if (ends) {
            push_replaced(waiting, w, p, w + from, at - from);
            from = at + 1;
        }
        if (w[at] == '{')
            depth++;
        else if (w[at] == '}' && depth > 0)
            depth--;
        at = skip_one(w, at);
    }
}

void
glob_braces(const char *word, struct glob_list *out)
{
    struct glob_list waiting = {0};
    size_t rounds = 0;

    if (strlen(word) > WORD_MAX)
        waiting.more = true;
    else
        glob_list_add(&waiting, word, strlen(word));
    for (size_t i = 0; i < waiting.n; i++) {
        struct brace_pair p;
        struct brace_range r;
        bool is_range;

        if (!find_pair(waiting.v[i], &p, &r, &is_range)) {
            glob_list_add(out, waiting.v[i], strlen(waiting.v[i]));
        } else if (++rounds > ROUNDS_MAX) {
            waiting.more = true;
        } else if (is_range) {
            push_range(&waiting, waiting.v[i], &p, &r);
        } else {
            push_commas(&waiting, waiting.v[i], &p);
        }
        if (waiting.more)
            break;
    }
    out->more |= waiting.more;
    glob_list_done(&waiting);
}
