/* SPDX-License-Identifier: GPL-3.0-or-later */
/* span.c - pieces of a text that is not changed. */
#include "plugins/lib/span.h"

#include <string.h>

#include "base/ascii.h"

struct span
span_of(const char *s)
{
    return (struct span){s, strlen(s)};
}

bool
span_split(struct span *rest, char by, struct span *part)
{
    const char *end;

    if (rest->n == 0)
        return false;
    end = memchr(rest->p, by, rest->n);
    *part = (struct span){rest->p, end ? (size_t)(end - rest->p) : rest->n};
    rest->p += part->n + (end != NULL);
    rest->n -= part->n + (end != NULL);
    return true;
}

bool
span_line(struct span *rest, struct span *line)
{
    return span_split(rest, '\n', line);
}

struct span
span_trim(struct span s)
{
    while (s.n > 0 && ascii_is_blank(*s.p)) {
        s.p++;
        s.n--;
    }
    while (s.n > 0 && ascii_is_blank(s.p[s.n - 1]))
        s.n--;
    return s;
}

bool
span_word(struct span *rest, struct span *word)
{
    size_t n = 0;

    *rest = span_trim(*rest);
    while (n < rest->n && !ascii_is_blank(rest->p[n]))
        n++;
    *word = (struct span){rest->p, n};
    rest->p += n;
    rest->n -= n;
    return n > 0;
}

bool
span_pair(struct span line, char sign, struct span *key, struct span *value)
{
    const char *at = line.n > 0 ? memchr(line.p, sign, line.n) : NULL;
    size_t n = at ? (size_t)(at - line.p) : 0;

    if (!at)
        return false;
    *key = span_trim((struct span){line.p, n});
    *value = span_trim((struct span){at + 1, line.n - n - 1});
    return true;
}

bool
span_is(struct span s, const char *text)
{
    return s.n == strlen(text) && memcmp(s.p, text, s.n) == 0;
}

bool
span_begins(struct span s, const char *text)
{
    size_t n = strlen(text);

    return s.n >= n && memcmp(s.p, text, n) == 0;
}

static unsigned
digit(char c)
{
    int value = ascii_hex_value(c);

    return value < 0 ? 99 : (unsigned)value;
}

bool
span_number(struct span s, unsigned base, uint64_t *out)
{
    uint64_t v = 0;
    size_t i;

    for (i = 0; i < s.n && digit(s.p[i]) < base; i++) {
        unsigned d = digit(s.p[i]);

        if (v > (UINT64_MAX - d) / base)
            return false;
        v = v * base + d;
    }
    if (i == 0)
        return false;
    *out = v;
    return true;
}

bool
span_hundredths(struct span s, uint64_t *out)
{
    struct span whole;
    uint64_t v;
    unsigned tenth, one;

    if (!span_split(&s, '.', &whole) || !span_number(whole, 10, &v) ||
        v > UINT64_MAX / 200)
        return false;
    tenth = s.n > 0 && digit(s.p[0]) < 10 ? digit(s.p[0]) : 0;
    one = s.n > 1 && digit(s.p[1]) < 10 ? digit(s.p[1]) : 0;
    *out = v * 100 + tenth * 10 + one;
    return true;
}

char *
span_copy(struct span s, char *text, size_t size)
{
    size_t n = s.n < size ? s.n : size - 1;

    if (n > 0)
        memcpy(text, s.p, n);
    text[n] = '\0';
    return text;
}
