/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ailine.c - a line for the assistant, as a person types it. */
#include "door/repl/ailine.h"

#include <stdlib.h>
#include <string.h>

#include "person/verbs.h"

/* Words under construction: pointers in front, their bytes behind. */
struct words {
    const char *in; /* what is left of the line */
    char **at;
    int n;
    char *out;
};

static bool
is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static const char *
skip_blanks(const char *s)
{
    while (is_blank(*s))
        s++;
    return s;
}

bool
ailine_is(const char *line, const char *name)
{
    const char *s = skip_blanks(line);
    size_t n = strlen(name);

    return strncmp(s, name, n) == 0 && (s[n] == '\0' || is_blank(s[n]));
}

/* Copies one word. Quotes and backslashes are taken off as a shell would,
 * save a quote that nothing closes: that is an apostrophe. */
static int
take_word(struct words *w)
{
    const char *s = w->in, *end;

    if (w->n == AILINE_WORDS_MAX)
        return -1;
    w->at[w->n++] = w->out;
    while (*s && !is_blank(*s)) {
        if ((*s == '\'' || *s == '"') && (end = strchr(s + 1, *s)) != NULL) {
            memcpy(w->out, s + 1, (size_t)(end - s) - 1);
            w->out += end - s - 1;
            s = end + 1;
        } else {
            s += *s == '\\' && s[1];
            *w->out++ = *s++;
        }
    }
    *w->out++ = '\0';
    w->in = skip_blanks(s);
    return 0;
}

/* Copies the rest of the line as one word; quotes around all of it go. */
static int
take_text(struct words *w)
{
    const char *s = w->in;
    size_t n = strlen(s);

    while (n > 0 && is_blank(s[n - 1]))
        n--;
    if (n == 0)
        return 0;
    if (w->n == AILINE_WORDS_MAX)
        return -1;
    if (n > 1 && (*s == '\'' || *s == '"') &&
        memchr(s + 1, *s, n - 1) == s + n - 1) {
        s++;
        n -= 2;
    }
    w->at[w->n++] = w->out;
    memcpy(w->out, s, n);
    w->out += n;
    *w->out++ = '\0';
    w->in = "";
    return 0;
}

/* Options as words, and the values that belong to them. Says in *ended that
 * `--` ended them. */
static int
take_options(struct words *w, bool *ended)
{
    while (*w->in == '-' && !*ended) {
        if (take_word(w) < 0)
            return -1;
        *ended = strcmp(w->at[w->n - 1], "--") == 0;
        if (*w->in && options_takes_value(w->at[w->n - 1], VERB_OPTIONS) &&
            take_word(w) < 0)
            return -1;
    }
    return 0;
}

static int
split(struct words *w)
{
    bool ended = false;

    if (take_word(w) < 0 || take_options(w, &ended) < 0)
        return -1;
    if (!*w->in)
        return 0;
    if (take_word(w) < 0)
        return -1;
    if (verbs_has(w->at[w->n - 1]))
        return take_options(w, &ended) < 0 ? -1 : take_text(w);
    while (*w->in) {
        if (take_word(w) < 0)
            return -1;
    }
    return 0;
}

char **
ailine_split(const char *line, struct err *e)
{
    /* a word is no longer than what it was made of, and each but the last
     * lost a blank to its NUL */
    size_t table = (AILINE_WORDS_MAX + 1) * sizeof(char *);
    char **at = calloc(1, table + strlen(line) + 2);
    struct words w = {.in = skip_blanks(line), .at = at};

    if (!at) {
        err_sys(e, "the line");
        return NULL;
    }
    w.out = (char *)at + table;
    if (split(&w) < 0) {
        free(at);
        err_set(e, ERR_USAGE, "more than %d words", AILINE_WORDS_MAX);
        return NULL;
    }
    return at;
}
