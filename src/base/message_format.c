/* SPDX-License-Identifier: GPL-3.0-or-later */
/* message_format.c - finds the arguments of a format in a text. */
#include "base/message_format.h"

#include <stdio.h>
#include <string.h>

#include "base/ascii.h"

/* Reads "*", "*2$" or digits; returns what is behind. */
static const char *
skip_width(const char *p, size_t *stars)
{
    if (*p == '*') {
        p++;
        (*stars)++;
    }
    p += strspn(p, ASCII_DIGITS);
    return *p == '$' ? p + 1 : p;
}

struct message_conversion
message_conversion(const char *p)
{
    struct message_conversion c = {0};
    const char *at = p + 1;
    size_t digits = strspn(at, ASCII_DIGITS), n;

    if (digits > 0 && digits < 3 && at[digits] == '$') {
        for (size_t i = 0; i < digits; i++)
            c.number = 10 * c.number + (size_t)(at[i] - '0');
        at += digits + 1;
    }
    at += strspn(at, "-+ #0'");
    at = skip_width(at, &c.stars);
    c.hidden = strncmp(at, ".0s", 3) == 0;
    if (*at == '.')
        at = skip_width(at + 1, &c.stars);
    n = strspn(at, "hlLjztq");
    if (n >= sizeof(c.length) || !at[n] || !strchr("sdiuxXocgfep%", at[n]))
        return c;
    memcpy(c.length, at, n);
    at += n;
    c.type = *at;
    c.bytes = (size_t)(at + 1 - p);
    return c;
}

/* The types of a format's arguments, each as its length and its type: "zu". */
struct format_types {
    char v[MESSAGE_ARGS][4];
    size_t n;
};

/* Notes the type of argument number `at`; false: it has another already. */
static bool
note_type(struct format_types *t, size_t at, const char *length, char type)
{
    char *slot = at < MESSAGE_ARGS ? t->v[at] : NULL;
    char text[sizeof(t->v[0])];

    snprintf(text, sizeof(text), "%s%c", length, type);
    if (!slot || (*slot && strcmp(slot, text) != 0))
        return false;
    memcpy(slot, text, sizeof(text));
    t->n = at >= t->n ? at + 1 : t->n;
    return true;
}

/* False: a conversion is not known, or arguments are both numbered and not. */
static bool
read_types(const char *fmt, struct format_types *out)
{
    bool numbered = false;
    size_t next = 0;

    *out = (struct format_types){0};
    while ((fmt = strchr(fmt, '%'))) {
        struct message_conversion c = message_conversion(fmt);

        if (c.bytes == 0)
            return false;
        fmt += c.bytes;
        if (c.type == '%')
            continue;
        if (c.number > 0 ? next > 0 || c.stars > 0 : numbered)
            return false;
        numbered = c.number > 0;
        for (size_t i = 0; i < c.stars; i++)
            if (!note_type(out, next++, "", '*'))
                return false;
        if (!note_type(out, numbered ? c.number - 1 : next++, c.length, c.type))
            return false;
    }
    return true;
}

static bool
has_known_conversions(const char *text)
{
    while ((text = strchr(text, '%'))) {
        struct message_conversion c = message_conversion(text);

        if (c.bytes == 0)
            return false;
        text += c.bytes;
    }
    return true;
}

bool
message_fits(const char *fmt, const char *other)
{
    struct format_types have, want;

    if (!strchr(fmt, '%') && !strchr(other, '%'))
        return true;
    if (!has_known_conversions(fmt))
        return true;
    if (!read_types(fmt, &have) || !read_types(other, &want) || want.n > have.n)
        return false;
    for (size_t i = 0; i < want.n; i++)
        if (strcmp(have.v[i], want.v[i]) != 0) /* a gap is of no type */
            return false;
    return true;
}

/* The longest argument of that type at text. */
static size_t
longest(char type, const char *text, size_t n)
{
    size_t i = 0;

    switch (type) {
    case 's':
        return n;
    case 'c':
        return n > 0;
    case 'd':
    case 'i':
    case 'u':
        while (i < n && (text[i] == ' ' || text[i] == '-'))
            i++;
        while (i < n && ascii_is_digit(text[i]))
            i++;
        return i;
    default:
        while (i < n && (ascii_is_alnum(text[i]) || text[i] == '.' ||
                         text[i] == '-' || text[i] == '+'))
            i++;
        return i;
    }
}

static bool
add_arg(struct message_args *out, const struct message_conversion *c)
{
    if (out->n + c->stars + 1 > MESSAGE_ARGS)
        return false;
    for (size_t i = 0; i < c->stars; i++)
        out->v[out->n++] = (struct message_arg){0};
    out->v[out->n++] = (struct message_arg){.text = c->type == 's'};
    return true;
}

/* The next length of a %s, from `from` on, that what follows it may fit; more
 * than n: there is none. One that another follows at once is empty. */
static size_t
next_length(const char *rest, const char *text, size_t n, size_t from)
{
    const char *at;

    if (!*rest)
        return from > n ? from : n;
    if (*rest == '%' && rest[1] != '%')
        return message_conversion(rest).type == 's' && from > 0 ? n + 1 : from;
    at = from < n ? memchr(text + from, *rest, n - from) : NULL;
    return at ? (size_t)(at - text) : n + 1;
}

/* It calls itself once for each conversion, of which there are few. */
bool
message_match(const char *fmt, const char *text, size_t n, size_t *steps,
              struct message_args *out)
{
    struct message_conversion c;
    size_t held, most;

    for (; *fmt; fmt++, text++, n--) {
        if (*fmt == '%' && fmt[1] != '%')
            break;
        if (n == 0 || *text != *fmt)
            return false;
        fmt += *fmt == '%';
    }
    if (!*fmt)
        return n == 0;
    c = message_conversion(fmt);
    held = out->n;
    if (c.bytes == 0 || !add_arg(out, &c))
        return false;
    most = longest(c.type, text, n);
    fmt += c.bytes;
    for (size_t i = c.type == 's' ? 0 : 1; i <= most && *steps > 0; i++) {
        size_t mine = held + c.stars;

        if (c.type == 's' && (i = next_length(fmt, text, n, i)) > n)
            break;
        (*steps)--;
        out->v[mine].p = text;
        out->v[mine].n = i;
        if (message_match(fmt, text + i, n - i, steps, out))
            return true;
        out->n = mine + 1;
    }
    out->n = held;
    return false;
}

size_t
message_words_in(const char *fmt, const char *text, size_t n)
{
    const char *end = text + n;
    size_t letters = 0;

    while (*fmt) {
        size_t own = strcspn(fmt, "%");
        const char *at = own ? memmem(text, (size_t)(end - text), fmt, own)
                             : text;
        struct message_conversion c;

        if (!at)
            return 0;
        text = at + own;
        for (size_t i = 0; i < own; i++)
            letters += ascii_is_alpha(fmt[i]);
        fmt += own;
        if (!*fmt)
            break;
        c = message_conversion(fmt);
        if (c.bytes == 0)
            return 0;
        fmt += c.bytes;
    }
    return letters;
}
