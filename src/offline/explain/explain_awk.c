/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_awk.c - describes small awk programs in words. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "offline/explain/explain_language.h"
#include "offline/explain/explain_phrase.h"

struct awk_text {
    const char *p; /* into the program */
    size_t n;
};

/* A program with one rule for lines, one for END, or both. */
struct awk_program {
    struct awk_text where, body; /* where.p NULL: no rule; body.p NULL: it
                                    only says which lines */
    struct awk_text end;         /* p NULL: none */
    bool writes_line;            /* {…} 1: the line follows what body does */
};

/* Whether a slash behind this byte begins a pattern and is no division. */
static bool
begins_pattern(char before)
{
    return !before || strchr("(,{;!~&|\n ", before);
}

/* The position behind the string or pattern at p; p itself when there is
 * none. */
static const char *
skip_awk_quoted(const char *p, char before)
{
    const char *end;

    if (*p != '"' && !(*p == '/' && begins_pattern(before)))
        return p;
    end = value_part_end(p + 1, *p);
    return *end ? end + 1 : p;
}

/* The first byte of the set outside all brackets, or the end. */
static const char *
find_outside(const char *p, const char *set)
{
    char before = '\0';
    int depth = 0;

    for (const char *next; *p; p = next) {
        next = skip_awk_quoted(p, before);
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
trim_text(const char *from, const char *to)
{
    while (from < to && (isspace((unsigned char)*from) || *from == ';'))
        from++;
    while (to > from && (isspace((unsigned char)to[-1]) || to[-1] == ';'))
        to--;
    return (struct awk_text){from, (size_t)(to - from)};
}

static bool
awk_text_is(const struct awk_text *t, const char *word)
{
    return t->n == strlen(word) && memcmp(t->p, word, t->n) == 0;
}

/* Whether a body only sets separators: FS=","; OFS="\t". */
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

/* Stores a rule. Returns false when there is one of its kind already. */
static bool
take_rule(const struct awk_text *where, const struct awk_text *body,
          struct awk_program *out)
{
    if (awk_text_is(where, "BEGIN"))
        return body->p && only_separates(body);
    if (awk_text_is(where, "END")) {
        if (out->end.p || !body->p)
            return false;
        out->end = *body;
        return true;
    }
    if (awk_text_is(where, "1") && !body->p && out->body.p && !out->end.p) {
        out->writes_line = true;
        return true;
    }
    if (out->where.p)
        return false;
    out->where = *where;
    out->body = *body;
    return true;
}

/* Reads a program. Returns false when it has more rules than that. A BEGIN that
 * only sets separators is ignored. */
static bool
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
        where = trim_text(p, stop);
        p = stop;
        if (*stop == '{') {
            stop = find_outside(p + 1, "}");
            if (!*stop)
                return false;
            body = trim_text(p + 1, stop);
            p = stop + 1;
        }
        if (!take_rule(&where, &body, out))
            return false;
    }
}

/* Fields of a line, and conditions about a line, in words. */

#define COMPARED_MAX 40 /* bytes of a condition on the line number */

/* Skips a word at *p and the blanks behind it; false when it is not there. */
static bool
awk_skip(const char **p, const char *word)
{
    size_t n = strlen(word);

    if (strncmp(*p, word, n) != 0)
        return false;
    *p += n + strspn(*p + n, " \t");
    return true;
}

/* The length of the name at p, 0 when there is none. */
static size_t
awk_name_length(const char *p)
{
    size_t n = 0;

    while (isalnum((unsigned char)p[n]) || p[n] == '_')
        n++;
    return isdigit((unsigned char)*p) ? 0 : n;
}

/* Describes a field, $1, $NF, $(NF-1) or $0, and advances *p behind it. */
static bool
awk_describe_field(const char **p, struct buf *out)
{
    size_t n;

    if (awk_skip(p, "$(NF-1)")) {
        buf_str(out, "the last field but one");
        return true;
    }
    if (awk_skip(p, "$NF")) {
        buf_str(out, "the last field");
        return true;
    }
    if (**p != '$')
        return false;
    n = strspn(*p + 1, "0123456789");
    if (n == 0)
        return false;
    if (n == 1 && (*p)[1] == '0')
        buf_str(out, "the whole line");
    else
        buf_printf(out, "field %.*s", (int)n, *p + 1);
    *p += 1 + n;
    return true;
}

/* Describes what print may name besides fields. */
static bool
describe_fact(const char **p, struct buf *out)
{
    static const struct {
        const char *word, *meaning;
    } facts[] = {
        {"NR", "the number of the line"},
        {"NF", "the number of fields"},
        {"length($0)", "the length of the line"},
        {"length()", "the length of the line"},
        {"length", "the length of the line"},
        {"toupper($0)", "the line in large letters"},
        {"tolower($0)", "the line in small letters"},
        {"FILENAME", "the name of the file"},
    };

    for (size_t i = 0; i < ARRAY_SIZE(facts); i++) {
        const char *at = *p;

        if (!awk_skip(&at, facts[i].word) || awk_name_length(at) > 0 ||
            *at == '(')
            continue;
        buf_str(out, facts[i].meaning);
        *p = at;
        return true;
    }
    return false;
}

/* Skips strings and commas between what print names. */
static void
awk_skip_texts(const char **p, const char *end)
{
    for (;;) {
        *p += strspn(*p, ", \t");
        if (*p >= end || **p != '"')
            return;
        *p = value_part_end(*p + 1, '"');
        *p += **p != '\0';
    }
}

/* Describes what is printed: print $1, "x" $3; printf "%s\n", $1 */
static bool
awk_describe_print(const struct awk_text *body, struct buf *out)
{
    const char *p = body->p, *end = body->p + body->n;
    size_t things = 0;
    bool form = strncmp(p, "printf", 6) == 0;

    if (strncmp(p, "print", 5) != 0 || awk_name_length(p) != (form ? 6 : 5))
        return false;
    p += form ? 6 : 5;
    if (p == end && !form) {
        buf_str(out, "the whole line");
        return true;
    }
    for (awk_skip_texts(&p, end); p < end; awk_skip_texts(&p, end)) {
        buf_str(out, things++ ? " and " : "");
        if (!awk_describe_field(&p, out) && !describe_fact(&p, out))
            return false;
    }
    return things > 0;
}

/* Reads a range of line numbers: NR>1, NR==2, NR>=2&&NR<=4, NR==2,NR==4. *to is
 * 0 when it has no end. */
static bool
read_line_range(const struct awk_text *t, long *from, long *to)
{
    char c[COMPARED_MAX];
    size_t n = 0;
    int used = 0;

    for (size_t i = 0; i < t->n; i++) {
        if (t->p[i] == ' ')
            continue;
        if (n + 1 == sizeof(c))
            return false;
        c[n++] = t->p[i];
    }
    c[n] = '\0';
    *to = 0;
    if (sscanf(c, "NR>=%9ld%n", from, &used) == 1 && !c[used])
        return true;
    if (sscanf(c, "NR>%9ld%n", from, &used) == 1 && !c[used]) {
        ++*from;
        return true;
    }
    if (sscanf(c, "NR==%9ld%n", from, &used) == 1 && !c[used]) {
        *to = *from;
        return true;
    }
    if (sscanf(c, "NR<=%9ld%n", to, &used) == 1 && !c[used]) {
        *from = 1;
        return *to > 0;
    }
    return (sscanf(c, "NR==%9ld,NR==%9ld%n", from, to, &used) == 2 ||
            sscanf(c, "NR>=%9ld&&NR<=%9ld%n", from, to, &used) == 2) &&
           !c[used] && *to > 0;
}

static void
describe_range(long from, long to, struct buf *out)
{
    if (to == 0) {
        buf_str(out, "from the ");
        value_ordinal(from, out);
        buf_str(out, " line on");
    } else if (from == to) {
        buf_printf(out, "only line %ld", from);
    } else {
        buf_printf(out, "only lines %ld to %ld", from, to);
    }
}

/* Reads /x/: the pattern without its slashes. */
static bool
read_pattern(const struct awk_text *t, struct awk_text *pattern)
{
    if (t->n < 3 || *t->p != '/' ||
        value_part_end(t->p + 1, '/') != t->p + t->n - 1)
        return false;
    *pattern = (struct awk_text){t->p + 1, t->n - 2};
    return true;
}

/* !seen[$0]++ */
static bool
is_first_of(const struct awk_text *t)
{
    size_t n = t->n > 1 && *t->p == '!' ? awk_name_length(t->p + 1) : 0;
    static const char rest[] = "[$0]++";

    return n > 0 && t->n == 1 + n + sizeof(rest) - 1 &&
           memcmp(t->p + 1 + n, rest, sizeof(rest) - 1) == 0;
}

/* /a/,/b/ */
static bool
read_patterns(const struct awk_text *t, struct awk_text *from,
              struct awk_text *to)
{
    const char *comma = t->n > 4 && *t->p == '/'
                            ? value_part_end(t->p + 1, '/') + 1
                            : NULL;
    struct awk_text first = {t->p, comma ? (size_t)(comma - t->p) : 0}, second;

    if (!comma || comma >= t->p + t->n || *comma != ',')
        return false;
    comma += 1 + strspn(comma + 1, " ");
    second = (struct awk_text){comma, (size_t)(t->p + t->n - comma)};
    return comma < t->p + t->n && read_pattern(&first, from) &&
           read_pattern(&second, to);
}

/* Appends which lines: ", only those that match x"; nothing for all lines. */
static void
awk_describe_where(const struct awk_text *t, struct buf *out)
{
    struct awk_text other = {t->p + 1, t->n - 1}, pattern, end;
    long from, to;

    if (t->n == 0)
        return;
    buf_str(out, ", ");
    if (read_pattern(t, &pattern))
        buf_printf(out, "only those that match %.*s", value_shown(pattern.n),
                   pattern.p);
    else if (*t->p == '!' && read_pattern(&other, &pattern))
        buf_printf(out, "only those that do not match %.*s",
                   value_shown(pattern.n), pattern.p);
    else if (read_patterns(t, &pattern, &end))
        buf_printf(out,
                   "only those from one that matches %.*s to one that matches "
                   "%.*s",
                   value_shown(pattern.n), pattern.p, value_shown(end.n),
                   end.p);
    else if (is_first_of(t))
        buf_str(out, "each once");
    else if (t->n == 2 && memcmp(t->p, "NF", 2) == 0)
        buf_str(out, "without empty ones");
    else if (read_line_range(t, &from, &to))
        describe_range(from, to, out);
    else
        buf_printf(out, "only where %.*s", value_shown(t->n), t->p);
}

/* The same in the form " where $3>9". */
static void
awk_describe_condition(const struct awk_text *t, struct buf *out)
{
    struct awk_text pattern;
    long from, to;

    if (t->n == 0)
        return;
    if (read_pattern(t, &pattern))
        buf_printf(out, " where the line matches %.*s", value_shown(pattern.n),
                   pattern.p);
    else if (read_line_range(t, &from, &to)) {
        buf_str(out, ", ");
        describe_range(from, to, out);
    } else
        buf_printf(out, " where %.*s", value_shown(t->n), t->p);
}

/* Whole programs: sums, counts, changes, selections. */

/* Whether END prints the variable, perhaps behind a string. *rest is what
 * follows it: "/NR". */
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
describe_sum(const struct awk_program *a, bool mean, struct buf *out)
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
    return awk_describe_field(&p, out) && ends_at(p, &a->body);
}

/* END{print NR}; /x/{n++} END{print n}: which lines are counted. */
static bool
describe_count(const struct awk_program *a, struct buf *out)
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
    awk_describe_where(&a->where, out);
    return true;
}

/* The key of an array that every line adds to and END prints; NULL when the
 * program is another one. */
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
describe_times(const struct awk_program *a, struct buf *out)
{
    const char *p = key_of(a);

    return p && awk_describe_field(&p, out) && awk_skip(&p, "]++") &&
           ends_at(p, &a->body);
}

/* {n[$1] += $2} END{for (k in n) print k, n[k]}: "field 2 for each field 1". */
static bool
describe_sums(const struct awk_program *a, struct buf *out)
{
    CLEANUP_BUF struct buf key = buf_of(64);
    const char *p = key_of(a);

    if (!p || !awk_describe_field(&p, &key) || !awk_skip(&p, "]") ||
        !awk_skip(&p, "+=") || !awk_describe_field(&p, out) ||
        !ends_at(p, &a->body))
        return false;
    buf_printf(out, " for each %s", key.p);
    return true;
}

/* gsub(/a/, "b"): appends ", with every a made b". */
static bool
describe_replaced(const char **p, struct buf *out)
{
    bool every = strncmp(*p, "gsub", 4) == 0;
    const char *from, *to, *end;
    size_t n;

    if (!awk_skip(p, "gsub(/") && !awk_skip(p, "sub(/"))
        return false;
    from = *p;
    end = value_part_end(from, '/');
    n = (size_t)(end - from);
    *p = end + (*end != '\0');
    if (!awk_skip(p, ",") || **p != '"')
        return false;
    to = *p + 1;
    end = value_part_end(to, '"');
    *p = end + (*end != '\0');
    *p += strspn(*p, " ");
    if (!awk_skip(p, ")"))
        return false;
    buf_printf(out, to == end ? ", without %s%.*s" : ", with %s%.*s made %.*s",
               every ? "every " : "the first ", value_shown(n), from,
               value_shown((size_t)(end - to)), to);
    return true;
}

/* $2="": appends ", without field 2". */
static bool
describe_emptied(const char **p, struct buf *out)
{
    const char *field = *p;

    buf_str(out, ", without ");
    if (!awk_describe_field(&field, out))
        return false;
    field += strspn(field, " ");
    if (!awk_skip(&field, "=") || !awk_skip(&field, "\"\""))
        return false;
    *p = field;
    return true;
}

/* {gsub(/a/, "b"); print}, {$2=""} 1: the line, changed. */
static bool
describe_change(const struct awk_program *a, struct buf *out)
{
    const char *p = a->body.p;

    if (!p || a->end.p || a->where.n > 0)
        return false;
    if (*p == '$' ? !describe_emptied(&p, out) : !describe_replaced(&p, out))
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
describe_awk_lines(const struct awk_program *a, struct buf *out)
{
    bool plain = !a->body.p || is_body(a, "print") || is_body(a, "print $0");

    if (!plain || !a->where.p || a->end.p || a->writes_line ||
        (!a->body.p && a->where.n == 0))
        return false;
    awk_describe_where(&a->where, out);
    return true;
}

static bool
describe_fields(const struct awk_program *a, struct buf *out)
{
    return a->body.p && !a->end.p && !a->writes_line &&
           awk_describe_print(&a->body, out);
}

bool
awk_part(const char *form, const char *text, struct buf *out)
{
    CLEANUP_BUF struct buf part = buf_of(256);
    struct awk_program a;
    bool described = false;

    if (!awk_read(text, &a))
        return false;
    if (strcmp(form, "fields") == 0)
        described = describe_fields(&a, &part);
    else if (strcmp(form, "sum") == 0 || strcmp(form, "mean") == 0)
        described = describe_sum(&a, *form == 'm', &part);
    else if (strcmp(form, "sums") == 0)
        described = describe_sums(&a, &part);
    else if (strcmp(form, "count") == 0)
        described = describe_count(&a, &part);
    else if (strcmp(form, "times") == 0)
        described = describe_times(&a, &part);
    else if (strcmp(form, "lines") == 0)
        described = describe_awk_lines(&a, &part) || describe_change(&a, &part);
    else if (strcmp(form, "where") == 0 && a.where.n > 0) {
        awk_describe_condition(&a.where, &part);
        described = true;
    }
    if (described && !part.bad)
        buf_add(out, part.p, part.len);
    return described && !part.bad;
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

    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
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
