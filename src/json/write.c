/* SPDX-License-Identifier: GPL-3.0-or-later */
/* write.c - writes JSON text into a buffer, piece by piece or a whole tree. */
#include "json/write.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "json/node.h"
#include "json/verbatim.h"

#define SHOWN_MAX 48 /* bytes of a string or number in a message */

void
json_write_init(struct json_writer *w, struct buf *out)
{
    *w = (struct json_writer){.out = out};
}

/* What comes before a value or a name. */
static void
put_comma(struct json_writer *w)
{
    if (w->comma)
        buf_ch(w->out, ',');
    w->comma = true;
}

static void
open_with(struct json_writer *w, char c)
{
    put_comma(w);
    buf_ch(w->out, c);
    w->comma = false;
}

static void
close_with(struct json_writer *w, char c)
{
    buf_ch(w->out, c);
    w->comma = true;
}

void
json_open_object(struct json_writer *w)
{
    open_with(w, '{');
}

void
json_close_object(struct json_writer *w)
{
    close_with(w, '}');
}

void
json_open_array(struct json_writer *w)
{
    open_with(w, '[');
}

void
json_close_array(struct json_writer *w)
{
    close_with(w, ']');
}

/* The letter behind the backslash for a byte that needs an escape; 'u' is
 * followed by four digits. */
static char
escape_letter(unsigned char c)
{
    static const char below_blank[] = "uuuuuuuubtnufruuuuuuuuuuuuuuuuuu";

    return c < 0x20 ? below_blank[c] : (char)c;
}

static bool
needs_escape(unsigned char c)
{
    return c < 0x20 || c == '"' || c == '\\';
}

static size_t
escaped_length(const char *s, size_t n)
{
    size_t len = n;

    for (size_t i = 0; (i += verbatim_length_utf8(s + i, n - i)) < n;)
        do /* escapes come in rows, too */
            len += escape_letter((unsigned char)s[i]) == 'u' ? 5 : 1;
        while (++i < n && needs_escape((unsigned char)s[i]));
    return len;
}

/* Writes an escape. Returns the end of it. */
static char *
escape(char *to, unsigned char c)
{
    static const char hex[] = "0123456789abcdef";

    *to++ = '\\';
    *to++ = escape_letter(c);
    if (to[-1] != 'u')
        return to;
    memcpy(to, "00", 2);
    to[2] = hex[c >> 4];
    to[3] = hex[c & 15];
    return to + 4;
}

/* Makes room once, since the text of a file has an escape in each line. */
void
json_escape(struct buf *out, const char *s, size_t n)
{
    size_t len = escaped_length(s, n);
    char *to;

    if (buf_room(out, len) < 0)
        return;
    to = out->p + out->len;
    for (size_t i = 0; i < n;) {
        size_t run = verbatim_length_utf8(s + i, n - i);

        memcpy(to, s + i, run);
        to += run;
        for (i += run; i < n && needs_escape((unsigned char)s[i]); i++)
            to = escape(to, (unsigned char)s[i]);
    }
    *to = '\0';
    out->len += len;
}

static void
put_escaped(struct buf *out, const char *s, size_t n)
{
    buf_ch(out, '"');
    json_escape(out, s, n);
    buf_ch(out, '"');
}

/* Writes a string; invalid UTF-8 is repaired first. */
static void
put_json_string(struct buf *out, const char *s, size_t n)
{
    /* at most, each byte becomes U+FFFD */
    CLEANUP_BUF struct buf mended = buf_of(3 * n);

    if (utf8_valid(s, n)) {
        put_escaped(out, s, n);
        return;
    }
    if (utf8_repair(&mended, s, n) < 0)
        out->bad = true;
    put_escaped(out, mended.p, mended.len);
}

void
json_keyn(struct json_writer *w, const char *name, size_t n)
{
    put_comma(w);
    put_json_string(w->out, name, n);
    buf_ch(w->out, ':');
    w->comma = false;
}

void
json_key(struct json_writer *w, const char *name)
{
    json_keyn(w, name, strlen(name));
}

void
json_put_raw(struct json_writer *w, const char *text, size_t n)
{
    put_comma(w);
    buf_add(w->out, text, n);
}

void
json_put_strn(struct json_writer *w, const char *s, size_t n)
{
    put_comma(w);
    put_json_string(w->out, s, n);
}

void
json_put_null(struct json_writer *w)
{
    json_put_raw(w, "null", 4);
}

void
json_put_str(struct json_writer *w, const char *s)
{
    if (s)
        json_put_strn(w, s, strlen(s));
    else
        json_put_null(w);
}

void
json_put_bool(struct json_writer *w, bool v)
{
    json_put_raw(w, v ? "true" : "false", v ? 4 : 5);
}

void
json_put_int(struct json_writer *w, int64_t v)
{
    put_comma(w);
    buf_printf(w->out, "%" PRId64, v);
}

void
json_put_num(struct json_writer *w, double v)
{
    char text[JSON_NUMBER_SIZE];

    if (!isfinite(v)) {
        json_put_null(w);
        return;
    }
    json_number_print(v, text);
    json_put_raw(w, text, strlen(text));
}

void
json_member_str(struct json_writer *w, const char *name, const char *s)
{
    json_key(w, name);
    json_put_str(w, s);
}

void
json_member_int(struct json_writer *w, const char *name, int64_t v)
{
    json_key(w, name);
    json_put_int(w, v);
}

void
json_member_bool(struct json_writer *w, const char *name, bool v)
{
    json_key(w, name);
    json_put_bool(w, v);
}

/* Whole trees. The recursion is as deep as the tree, which is JSON_DEPTH_MAX at
 * most. */

static void
put_scalar(struct json_writer *w, const struct json *v)
{
    size_t len = 0;
    const char *text;
    bool truth;

    if ((text = json_str(v, &len)) != NULL)
        json_put_strn(w, text, len);
    else if ((text = json_digits(v, &len)) != NULL)
        json_put_raw(w, text, len);
    else if (json_bool(v, &truth))
        json_put_bool(w, truth);
    else
        json_put_null(w);
}

static void
put_name(struct json_writer *w, const struct json *member)
{
    size_t len;
    const char *name = json_name(member, &len);

    json_keyn(w, name, len);
}

static void
put_object_members(struct json_writer *w, const struct json *object)
{
    json_open_object(w);
    for (const struct json *c = json_first(object); c; c = json_next(c)) {
        put_name(w, c);
        json_put_value(w, c);
    }
    json_close_object(w);
}

static void
put_array(struct json_writer *w, const struct json *array)
{
    json_open_array(w);
    for (const struct json *c = json_first(array); c; c = json_next(c))
        json_put_value(w, c);
    json_close_array(w);
}

void
json_put_value(struct json_writer *w, const struct json *v)
{
    if (json_type(v) == JSON_OBJECT)
        put_object_members(w, v);
    else if (json_type(v) == JSON_ARRAY)
        put_array(w, v);
    else
        put_scalar(w, v);
}

static int
by_bytes(const void *left, const void *right)
{
    const struct json *const *a = left, *const *b = right;
    size_t na, nb;
    const char *sa = json_name(*a, &na), *sb = json_name(*b, &nb);
    int order = memcmp(sa, sb, na < nb ? na : nb);

    if (order != 0)
        return order;
    return na < nb ? -1 : na > nb;
}

static void
put_sorted_object(struct json_writer *w, const struct json *object)
{
    size_t n = json_count(object), i = 0;
    CLEANUP(free_p) const struct json **all = calloc(n + 1, sizeof(*all));

    if (!all) {
        w->out->bad = true;
        return;
    }
    for (const struct json *c = json_first(object); c; c = json_next(c))
        all[i++] = c;
    qsort(all, n, sizeof(*all), by_bytes);
    json_open_object(w);
    for (i = 0; i < n; i++) {
        put_name(w, all[i]);
        json_put_canonical(w, all[i]);
    }
    json_close_object(w);
}

void
json_put_canonical(struct json_writer *w, const struct json *v)
{
    if (json_type(v) == JSON_OBJECT) {
        put_sorted_object(w, v);
        return;
    }
    if (json_type(v) != JSON_ARRAY) {
        put_scalar(w, v);
        return;
    }
    json_open_array(w);
    for (const struct json *c = json_first(v); c; c = json_next(c))
        json_put_canonical(w, c);
    json_close_array(w);
}

void
json_describe_string(struct buf *out, const char *s, size_t len)
{
    size_t shown = utf8_boundary(s, len, SHOWN_MAX);
    struct json_writer w;

    json_write_init(&w, out);
    json_put_strn(&w, s, shown);
    if (shown < len)
        buf_str(out, "…");
}

void
json_describe(struct buf *out, const struct json *v)
{
    struct json_writer w;
    const char *s;
    size_t len;

    json_write_init(&w, out);
    if ((s = json_str(v, &len)) != NULL)
        json_describe_string(out, s, len);
    else if ((s = json_digits(v, &len)) != NULL)
        buf_printf(out, "%.*s%s", SHOWN_MAX, s, len > SHOWN_MAX ? "…" : "");
    else if (json_type(v) == JSON_OBJECT)
        buf_str(out, "an object");
    else if (json_type(v) == JSON_ARRAY)
        buf_str(out, "an array");
    else
        json_put_value(&w, v);
}
