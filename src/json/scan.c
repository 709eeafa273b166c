/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scan.c - checks JSON text by RFC 8259, in one pass and without recursion,
 * and rewrites it for cJSON. */
#include "json/scan.h"

#include <string.h>

#include "base/array.h"
#include "base/ascii.h"
#include "base/utf8.h"
#include "json/verbatim.h"

int
json_scan_expected(struct json_scan *s, const char *what)
{
    int c = scan_peek(s);

    if (c < 0)
        return err_set_at(s->e, ERR_PARSE, s->pos + 1,
                          "expected %s at the end of the text", what);
    if (c > ' ' && c < 0x7F)
        return err_set_at(s->e, ERR_PARSE, s->pos + 1,
                          "expected %s, found '%c'", what, c);
    return err_set_at(s->e, ERR_PARSE, s->pos + 1,
                      "expected %s, found byte 0x%02X", what, (unsigned)c);
}

void
json_scan_blanks(struct json_scan *s)
{
    size_t from = s->pos;

    while (s->pos < s->n &&
           (s->text[s->pos] == ' ' || s->text[s->pos] == '\n' ||
            s->text[s->pos] == '\r' || s->text[s->pos] == '\t'))
        s->pos++;
    if (s->pos == from)
        return;
    scan_emit(s, s->text + s->run, from - s->run);
    s->run = s->pos;
}

/* Strings: escapes, surrogates, UTF-8. */

/* The four digits after "\u". */
static int
scan_hex4(struct json_scan *s, unsigned *unit)
{
    unsigned sum = 0;

    for (int i = 0; i < 4; i++, s->pos++) {
        int digit = ascii_hex_value(scan_peek(s));

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

/* One character of a string, escaped or not. */
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

/* Writes a mark instead of the string that begins at `from`. out_len is the
 * length of out before the string; what out has of the string already, because
 * of marks in it, is removed. */
static void
emit_mark_instead(struct json_scan *s, size_t from, size_t out_len)
{
    if (!s->out)
        return;
    if (s->run < from)
        scan_emit(s, s->text + s->run, from - s->run);
    buf_cut(s->out, out_len);
    buf_printf(s->out, "\"%c%c%zu %zu\"", SCAN_MARK, SCAN_MARK_LONG_STRING,
               from + 1, s->pos - from - 2);
    s->run = s->pos;
}

/* pos is at its '"'. A name is always copied, however long it is. */
static int
scan_string(struct json_scan *s, bool name)
{
    size_t from = s->pos++;
    size_t out_len = s->out ? s->out->len + from - s->run : 0;

    for (;;) {
        s->pos += verbatim_length(s->text + s->pos, s->n - s->pos);
        if (scan_peek(s) == '"')
            break;
        if (scan_character(s) < 0)
            return -1;
    }
    s->pos++;
    if (!name && s->pos - from > SCAN_LONG_STRING_BYTES)
        emit_mark_instead(s, from, out_len);
    return 0;
}

/* Numbers, words and containers. */

static int
scan_digits(struct json_scan *s, const char *what)
{
    if (!ascii_is_digit(scan_peek(s)))
        return json_scan_expected(s, what);
    while (ascii_is_digit(scan_peek(s)))
        s->pos++;
    return 0;
}

static int
scan_whole_part(struct json_scan *s)
{
    if (scan_peek(s) == '-')
        s->pos++;
    if (scan_peek(s) != '0')
        return scan_digits(s, "a digit after '-'");
    s->pos++;
    if (ascii_is_digit(scan_peek(s)))
        return err_set_at(s->e, ERR_PARSE, s->pos + 1,
                          "a digit after a leading zero");
    return 0;
}

static int
scan_number(struct json_scan *s)
{
    static const char open[] = {'"', SCAN_MARK, SCAN_MARK_NUMBER};

    scan_emit_run(s);
    if (scan_whole_part(s) < 0)
        return -1;
    if (scan_peek(s) == '.') {
        s->pos++;
        if (scan_digits(s, "a digit after the decimal point") < 0)
            return -1;
    }
    if (scan_peek(s) == 'e' || scan_peek(s) == 'E') {
        s->pos++;
        if (scan_peek(s) == '+' || scan_peek(s) == '-')
            s->pos++;
        if (scan_digits(s, "a digit in the exponent") < 0)
            return -1;
    }
    scan_emit(s, open, sizeof(open));
    scan_emit_run(s);
    scan_emit(s, "\"", 1);
    return 0;
}

static int
scan_word(struct json_scan *s)
{
    static const char *const words[] = {"true", "false", "null"};

    for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
        size_t len = strlen(words[i]);

        if (s->n - s->pos < len || memcmp(s->text + s->pos, words[i], len) != 0)
            continue;
        s->pos += len;
        return 0;
    }
    return json_scan_expected(s, "a value");
}

static int
scan_scalar(struct json_scan *s)
{
    int c = scan_peek(s);

    if (c == '"')
        return scan_string(s, false);
    if (c == '-' || ascii_is_digit(c))
        return scan_number(s);
    return scan_word(s);
}

/* The steps of containers: each returns 1 when a value has ended, 0 when one
 * must follow, -1 when the text is wrong. */

static int
scan_name(struct json_scan *s)
{
    json_scan_blanks(s);
    if (scan_peek(s) != '"')
        return json_scan_expected(s, "a name in double quotes");
    if (scan_string(s, true) < 0)
        return -1;
    json_scan_blanks(s);
    if (scan_peek(s) != ':')
        return json_scan_expected(s, "':' after a name");
    s->pos++;
    return 0;
}

static int
open_container(struct json_scan *s, char closer)
{
    if (s->depth == JSON_DEPTH_MAX)
        return err_set_at(s->e, ERR_PARSE, s->pos + 1, "nested deeper than %d",
                          JSON_DEPTH_MAX);
    s->closer[s->depth++] = closer;
    s->pos++;
    json_scan_blanks(s);
    if (scan_peek(s) == closer)
        return 1;
    return closer == '}' ? scan_name(s) : 0;
}

static int
begin_value(struct json_scan *s)
{
    json_scan_blanks(s);
    if (++s->values > JSON_VALUES_MAX)
        return err_set_at(s->e, ERR_PARSE, s->pos + 1, "more than %d values",
                          JSON_VALUES_MAX);
    if (scan_peek(s) == '{')
        return open_container(s, '}');
    if (scan_peek(s) == '[')
        return open_container(s, ']');
    return scan_scalar(s) < 0 ? -1 : 1;
}

static int
end_value(struct json_scan *s)
{
    while (s->depth > 0) {
        char closer = s->closer[s->depth - 1];

        json_scan_blanks(s);
        if (scan_peek(s) == ',') {
            s->pos++;
            return closer == '}' ? scan_name(s) : 0;
        }
        if (scan_peek(s) != closer)
            return json_scan_expected(s, closer == '}' ? "',' or '}'"
                                                       : "',' or ']'");
        s->pos++;
        s->depth--;
    }
    return 1;
}

int
json_scan_value(struct json_scan *s)
{
    int rc;

    do {
        rc = begin_value(s);
        if (rc > 0)
            rc = end_value(s);
    } while (rc == 0);
    return rc < 0 ? -1 : 0;
}
