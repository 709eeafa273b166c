/* SPDX-License-Identifier: GPL-3.0-or-later */
/* http_fields.c - the words of HTTP/1.1: tokens, header fields, lists. */
#include "wire/http_fields.h"

#include <string.h>
#include <strings.h>

size_t
http_token_span(const char *s)
{
    return strspn(s, "!#$%&'*+-.^_`|~0123456789"
                     "abcdefghijklmnopqrstuvwxyz"
                     "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
}

/* A value has no control character but the tab. */
static bool
is_field_value(const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)s[i];

        if ((c < 0x20 && c != '\t') || c == 0x7f)
            return false;
    }
    return true;
}

static bool
is_field_blank(char c)
{
    return c == ' ' || c == '\t';
}

bool
http_field_read(char *line, size_t n, struct http_field *out)
{
    size_t name = http_token_span(line), from = name + 1;

    if (name == 0 || name >= n || line[name] != ':' || !is_field_value(line, n))
        return false;
    while (from < n && is_field_blank(line[from]))
        from++;
    while (n > from && is_field_blank(line[n - 1]))
        n--;
    line[n] = '\0';
    line[name] = '\0';
    for (char *p = line; *p; p++)
        if (*p >= 'A' && *p <= 'Z')
            *p = (char)(*p - 'A' + 'a');
    out->name = line;
    out->value = line + from;
    return true;
}

bool
http_list_has(const char *list, const char *word)
{
    size_t len = strlen(word);

    while (*list) {
        size_t n = strcspn(list, ",;");

        while (n > 0 && is_field_blank(*list)) {
            list++;
            n--;
        }
        while (n > 0 && is_field_blank(list[n - 1]))
            n--;
        if (n == len && strncasecmp(list, word, len) == 0)
            return true;
        list += strcspn(list, ",");
        list += *list == ',';
    }
    return false;
}

void
http_put_field(struct buf *out, const char *name, const char *value)
{
    buf_printf(out, "%s: ", name);
    for (; *value; value++)
        if ((unsigned char)*value >= 0x20 && *value != 0x7f)
            buf_ch(out, *value);
    buf_str(out, "\r\n");
}
