/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spelling.c - reads the spellings of an option from where a page shows it. */
#include "offline/manual/spelling.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "offline/manual/roff.h"

struct spelling_reader {
    const char *p;
    bool whole, bad; /* bad: whole is set, and there is other text */
    struct spelling *out;
    size_t n;
};

/* One of roff.h's. */
static bool
is_mark(char c)
{
    return c == ROFF_ARG_ON || c == ROFF_ARG_OFF || c == ROFF_JOIN;
}

/* Copies [from, to) without marks and angle brackets. Returns false when it
 * does not fit. */
static bool
copy_unmarked(char *out, size_t size, const char *from, const char *to)
{
    size_t n = 0;

    for (; from < to; from++) {
        if (is_mark(*from) || *from == '<' || *from == '>')
            continue;
        if (n + 1 >= size)
            return false;
        out[n++] = *from == '\t' || *from == '\n' ? ' ' : *from;
    }
    while (n > 0 && (out[n - 1] == ' ' || out[n - 1] == ':'))
        n--;
    out[n] = '\0';
    return true;
}

/* Skips blanks and marks of roff.h. */
static const char *
skip_marks(const char *p)
{
    while (is_mark(*p))
        p++;
    return p;
}

/* Whether an option begins at p. Italics behind the dash are a value that looks
 * like an option: "-perm -MODE" of find. */
static bool
begins_option(const char *p)
{
    p = skip_marks(p);
    if (*p == '[') /* "-m [ --merge ]" too */
        for (p++; *p == ' ' || is_mark(*p); p++)
            continue;
    return *p == '-' && p[1] != ROFF_ARG_ON && p[1] != ' ';
}

/* Whether the word at p is `word`, and nothing longer. */
static bool
is_spelled_word(const char *p, const char *word)
{
    size_t n = strlen(word);

    return strncmp(p, word, n) == 0 && (p[n] == ' ' || is_mark(p[n]));
}

/* Skips blanks and marks of roff.h. */
static const char *
skip_blanks_and_marks(const char *p)
{
    while (*p == ' ' || *p == '\t' || is_mark(*p))
        p++;
    return p;
}

/* The end of the value's name at p: a separator outside all brackets. */
static const char *
value_end(const char *p)
{
    const char *from = p;
    int depth = 0;

    for (; *p && *p != '\n'; p++) {
        if (strchr("[<({", *p))
            depth++;
        else if (strchr("]>)}", *p) && --depth < 0)
            break;
        if (depth > 0)
            continue;
        if (*p == ',' && (p[1] == ' ' || begins_option(p + 1)))
            break;
        if (*p == '|' && begins_option(skip_blanks_and_marks(p + 1)))
            break;
        if (*p == ' ' && p > from &&
            (begins_option(p + 1) || is_spelled_word(p + 1, "or") ||
             p[1] == '|' || (p[1] == '/' && p[2] == ' ')))
            break;
    }
    return p;
}

/* A value may be one word, or several: "SRC DEST", "N [default: 3]". */
static bool
is_names(char *arg)
{
    char *more = strstr(arg, " [");

    if (more && arg[strlen(arg) - 1] == ']')
        *more = '\0';
    return !strchr(arg, ' ') ||
           strspn(arg, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_ ") == strlen(arg);
}

/* Reads the value at r->p for an option. */
static void
take_option_value(struct spelling_reader *r, struct spelling *s,
                  enum option_takes takes)
{
    const char *from = skip_blanks_and_marks(r->p), *end = value_end(from);
    bool marked = memchr(r->p, ROFF_ARG_ON, (size_t)(end - r->p)) != NULL;

    s->takes = takes;
    /* a sentence is not the name of a value */
    if (!copy_unmarked(s->arg, sizeof(s->arg), from, end) ||
        (r->whole && !marked && *from != '<' && *from != '[' &&
         !is_names(s->arg))) {
        s->arg[0] = '\0';
        s->takes = TAKES_NOTHING;
        r->bad = r->bad || r->whole;
    }
    r->p = end;
}

/* Reads an optional value: "[=WHEN]", "[N]", "[<mode>]". */
static void
take_optional(struct spelling_reader *r, struct spelling *s)
{
    const char *from = skip_marks(r->p + 1), *end;

    from += *from == '=';
    end = value_end(from);
    s->takes = TAKES_MAYBE;
    if (!copy_unmarked(s->arg, sizeof(s->arg), from, end))
        s->arg[0] = '\0';
    r->p = end + (*end == ']');
    while (*r->p == '[' && !begins_option(r->p)) { /* -B[N][/M] */
        end = value_end(skip_marks(r->p + 1));
        r->p = end + (*end == ']');
    }
}

/* Whether the brackets at p contain the whole value, unlike "[host:]port". */
static bool
is_all_optional(const char *p)
{
    const char *end = value_end(skip_marks(p + 1));

    end = skip_marks(end + (*end == ']'));
    return !isalnum((unsigned char)*end) && *end != '<' && *end != ':';
}

/* The length of the three dots, or of the ellipsis, at p; 0 when there is
 * none. */
static size_t
dots_at(const char *p)
{
    return strncmp(p, "...", 3) == 0 || strncmp(p, "\342\200\246", 3) == 0 ? 3
                                                                           : 0;
}

/* Reads what follows the name of an option. */
static void
take_argument(struct spelling_reader *r, struct spelling *s)
{
    const char *p = skip_marks(r->p), *next = skip_blanks_and_marks(p);

    if (*p == '=') {
        r->p = p + 1;
        take_option_value(r, s, TAKES_VALUE);
    } else if (*p == '[' && !begins_option(p)) {
        r->p = p;
        take_optional(r, s);
    } else if (*p == '<' || (*p == ':' && p[1] == '<') ||
               (*r->p == ROFF_ARG_ON && *p && *p != ' ' &&
                !strchr(",|/)]", *p))) {
        take_option_value(r, s, TAKES_VALUE);
    } else if (next > p && *next == '[' && !begins_option(next) &&
               is_all_optional(next)) {
        r->p = next;
        take_optional(r, s);
    } else if (next > p && *next &&
               (!strchr(",|/;)]\n", *next) ||
                (*next == '/' && next[1] == ROFF_ARG_ON)) &&
               !begins_option(next) && !is_spelled_word(next, "or") &&
               !is_spelled_word(next, "and") && dots_at(next) == 0) {
        r->p = *next == '=' ? next + 1 : p;
        take_option_value(r, s, TAKES_VALUE);
    }
}

/* Names, negations, ranges. */

/* Skips what separates two spellings: blanks, commas, bars, slashes, "or". */
static void
skip_separators(struct spelling_reader *r)
{
    const char *p = r->p;

    for (;;) {
        p = skip_blanks_and_marks(p);
        if (is_spelled_word(p, "or"))
            p += 2;
        else if (is_spelled_word(p, "and"))
            p += 3;
        else if (*p && strchr(",|/;(){}]\n", *p))
            p++;
        else if (dots_at(p) && p[3] == ' ') /* "( ... )" */
            p += dots_at(p);
        else if (*p == '[' && begins_option(p))
            p++;
        else if (strncmp(p, "+|-", 3) == 0) /* lsof(8): either sign */
            p += 2;
        else
            break;
    }
    r->p = p;
}

static bool
is_option_name_byte(const char *p, bool first)
{
    if (isalnum((unsigned char)*p) || *p == '_')
        return true;
    if (first)
        return *p && strchr("?#@%:!$*^~.", *p) != NULL;
    /* inside: -name.sub, --x:y, -XX:+z, ++ but not the dots of "-v..." */
    return *p == '-' || *p == '+' ||
           (*p == ':' && p[1] && strchr("+-", p[1])) ||
           (*p && strchr(".:@", *p) && isalnum((unsigned char)p[1]));
}

/* Adds the second option of "--[no-]verify". */
static void
add_negation(struct spelling_reader *r, const struct spelling *s)
{
    struct spelling *no = &r->out[r->n];

    if (r->n == SPELLINGS_MAX)
        return;
    *no = (struct spelling){.takes = TAKES_NOTHING};
    snprintf(no->name, sizeof(no->name), "--no-%.50s", s->name + 2);
    r->n++;
}

/* Adds the second option of "--reference[-if-able]". */
static void
add_suffixed(struct spelling_reader *r, const struct spelling *s)
{
    struct spelling *more = &r->out[r->n];
    const char *end = strchr(r->p, ']');
    size_t n = end ? (size_t)(end - r->p - 1) : 0, len = strlen(s->name);

    if (r->n == SPELLINGS_MAX || n < 2)
        return;
    if (len + n >= sizeof(more->name))
        return;
    *more = *s;
    memcpy(more->name + len, r->p + 1, n);
    more->name[len + n] = '\0';
    r->n++;
    r->p = end + 1;
}

/* Reads "-<number>": any number behind the dash. */
static void
take_numeric_option(struct spelling_reader *r, struct spelling *s)
{
    memcpy(s->name, "-NUM", 5);
    r->n++;
    r->p = value_end(r->p + 1);
}

/* Reads one option, at its dash. */
static bool
take_option(struct spelling_reader *r)
{
    const char *from = r->p, *p = from + 1;
    struct spelling *s = &r->out[r->n];
    bool negatable = strncmp(from, "--[no-]", 7) == 0;
    size_t n = 1;

    if (r->n == SPELLINGS_MAX)
        return false;
    *s = (struct spelling){.takes = TAKES_NOTHING};
    if (*from == '-' && (*p == '<' || *p == ROFF_ARG_ON)) {
        take_numeric_option(r, s);
        return true;
    }
    memcpy(s->name, from, 1);
    if (*p == *from) /* -- or ++ */
        s->name[n++] = *p++;
    p += negatable ? 5 : 0;
    for (bool first = true; is_option_name_byte(p, first); first = false) {
        if (n + 1 >= sizeof(s->name))
            return false;
        s->name[n++] = *p++;
    }
    while (n > 2 && s->name[n - 1] == '-' && s->name[1] != '-')
        n--; /* "-x-y" is a range, not a name */
    s->name[n] = '\0';
    r->p = p;
    if (n > 2 && s->name[n - 1] == '-' && (*p == ROFF_ARG_ON || *p == '<')) {
        r->n++; /* --force-THINGS: any word behind the dash */
        take_option_value(r, s, TAKES_MAYBE);
        return true;
    }
    if (s->name[n - 1] == '-') { /* - and -- take nothing */
        r->n += *skip_blanks_and_marks(p) == '\0' || n == 2;
        return n == 2;
    }
    r->n++;
    if (s->name[1] == '-' && p[0] == '[' && p[1] == '-' && p[2] != '-')
        add_suffixed(r, s);
    take_argument(r, &r->out[r->n - 1]);
    if (negatable)
        add_negation(r, s);
    return true;
}

/* In "--signed, --signed=WHEN" the value is optional, so that it must be
 * attached. */
static void
find_optional(struct spelling_reader *r)
{
    for (struct spelling *b = r->out; b < r->out + r->n; b++)
        for (struct spelling *a = r->out; a < b; a++)
            if (b->takes == TAKES_VALUE && a->takes != TAKES_VALUE &&
                a->name[1] == '-' && strcmp(a->name, b->name) == 0) {
                b->takes = TAKES_MAYBE;
                *a = *b;
            }
}

/* Whether two letters differ only in case: in "-u, -U NUM" only the second
 * takes a value. */
static bool
is_other_case(const struct spelling *a, const struct spelling *b)
{
    return strlen(a->name) == 2 && strlen(b->name) == 2 &&
           a->name[1] != b->name[1] &&
           tolower((unsigned char)a->name[1]) ==
               tolower((unsigned char)b->name[1]);
}

/* In "-f, --file=FILE" the value belongs to the spellings before it too, but
 * not to a negation. */
static void
share_values(struct spelling_reader *r)
{
    const struct spelling *giver = NULL;

    for (size_t i = r->n; i-- > 0;) {
        struct spelling *s = &r->out[i];

        if (s->takes == TAKES_VALUE)
            giver = s;
        else if (giver && s->takes == TAKES_NOTHING &&
                 !is_other_case(s, giver) &&
                 strncmp(s->name, "--no-", 5) != 0 &&
                 strcmp(s->name, "-NUM") != 0) {
            s->takes = TAKES_VALUE;
            memcpy(s->arg, giver->arg, sizeof(s->arg));
        }
    }
}

/* Reads a range, "-0 ... -9". Returns false when there are no dots. */
static bool
take_range(struct spelling_reader *r)
{
    const char *p = skip_blanks_and_marks(r->p);
    const struct spelling *first = r->n ? &r->out[r->n - 1] : NULL;
    size_t dots = dots_at(p);

    p = skip_blanks_and_marks(p + dots);
    if (dots == 0 || !first || !isdigit((unsigned char)first->name[1]) ||
        *p != '-' || !isdigit((unsigned char)p[1]))
        return false;
    for (char d = first->name[1] + 1; d < p[1] && r->n < SPELLINGS_MAX; d++)
        r->out[r->n++] = (struct spelling){.name = {'-', d, '\0'}};
    r->p = p;
    return true;
}

size_t
spelling_read(const char *tag, bool whole, struct spelling out[SPELLINGS_MAX])
{
    struct spelling_reader r = {.p = tag, .whole = whole, .out = out};

    for (;;) {
        skip_separators(&r);
        if (*r.p != '-' && !(*r.p == '+' && isalnum((unsigned char)r.p[1])))
            break;
        if (!take_option(&r))
            break;
        take_range(&r);
    }
    r.p += *r.p == ':';
    if (r.bad || (whole && *skip_blanks_and_marks(r.p)))
        return 0;
    find_optional(&r);
    share_values(&r);
    return r.n;
}
