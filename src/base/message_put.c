/* SPDX-License-Identifier: GPL-3.0-or-later */
/* message_put.c - says a finished English text in the person's language. */
#include "base/message_put.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/ascii.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "base/message.h"
#include "base/message_format.h"

#define CATALOGUE_MAX  (8u << 20)  /* bytes of a file of gettext */
#define CATALOGUE_SIGN 0x950412deu /* at its beginning, as this host reads */
#define TEXT_MAX       (64u << 10) /* bytes of a text */
#define ONE_MAX        2048        /* of one message in it */
#define LETTERS_MIN    2           /* of a format's own words */
#define OWN_MIN        10  /* of one in an argument: "a and b" is data */
#define FORMATS_MAX    128 /* whose words are in one text */
#define NAME_WORDS     3   /* of a program and its subcommand */
#define DEPTH_MAX      8   /* of arguments and parts in such */
#define STEPS_MAX      (64u << 10) /* for a text made to take long … */
#define LOOKUPS_MAX    1024        /* … and of many parts */

struct message_candidate {
    const char *id;   /* the English format */
    const char *many; /* its plural; NULL: none */
    size_t letters;   /* of its own words */
};

/* The search for one text: the formats whose words are in it. */
struct message_search {
    struct buf catalogue; /* the file; the formats point into it */
    struct message_candidate formats[FORMATS_MAX];
    size_t n_formats;
    size_t steps, lookups; /* that are left */
    unsigned in_arguments; /* how many the text at hand is within */
};

/* The catalogue's header names its language; it is empty in English. */
static bool
open_catalogue(struct buf *out)
{
    const char *header = dgettext(MESSAGE_DOMAIN, "");
    const char *name = strstr(header, "Language: ");
    const char *dir = bindtextdomain(MESSAGE_DOMAIN, NULL);
    char path[PATH_MAX];
    size_t n;

    if (!name || !dir)
        return false;
    name += strlen("Language: ");
    n = strcspn(name, "\n");
    if (snprintf(path, sizeof(path), "%s/%.*s/LC_MESSAGES/%s.mo", dir, (int)n,
                 name, MESSAGE_DOMAIN) >= (int)sizeof(path))
        return false;
    return file_read_regular(path, out, NULL) == 0;
}

static uint32_t
catalogue_number(const struct buf *b, size_t at)
{
    uint32_t v = 0;

    if (at < b->len && b->len - at >= sizeof(v))
        memcpy(&v, b->p + at, sizeof(v));
    return v;
}

static void
consider(struct message_search *s, const char *id, const char *many,
         const char *words, const char *text, size_t n)
{
    size_t letters = strchr(words, '%') ? message_words_in(words, text, n) : 0;

    if (letters < LETTERS_MIN || s->n_formats == FORMATS_MAX)
        return;
    s->formats[s->n_formats++] = (struct message_candidate){id, many, letters};
}

/* Finds the formats whose words are in the text. A file of gettext has a table
 * of lengths and offsets of its texts; the plural stands behind a NUL. */
static void
find_formats(struct message_search *s, const char *text, size_t n)
{
    const struct buf *b = &s->catalogue;
    uint32_t count = catalogue_number(b, 8);
    uint32_t table = catalogue_number(b, 12);

    if (catalogue_number(b, 0) != CATALOGUE_SIGN)
        return;
    for (size_t i = 0; i < count && table + 8 * i < b->len; i++) {
        size_t length = catalogue_number(b, table + 8 * i);
        size_t at = catalogue_number(b, table + 8 * i + 4);
        const char *id = b->p + at;
        const char *many;

        if (at >= b->len || b->len - at <= length || id[length] != '\0')
            continue;
        many = strlen(id) < length ? id + strlen(id) + 1 : NULL;
        consider(s, id, NULL, id, text, n);
        if (many)
            consider(s, id, many, many, text, n);
    }
}

/* A message that a text is, and its arguments there. */
struct message_found {
    const char *translation; /* the translation; NULL: there is none */
    bool format;             /* it has arguments */
    struct message_args args;
    size_t own; /* bytes of the text that are not arguments */
};

static size_t put_known_text(struct message_search *s, const char *p, size_t n,
                             unsigned depth, struct buf *out);

/* Whether what is appended next stands in quotes: it is a name or a line. */
static bool
ends_with_quote(const struct buf *out)
{
    static const char *const quotes[] = {"\"", "'", "`", "\u201e", "\u00bb"};

    for (size_t i = 0; i < ARRAY_SIZE(quotes); i++) {
        size_t n = strlen(quotes[i]);

        if (out->len >= n && memcmp(out->p + out->len - n, quotes[i], n) == 0)
            return true;
    }
    return false;
}

/* Appends an argument; returns how many of its bytes are known. */
static size_t
put_translated_argument(struct message_search *s, const struct message_arg *a,
                        unsigned depth, struct buf *out)
{
    size_t known = 0;

    if (a->text && !ends_with_quote(out)) {
        s->in_arguments++;
        known = put_known_text(s, a->p, a->n, depth + 1, out);
        s->in_arguments--;
    } else {
        buf_add(out, a->p, a->n);
    }
    return known;
}

/* Appends a translated format with the arguments of the English one. Returns
 * how many bytes of these are known. */
static size_t
put_translation(struct message_search *s, const char *fmt,
                const struct message_args *args, unsigned depth,
                struct buf *out)
{
    size_t next = 0;
    size_t known = 0;

    while (*fmt) {
        size_t own = strcspn(fmt, "%");
        struct message_conversion c;
        const struct message_arg *a;

        buf_add(out, fmt, own);
        fmt += own;
        if (!*fmt)
            break;
        c = message_conversion(fmt);
        fmt += c.bytes > 0 ? c.bytes : 1;
        if (c.bytes == 0 || c.type == '%') {
            buf_ch(out, '%');
            continue;
        }
        next = c.number > 0 ? c.number : next + c.stars + 1;
        a = next <= args->n && !c.hidden ? &args->v[next - 1] : NULL;
        if (a)
            known += put_translated_argument(s, a, depth, out);
    }
    return known;
}

/* The number that chooses the form: the first one of the text. */
static unsigned long
number_of(const struct message_args *args)
{
    unsigned long n = 0;

    for (size_t i = 0; i < args->n; i++) {
        if (!args->v[i].p || args->v[i].text)
            continue;
        for (size_t at = 0; at < args->v[i].n && at < 18; at++) {
            char c = args->v[i].p[at];

            n = ascii_is_digit(c) ? 10 * n + (unsigned long)(c - '0') : n;
        }
        break;
    }
    return n;
}

static size_t
argument_bytes(const struct message_args *args)
{
    size_t n = 0;

    for (size_t i = 0; i < args->n; i++)
        n += args->v[i].n;
    return n;
}

/* Finds the message that the text is as a whole: of several the one with the
 * most words of its own. Returns its bytes; 0: it is none. */
static size_t
find_message(struct message_search *s, const char *p, size_t n,
             struct message_found *out)
{
    const struct message_candidate *best = NULL;
    char key[ONE_MAX];

    *out = (struct message_found){0};
    if (s->lookups == 0)
        return 0;
    s->lookups--;
    if (n == 0 || n >= sizeof(key) || !memchr(p, ' ', n))
        return 0;
    memcpy(key, p, n);
    key[n] = '\0';
    out->translation = message_text(key);
    if (out->translation != key)
        return out->own = n;
    out->translation = NULL;
    for (size_t i = 0; i < s->n_formats; i++) {
        const struct message_candidate *f = &s->formats[i];
        struct message_args args = {0};

        if (s->in_arguments > 0 && f->letters < OWN_MIN)
            continue;
        if (!message_match(f->many ? f->many : f->id, p, n, &s->steps, &args))
            continue;
        if (best && n - argument_bytes(&args) <= out->own)
            continue;
        best = f;
        out->args = args;
        out->own = n - argument_bytes(&args);
    }
    if (!best)
        return 0;
    out->format = true;
    out->translation = best->many ? message_count(best->id, best->many,
                                                  number_of(&out->args))
                                  : message_text(best->id);
    return out->own;
}

static size_t
put_found(struct message_search *s, const struct message_found *m,
          unsigned depth, struct buf *out)
{
    if (m->format)
        return m->own +
               put_translation(s, m->translation, &m->args, depth, out);
    buf_str(out, m->translation);
    return m->own;
}

/* The offset of the first ": " or "; " from `from` on; n: none. */
static size_t
separator(const char *p, size_t n, size_t from)
{
    for (size_t i = from; i + 2 < n; i++) {
        if ((p[i] == ':' || p[i] == ';') && p[i + 1] == ' ')
            return i;
    }
    return n;
}

/* Finds a name of a few words and what it does: "git push sends commits". The
 * latter is the message, and begins at *at. Returns its bytes; 0: it is none.
 */
static size_t
find_description(struct message_search *s, const char *p, size_t n, size_t *at,
                 struct message_found *out)
{
    *at = 0;
    for (unsigned words = 0; words < NAME_WORDS; words++) {
        const char *blank = memchr(p + *at, ' ', n - *at);

        if (!blank)
            break;
        *at = (size_t)(blank - p) + 1;
        if (find_message(s, p + *at, n - *at, out))
            return out->own;
    }
    return 0;
}

/* Appends it. Returns the known bytes; where that is 0 nothing is appended, as
 * with the functions below. */
static size_t
put_known_description(struct message_search *s, const char *p, size_t n,
                      unsigned depth, struct buf *out)
{
    struct message_found m;
    size_t at;

    if (!find_description(s, p, n, &at, &m))
        return 0;
    buf_add(out, p, at);
    return put_found(s, &m, depth, out);
}

/* The same for a message, but where a description says more of its own: "find
 * deletes what it finds" is not "find %s". */
static size_t
put_known_message(struct message_search *s, const char *p, size_t n,
                  unsigned depth, struct buf *out)
{
    struct message_found m, description;
    size_t at;

    if (!find_message(s, p, n, &m))
        return 0;
    if (find_description(s, p, n, &at, &description) <= m.own)
        return put_found(s, &m, depth, out);
    buf_add(out, p, at);
    return at + put_found(s, &description, depth, out);
}

/* Appends what stands before the last " (" and what is within, where the part
 * ends with ')'. */
static size_t
put_known_bracket(struct message_search *s, const char *p, size_t n,
                  unsigned depth, struct buf *out)
{
    struct message_found m;
    size_t at = n;
    size_t known;

    if (n < 4 || p[n - 1] != ')')
        return 0;
    while (at > 1 && !(p[at - 2] == ' ' && p[at - 1] == '('))
        at--;
    if (at < 2)
        return 0;
    known = find_message(s, p, at - 2, &m)
                ? put_found(s, &m, depth, out)
                : put_known_description(s, p, at - 2, depth, out);
    if (known == 0)
        return 0;
    buf_str(out, " (");
    known += put_known_text(s, p + at, n - at - 1, depth + 1, out);
    buf_ch(out, ')');
    return known;
}

/* Appends the part at the end that is the longest message, and what stands
 * before it. */
static size_t
put_known_end(struct message_search *s, const char *p, size_t n, unsigned depth,
              struct buf *out)
{
    size_t longest = 0, at = n;
    size_t known;

    for (size_t i = separator(p, n, 0); i < n; i = separator(p, n, i + 1)) {
        struct message_found m;
        size_t own = find_message(s, p + i + 2, n - i - 2, &m);

        if (own == 0 || own < longest)
            continue;
        longest = own;
        at = i;
    }
    if (at == n)
        return 0;
    known = put_known_text(s, p, at, depth + 1, out);
    buf_add(out, p + at, 2);
    return known + put_known_text(s, p + at + 2, n - at - 2, depth + 1, out);
}

/* Appends the part at the beginning that is the longest message, or else the
 * first part, of which what is known is put. Returns the known bytes, and in
 * *done the part's length. */
static size_t
put_known_begin(struct message_search *s, const char *p, size_t n,
                unsigned depth, size_t *done, struct buf *out)
{
    size_t first = separator(p, n, 0);
    struct message_found best = {0};
    size_t known;

    for (size_t at = first; at < n; at = separator(p, n, at + 1)) {
        struct message_found m;

        if (find_message(s, p, at, &m) <= best.own)
            continue;
        best = m;
        *done = at;
    }
    if (best.own > 0)
        return put_found(s, &best, depth, out);
    *done = first;
    known = put_known_bracket(s, p, first, depth, out);
    if (known == 0)
        known = put_known_description(s, p, first, depth, out);
    if (known == 0)
        buf_add(out, p, first);
    return known;
}

static size_t
put_known_parts(struct message_search *s, const char *p, size_t n,
                unsigned depth, struct buf *out)
{
    size_t known = put_known_end(s, p, n, depth, out);

    while (known == 0 && n > 0) {
        size_t done;

        known += put_known_begin(s, p, n, depth, &done, out);
        p += done;
        n -= done;
        if (n > 0) {
            buf_add(out, p, 2);
            p += 2;
            n -= 2;
        }
        if (known > 0 && n > 0)
            return known + put_known_text(s, p, n, depth + 1, out);
    }
    return known;
}

/* Appends the text as a whole or in parts, by what more is known of. Returns
 * how many bytes are known. */
static size_t
put_known_text(struct message_search *s, const char *p, size_t n,
               unsigned depth, struct buf *out)
{
    CLEANUP_BUF struct buf whole = buf_of(2 * TEXT_MAX);
    CLEANUP_BUF struct buf parts = buf_of(2 * TEXT_MAX);
    size_t known, in_parts = 0;

    if (n == 0 || depth > DEPTH_MAX || !memchr(p, ' ', n)) {
        buf_add(out, p, n);
        return 0;
    }
    known = put_known_message(s, p, n, depth, &whole);
    if (known == 0)
        known = put_known_bracket(s, p, n, depth, &whole);
    if (known < n)
        in_parts = put_known_parts(s, p, n, depth, &parts);
    if (in_parts >= known)
        buf_add(out, parts.p, parts.len);
    else
        buf_add(out, whole.p, whole.len);
    return in_parts > known ? in_parts : known;
}

/* False where there is nothing to look up. */
static bool
search_open(struct message_search *s, const char *text, size_t n)
{
    s->catalogue = buf_of(CATALOGUE_MAX);
    s->n_formats = 0;
    s->steps = STEPS_MAX;
    s->lookups = LOOKUPS_MAX;
    s->in_arguments = 0;
    if (n > TEXT_MAX || !open_catalogue(&s->catalogue))
        return false;
    find_formats(s, text, n);
    return true;
}

int
message_put(struct buf *out, const char *text)
{
    size_t n = strlen(text);
    const char *translation = message_text(text);
    struct message_search s;

    if (translation != text || !message_is_translated())
        return buf_str(out, translation);
    if (search_open(&s, text, n))
        (void)put_known_text(&s, text, n, 0, out);
    else
        buf_add(out, text, n);
    buf_done(&s.catalogue);
    return out->bad ? -1 : 0;
}

int
message_vprintf(struct buf *out, const char *fmt, va_list ap)
{
    CLEANUP_BUF struct buf text = buf_of(TEXT_MAX);
    const char *translation = message_text(fmt);
    struct message_args args = {0};
    struct message_search s;
    va_list again;

    if (!message_is_translated())
        return buf_vprintf(out, fmt, ap);
    va_copy(again, ap);
    buf_vprintf(&text, fmt, again);
    va_end(again);
    if (text.bad)
        return buf_vprintf(out, translation, ap);
    if (translation == fmt)
        return message_put(out, text.p);
    if (search_open(&s, text.p, text.len) &&
        message_match(fmt, text.p, text.len, &s.steps, &args))
        (void)put_translation(&s, translation, &args, 0, out);
    else
        buf_vprintf(out, translation, ap);
    buf_done(&s.catalogue);
    return out->bad ? -1 : 0;
}

int
message_printf(struct buf *out, const char *fmt, ...)
{
    va_list ap;
    int rc;

    va_start(ap, fmt);
    rc = message_vprintf(out, fmt, ap);
    va_end(ap);
    return rc;
}
