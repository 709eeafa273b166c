/* SPDX-License-Identifier: GPL-3.0-or-later */
/* write.c - the writer's small pieces: commas, names, scalars. */
#include "json/write.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/utf8.h"
#include "json/node.h"
#include "json/plain.h"

void
json_write_init(struct json_writer *w, struct buf *out)
{
    *w = (struct json_writer){.out = out};
}

/* What comes before a value or a name. */
static void
begin(struct json_writer *w)
{
    if (w->comma)
        buf_ch(w->out, ',');
    w->comma = true;
}

static void
open_with(struct json_writer *w, char c)
{
    begin(w);
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

/* What stands behind the backslash for a byte that may not stand alone; 'u'
 * has four digits behind it. */
static char
escape_letter(unsigned char c)
{
    static const char below_blank[] = "uuuuuuuubtnufruuuuuuuuuuuuuuuuuu";

    return c < 0x20 ? below_blank[c] : (char)c;
}

static size_t
escaped_length(const char *s, size_t n)
{
    size_t len = n;

    for (size_t i = 0; (i += plain_unescaped(s + i, n - i)) < n; i++)
        len += escape_letter((unsigned char)s[i]) == 'u' ? 5 : 1;
    return len;
}

/* Returns the end of what was written. */
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

/* Room is made once: a file's text has an escape in each line. */
static void
put_escaped(struct buf *out, const char *s, size_t n)
{
    size_t len = escaped_length(s, n) + 2;
    char *to;

    if (buf_room(out, len) < 0)
        return;
    to = out->p + out->len;
    *to++ = '"';
    for (size_t i = 0; i < n; i++) {
        size_t run = plain_unescaped(s + i, n - i);

        memcpy(to, s + i, run);
        to += run;
        i += run;
        if (i < n)
            to = escape(to, (unsigned char)s[i]);
    }
    memcpy(to, "\"", 2);
    out->len += len;
}

/* A string of valid UTF-8, or of what can be made so. */
static void
put_string(struct buf *out, const char *s, size_t n)
{
    /* at most, each byte becomes U+FFFD */
    CLEANUP_BUF struct buf mended = buf_of(3 * n);

    if (utf8_valid(s, n)) {
        put_escaped(out, s, n);
        return;
    }
    if (utf8_mend(&mended, s, n) < 0)
        out->bad = true;
    put_escaped(out, mended.p, mended.len);
}

void
json_keyn(struct json_writer *w, const char *name, size_t n)
{
    begin(w);
    put_string(w->out, name, n);
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
    begin(w);
    buf_add(w->out, text, n);
}

void
json_put_strn(struct json_writer *w, const char *s, size_t n)
{
    begin(w);
    put_string(w->out, s, n);
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
    begin(w);
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
