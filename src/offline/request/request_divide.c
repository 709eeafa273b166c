/* SPDX-License-Identifier: GPL-3.0-or-later */
/* request_divide.c - what has no blank between and is several words still. */
#include <ctype.h>
#include <string.h>

#include "offline/request/request_in.h"
#include "offline/request/words.h"

/* Stems that people set a slash between and mean either. Other words with a
 * slash are a path: test/data. */
#define EITHER                                                                 \
    "file directory subdirectory symlink link regular normal and or read "     \
    "write execute run start kill restart enable disable user group name "     \
    "owner copy move create delete modify edit list hide mount unmount "       \
    "download transfer date time input output import export before after "     \
    "maximum minimum more less number letter line column word add install "    \
    "uninstall cpu memory host domain program process path string text "       \
    "open close permission size type first last image video character"

/* A dash is no part of a name behind or before one of these: read-only,
 * non-empty, comma-separated. */
#define BEFORE_DASH                                                            \
    "non sub re multi pre un case read write human one two three world long "  \
    "short double single full top low high half upper lower left right end "   \
    "built in up out back soft hard dry line tab comma space semicolon colon " \
    "null newline zero first last real bottom compile tree"
#define BEHIND_DASH                                                            \
    "only insensitive sensitive readable writable writeable executable "       \
    "separated delimited level line lines time wide specific based named "     \
    "hidden recursive recursively empty directories directory folders folder " \
    "place sized owned format order ending endings"

/* Behind one of these stands a name, dashes and all. */
#define NAMING                                                                 \
    "named called branch package container service tag session image variable" \
    " remote process user group host alias repo repository install checkout"

static bool
copy_part(char out[REQUEST_STEM_MAX], const char *s, size_t n)
{
    if (n < 2 || n >= REQUEST_STEM_MAX)
        return false;
    for (size_t i = 0; i < n; i++) {
        if (!isalpha((unsigned char)s[i]))
            return false;
        out[i] = (char)tolower((unsigned char)s[i]);
    }
    out[n] = '\0';
    return true;
}

/* Whether all parts of s[0..n) between marks are fit. */
static bool
all_parts(const char *s, size_t n, char mark,
          bool (*fits)(const char *s, size_t n))
{
    size_t from = 0, parts = 0;

    if (!memchr(s, mark, n))
        return false;
    for (size_t i = 0; i <= n; i++) {
        if (i < n && s[i] != mark)
            continue;
        if (!fits(s + from, i - from))
            return false;
        parts++;
        from = i + 1;
    }
    return parts > 1;
}

static bool
is_known(const char *s, size_t n)
{
    char w[REQUEST_STEM_MAX];

    return copy_part(w, s, n) && words_known(w);
}

static bool
is_either(const char *s, size_t n)
{
    char w[REQUEST_STEM_MAX], stem[REQUEST_STEM_MAX];

    if (memchr(s, '-', n))
        return all_parts(s, n, '-', is_known);
    if (!copy_part(w, s, n))
        return false;
    words_stem(w, n, stem);
    return words_listed(stem, EITHER);
}

/* One of a list with commas: neither digits nor signs of a pattern. */
static bool
is_item(const char *s, size_t n)
{
    if (n < 2 || (!isalpha((unsigned char)*s) && !strchr("/~.*$", *s)))
        return false;
    for (size_t i = 0; i < n; i++)
        if (strchr("+=(){}<>\"'|&\\@:", s[i]))
            return false;
    return true;
}

static bool
is_dashed(const char *text, const struct request_token *t, size_t before)
{
    const char *s = text + t->in, *dash;
    char first[REQUEST_STEM_MAX], last[REQUEST_STEM_MAX];
    size_t n = t->end - t->in;

    if (!all_parts(s, n, '-', is_known))
        return false;
    if (before && !t[-1].quoted &&
        copy_part(first, text + t[-1].in, t[-1].end - t[-1].in) &&
        words_listed(first, NAMING))
        return false;
    dash = memchr(s, '-', n);
    copy_part(first, s, (size_t)(dash - s));
    dash = memrchr(s, '-', n);
    copy_part(last, dash + 1, (size_t)(s + n - dash - 1));
    return words_listed(first, BEFORE_DASH) || words_listed(last, BEHIND_DASH);
}

/* "10-20", "1..5": two numbers */
static bool
is_range(const char *s, size_t n, size_t *mark)
{
    size_t k = strspn(s, "0123456789"), dots = 1;

    if (k == 0 || k > 6 || k + 1 >= n)
        return false;
    if (s[k] == '.' && s[k + 1] == '.')
        dots = 2;
    else if (s[k] != '-')
        return false;
    *mark = k;
    return strspn(s + k + dots, "0123456789") == n - k - dots && n > k + dots &&
           n - k - dots <= 6;
}

/* Where s is cut, and how many bytes the cut takes away; 0: nowhere. */
static size_t
cut_of(const char *text, const struct request_token *t, size_t before,
       size_t *width)
{
    const char *s = text + t->in;
    size_t n = t->end - t->in, at;

    *width = 1;
    if (is_range(s, n, &at)) {
        *width = s[at] == '.' ? 2 : 1;
        return at;
    }
    if (all_parts(s, n, ',', is_item))
        return (size_t)((const char *)memchr(s, ',', n) - s);
    if (all_parts(s, n, '/', is_either))
        return (size_t)((const char *)memchr(s, '/', n) - s);
    if (is_dashed(text, t, before))
        return (size_t)((const char *)memchr(s, '-', n) - s);
    return 0;
}

size_t
request_divide(const char *text, struct request_token *t, size_t before,
               size_t max)
{
    size_t n = 1;

    for (; n < max; n++, t++) {
        size_t width, at = cut_of(text, t, n == 1 ? before : 0, &width);

        if (at == 0)
            break;
        t[1] = t[0];
        t[0].to = t[0].end = t[0].in + at;
        t[1].from = t[1].in = t[0].in + at + width;
    }
    return n;
}
