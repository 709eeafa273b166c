/* SPDX-License-Identifier: GPL-3.0-or-later */
/* effects_path.c - a path of the line as the files that it means now. */
#include "guard/effects/effects_path.h"

#include <pwd.h>
#include <stdio.h>
#include <string.h>

#define PATTERN_MAX 65536

/* Everything that a pair of braces or a pattern could be made of. */
static void
quote_all(struct buf *out, const char *text)
{
    for (; *text; text++) {
        if (strchr("*?[]\\{},'\"$", *text))
            buf_ch(out, '\\');
        buf_ch(out, *text);
    }
}

/* "~", "~/x", "~bob/x" at the start of text: its directory, and in *rest what
 * follows. NULL: it is not known. */
static const char *
tilde_dir(const struct effects_look *l, const char *text, const char **rest)
{
    char name[64];
    size_t n = strcspn(text + 1, "/");
    const struct passwd *pw;

    *rest = text + 1 + n;
    if (n == 0)
        return l->where->home;
    if (n >= sizeof(name) || strchr("+-", text[1]))
        return NULL;
    snprintf(name, sizeof(name), "%.*s", (int)n, text + 1);
    pw = getpwnam(name);
    return pw ? pw->pw_dir : NULL;
}

/* The pieces of a word whose text is what the line says, as a pattern: what
 * is quoted means itself. False: one of them is more than a pattern. */
static bool
from_parts(const struct effects_look *l, const struct syntax_word *w,
           struct buf *out)
{
    for (const struct syntax_part *p = w->parts; p; p = p->next) {
        const char *dir, *rest;

        if (p->kind == SYNTAX_TEXT) {
            quote_all(out, p->text);
        } else if (p->kind == SYNTAX_TILDE) {
            dir = tilde_dir(l, p->text, &rest);
            if (!dir)
                return false;
            quote_all(out, dir);
        } else if ((p->kind == SYNTAX_GLOB || p->kind == SYNTAX_BRACE) &&
                   !p->kids) {
            buf_str(out, p->text);
        } else {
            return false;
        }
    }
    return true;
}

/* A text of which nobody knows what of it was in quotes. */
static bool
from_text(const struct effects_look *l, const char *text, struct buf *out)
{
    if (text[0] == '~') {
        const char *dir = tilde_dir(l, text, &text);

        if (!dir)
            return false;
        quote_all(out, dir);
    }
    buf_str(out, text);
    return true;
}

/* Braces leave quotes as they were: takes them off. */
static void
unquote(struct buf *out, const char *text)
{
    char in = '\0';

    for (; *text; text++) {
        if (!in && *text == '\\' && text[1]) {
            glob_quote(out, ++text, 1);
        } else if (*text == in || (!in && strchr("'\"", *text))) {
            in = in ? '\0' : *text;
        } else if (in) {
            glob_quote(out, text, 1);
        } else {
            buf_ch(out, *text);
        }
    }
}

/* Takes the components off the end that match every name. What is left is the
 * directory of which everything is meant; "" when none was. */
static void
find_all_of(const char *pattern, char out[PATH_MAX])
{
    CLEANUP_BUF struct buf b = buf_of(PATH_MAX - 1);
    size_t n = strlen(pattern);
    bool all = false;

    for (;;) {
        size_t end = n, begin;

        while (end > 1 && pattern[end - 1] == '/')
            end--;
        for (begin = end; begin > 0 && pattern[begin - 1] != '/';)
            begin--;
        if (begin == 0 || !glob_matches_all(pattern + begin, end - begin))
            break;
        all = true;
        n = begin;
    }
    if (!all || glob_is_pattern(pattern, n))
        return;
    glob_unquote(&b, pattern, n);
    if (!b.bad)
        snprintf(out, PATH_MAX, "%s", b.p);
}

static void
expand_one(struct effects_look *l, const char *pattern, struct glob_list *found,
           char all_of[PATH_MAX])
{
    CLEANUP_BUF struct buf plain = buf_of(PATTERN_MAX);
    size_t before = found->n;

    find_all_of(pattern, all_of);
    if (glob_is_pattern(pattern, strlen(pattern)))
        glob_expand(pattern, &l->limit, found);
    if (found->n > before)
        return;
    glob_unquote(&plain, pattern, strlen(pattern));
    if (plain.bad || plain.len >= PATH_MAX)
        return; /* nothing can be there */
    glob_list_add(found, plain.p, plain.len);
}

/* Each alternative of the braces, from its directory on. */
static bool
expand_all(struct effects_look *l, const char *written, const char *dir,
           struct glob_list *found, char all_of[PATH_MAX])
{
    struct glob_list words = {0};
    bool known = true;

    glob_braces(written, &words);
    for (size_t i = 0; i < words.n; i++) {
        CLEANUP_BUF struct buf b = buf_of(PATTERN_MAX);

        if (words.v[i][0] != '/' && !dir) {
            known = false;
            continue;
        }
        if (words.v[i][0] != '/') {
            glob_quote(&b, dir, strlen(dir));
            buf_ch(&b, '/');
        }
        unquote(&b, words.v[i]);
        if (!b.bad)
            expand_one(l, b.p, found, all_of);
    }
    found->more |= words.more;
    glob_list_done(&words);
    return known;
}

/* Behind one expansion ($x, ${x}, $(…), `…`) that may turn out empty; NULL:
 * none stands there, or ${x:?} ends the line when it is. */
static const char *
skip_expansion(const char *t)
{
    size_t n = t[0] == '$' ? strspn(t + 1, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_"
                                           "abcdefghijklmnopqrstuvwxyz"
                                           "0123456789@*#?!-")
                           : 0;
    const char *close = NULL;
    size_t depth = 0;

    if (n > 0)
        return t + 1 + n;
    if (t[0] == '`')
        close = strchr(t + 1, '`');
    else if (strncmp(t, "${", 2) == 0)
        close = strchr(t, '}');
    for (const char *p = t; t[0] == '$' && t[1] == '(' && *p && !close; p++) {
        depth += *p == '(';
        if (*p == ')' && --depth == 0)
            close = p;
    }
    if (!close || (t[1] == '{' && memchr(t, '?', (size_t)(close - t))))
        return NULL;
    return close + 1;
}

/* Whether text is / or everything in it when what is not known is empty. */
static bool
may_be_root(const char *text)
{
    const char *t = text, *next;
    char all_of[PATH_MAX] = "";

    while ((next = skip_expansion(t)) != NULL)
        t = next;
    if (t == text || t[0] != '/')
        return false;
    find_all_of(t, all_of);
    return strspn(t, "/") == strlen(t) || strcmp(all_of, "/") == 0;
}

bool
effects_path_expand(struct effects_look *l, const struct risk_path *p,
                    struct glob_list *found, char all_of[PATH_MAX])
{
    CLEANUP_BUF struct buf b = buf_of(PATTERN_MAX);
    bool as_written = p->word && strcmp(p->word->text, p->text) == 0;
    bool known;

    all_of[0] = '\0';
    if (!p->known) {
        /* the word still has its ${x:?}, the text knows the known ones */
        if (may_be_root(p->text) && (!p->word || may_be_root(p->word->text)))
            snprintf(all_of, PATH_MAX, "/");
        return false;
    }
    known = as_written ? from_parts(l, p->word, &b) : from_text(l, p->text, &b);
    if (!known || b.bad || b.len == 0)
        return false;
    return expand_all(l, b.p, p->dir, found, all_of);
}
