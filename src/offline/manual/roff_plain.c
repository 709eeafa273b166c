/* SPDX-License-Identifier: GPL-3.0-or-later */
/* roff_plain.c - text of a manual page with its escapes resolved. */
#include <string.h>

#include "base/utf8.h"
#include "offline/manual/roff_chars.h"
#include "offline/manual/roff_state.h"

#define STRINGS_DEPTH 4

/* Characters and escapes of one line, strings in it included. */
#define STEPS_MAX (4 * ROFF_LINE_MAX)

struct plain {
    struct roff *r;
    struct buf *out;
    bool italic, before; /* the font now, and the one \fP returns to */
    unsigned depth, steps;
};

void
roff_take_name(const char **p, const char **name, size_t *n)
{
    const char *s = *p;

    if (*s == '(') {
        *name = s + 1;
        *n = strnlen(s + 1, 2);
        *p = s + 1 + *n;
    } else if (*s == '[') {
        *name = s + 1;
        *n = strcspn(s + 1, "]");
        *p = s + 1 + *n + (s[1 + *n] == ']');
    } else {
        *name = s;
        *n = *s != '\0';
        *p = s + *n;
    }
}

static void
set_font(struct plain *pl, bool italic)
{
    if (italic != pl->italic)
        buf_ch(pl->out, italic ? ROFF_ARG_ON : ROFF_ARG_OFF);
    pl->italic = italic;
}

static void
take_font(struct plain *pl, const char **p)
{
    const char *name;
    size_t n;
    bool was = pl->italic;

    roff_take_name(p, &name, &n);
    if (n == 0 || (n == 1 && *name == 'P'))
        set_font(pl, pl->before);
    else /* I, BI, CI, 2 and 4 are the slanted ones */
        set_font(pl, memchr(name, 'I', n) || *name == '2' || *name == '4');
    pl->before = was;
}

/* An argument in delimiters of its own choice: \h'…'. */
static void
skip_delimited(const char **p)
{
    char quote = **p;
    const char *end = quote ? strchr(*p + 1, quote) : NULL;

    if (quote)
        *p = end ? end + 1 : *p + strlen(*p);
}

static void
skip_size(const char **p)
{
    const char *name, *s = *p;
    size_t n;

    if (*s == '\'') {
        skip_delimited(p);
        return;
    }
    s += *s == '+' || *s == '-';
    if (*s >= '1' && *s <= '3' && s[1] >= '0' && s[1] <= '9') {
        *p = s + 2; /* \s12: two digits when the first is 1, 2 or 3 */
        return;
    }
    roff_take_name(&s, &name, &n);
    *p = s;
}

static void
take_char(struct plain *pl, const char *name, size_t n)
{
    uint32_t cp = roff_char(name, n);

    if (cp)
        utf8_encode(pl->out, cp);
}

static void plain(struct plain *pl, const char *s);

static void
take_string(struct plain *pl, const char **p)
{
    const char *name;
    size_t n;

    roff_take_name(p, &name, &n);
    if (pl->depth >= STRINGS_DEPTH)
        return;
    pl->depth++;
    plain(pl, roff_string(pl->r, name, n));
    pl->depth--;
}

/* Escapes that have an argument; false when c is none of them. */
static bool
take_with_argument(struct plain *pl, char c, const char **p)
{
    const char *name;
    size_t n;

    if (c == 'f') {
        take_font(pl, p);
    } else if (c == '(' || c == '[') {
        (*p)--;
        roff_take_name(p, &name, &n);
        take_char(pl, name, n);
    } else if (c == 'C') {
        name = *p + 1;
        skip_delimited(p);
        if (*p > name)
            take_char(pl, name, (size_t)(*p - name - 1));
    } else if (c == '*') {
        take_string(pl, p);
    } else if (c == 'n') {
        *p += **p == '+' || **p == '-';
        roff_take_name(p, &name, &n);
        buf_ch(pl->out, '0');
    } else if (c == 's') {
        skip_size(p);
    } else if (strchr("hvwlLDoNbxXZRBAHS", c)) {
        skip_delimited(p);
    } else if (strchr("mMFgkYV$O", c)) {
        roff_take_name(p, &name, &n);
    } else {
        return false;
    }
    return true;
}

/* The escape behind the backslash at (*p)[-1]. False: the line ends here. */
static bool
take_escape(struct plain *pl, const char **p)
{
    char c = **p;

    if (!c || c == '"' || c == '#')
        return false;
    if ((unsigned char)c < 0x20 || (unsigned char)c > 0x7e)
        return true; /* is read as text */
    (*p)++;
    if (take_with_argument(pl, c, p))
        return true;
    if (c == ' ' || c == '~' || c == '0' || c == 't') {
        buf_ch(pl->out, ' ');
    } else if (c == '\\' && **p == '-') {
        /* an argument is read twice, and then it is the dash's */
    } else if (c == 'e' || c == '\\') {
        buf_ch(pl->out, '\\');
    } else if (c == 'c') {
        buf_ch(pl->out, ROFF_JOIN);
        return false;
    } else if (!strchr("|^,/&)%:!?{}durpaz", c)) {
        buf_ch(pl->out, c);
    }
    return true;
}

/* One byte or character; old pages are in Latin-1. */
static void
take_text(struct plain *pl, const char **p)
{
    unsigned char c = (unsigned char)**p;
    uint32_t cp = c;
    size_t n = 1;

    if (c >= 0x80) {
        n = utf8_decode(*p, strnlen(*p, 4), &cp);
        if (n == 0)
            n = 1, cp = c;
    }
    if (cp == '\t' || (cp >= 0x20 && (cp < 0x7f || cp > 0x9f)))
        utf8_encode(pl->out, cp);
    *p += n;
}

static void
plain(struct plain *pl, const char *s)
{
    while (*s && pl->steps++ < STEPS_MAX) {
        if (*s != '\\') {
            take_text(pl, &s);
            continue;
        }
        s++;
        if (!take_escape(pl, &s))
            return;
    }
}

bool
roff_plain(struct roff *r, const char *raw, bool italic, struct buf *out)
{
    struct plain pl = {.r = r, .out = out, .italic = italic};

    plain(&pl, raw);
    r->work += pl.steps;
    return pl.italic;
}
