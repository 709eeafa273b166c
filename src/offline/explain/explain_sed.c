/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_sed.c - what a small program in sed's language does. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "offline/explain/explain_language.h"

/* A sed command's pieces: s/from/to/flags, 5,9d, /x/p. */
struct sed {
    const char *address, *from, *to, *flags;
    size_t n_address, n_from, n_to, n_flags;
    char command;
};

static const char *
skip_address(const char *p)
{
    if (*p == '/') {
        p = language_part_end(p + 1, '/');
        return *p ? p + 1 : p;
    }
    return p + strspn(p, "0123456789$~+");
}

/* Reads the one command of a script; false when there are others. */
static bool
read_sed(const char *p, struct sed *s)
{
    char mark;

    s->address = p;
    p = skip_address(p);
    if (*p == ',')
        p = skip_address(p + 1);
    s->n_address = (size_t)(p - s->address);
    p += strspn(p, " !");
    s->command = *p;
    if (*p != 's' && *p != 'y')
        return *p && strchr("pdq=", *p) && p[1] == '\0';
    mark = p[1];
    if (!mark || isalnum((unsigned char)mark) || mark == '\\')
        return false;
    s->from = p + 2;
    p = language_part_end(s->from, mark);
    s->n_from = (size_t)(p - s->from);
    if (!*p)
        return false;
    s->to = p + 1;
    p = language_part_end(s->to, mark);
    s->n_to = (size_t)(p - s->to);
    if (!*p)
        return false;
    s->flags = p + 1;
    s->n_flags = strlen(s->flags);
    return strspn(s->flags, "gIip0123456789") == s->n_flags;
}

static bool
has_flag(const struct sed *s, char flag)
{
    return memchr(s->flags, flag, s->n_flags) != NULL;
}

/* "lines 5,9", "lines that match x", "" */
static void
say_where(const struct sed *s, struct buf *out)
{
    const char *a = s->address;
    size_t n = s->n_address;

    if (n > 2 && *a == '/' && a[n - 1] == '/' && !memchr(a + 1, '/', n - 2))
        buf_printf(out, "lines that match %.*s", language_shown(n - 2), a + 1);
    else if (n == 1 && *a == '$')
        buf_str(out, "the last line");
    else if (n > 0 && !memchr(a, ',', n))
        buf_printf(out, "line %.*s", language_shown(n), a);
    else if (n > 0)
        buf_printf(out, "lines %.*s", language_shown(n), a);
}

enum sed_form {
    SED_MEANING, /* "replaces a by b" */
    SED_TAIL,    /* ", with a made b" */
    SED_QUIET,   /* the same with -n */
};

static void
say_substitution(const struct sed *s, bool tail, struct buf *out)
{
    bool every = has_flag(s, 'g');

    if (s->n_to == 0)
        buf_printf(out, "%s%s%.*s", tail ? ", without " : "removes ",
                   every ? "every " : "the first ", language_shown(s->n_from),
                   s->from);
    else
        buf_printf(out,
                   tail ? ", with %s%.*s made %.*s" : "replaces %s%.*s by %.*s",
                   every ? "every " : "the first ", language_shown(s->n_from),
                   s->from, language_shown(s->n_to), s->to);
    if (!tail && s->n_address == 0)
        buf_str(out, every ? ", wherever it stands" : " of each line");
}

static void
say_sed(const struct sed *s, enum sed_form form, struct buf *out)
{
    CLEANUP_BUF struct buf where = buf_of(256);
    bool tail = form != SED_MEANING;

    say_where(s, &where);
    if (s->command == 's')
        say_substitution(s, tail, out);
    else if (s->command == 'y')
        buf_printf(out,
                   tail ? ", with the letters %.*s made %.*s"
                        : "makes the letters %.*s to %.*s",
                   language_shown(s->n_from), s->from, language_shown(s->n_to),
                   s->to);
    else if (s->command == 'd')
        buf_printf(out, "%s%s", tail ? ", without " : "leaves out ",
                   where.len ? where.p : "all lines");
    else if (s->command == 'p')
        buf_printf(out, "%s%s",
                   form == SED_QUIET  ? ", only "
                   : form == SED_TAIL ? ", and twice "
                                      : "writes ",
                   where.len ? where.p : "each line");
    else if (s->command == 'q')
        buf_printf(out, "%s%s", tail ? ", up to " : "ends after ",
                   where.len ? where.p : "the first line");
    else
        buf_str(out, tail ? ", with line numbers" : "writes line numbers");
    if (strchr("sy", s->command) && where.len > 0)
        buf_printf(out, " in %s", where.p);
}

bool
sed_part(const char *form, const char *text, struct buf *out)
{
    struct sed s = {0};

    if ((strcmp(form, "sed") != 0 && strcmp(form, "quiet") != 0) ||
        !read_sed(text, &s))
        return false;
    say_sed(&s, *form == 's' ? SED_TAIL : SED_QUIET, out);
    return true;
}

bool
sed_meaning(const char *text, struct buf *out)
{
    struct sed s = {0};

    if (!read_sed(text, &s))
        return false;
    say_sed(&s, SED_MEANING, out);
    return true;
}
