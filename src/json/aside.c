/* SPDX-License-Identifier: GPL-3.0-or-later */
/* aside.c - a string's escapes, undone where it is known to be right. */
#include "json/aside.h"

#include <string.h>

#include "base/utf8.h"

static unsigned
hex4(const char *p)
{
    unsigned sum = 0;

    for (int i = 0; i < 4; i++) {
        unsigned c = (unsigned char)p[i];

        sum = sum << 4 | (c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
    }
    return sum;
}

/* The character of an escape whose letter is at *at, which goes behind it. */
static unsigned
meaning(const char **at)
{
    char letter = *(*at)++;
    unsigned unit;

    switch (letter) {
    case 'b':
        return '\b';
    case 'f':
        return '\f';
    case 'n':
        return '\n';
    case 'r':
        return '\r';
    case 't':
        return '\t';
    case 'u':
        break;
    default:
        return (unsigned char)letter;
    }
    unit = hex4(*at);
    *at += 4;
    if (unit < 0xD800 || unit > 0xDFFF)
        return unit;
    unit = 0x10000 + ((unit - 0xD800) << 10) + (hex4(*at + 2) - 0xDC00);
    *at += 6; /* the other half, with its "\u" */
    return unit;
}

size_t
aside_read(char *to, const char *text, size_t n)
{
    const char *begin = to, *end = text + n;

    for (;;) {
        const char *escape = memchr(text, '\\', (size_t)(end - text));
        size_t run = (size_t)((escape ? escape : end) - text);

        memcpy(to, text, run);
        to += run;
        if (!escape)
            break;
        text = escape + 1;
        to += utf8_bytes(to, meaning(&text));
    }
    *to = '\0';
    return (size_t)(to - begin);
}
