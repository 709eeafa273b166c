/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scan.c - checks JSON text by RFC 8259, one pass, no recursion. */
#include "json/scan.h"

#include <string.h>

int
json_scan_expected(struct json_scan *s, const char *what)
{
    int c = scan_peek(s);

    if (c < 0)
        return err_set(s->e, ERR_PARSE,
                       "byte %zu: expected %s, but the text ends", s->pos + 1,
                       what);
    if (c > ' ' && c < 0x7F)
        return err_set(s->e, ERR_PARSE, "byte %zu: expected %s, found '%c'",
                       s->pos + 1, what, c);
    return err_set(s->e, ERR_PARSE, "byte %zu: expected %s, found byte 0x%02X",
                   s->pos + 1, what, (unsigned)c);
}

void
json_scan_blanks(struct json_scan *s)
{
    while (s->pos < s->n &&
           (s->text[s->pos] == ' ' || s->text[s->pos] == '\n' ||
            s->text[s->pos] == '\r' || s->text[s->pos] == '\t'))
        s->pos++;
}

/* ---- numbers and words */

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
        return err_set(s->e, ERR_PARSE,
                       "byte %zu: a digit after a leading zero", s->pos + 1);
    return 0;
}

static int
scan_number(struct json_scan *s)
{
    size_t from = s->pos;
    struct json *v = NULL;

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
    if (!s->build)
        return 0;
    if (!(v = json_build_add(s->build, JSON_NUMBER, s->e)))
        return -1;
    v->text = s->build->to;
    scan_put(s, s->text + from, s->pos - from);
    v->len = json_build_end_text(s->build, v->text);
    return 0;
}

static int
scan_word(struct json_scan *s)
{
    static const struct word {
        const char *text;
        enum json_type type;
        bool truth;
    } words[] = {{"true", JSON_BOOL, true},
                 {"false", JSON_BOOL, false},
                 {"null", JSON_NULL, false}};
    struct json *v;

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        const struct word *word = &words[i];
        size_t len = strlen(word->text);

        if (s->n - s->pos < len ||
            memcmp(s->text + s->pos, word->text, len) != 0)
            continue;
        s->pos += len;
        if (!s->build)
            return 0;
        if (!(v = json_build_add(s->build, word->type, s->e)))
            return -1;
        v->truth = word->truth;
        return 0;
    }
    return json_scan_expected(s, "a value");
}

static int
scan_text(struct json_scan *s)
{
    const char *from = s->build ? s->build->to : NULL;
    struct json *v;

    if (json_scan_string(s) < 0)
        return -1;
    if (!s->build)
        return 0;
    if (!(v = json_build_add(s->build, JSON_STRING, s->e)))
        return -1;
    v->text = from;
    v->len = json_build_end_text(s->build, from);
    return 0;
}

static int
scan_scalar(struct json_scan *s)
{
    int c = scan_peek(s);

    if (c == '"')
        return scan_text(s);
    if (c == '-' || scan_is_digit(c))
        return scan_number(s);
    return scan_word(s);
}

/* ---- containers. Each step returns 1 when a value has just ended, 0 when
 * one must follow, -1 when the text is wrong. */

static int
scan_name(struct json_scan *s)
{
    const char *from = s->build ? s->build->to : NULL;

    json_scan_blanks(s);
    if (scan_peek(s) != '"')
        return json_scan_expected(s, "a name in double quotes");
    if (json_scan_string(s) < 0)
        return -1;
    if (s->build) {
        s->build->name = from;
        s->build->name_len = json_build_end_text(s->build, from);
    }
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
        return err_set(s->e, ERR_PARSE, "byte %zu: nested deeper than %d",
                       s->pos + 1, JSON_DEPTH_MAX);
    if (s->build &&
        !json_build_add(s->build, closer == '}' ? JSON_OBJECT : JSON_ARRAY,
                        s->e))
        return -1;
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
        return err_set(s->e, ERR_PARSE, "byte %zu: more than %d values",
                       s->pos + 1, JSON_VALUES_MAX);
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
        if (s->build)
            json_build_close(s->build);
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
