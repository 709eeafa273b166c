/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spoken.c - calls that a model writes as text. */
#include "model/spoken.h"

#include <string.h>

static const char call_open[] = "<tool_call>";
static const char call_close[] = "</tool_call>";

struct part {
    const char *p;
    size_t n;
};

static bool
is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static void
trim(struct part *t)
{
    while (t->n > 0 && is_blank(t->p[0])) {
        t->p++;
        t->n--;
    }
    while (t->n > 0 && is_blank(t->p[t->n - 1]))
        t->n--;
}

static void
skip(struct part *t, size_t n)
{
    t->p += n;
    t->n -= n;
}

/* A fence round the whole, with or without a word behind its opening. */
static void
drop_fence(struct part *t)
{
    const char *line;

    if (t->n < 6 || memcmp(t->p, "```", 3) != 0 ||
        memcmp(t->p + t->n - 3, "```", 3) != 0)
        return;
    line = memchr(t->p, '\n', t->n - 3);
    if (!line)
        return;
    t->n -= 3;
    skip(t, (size_t)(line - t->p) + 1);
    trim(t);
}

/* An object of exactly these two members becomes a call. */
static int
take_object(struct wants *w, struct part t, const char *name_key,
            const char *args_key, struct err *e)
{
    CLEANUP(json_free_p) struct json *v = NULL;
    const struct json *args;
    const char *name;

    if (t.n == 0 || t.p[0] != '{')
        return 0;
    v = json_parse(t.p, t.n, JSON_UNIQUE, NULL);
    name = json_get_str(v, name_key);
    args = json_get(v, args_key);
    if (json_count(v) != 2 || !name || !*name || json_type(args) != JSON_OBJECT)
        return 0;
    return wants_add(w, name, args, e) < 0 ? -1 : 1;
}

/* The next marked call; what is left of the text is then in t. */
static int
take_marked(struct wants *w, struct part *t, struct err *e)
{
    const size_t n_open = sizeof(call_open) - 1;
    const size_t n_close = sizeof(call_close) - 1;
    struct part inner;
    const char *end;

    if (t->n < n_open || memcmp(t->p, call_open, n_open) != 0)
        return 0;
    skip(t, n_open);
    end = memmem(t->p, t->n, call_close, n_close);
    if (!end)
        return 0;
    inner = (struct part){t->p, (size_t)(end - t->p)};
    skip(t, inner.n + n_close);
    trim(t);
    trim(&inner);
    return take_object(w, inner, "name", "arguments", e);
}

/* Whether one of both begins with the other. Asked at each piece of a text:
 * all of it is not looked at. */
static bool
begins(const char *text, const char *word)
{
    size_t n = strnlen(text, strlen(word));

    return memcmp(text, word, n) == 0;
}

bool
spoken_may_be(bool asked, const char *text)
{
    static const char blanks[] = " \t\r\n";

    text += strspn(text, blanks);
    if (begins(text, call_open) || begins(text, "```"))
        return true;
    if (!asked || *text != '{')
        return false;
    text++;
    text += strspn(text, blanks);
    return begins(text, "\"tool\"") || begins(text, "\"args\"");
}

int
spoken_read(struct wants *w, bool asked, const char *text, size_t n,
            struct err *e)
{
    struct part t = {text, n};
    int rc = 0;

    if (!spoken_may_be(asked, text))
        return 0; /* it was shown as text */
    trim(&t);
    drop_fence(&t);
    if (asked)
        rc = take_object(w, t, "tool", "args", e);
    if (rc != 0)
        return rc;
    do {
        rc = take_marked(w, &t, e);
    } while (rc > 0 && t.n > 0);
    while (rc == 0 && w->n > 0)
        wants_drop(w, w->n - 1); /* text stands between or behind them */
    return rc;
}
