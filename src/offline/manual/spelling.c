/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spelling.c - how an option is written, read from where a page shows it. */
#include "offline/manual/spelling.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "offline/manual/roff.h"

struct reader {
    const char *p;
    bool whole, bad; /* bad: `whole`, and something else stands there */
    struct spelling *out;
    size_t n;
};

static bool
is_mark(char c)
{
    return c == ROFF_ARG_ON || c == ROFF_ARG_OFF || c == ROFF_JOIN;
}

static const char *
skip_marks(const char *p)
{
    while (is_mark(*p))
        p++;
    return p;
}

static const char *
skip_blanks(const char *p)
{
    while (*p == ' ' || *p == '\t' || is_mark(*p))
        p++;
    return p;
}

/* Whether the word at p is this one, alone. */
static bool
is_word(const char *p, const char *word)
{
    size_t n = strlen(word);

    return strncmp(p, word, n) == 0 && (p[n] == ' ' || is_mark(p[n]));
}

/* Whether an option begins at p. A slanted part behind the dash is a value
 * that looks like one: find's "-perm -MODE". */
static bool
begins_option(const char *p)
{
    p = skip_marks(p);
    if (*p == '[') /* "-m [ --merge ]" too */
        for (p++; *p == ' ' || is_mark(*p); p++)
            continue;
    return *p == '-' && p[1] != ROFF_ARG_ON && p[1] != ' ';
}

/* The bytes of three dots at p, or of their one sign; 0: none. */
static size_t
dots_at(const char *p)
{
    return strncmp(p, "...", 3) == 0 || strncmp(p, "\342\200\246", 3) == 0 ? 3
                                                                           : 0;
}

/* What separates two spellings: blanks, commas, bars, slashes, "or". */
static void
skip_separators(struct reader *r)
{
    const char *p = r->p;

    for (;;) {
        p = skip_blanks(p);
        if (is_word(p, "or"))
            p += 2;
        else if (is_word(p, "and"))
            p += 3;
        else if (*p && strchr(",|/;(){}]\n", *p))
            p++;
        else if (dots_at(p) && p[3] == ' ') /* "( ... )" */
            p += dots_at(p);
        else if (*p == '[' && begins_option(p))
            p++;
        else if (strncmp(p, "+|-", 3) == 0) /* lsof's way to say both */
            p += 2;
        else
            break;
    }
    r->p = p;
}

static bool
is_name_byte(const char *p, bool first)
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

/* Copies [from, to) without marks and angle brackets; false when it does not
 * fit. */
static bool
copy(char *out, size_t size, const char *from, const char *to)
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

/* The end of a value's name, from p: a separator outside all brackets. */
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
        if (*p == '|' && begins_option(skip_blanks(p + 1)))
            break;
        if (*p == ' ' && p > from &&
            (begins_option(p + 1) || is_word(p + 1, "or") || p[1] == '|' ||
             (p[1] == '/' && p[2] == ' ')))
            break;
    }
    return p;
}

/* One word, or several as "SRC DEST" and "N [default: 3]". */
static bool
is_names(char *arg)
{
    char *more = strstr(arg, " [");

    if (more && arg[strlen(arg) - 1] == ']')
        *more = '\0';
    return !strchr(arg, ' ') ||
           strspn(arg, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_ ") == strlen(arg);
}

static void
take_value(struct reader *r, struct spelling *s, enum option_takes takes)
{
    const char *from = skip_blanks(r->p), *end = value_end(from);
    bool marked = memchr(r->p, ROFF_ARG_ON, (size_t)(end - r->p)) != NULL;

    s->takes = takes;
    /* a sentence is no value's name */
    if (!copy(s->arg, sizeof(s->arg), from, end) ||
        (r->whole && !marked && *from != '<' && *from != '[' &&
         !is_names(s->arg))) {
        s->arg[0] = '\0';
        s->takes = TAKES_NOTHING;
        r->bad = r->bad || r->whole;
    }
    r->p = end;
}

/* "[=WHEN]", "[N]", "[<mode>]". */
static void
take_optional(struct reader *r, struct spelling *s)
{
    const char *from = skip_marks(r->p + 1), *end;

    from += *from == '=';
    end = value_end(from);
    s->takes = TAKES_MAYBE;
    if (!copy(s->arg, sizeof(s->arg), from, end))
        s->arg[0] = '\0';
    r->p = end + (*end == ']');
    while (*r->p == '[' && !begins_option(r->p)) { /* -B[N][/M] */
        end = value_end(skip_marks(r->p + 1));
        r->p = end + (*end == ']');
    }
}

/* Whether the bracket at p holds all of the value: not "[host:]port". */
static bool
is_all_optional(const char *p)
{
    const char *end = value_end(skip_marks(p + 1));

    end = skip_marks(end + (*end == ']'));
    return !isalnum((unsigned char)*end) && *end != '<' && *end != ':';
}

/* What follows the option's name. */
static void
take_argument(struct reader *r, struct spelling *s)
{
    const char *p = skip_marks(r->p), *next = skip_blanks(p);

    if (*p == '=') {
        r->p = p + 1;
        take_value(r, s, TAKES_VALUE);
    } else if (*p == '[' && !begins_option(p)) {
        r->p = p;
        take_optional(r, s);
    } else if (*p == '<' || (*p == ':' && p[1] == '<') ||
               (*r->p == ROFF_ARG_ON && *p && *p != ' ' &&
                !strchr(",|/)]", *p))) {
        take_value(r, s, TAKES_VALUE);
    } else if (next > p && *next == '[' && !begins_option(next) &&
               is_all_optional(next)) {
        r->p = next;
        take_optional(r, s);
    } else if (next > p && *next && !strchr(",|/;)]\n", *next) &&
               !begins_option(next) && !is_word(next, "or") &&
               !is_word(next, "and") && dots_at(next) == 0) {
        r->p = *next == '=' ? next + 1 : p;
        take_value(r, s, TAKES_VALUE);
    }
}

/* "--[no-]verify" is two options; the second is written here. */
static void
add_negation(struct reader *r, const struct spelling *s)
{
    struct spelling *no = &r->out[r->n];

    if (r->n == SPELLINGS_MAX)
        return;
    *no = (struct spelling){.takes = TAKES_NOTHING};
    snprintf(no->name, sizeof(no->name), "--no-%.50s", s->name + 2);
    r->n++;
}

/* "--reference[-if-able]" is two options; the second is written here. */
static void
add_suffixed(struct reader *r, const struct spelling *s)
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

/* "-<number>": any number behind the dash. */
static void
take_number(struct reader *r, struct spelling *s)
{
    memcpy(s->name, "-NUM", 5);
    r->n++;
    r->p = value_end(r->p + 1);
}

/* One option, from its dash. */
static bool
take_option(struct reader *r)
{
    const char *from = r->p, *p = from + 1;
    struct spelling *s = &r->out[r->n];
    bool negatable = strncmp(from, "--[no-]", 7) == 0;
    size_t n = 1;

    if (r->n == SPELLINGS_MAX)
        return false;
    *s = (struct spelling){.takes = TAKES_NOTHING};
    if (*from == '-' && (*p == '<' || *p == ROFF_ARG_ON)) {
        take_number(r, s);
        return true;
    }
    memcpy(s->name, from, 1);
    if (*p == *from) /* -- or ++ */
        s->name[n++] = *p++;
    p += negatable ? 5 : 0;
    for (bool first = true; is_name_byte(p, first); first = false) {
        if (n + 1 >= sizeof(s->name))
            return false;
        s->name[n++] = *p++;
    }
    while (n > 2 && s->name[n - 1] == '-' && s->name[1] != '-')
        n--; /* "-x-y": one dash is a range, not a name */
    s->name[n] = '\0';
    r->p = p;
    if (n > 2 && s->name[n - 1] == '-' && (*p == ROFF_ARG_ON || *p == '<')) {
        r->n++; /* --force-THINGS: whatever stands behind the dash */
        take_value(r, s, TAKES_MAYBE);
        return true;
    }
    if (s->name[n - 1] == '-') { /* - and -- take nothing */
        r->n += *skip_blanks(p) == '\0' || n == 2;
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

/* "--signed, --signed=WHEN": one may leave the value out, so that it must be
 * attached. */
static void
find_optional(struct reader *r)
{
    for (struct spelling *b = r->out; b < r->out + r->n; b++)
        for (struct spelling *a = r->out; a < b; a++)
            if (b->takes == TAKES_VALUE && a->takes != TAKES_VALUE &&
                a->name[1] == '-' && strcmp(a->name, b->name) == 0) {
                b->takes = TAKES_MAYBE;
                *a = *b;
            }
}

/* "-f, --file=FILE": what the last says of a value holds for those before,
 * but for a negation. */
static void
share_values(struct reader *r)
{
    const struct spelling *giver = NULL;

    for (size_t i = r->n; i-- > 0;) {
        struct spelling *s = &r->out[i];

        if (s->takes == TAKES_VALUE)
            giver = s;
        else if (giver && s->takes == TAKES_NOTHING &&
                 strncmp(s->name, "--no-", 5) != 0 &&
                 strcmp(s->name, "-NUM") != 0) {
            s->takes = TAKES_VALUE;
            memcpy(s->arg, giver->arg, sizeof(s->arg));
        }
    }
}

/* "-0 ... -9": those between too. False when no such dots stand there. */
static bool
take_range(struct reader *r)
{
    const char *p = skip_blanks(r->p);
    const struct spelling *first = r->n ? &r->out[r->n - 1] : NULL;
    size_t dots = dots_at(p);

    p = skip_blanks(p + dots);
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
    struct reader r = {.p = tag, .whole = whole, .out = out};

    for (;;) {
        skip_separators(&r);
        if (*r.p != '-' && !(*r.p == '+' && isalnum((unsigned char)r.p[1])))
            break;
        if (!take_option(&r))
            break;
        take_range(&r);
    }
    r.p += *r.p == ':';
    if (r.bad || (whole && *skip_blanks(r.p)))
        return 0;
    find_optional(&r);
    share_values(&r);
    return r.n;
}
