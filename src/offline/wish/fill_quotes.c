/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fill_quotes.c - the quotes and the command around a place in a template. */
#include <ctype.h>
#include <string.h>

#include "offline/wish/fill_place.h"

#define NEST_MAX 6

/* One character of the template, inside the quotes that are open or not. */
static void
read_char(struct fill_quotes *q, const struct fill_place *at, size_t i)
{
    const char *c = at->before + i;

    if (!q->around && (*c == '\'' || *c == '"')) {
        *q = (struct fill_quotes){.around = *c, .open = i, .start = q->start};
        if (at->n_before - i > 2 && c[1] == 's' && ispunct((unsigned char)c[2]))
            q->divider = c[2]; /* s|a|b| */
    } else if (q->around && *c == q->around) {
        *q = (struct fill_quotes){.start = q->start};
    } else if (q->around == '\'' && *c == '"') {
        q->string = !q->string;
    } else if (q->around && *c == '/' && !q->divider) {
        q->divider = '/';
    } else if (!q->around && strchr(";|&\n", *c)) {
        q->start = i + 1;
    }
}

/* In "$(…)" quotes begin anew. */
struct fill_quotes
fill_quotes(const struct fill_place *at)
{
    struct fill_quotes stack[NEST_MAX] = {{0}};
    size_t depth = 0;

    for (size_t i = 0; i < at->n_before; i++) {
        struct fill_quotes *q = &stack[depth];
        const char *c = at->before + i;
        bool expands = *c == '(' && i > 0 && c[-1] == '$';

        if (*c == '\\' && q->around != '\'' && i + 1 < at->n_before) {
            i++;
        } else if (q->around != '\'' &&
                   (expands || (*c == '(' && !q->around))) {
            depth += depth + 1 < NEST_MAX;
            stack[depth] = (struct fill_quotes){.start = i + 1};
        } else if (*c == ')' && !q->around && depth > 0) {
            depth--;
        } else {
            read_char(q, at, i);
        }
    }
    return stack[depth];
}

bool
fill_is_quoted(const struct fill_place *at)
{
    return at->inside || fill_quotes(at).around;
}

bool
fill_begins_word(const struct fill_place *at)
{
    return at->n_before == 0 || strchr(" ('\"", at->before[at->n_before - 1]);
}

/* The length of the word at s, quotes and all. */
static size_t
word_length(const char *s, size_t n)
{
    char quote = '\0';
    size_t i;

    for (i = 0; i < n && (quote || s[i] != ' '); i++) {
        if (quote ? s[i] == quote : s[i] == '\'' || s[i] == '"')
            quote = quote ? '\0' : s[i];
    }
    return i;
}

bool
fill_words(const struct fill_place *at,
           bool (*word)(void *arg, const char *word, size_t n), void *arg)
{
    size_t i = fill_quotes(at).start;

    while (i < at->n_before) {
        size_t n = word_length(at->before + i, at->n_before - i);

        if (n && word(arg, at->before + i, n))
            return true;
        if (i + n == at->n_before)
            return false;
        i += n + 1;
    }
    return word(arg, at->before + i, 0);
}
