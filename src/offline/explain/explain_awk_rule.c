/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_awk_rule.c - an awk program cut into its rules. */
#include <ctype.h>
#include <string.h>

#include "offline/explain/explain_awk.h"

/* Whether a slash behind this byte begins a pattern, and is no division. */
static bool
begins_pattern(char before)
{
    return !before || strchr("(,{;!~&|\n ", before);
}

/* Behind the text or pattern that begins at p; p itself where none does. */
static const char *
skip_quoted(const char *p, char before)
{
    const char *end;

    if (*p != '"' && !(*p == '/' && begins_pattern(before)))
        return p;
    end = language_part_end(p + 1, *p);
    return *end ? end + 1 : p;
}

/* The first byte of the set at no depth of brackets, or the end. */
static const char *
find_outside(const char *p, const char *set)
{
    char before = '\0';
    int depth = 0;

    for (const char *next; *p; p = next) {
        next = skip_quoted(p, before);
        if (next == p) {
            if (depth == 0 && strchr(set, *p))
                break;
            depth += strchr("([{", *p) != NULL;
            depth -= strchr(")]}", *p) != NULL;
            next = p + 1;
        }
        before = next[-1];
    }
    return p;
}

static struct awk_text
trimmed(const char *from, const char *to)
{
    while (from < to && (isspace((unsigned char)*from) || *from == ';'))
        from++;
    while (to > from && (isspace((unsigned char)to[-1]) || to[-1] == ';'))
        to--;
    return (struct awk_text){from, (size_t)(to - from)};
}

static bool
is_word(const struct awk_text *t, const char *word)
{
    return t->n == strlen(word) && memcmp(t->p, word, t->n) == 0;
}

/* FS=","; OFS="\t": how lines are cut and put together, not what is done. */
static bool
only_separates(const struct awk_text *body)
{
    static const char *const names[] = {"FS", "OFS", "RS", "ORS"};
    const char *p = body->p, *end = p + body->n;

    while (p < end) {
        size_t n = strcspn(p, "= \t"), i = 0;

        while (i < 4 && (strlen(names[i]) != n || memcmp(names[i], p, n) != 0))
            i++;
        if (i == 4)
            return false;
        p = find_outside(p, ";}");
        p += strspn(p, "; \t\n");
    }
    return true;
}

/* Puts a rule in its place; false where one of its kind is there already. */
static bool
take_rule(const struct awk_text *where, const struct awk_text *body,
          struct awk_program *out)
{
    if (is_word(where, "BEGIN"))
        return body->p && only_separates(body);
    if (is_word(where, "END")) {
        if (out->end.p || !body->p)
            return false;
        out->end = *body;
        return true;
    }
    if (is_word(where, "1") && !body->p && out->body.p && !out->end.p) {
        out->writes_line = true;
        return true;
    }
    if (out->where.p)
        return false;
    out->where = *where;
    out->body = *body;
    return true;
}

bool
awk_read(const char *text, struct awk_program *out)
{
    const char *p = text;

    *out = (struct awk_program){.writes_line = false};
    for (;;) {
        struct awk_text where, body = {NULL, 0};
        const char *stop;

        p += strspn(p, " \t\n;");
        if (!*p)
            return out->where.p || out->end.p;
        stop = find_outside(p, "{;\n");
        where = trimmed(p, stop);
        p = stop;
        if (*stop == '{') {
            stop = find_outside(p + 1, "}");
            if (!*stop)
                return false;
            body = trimmed(p + 1, stop);
            p = stop + 1;
        }
        if (!take_rule(&where, &body, out))
            return false;
    }
}
