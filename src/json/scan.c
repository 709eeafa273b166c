/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scan.c - checks JSON text by RFC 8259, one pass, no recursion. */
#include "json/scan.h"

#include <string.h>

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

static int
scan_digits(struct json_scan *s, const char *what)
{
    if (!scan_is_digit(scan_peek(s)))
        return json_scan_expected(s, what);
    while (scan_is_digit(scan_peek(s)))
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
    if (scan_is_digit(scan_peek(s)))
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

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
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
        return json_scan_string(s, false);
    if (c == '-' || scan_is_digit(c))
        return scan_number(s);
    return scan_word(s);
}

/* Of containers: each step returns 1 when a value has just ended, 0 when
 * one must follow, -1 when the text is wrong. */

static int
scan_name(struct json_scan *s)
{
    json_scan_blanks(s);
    if (scan_peek(s) != '"')
        return json_scan_expected(s, "a name in double quotes");
    if (json_scan_string(s, true) < 0)
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
