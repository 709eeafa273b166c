/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_brace.c - {a,b}: one argument becomes several. */
#include "guard/risk/risk_brace.h"
#include "guard/risk/risk_memory.h"

#include <string.h>

#define ALTERNATIVES_MAX 64
#define ROUNDS_MAX       256  /* of braces that are opened */
#define LENGTH_MAX       1024 /* looking for pairs is quadratic */

/* Whether the brace at s[i] is closed, with a comma of its own inside. */
static bool
closes(const char *s, size_t i, size_t *close)
{
    size_t depth = 0;
    bool comma = false;

    for (; s[i]; i++) {
        depth += s[i] == '{';
        comma = comma || (s[i] == ',' && depth == 1);
        if (s[i] == '}' && --depth == 0) {
            *close = i;
            return comma;
        }
    }
    return false;
}

/* The first { … } with a comma of its own: where it begins and ends. */
static bool
find_braces(const char *s, size_t *open, size_t *close)
{
    for (size_t i = 0; s[i]; i++)
        if (s[i] == '{' && closes(s, i, close)) {
            *open = i;
            return true;
        }
    return false;
}

/* Replaces texts[at] by its first braces' alternatives, in their order. */
static size_t
open_braces(struct risk_state *st, const char **texts, size_t n, size_t at)
{
    const char *s = texts[at];
    size_t open, close, depth = 0, from, made = 0;
    const char *list[ALTERNATIVES_MAX];

    if (!find_braces(s, &open, &close))
        return n;
    from = open + 1;
    for (size_t i = open + 1; i <= close; i++) {
        const char *head, *middle;

        depth += s[i] == '{';
        if (depth > 0 || (s[i] != ',' && i != close)) {
            depth -= depth > 0 && s[i] == '}';
            continue;
        }
        if (n - 1 + made >= ALTERNATIVES_MAX)
            return n;
        head = risk_copy(st, s, open);
        middle = risk_copy(st, s + from, i - from);
        list[made++] = risk_join(st, risk_join(st, head, middle),
                                 s + close + 1);
        from = i + 1;
    }
    memmove(texts + at + made, texts + at + 1, (n - at - 1) * sizeof(texts[0]));
    memcpy(texts + at, list, made * sizeof(texts[0]));
    return n - 1 + made;
}

void
risk_brace(struct risk_state *st, const struct risk_arg *a,
           struct risk_args *out)
{
    const char *texts[ALTERNATIVES_MAX] = {a->text};
    size_t n = 1, at = strlen(a->text) > LENGTH_MAX;

    for (size_t round = 0; at < n && round < ROUNDS_MAX; round++) {
        size_t before = n;

        n = open_braces(st, texts, n, at);
        at += n == before;
    }
    for (size_t i = 0; i < n; i++) {
        struct risk_arg *made;

        if (!texts[i][0] && !(a->flags & SYNTAX_QUOTED))
            continue; /* of {,a} nothing is left but a */
        made = risk_args_add(st, out);
        if (!made)
            return;
        *made = *a;
        made->text = made->glob = texts[i];
        made->pattern = made->pattern || strchr(texts[i], '{') != NULL;
    }
}
