/* SPDX-License-Identifier: GPL-3.0-or-later */
/* effects_expand.c - expands a path of the line to the files that it means. */
#include <stdio.h>
#include <string.h>

#include "base/passwd.h"
#include "guard/effects/effects_scan.h"

#define PATTERN_MAX 65536

/* Escapes every byte that braces or a pattern could consist of. */
static void
quote_all(struct buf *out, const char *text)
{
    for (; *text; text++) {
        if (strchr("*?[]\\{},'\"$", *text))
            buf_ch(out, '\\');
        buf_ch(out, *text);
    }
}

/* The directory of "~", "~/x" or "~bob/x" at the start of text, which may stand
 * in *user; *rest receives what follows. NULL: it is not known. */
static const char *
tilde_dir(const struct effects_scan *scan, const char *text, const char **rest,
          struct passwd_user *user)
{
    char name[64];
    size_t n = strcspn(text + 1, "/");

    *rest = text + 1 + n;
    if (n == 0)
        return scan->where->home;
    if (n >= sizeof(name) || strchr("+-", text[1]))
        return NULL;
    snprintf(name, sizeof(name), "%.*s", (int)n, text + 1);
    return passwd_find_name(name, user) ? user->home : NULL;
}

/* Makes a pattern of a word's parts; quoted parts stand for themselves. False:
 * a part is an expansion other than ~, a pattern or braces. */
static bool
pattern_from_parts(const struct effects_scan *scan, const struct syntax_word *w,
                   struct buf *out)
{
    for (const struct syntax_part *p = w->parts; p; p = p->next) {
        struct passwd_user user;
        const char *dir, *rest;

        if (p->kind == SYNTAX_TEXT) {
            quote_all(out, p->text);
        } else if (p->kind == SYNTAX_TILDE) {
            dir = tilde_dir(scan, p->text, &rest, &user);
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

/* Makes a pattern of a text whose quotes are already removed. */
static bool
pattern_from_text(const struct effects_scan *scan, const char *text,
                  struct buf *out)
{
    if (text[0] == '~') {
        struct passwd_user user;
        const char *dir = tilde_dir(scan, text, &text, &user);

        if (!dir)
            return false;
        quote_all(out, dir);
    }
    buf_str(out, text);
    return true;
}

/* Removes the quotes, which the expansion of braces leaves in place. */
static void
append_unquoted(struct buf *out, const char *text)
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

/* Removes the last components while they match every name. out receives the
 * directory that is left, or stays "" when the pattern does not mean everything
 * in one. */
static void
split_match_all(const char *pattern, char out[PATH_MAX])
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
expand_pattern(struct effects_scan *scan, const char *pattern,
               struct glob_list *found, char all_of[PATH_MAX])
{
    CLEANUP_BUF struct buf plain = buf_of(PATTERN_MAX);
    size_t before = found->n;

    split_match_all(pattern, all_of);
    if (glob_is_pattern(pattern, strlen(pattern)))
        glob_expand(pattern, &scan->limit, found);
    if (found->n > before)
        return;
    glob_unquote(&plain, pattern, strlen(pattern));
    if (plain.bad || plain.len >= PATH_MAX)
        return; /* no file has such a name */
    glob_list_add(found, plain.p, plain.len);
}

/* Expands each alternative of the braces, beginning at its directory. */
static bool
expand_path_braces(struct effects_scan *scan, const char *written,
                   const char *dir, struct glob_list *found,
                   char all_of[PATH_MAX])
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
        append_unquoted(&b, words.v[i]);
        if (!b.bad)
            expand_pattern(scan, b.p, found, all_of);
    }
    found->more |= words.more;
    glob_list_done(&words);
    return known;
}

/* Skips one expansion ($x, ${x}, $(…), `…`) that may be empty. NULL: there is
 * none, or it is ${x:?}, which ends the line when x is empty. */
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

/* Whether the text is / or everything in it, if its unknown part is empty. */
static bool
may_be_root(const char *text)
{
    const char *t = text, *next;
    char all_of[PATH_MAX] = "";

    while ((next = skip_expansion(t)) != NULL)
        t = next;
    if (t == text || t[0] != '/')
        return false;
    split_match_all(t, all_of);
    return strspn(t, "/") == strlen(t) || strcmp(all_of, "/") == 0;
}

bool
effects_expand(struct effects_scan *scan, const struct risk_path *p,
               struct glob_list *found, char all_of[PATH_MAX])
{
    CLEANUP_BUF struct buf b = buf_of(PATTERN_MAX);
    bool as_written = p->word && strcmp(p->word->text, p->text) == 0;
    bool known;

    all_of[0] = '\0';
    if (!p->known) {
        /* the word still has its ${x:?}; in the text, known variables are
         * replaced */
        if (may_be_root(p->text) && (!p->word || may_be_root(p->word->text)))
            snprintf(all_of, PATH_MAX, "/");
        return false;
    }
    known = as_written ? pattern_from_parts(scan, p->word, &b)
                       : pattern_from_text(scan, p->text, &b);
    if (!known || b.bad || b.len == 0)
        return false;
    return expand_path_braces(scan, b.p, p->dir, found, all_of);
}
