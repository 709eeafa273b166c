/* SPDX-License-Identifier: GPL-3.0-or-later */
/* request_tokens.c - divides the text of a request into tokens.
 *
 * Blanks and quotes divide it first; then "read/write" and "a.txt,b.txt" are
 * divided, which have no blank between and are several words still. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/shell_quote.h"
#include "base/utf8.h"
#include "guard/syntax/syntax.h"
#include "offline/parse/lexicon.h"
#include "offline/parse/request_parser.h"

/* Quotes as people write them; old manuals close ` by '. */
static const struct quote {
    const char *open, *close, *other;
} quotes[] = {
    {"\"", "\"", NULL},
    {"'", "'", NULL},
    {"`", "`", "'"},
    {"\xe2\x80\x9c", "\xe2\x80\x9d", "\xe2\x80\x9c"},
    {"\xe2\x80\x98", "\xe2\x80\x99", "\xe2\x80\x98"},
    {"\xc2\xab", "\xc2\xbb", NULL},
};

static bool
begins_quote(const char *s, const char *what)
{
    return what && strncmp(s, what, strlen(what)) == 0;
}

static bool
is_letter_byte(char c)
{
    return isalnum((unsigned char)c) || (unsigned char)c >= 0x80;
}

/* The closing mark of the quote that begins at s; NULL when it is none. A
 * letter may not follow it, as it follows an apostrophe. */
static const char *
quote_end(const char *s, const struct quote *q, size_t *mark)
{
    for (const char *p = s; *p; p++) {
        const char *m = begins_quote(p, q->close)   ? q->close
                        : begins_quote(p, q->other) ? q->other
                                                    : NULL;

        if (m && !is_letter_byte(p[strlen(m)])) {
            *mark = strlen(m);
            return p;
        }
    }
    return NULL;
}

static bool
scan_quote(const char *text, size_t at, struct request_token *t)
{
    for (size_t i = 0; i < ARRAY_SIZE(quotes); i++) {
        size_t k = strlen(quotes[i].open), mark;
        const char *end;

        if (!begins_quote(text + at, quotes[i].open))
            continue;
        end = quote_end(text + at + k, &quotes[i], &mark);
        if (!end)
            return false;
        t->from = at;
        t->in = at + k;
        t->end = (size_t)(end - text);
        t->to = t->end + mark;
        t->quoted = true;
        return true;
    }
    return false;
}

/* The end of what begins with $( or ${ at p. */
static const char *
group_end(const char *p)
{
    char open = *p, close = open == '(' ? ')' : '}';
    unsigned depth = 0;

    for (const char *s = p; *s; s++) {
        depth += *s == open;
        if (*s == close && --depth == 0)
            return s + 1;
    }
    return p;
}

static size_t
request_word_end(const char *text, size_t at)
{
    const char *p = text + at;

    while (*p && *p != ' ') {
        if (*p == '$' && (p[1] == '(' || p[1] == '{'))
            p = group_end(p + 1);
        else if (*p == '{' && p == text + at)
            p = group_end(p) > p ? group_end(p) : p + 1;
        else
            p++;
    }
    return (size_t)(p - text);
}

static bool
is_dots(const char *s, size_t n)
{
    while (n && s[n - 1] == '.')
        n--;
    return n == 0;
}

/* Whether the last byte of s[0..n) is punctuation of the sentence. */
static bool
is_tail(const char *s, size_t n)
{
    switch (s[n - 1]) {
    case '.':
        return !is_dots(s, n) && !(n > 2 && memcmp(s + n - 3, "/..", 3) == 0) &&
               s[n - 2] != '/';
    case ',':
    case ';':
    case ':':
    case '!':
    case '"':
    case '\'':
    case '`':
        return true;
    case '?':
        return !request_has_byte(s, n, '*') && !request_has_byte(s, n - 1, '?');
    case ')':
        return !request_has_byte(s, n, '(');
    case ']':
        return !request_has_byte(s, n, '[');
    default:
        return false;
    }
}

/* Removes punctuation of a sentence from a token. */
static void
trim_token(const char *text, struct request_token *t)
{
    const char *s = text;

    while (t->in < t->end && strchr("(\"'`,;", s[t->in]))
        t->in++;
    if (t->end - t->in > 2 && s[t->in] == '<' && s[t->end - 1] == '>') {
        t->in++;
        t->end--;
    }
    while (t->end > t->in && is_tail(s + t->in, t->end - t->in))
        t->end--;
    if (t->end - t->in > 4 && memcmp(s + t->end - 3, "(s)", 3) == 0)
        t->end -= 3;
    t->from = t->in;
    t->to = t->end;
}

/* The end of the quoted text at `at`, behind its closing quote; `at` when there
 * is none. */
static size_t
request_quoted(const char *text, size_t at)
{
    struct request_token t;

    return scan_quote(text, at, &t) ? t.to : at;
}

/* Appends a text in quotes that it does not contain. */
static void
request_put_quoted(struct buf *out, const char *text)
{
    for (size_t i = 0; i < ARRAY_SIZE(quotes); i++) {
        if (strstr(text, quotes[i].close))
            continue;
        buf_printf(out, "%s%s%s", quotes[i].open, text, quotes[i].close);
        return;
    }
    buf_str(out, text);
}

/* Whether all parts of s[0..n) between the marks are accepted. */
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

/* Words before a name, which may have dashes. */
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

static bool
is_known_part(const char *s, size_t n)
{
    char w[REQUEST_STEM_MAX];

    return copy_part(w, s, n) && lexicon_known(w);
}

static bool
is_dashed(const char *text, const struct request_token *t, size_t before)
{
    const char *s = text + t->in, *dash;
    char first[REQUEST_STEM_MAX], last[REQUEST_STEM_MAX];
    size_t n = t->end - t->in;

    if (!all_parts(s, n, '-', is_known_part))
        return false;
    if (before && !t[-1].quoted &&
        copy_part(first, text + t[-1].in, t[-1].end - t[-1].in) &&
        lexicon_listed(first, NAMING))
        return false;
    dash = memchr(s, '-', n);
    copy_part(first, s, (size_t)(dash - s));
    dash = memrchr(s, '-', n);
    copy_part(last, dash + 1, (size_t)(s + n - dash - 1));
    return lexicon_listed(first, BEFORE_DASH) ||
           lexicon_listed(last, BEHIND_DASH);
}

/* Stems that are alternatives with a slash between them. Other words with a
 * slash are a path: test/data. */
#define EITHER                                                                 \
    "file directory subdirectory symlink link regular normal and or read "     \
    "write execute run start kill restart enable disable user group name "     \
    "owner copy move create delete modify edit list hide mount unmount "       \
    "download transfer date time input output import export before after "     \
    "maximum minimum more less number letter line column word add install "    \
    "uninstall cpu memory host domain program process path string text "       \
    "open close permission size type first last image video character"

static bool
is_either(const char *s, size_t n)
{
    char w[REQUEST_STEM_MAX], stem[REQUEST_STEM_MAX];

    if (memchr(s, '-', n))
        return all_parts(s, n, '-', is_known_part);
    if (!copy_part(w, s, n))
        return false;
    lexicon_stem(w, n, stem);
    return lexicon_listed(stem, EITHER);
}

/* One of a list with commas: neither digits nor signs of a pattern. */
static bool
is_comma_item(const char *s, size_t n)
{
    if (n < 2 || (!isalpha((unsigned char)*s) && !strchr("/~.*$", *s)))
        return false;
    for (size_t i = 0; i < n; i++)
        if (strchr("+=(){}<>\"'|&\\@:", s[i]))
            return false;
    return true;
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

/* The position where s is divided, and in *width the bytes that are removed; 0
 * when it is not divided. */
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
    if (all_parts(s, n, ',', is_comma_item))
        return (size_t)((const char *)memchr(s, ',', n) - s);
    if (all_parts(s, n, '/', is_either))
        return (size_t)((const char *)memchr(s, '/', n) - s);
    if (is_dashed(text, t, before))
        return (size_t)((const char *)memchr(s, '-', n) - s);
    return 0;
}

/* Divides token t, which follows `before` others, into its parts: "read/write",
 * "a.txt,b.txt". Returns how many there are, at most max. */
static size_t
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

size_t
request_scan(const char *text, struct request_token *t, size_t max)
{
    size_t n = 0, at = 0;

    while (n < max) {
        at += strspn(text + at, " ");
        if (!text[at])
            break;
        if (text[at] == '(' && text[at + 1] && text[at + 1] != ' ')
            at++;
        memset(&t[n], 0, sizeof(t[n]));
        if (scan_quote(text, at, &t[n])) {
            at = t[n].to;
            at += strspn(text + at, ".,;:!?)");
            n++;
            continue;
        }
        t[n].from = t[n].in = at;
        t[n].to = t[n].end = at = request_word_end(text, at);
        trim_token(text, &t[n]);
        if (t[n].end > t[n].in)
            n += request_divide(text, &t[n], n, max - n);
    }
    return n;
}

/* One line of a text: newlines, $'...' and names with blanks. */

#define BLANKS " \t\n\v\f\r"

/* The closing quote of the $'...' at s, or NULL when it is none. */
static const char *
ansi_end(const char *s)
{
    if (strncmp(s, "$'", 2) != 0)
        return NULL;
    for (s += 2; *s && *s != '\''; s++)
        s += *s == '\\' && s[1];
    return *s ? s : NULL;
}

/* Appends the text of $'...' in quotes. Returns false when it is not valid
 * text. */
static bool
put_ansi(struct buf *out, const char *s, size_t n)
{
    CLEANUP(free_p) char *text = malloc(n + 1);

    if (!text)
        return false;
    text[syntax_ansi_decode(s, n, text)] = '\0';
    if (!*text || !utf8_valid(text, strlen(text)))
        return false;
    request_put_quoted(out, text);
    return true;
}

/* The bytes from s to the next blank, when they hold more than one line's and
 * are the name of something here; 0: they are not. */
static size_t
spaced_name_length(struct request_parser *r, const char *s)
{
    CLEANUP(free_p) char *name = strndup(s, strcspn(s, " "));
    bool is_dir;

    return name && strpbrk(name, BLANKS) && !strchr(BLANKS, *name) &&
                   request_path_exists(r, name, &is_dir)
               ? strlen(name)
               : 0;
}

/* Appends the word, or the text in quotes, that begins at s; returns how many
 * bytes of s it was. */
static size_t
put_word_part(struct request_parser *r, struct buf *out, const char *s)
{
    const char *end = ansi_end(s);
    size_t n;

    if (end && put_ansi(out, s + 2, (size_t)(end - s) - 2))
        return (size_t)(end - s) + 1;
    n = request_quoted(s, 0);
    if (n == 0 && (n = spaced_name_length(r, s)) > 0) {
        CLEANUP(free_p) char *name = strndup(s, n);

        request_put_quoted(out, name ? name : "");
        return n;
    }
    if (n == 0)
        n = strcspn(s, BLANKS);
    buf_add(out, s, n);
    return n;
}

char *
request_line(struct request_parser *r, const char *text, struct err *e)
{
    CLEANUP_BUF struct buf valid = buf_of(3 * REQUEST_BYTES_MAX + 1);
    CLEANUP_BUF struct buf line = buf_of(4 * REQUEST_BYTES_MAX + 1);

    utf8_repair(&valid, text, strnlen(text, REQUEST_BYTES_MAX));
    if (buf_ok(&valid, "a request", e) < 0)
        return NULL;
    buf_str(&line, "");
    for (const char *s = valid.p; *s;) {
        if (strchr(BLANKS, *s) || *s == '(') {
            buf_ch(&line, *s == '(' ? '(' : ' ');
            s++;
        } else {
            s += put_word_part(r, &line, s);
        }
    }
    return buf_ok(&line, "a request", e) < 0 ? NULL : buf_take(&line);
}
