/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_brace.c - {a,b}: one argument becomes several. */
#include "guard/risk_brace.h"

#include <string.h>

#define ALTERNATIVES_MAX 64
#define ROUNDS_MAX       256  /* of braces that are opened */
#define LENGTH_MAX       1024 /* looking for pairs is quadratic */

/* The first { … } with a comma of its own: where it begins and ends. */
static bool
find_braces(const char *s, size_t *open, size_t *close)
{
    for (size_t i = 0; s[i]; i++) {
        size_t depth = 0;
        bool comma = false;

        if (s[i] != '{')
            continue;
        for (size_t j = i; s[j]; j++) {
            depth += s[j] == '{';
            comma = comma || (s[j] == ',' && depth == 1);
            if (s[j] == '}' && --depth == 0) {
                *open = i;
                *close = j;
                if (comma)
                    return true;
                break;
            }
        }
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
        struct risk_arg *made = risk_args_add(st, out);

        if (!made)
            return;
        *made = *a;
        made->text = made->glob = texts[i];
        made->pattern = made->pattern || strchr(texts[i], '{') != NULL;
    }
}
