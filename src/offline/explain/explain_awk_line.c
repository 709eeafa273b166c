/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_awk_line.c - awk's fields, and conditions about a line, in words. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "offline/explain/explain_awk.h"
#include "offline/explain/explain_phrase.h"

#define COMPARED_MAX 40 /* bytes of a condition about the line's number */

bool
awk_skip(const char **p, const char *word)
{
    size_t n = strlen(word);

    if (strncmp(*p, word, n) != 0)
        return false;
    *p += n + strspn(*p + n, " \t");
    return true;
}

size_t
awk_name_length(const char *p)
{
    size_t n = 0;

    while (isalnum((unsigned char)p[n]) || p[n] == '_')
        n++;
    return isdigit((unsigned char)*p) ? 0 : n;
}

/* $1, $NF, $(NF-1), $0: *p moves behind it. */
bool
awk_say_field(const char **p, struct buf *out)
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

/* What a print names that is no field. */
static bool
say_fact(const char **p, struct buf *out)
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

    for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++) {
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

/* Texts between the things that a print names. */
void
awk_skip_texts(const char **p, const char *end)
{
    for (;;) {
        *p += strspn(*p, ", \t");
        if (*p >= end || **p != '"')
            return;
        *p = language_part_end(*p + 1, '"');
        *p += **p != '\0';
    }
}

/* print $1, "x" $3; printf "%s\n", $1 */
bool
awk_say_print(const struct awk_text *body, struct buf *out)
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
        if (!awk_say_field(&p, out) && !say_fact(&p, out))
            return false;
    }
    return things > 0;
}

/* NR>1, NR==2, NR>=2&&NR<=4, NR==2,NR==4: the lines from..to; to 0: all that
 * follow. */
static bool
read_range(const struct awk_text *t, long *from, long *to)
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
say_range(long from, long to, struct buf *out)
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

/* /x/: the pattern without its slashes. */
static bool
read_pattern(const struct awk_text *t, struct awk_text *pattern)
{
    if (t->n < 3 || *t->p != '/' ||
        language_part_end(t->p + 1, '/') != t->p + t->n - 1)
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
                            ? language_part_end(t->p + 1, '/') + 1
                            : NULL;
    struct awk_text first = {t->p, comma ? (size_t)(comma - t->p) : 0}, second;

    if (!comma || comma >= t->p + t->n || *comma != ',')
        return false;
    comma += 1 + strspn(comma + 1, " ");
    second = (struct awk_text){comma, (size_t)(t->p + t->n - comma)};
    return comma < t->p + t->n && read_pattern(&first, from) &&
           read_pattern(&second, to);
}

/* Which lines: ", only those that match x"; nothing for all of them. */
void
awk_say_where(const struct awk_text *t, struct buf *out)
{
    struct awk_text other = {t->p + 1, t->n - 1}, pattern, end;
    long from, to;

    if (t->n == 0)
        return;
    buf_str(out, ", ");
    if (read_pattern(t, &pattern))
        buf_printf(out, "only those that match %.*s", language_shown(pattern.n),
                   pattern.p);
    else if (*t->p == '!' && read_pattern(&other, &pattern))
        buf_printf(out, "only those that do not match %.*s",
                   language_shown(pattern.n), pattern.p);
    else if (read_patterns(t, &pattern, &end))
        buf_printf(out,
                   "only those from one that matches %.*s to one that matches "
                   "%.*s",
                   language_shown(pattern.n), pattern.p, language_shown(end.n),
                   end.p);
    else if (is_first_of(t))
        buf_str(out, "each once");
    else if (t->n == 2 && memcmp(t->p, "NF", 2) == 0)
        buf_str(out, "without empty ones");
    else if (read_range(t, &from, &to))
        say_range(from, to, out);
    else
        buf_printf(out, "only where %.*s", language_shown(t->n), t->p);
}

/* The same behind what is shown of them: " where $3>9". */
void
awk_say_condition(const struct awk_text *t, struct buf *out)
{
    struct awk_text pattern;
    long from, to;

    if (t->n == 0)
        return;
    if (read_pattern(t, &pattern))
        buf_printf(out, " where the line matches %.*s",
                   language_shown(pattern.n), pattern.p);
    else if (read_range(t, &from, &to)) {
        buf_str(out, ", ");
        say_range(from, to, out);
    } else
        buf_printf(out, " where %.*s", language_shown(t->n), t->p);
}
