/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_sed_read.c - a script of sed as a row of commands. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "offline/explain/explain_language.h"
#include "offline/explain/explain_phrase.h"
#include "offline/explain/explain_sed.h"

/* The end of a part that ends with the mark, which may stand in brackets:
 * s/[/]/x/. */
static const char *
part_end(const char *p, char mark)
{
    const char *stop = language_part_end(p, mark);

    for (; p < stop; p++) {
        if (*p == '\\' && p[1]) {
            p++;
        } else if (*p == '[') {
            const char *close = p + 1 + (p[1] == '^');

            close = strchr(close + (*close == ']'), ']');
            if (!close)
                return stop;
            p = close;
            if (p >= stop)
                stop = language_part_end(p, mark);
        }
    }
    return stop;
}

/* 5, $, /x/I, \%x%, 1~2, +3; nothing is an address of no bytes. */
static bool
read_address(const char **p, struct sed_text *out)
{
    const char *from = *p, *s = from;

    if (*s == '/' || (*s == '\\' && s[1])) {
        char mark = *s == '/' ? '/' : *++s;

        s = part_end(s + 1, mark);
        if (*s != mark)
            return false;
        s++;
        s += *s == 'I' || *s == 'M';
    } else {
        s += *s == '$' ? 1 : strspn(s, "0123456789~+");
    }
    *out = (struct sed_text){from, (size_t)(s - from)};
    *p = s;
    return true;
}

static bool
read_addresses(const char **p, struct sed_command *c)
{
    if (!read_address(p, &c->address[0]))
        return false;
    if (**p == ',') {
        ++*p;
        if (!read_address(p, &c->address[1]) || c->address[1].n == 0)
            return false;
    }
    *p += strspn(*p, " ");
    c->not = **p == '!';
    *p += c->not ;
    *p += strspn(*p, " ");
    return c->address[0].n > 0 || !c->not ;
}

/* The two parts of s and y; *p is at the mark between them. */
static bool
read_parts(const char **p, struct sed_command *c)
{
    char mark = **p;
    const char *s;

    if (!mark || isalnum((unsigned char)mark) || strchr("\\ \n;", mark))
        return false;
    c->from.p = *p + 1;
    s = part_end(c->from.p, mark);
    c->from.n = (size_t)(s - c->from.p);
    if (!*s)
        return false;
    c->to.p = s + 1;
    s = language_part_end(c->to.p, mark);
    c->to.n = (size_t)(s - c->to.p);
    if (!*s)
        return false;
    s++;
    c->flags = (struct sed_text){s, 0};
    if (c->command == 's')
        c->flags.n = strspn(s, "gIip0123456789");
    *p = s + c->flags.n;
    return true;
}

/* The text of a, i and c, or the name behind r: the rest of the line. */
static bool
read_text(const char **p, struct sed_command *c)
{
    const char *s = *p + strspn(*p, " \t");

    if (*s == '\\' && c->command != 'r') {
        s++;
        s += strspn(s, " \t");
        s += *s == '\n';
    }
    c->to = (struct sed_text){s, strcspn(s, "\n")};
    *p = s + c->to.n;
    return c->to.n > 0 && !memchr(s, '\\', c->to.n);
}

static bool
read_command(const char **p, struct sed_command *c)
{
    c->command = **p;
    if (!c->command || !strchr("sydpqQ=aicrG", c->command))
        return false;
    ++*p;
    if (strchr("sy", c->command))
        return read_parts(p, c);
    if (strchr("aicr", c->command))
        return read_text(p, c);
    return true;
}

/* Commands up to the end, or to the } of a group whose address is `outer`. */
static bool
read_commands(const char **p, const struct sed_command *outer,
              struct sed_program *out)
{
    for (;;) {
        struct sed_command c = {0};

        *p += strspn(*p, " \t\n;");
        if (!**p || **p == '}')
            return (**p == '}') == (outer != NULL);
        if (!read_addresses(p, &c))
            return false;
        if (**p == '{') {
            ++*p;
            if (outer || !read_commands(p, &c, out))
                return false;
            ++*p;
            continue;
        }
        if (outer && c.address[0].n > 0)
            return false;
        if (outer)
            c = *outer;
        if (out->n == SED_COMMANDS_MAX || !read_command(p, &c))
            return false;
        out->v[out->n++] = c;
        *p += strspn(*p, " \t");
        if (**p && !strchr(";\n}", **p))
            return false;
    }
}

bool
sed_read(const char *text, struct sed_program *out)
{
    out->n = 0;
    return read_commands(&text, NULL, out);
}

static bool
is_plain(const char *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strchr(".*[]^$\\+?(){}|", p[i]))
            return false;
    return n > 0;
}

static bool
is_blank_lines(const char *p, size_t n)
{
    static const char *const forms[] = {"^ *$", "^\\s*$", "^[ \\t]*$",
                                        "^[[:space:]]*$", "^[[:blank:]]*$"};

    for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
        if (strlen(forms[i]) == n && memcmp(forms[i], p, n) == 0)
            return true;
    return false;
}

/* A pattern without its marks. */
static struct sed_text
inside(const struct sed_text *a)
{
    size_t skip = *a->p == '\\' ? 2 : 1, end = a->n - 1;

    end -= strchr("IM", a->p[end]) && a->p[end] != a->p[skip - 1];
    return (struct sed_text){a->p + skip, end > skip ? end - skip : 0};
}

static bool
is_pattern(const struct sed_text *a)
{
    return a->n > 1 && (*a->p == '/' || *a->p == '\\');
}

/* "empty lines", "lines that begin with #", "lines that match x"; one: "one
 * that matches x". */
static void
say_pattern(const struct sed_text *a, bool one, struct buf *out)
{
    struct sed_text t = inside(a);
    const char *many = one ? "s" : "", *verb = "match";
    size_t n = t.n;

    if (n == 2 && memcmp(t.p, "^$", 2) == 0) {
        buf_str(out, one ? "an empty one" : "empty lines");
        return;
    }
    if (is_blank_lines(t.p, n)) {
        buf_str(out, one ? "a blank one" : "lines of nothing but blanks");
        return;
    }
    buf_str(out, one ? "one that " : "lines that ");
    if (n > 1 && *t.p == '^' && is_plain(t.p + 1, n - 1)) {
        buf_printf(out, "begin%s with %.*s", many, language_shown(n - 1),
                   t.p + 1);
    } else if (n > 1 && t.p[n - 1] == '$' && is_plain(t.p, n - 1)) {
        buf_printf(out, "end%s in %.*s", many, language_shown(n - 1), t.p);
    } else {
        verb = is_plain(t.p, n) ? "contain" : verb;
        buf_printf(out, "%s%s %.*s", verb,
                   !one           ? ""
                   : *verb == 'm' ? "es"
                                  : "s",
                   language_shown(n), t.p);
    }
}

/* 0~3, 1~2 */
static void
say_every(long first, long step, struct buf *out)
{
    buf_str(out, "every ");
    value_ordinal(step, out);
    buf_str(out, " line");
    if (first > 0)
        buf_printf(out, " from line %ld on", first);
}

/* "line 5", "the last line", "every second line from line 1 on". */
static void
say_one(const struct sed_text *a, struct buf *out)
{
    const char *tilde = memchr(a->p, '~', a->n);

    if (*a->p == '$')
        buf_str(out, "the last line");
    else if (tilde)
        say_every(strtol(a->p, NULL, 10), strtol(tilde + 1, NULL, 10), out);
    else
        buf_printf(out, "line %.*s", language_shown(a->n), a->p);
}

static void
say_end(const struct sed_text *a, struct buf *out)
{
    if (is_pattern(a)) {
        buf_str(out, " to ");
        say_pattern(a, true, out);
    } else if (*a->p == '+') {
        buf_printf(out, " and %.*s behind it", language_shown(a->n - 1),
                   a->p + 1);
    } else if (*a->p == '$') {
        buf_str(out, " to the last");
    } else {
        buf_printf(out, " to %.*s", language_shown(a->n), a->p);
    }
}

void
sed_say_where(const struct sed_command *c, struct buf *out)
{
    const struct sed_text *a = c->address;

    buf_str(out, c->not ? "all but " : "");
    if (a[1].n == 0) {
        if (is_pattern(a))
            say_pattern(a, false, out);
        else
            say_one(a, out);
        return;
    }
    if (is_pattern(a)) {
        buf_str(out, "the lines from ");
        say_pattern(a, true, out);
    } else if (strspn(a[1].p, "0123456789$") >= a[1].n && *a[0].p != '$') {
        buf_printf(out, "lines %.*s", language_shown(a[0].n), a[0].p);
    } else {
        buf_printf(out, "the lines from line %.*s", language_shown(a[0].n),
                   a[0].p);
    }
    say_end(&a[1], out);
}
