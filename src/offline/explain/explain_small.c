/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_small.c - small programs inside a command line: sed, awk, tr. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "offline/explain/explain_phrase.h"

#define SHOWN_MAX 60

/* A sed command's pieces: s/from/to/flags, 5,9d, /x/p. */
struct sed {
    const char *address, *from, *to, *flags;
    size_t n_address, n_from, n_to, n_flags;
    char command;
};

/* The end of a part that ends with the mark, escapes passed over. */
static const char *
part_end(const char *p, char mark)
{
    for (; *p && *p != mark; p++)
        if (*p == '\\' && p[1])
            p++;
    return p;
}

static const char *
skip_address(const char *p)
{
    if (*p == '/') {
        p = part_end(p + 1, '/');
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
    p = part_end(s->from, mark);
    s->n_from = (size_t)(p - s->from);
    if (!*p)
        return false;
    s->to = p + 1;
    p = part_end(s->to, mark);
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

static int
shown(size_t n)
{
    return (int)(n < SHOWN_MAX ? n : SHOWN_MAX);
}

/* "lines 5,9", "lines that match x", "" */
static void
say_where(const struct sed *s, struct buf *out)
{
    const char *a = s->address;
    size_t n = s->n_address;

    if (n > 2 && *a == '/' && a[n - 1] == '/' && !memchr(a + 1, '/', n - 2))
        buf_printf(out, "lines that match %.*s", shown(n - 2), a + 1);
    else if (n == 1 && *a == '$')
        buf_str(out, "the last line");
    else if (n > 0 && !memchr(a, ',', n))
        buf_printf(out, "line %.*s", shown(n), a);
    else if (n > 0)
        buf_printf(out, "lines %.*s", shown(n), a);
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
                   every ? "every " : "the first ", shown(s->n_from), s->from);
    else
        buf_printf(out,
                   tail ? ", with %s%.*s made %.*s" : "replaces %s%.*s by %.*s",
                   every ? "every " : "the first ", shown(s->n_from), s->from,
                   shown(s->n_to), s->to);
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
                   shown(s->n_from), s->from, shown(s->n_to), s->to);
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

/* "$1", "$1,$3", "$NF": what awk's print names. */
static bool
say_fields(const char *p, size_t n, struct buf *out)
{
    size_t fields = 0;

    for (size_t i = 0; i < n;) {
        size_t len;

        i += strspn(p + i, ", ");
        if (i >= n)
            break;
        if (p[i] == '"') { /* a text between them */
            i = (size_t)(part_end(p + i + 1, '"') - p) + 1;
            continue;
        }
        if (p[i++] != '$')
            return false;
        len = strspn(p + i, "0123456789");
        buf_str(out, fields ? " and " : "");
        if (strncmp(p + i, "NF", 2) == 0) {
            buf_str(out, "the last field");
            len = 2;
        } else if (len == 1 && p[i] == '0') {
            buf_str(out, "the whole line");
        } else if (len > 0) {
            buf_printf(out, "field %.*s", (int)len, p + i);
        } else {
            return false;
        }
        i += len;
        fields++;
    }
    return fields > 0;
}

/* A program of one rule: what stands before {print …}, and its fields. */
struct awk {
    const char *where;
    size_t n_where;
    struct buf fields;
};

static bool
is_print(const char *p)
{
    return strncmp(p, "print", 5) == 0 && p[5] && strchr(" }$;\"", p[5]);
}

static bool
read_awk(const char *p, struct awk *a)
{
    const char *body = strchr(p, '{'), *end = body ? strchr(body, '}') : NULL;

    p += strspn(p, " ");
    if (!body || !end || end[1 + strspn(end + 1, " ")])
        return false;
    a->where = p;
    a->n_where = (size_t)(body - p);
    while (a->n_where > 0 && isspace((unsigned char)p[a->n_where - 1]))
        a->n_where--;
    body += 1 + strspn(body + 1, " ");
    if (!is_print(body))
        return false;
    body += 5 + strspn(body + 5, " ");
    while (end > body && (end[-1] == ' ' || end[-1] == ';'))
        end--;
    if (body < end)
        return say_fields(body, (size_t)(end - body), &a->fields);
    return buf_str(&a->fields, "the whole line") == 0;
}

/* {s+=$1} END{print s}: the field that is added up. */
static bool
say_sum(const char *p, struct buf *out)
{
    const char *sum = strstr(p, "+=");

    if (!sum || !strstr(p, "END"))
        return false;
    sum += 2 + strspn(sum + 2, " ");
    return *sum == '$' &&
           say_fields(sum, 1 + strspn(sum + 1, "0123456789NF"), out);
}

static bool
awk_part(const char *form, const char *text, struct buf *out)
{
    struct awk a = {.fields = buf_of(256)};
    bool found = read_awk(text, &a);

    if (found && strcmp(form, "fields") == 0)
        buf_str(out, a.fields.p);
    else if (found && strcmp(form, "where") == 0 && a.n_where > 0)
        buf_printf(out, " where %.*s", shown(a.n_where), a.where);
    else
        found = false;
    buf_done(&a.fields);
    return found;
}

bool
script_part(const char *form, const char *text, struct buf *out)
{
    struct sed s = {0};

    if (strcmp(form, "sed") == 0 || strcmp(form, "quiet") == 0) {
        if (!read_sed(text, &s))
            return false;
        say_sed(&s, *form == 's' ? SED_TAIL : SED_QUIET, out);
        return true;
    }
    if (strcmp(form, "sum") == 0)
        return say_sum(text, out);
    return awk_part(form, text, out);
}

/* "replaces a by b", "writes field 1 of each line". */
static bool
awk_meaning(const char *text, struct buf *out)
{
    CLEANUP_BUF struct buf part = buf_of(256);

    if (say_sum(text, &part)) {
        buf_printf(out, "adds up %s of the lines", part.p);
        return true;
    }
    if (!awk_part("fields", text, &part))
        return false;
    buf_printf(out, "writes %s of each line", part.p);
    awk_part("where", text, out);
    return true;
}

bool
script_meaning(const char *language, const char *text, struct buf *out)
{
    struct sed s = {0};

    if (strcmp(language, "awk") == 0)
        return awk_meaning(text, out);
    if (strcmp(language, "sed") != 0 || !read_sed(text, &s))
        return false;
    say_sed(&s, SED_MEANING, out);
    return true;
}
