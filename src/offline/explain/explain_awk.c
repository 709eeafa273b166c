/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_awk.c - what a small program in awk's language does. */
#include <string.h>

#include "base/cleanup.h"
#include "offline/explain/explain_awk.h"

/* Whether END writes the variable, perhaps behind a text; *rest is what is
 * done to it: "/NR". */
static bool
end_writes(const struct awk_text *end, const char *name, size_t n,
           const char **rest)
{
    const char *p = end->p, *stop = end->p + end->n;

    if (!awk_skip(&p, "printf") && !awk_skip(&p, "print"))
        return false;
    awk_skip_texts(&p, stop);
    if (awk_name_length(p) != n || memcmp(p, name, n) != 0)
        return false;
    *rest = p + n;
    return true;
}

static bool
ends_at(const char *p, const struct awk_text *t)
{
    return p == t->p + t->n;
}

/* {s+=$1} END{print s}, END{print s/NR} */
static bool
say_sum(const struct awk_program *a, bool mean, struct buf *out)
{
    const char *name = a->body.p, *p, *rest;
    size_t n = name ? awk_name_length(name) : 0;

    if (n == 0 || !a->end.p || a->writes_line || a->where.n > 0)
        return false;
    p = name + n;
    p += strspn(p, " ");
    if (!awk_skip(&p, "+=") || !end_writes(&a->end, name, n, &rest) ||
        (awk_skip(&rest, "/NR") || awk_skip(&rest, "/ NR")) != mean ||
        !ends_at(rest, &a->end))
        return false;
    return awk_say_field(&p, out) && ends_at(p, &a->body);
}

/* END{print NR}; /x/{n++} END{print n}: which lines are counted. */
static bool
say_count(const struct awk_program *a, struct buf *out)
{
    const char *name = a->body.p, *rest;
    size_t n = name ? awk_name_length(name) : 0;

    if (!a->end.p || a->writes_line)
        return false;
    if (!a->where.p)
        return end_writes(&a->end, "NR", 2, &rest) && ends_at(rest, &a->end);
    if (n == 0 || a->body.n != n + 2 || memcmp(name + n, "++", 2) != 0 ||
        !end_writes(&a->end, name, n, &rest) || !ends_at(rest, &a->end))
        return false;
    awk_say_where(&a->where, out);
    return true;
}

/* Behind the [ of an array that every line adds to and the end prints; NULL:
 * the program is none such. */
static const char *
key_of(const struct awk_program *a)
{
    const char *p = a->body.p;
    size_t n = p ? awk_name_length(p) : 0;

    if (n == 0 || !a->end.p || a->where.n > 0 || a->writes_line ||
        p[n] != '[' || strncmp(a->end.p, "for", 3) != 0 ||
        !memmem(a->end.p, a->end.n, "print", 5))
        return NULL;
    return p + n + 1;
}

/* {n[$1]++} END{for (k in n) print n[k], k} */
static bool
say_times(const struct awk_program *a, struct buf *out)
{
    const char *p = key_of(a);

    return p && awk_say_field(&p, out) && awk_skip(&p, "]++") &&
           ends_at(p, &a->body);
}

/* {n[$1] += $2} END{for (k in n) print k, n[k]}: "field 2 for each field 1". */
static bool
say_sums(const struct awk_program *a, struct buf *out)
{
    CLEANUP_BUF struct buf key = buf_of(64);
    const char *p = key_of(a);

    if (!p || !awk_say_field(&p, &key) || !awk_skip(&p, "]") ||
        !awk_skip(&p, "+=") || !awk_say_field(&p, out) || !ends_at(p, &a->body))
        return false;
    buf_printf(out, " for each %s", key.p);
    return true;
}

/* gsub(/a/, "b"): ", with every a made b". */
static bool
say_replaced(const char **p, struct buf *out)
{
    bool every = strncmp(*p, "gsub", 4) == 0;
    const char *from, *to, *end;
    size_t n;

    if (!awk_skip(p, "gsub(/") && !awk_skip(p, "sub(/"))
        return false;
    from = *p;
    end = language_part_end(from, '/');
    n = (size_t)(end - from);
    *p = end + (*end != '\0');
    if (!awk_skip(p, ",") || **p != '"')
        return false;
    to = *p + 1;
    end = language_part_end(to, '"');
    *p = end + (*end != '\0');
    *p += strspn(*p, " ");
    if (!awk_skip(p, ")"))
        return false;
    buf_printf(out, to == end ? ", without %s%.*s" : ", with %s%.*s made %.*s",
               every ? "every " : "the first ", language_shown(n), from,
               language_shown((size_t)(end - to)), to);
    return true;
}

/* $2="": ", without field 2". */
static bool
say_emptied(const char **p, struct buf *out)
{
    const char *field = *p;

    buf_str(out, ", without ");
    if (!awk_say_field(&field, out))
        return false;
    field += strspn(field, " ");
    if (!awk_skip(&field, "=") || !awk_skip(&field, "\"\""))
        return false;
    *p = field;
    return true;
}

/* {gsub(/a/, "b"); print}, {$2=""} 1: the line, changed. */
static bool
say_change(const struct awk_program *a, struct buf *out)
{
    const char *p = a->body.p;

    if (!p || a->end.p || a->where.n > 0)
        return false;
    if (*p == '$' ? !say_emptied(&p, out) : !say_replaced(&p, out))
        return false;
    if (a->writes_line)
        return ends_at(p, &a->body);
    return awk_skip(&p, ";") &&
           (awk_skip(&p, "print $0") || awk_skip(&p, "print")) &&
           ends_at(p, &a->body);
}

static bool
is_body(const struct awk_program *a, const char *text)
{
    return a->body.n == strlen(text) && memcmp(a->body.p, text, a->body.n) == 0;
}

/* /x/, NR>1 {print}: lines as they are. */
static bool
say_lines(const struct awk_program *a, struct buf *out)
{
    bool plain = !a->body.p || is_body(a, "print") || is_body(a, "print $0");

    if (!plain || !a->where.p || a->end.p || a->writes_line ||
        (!a->body.p && a->where.n == 0))
        return false;
    awk_say_where(&a->where, out);
    return true;
}

static bool
say_fields(const struct awk_program *a, struct buf *out)
{
    return a->body.p && !a->end.p && !a->writes_line &&
           awk_say_print(&a->body, out);
}

bool
awk_part(const char *form, const char *text, struct buf *out)
{
    CLEANUP_BUF struct buf part = buf_of(256);
    struct awk_program a;
    bool said = false;

    if (!awk_read(text, &a))
        return false;
    if (strcmp(form, "fields") == 0)
        said = say_fields(&a, &part);
    else if (strcmp(form, "sum") == 0 || strcmp(form, "mean") == 0)
        said = say_sum(&a, *form == 'm', &part);
    else if (strcmp(form, "sums") == 0)
        said = say_sums(&a, &part);
    else if (strcmp(form, "count") == 0)
        said = say_count(&a, &part);
    else if (strcmp(form, "times") == 0)
        said = say_times(&a, &part);
    else if (strcmp(form, "lines") == 0)
        said = say_lines(&a, &part) || say_change(&a, &part);
    else if (strcmp(form, "where") == 0 && a.where.n > 0) {
        awk_say_condition(&a.where, &part);
        said = true;
    }
    if (said && !part.bad)
        buf_add(out, part.p, part.len);
    return said && !part.bad;
}

bool
awk_meaning(const char *text, struct buf *out)
{
    static const struct {
        const char *form, *before, *behind;
    } rows[] = {
        {"sum", "adds up ", " of the lines"},
        {"mean", "averages ", " of the lines"},
        {"sums", "adds up ", " of the lines"},
        {"count", "counts the lines", ""},
        {"times", "counts how often each ", " occurs"},
        {"fields", "writes ", " of each line"},
        {"lines", "writes the lines", ""},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        CLEANUP_BUF struct buf part = buf_of(256);

        if (!awk_part(rows[i].form, text, &part))
            continue;
        buf_printf(out, "%s%s%s", rows[i].before, part.p, rows[i].behind);
        if (strcmp(rows[i].form, "fields") == 0)
            awk_part("where", text, out);
        return true;
    }
    return false;
}
