/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scan_string.c - strings of JSON text: escapes, surrogates, UTF-8. */
#include <string.h>

#include "base/utf8.h"
#include "json/aside.h"
#include "json/plain.h"
#include "json/scan.h"

static int
hex_value(int c)
{
    if (scan_is_digit(c))
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The four digits after "\u". */
static int
scan_hex4(struct json_scan *s, unsigned *unit)
{
    unsigned sum = 0;

    for (int i = 0; i < 4; i++, s->pos++) {
        int digit = hex_value(scan_peek(s));

        if (digit < 0)
            return json_scan_expected(s, "four hexadecimal digits after \\u");
        sum = sum << 4 | (unsigned)digit;
    }
    *unit = sum;
    return 0;
}

static int
lone_surrogate(struct json_scan *s, size_t at)
{
    return err_set_at(s->e, ERR_PARSE, at + 1, "unpaired surrogate");
}

/* A code point from "\uXXXX" or a surrogate pair of them; pos is at the 'u'. */
static int
scan_unicode_escape(struct json_scan *s)
{
    size_t start = s->pos - 1;
    unsigned unit, low;

    s->pos++;
    if (scan_hex4(s, &unit) < 0)
        return -1;
    if (unit >= 0xD800 && unit <= 0xDFFF) {
        if (unit >= 0xDC00 || s->n - s->pos < 2 ||
            memcmp(s->text + s->pos, "\\u", 2) != 0)
            return lone_surrogate(s, start);
        s->pos += 2;
        if (scan_hex4(s, &low) < 0)
            return -1;
        if (low < 0xDC00 || low > 0xDFFF)
            return lone_surrogate(s, start);
    }
    if (unit <= 1) {
        const char marked[] = {SCAN_MARK, (char)('0' + unit)};

        scan_emit(s, s->text + s->run, start - s->run);
        scan_emit(s, marked, sizeof(marked));
        s->run = s->pos;
    }
    return 0;
}

static int
scan_escape(struct json_scan *s)
{
    s->pos++;
    switch (scan_peek(s)) {
    case '"':
    case '\\':
    case '/':
    case 'b':
    case 'f':
    case 'n':
    case 'r':
    case 't':
        s->pos++;
        return 0;
    case 'u':
        return scan_unicode_escape(s);
    default:
        return json_scan_expected(s, "one of \"\\/bfnrtu after a backslash");
    }
}

static int
scan_beyond_ascii(struct json_scan *s)
{
    uint32_t cp;
    size_t len = utf8_decode(s->text + s->pos, s->n - s->pos, &cp);

    if (len == 0)
        return json_scan_expected(s, "valid UTF-8");
    s->pos += len;
    return 0;
}

/* One character of a string, however it is written. */
static int
scan_character(struct json_scan *s)
{
    int c = scan_peek(s);

    if (c < 0)
        return json_scan_expected(s, "'\"' at the end of a string");
    if (c == '\\')
        return scan_escape(s);
    if (c < 0x20)
        return err_set_at(s->e, ERR_PARSE, s->pos + 1,
                          "unescaped control character 0x%02X in a string",
                          (unsigned)c);
    if (c >= 0x80)
        return scan_beyond_ascii(s);
    s->pos++;
    return 0;
}

/* A mark in the place of the string that begins at `from`, where out has
 * out_len bytes, or will have when what was read is copied. What of the string
 * is there already, because of marks in it, is dropped. */
static void
put_aside(struct json_scan *s, size_t from, size_t out_len)
{
    if (!s->out)
        return;
    if (s->run < from)
        scan_emit(s, s->text + s->run, from - s->run);
    buf_cut(s->out, out_len);
    buf_printf(s->out, "\"%c%c%zu %zu\"", SCAN_MARK, SCAN_MARK_ASIDE, from + 1,
               s->pos - from - 2);
    s->run = s->pos;
}

int
json_scan_string(struct json_scan *s, bool name)
{
    size_t from = s->pos++;
    size_t out_len = s->out ? s->out->len + from - s->run : 0;

    for (;;) {
        s->pos += plain_length(s->text + s->pos, s->n - s->pos);
        if (scan_peek(s) == '"')
            break;
        if (scan_character(s) < 0)
            return -1;
    }
    s->pos++;
    if (!name && s->pos - from > ASIDE_BYTES)
        put_aside(s, from, out_len);
    return 0;
}
