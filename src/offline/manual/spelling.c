/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spelling.c - how an option is written, read from where a page shows it. */
#include "offline/manual/spelling.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "offline/manual/roff.h"
#include "offline/manual/spelling_in.h"

bool
spelling_is_mark(char c)
{
    return c == ROFF_ARG_ON || c == ROFF_ARG_OFF || c == ROFF_JOIN;
}

const char *
spelling_skip_marks(const char *p)
{
    while (spelling_is_mark(*p))
        p++;
    return p;
}

const char *
spelling_skip_blanks(const char *p)
{
    while (*p == ' ' || *p == '\t' || spelling_is_mark(*p))
        p++;
    return p;
}

/* Whether the word at p is this one, alone. */
bool
spelling_is_word(const char *p, const char *word)
{
    size_t n = strlen(word);

    return strncmp(p, word, n) == 0 && (p[n] == ' ' || spelling_is_mark(p[n]));
}

/* Whether an option begins at p. A slanted part behind the dash is a value
 * that looks like one: find's "-perm -MODE". */
bool
spelling_begins_option(const char *p)
{
    p = spelling_skip_marks(p);
    if (*p == '[') /* "-m [ --merge ]" too */
        for (p++; *p == ' ' || spelling_is_mark(*p); p++)
            continue;
    return *p == '-' && p[1] != ROFF_ARG_ON && p[1] != ' ';
}

/* The bytes of three dots at p, or of their one sign; 0: none. */
size_t
spelling_dots_at(const char *p)
{
    return strncmp(p, "...", 3) == 0 || strncmp(p, "\342\200\246", 3) == 0 ? 3
                                                                           : 0;
}

/* What separates two spellings: blanks, commas, bars, slashes, "or". */
static void
skip_separators(struct spelling_reader *r)
{
    const char *p = r->p;

    for (;;) {
        p = spelling_skip_blanks(p);
        if (spelling_is_word(p, "or"))
            p += 2;
        else if (spelling_is_word(p, "and"))
            p += 3;
        else if (*p && strchr(",|/;(){}]\n", *p))
            p++;
        else if (spelling_dots_at(p) && p[3] == ' ') /* "( ... )" */
            p += spelling_dots_at(p);
        else if (*p == '[' && spelling_begins_option(p))
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

/* "--[no-]verify" is two options; the second is written here. */
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

/* "--reference[-if-able]" is two options; the second is written here. */
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

/* "-<number>": any number behind the dash. */
static void
take_number(struct spelling_reader *r, struct spelling *s)
{
    memcpy(s->name, "-NUM", 5);
    r->n++;
    r->p = spelling_value_end(r->p + 1);
}

/* One option, from its dash. */
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
        spelling_take_value(r, s, TAKES_MAYBE);
        return true;
    }
    if (s->name[n - 1] == '-') { /* - and -- take nothing */
        r->n += *spelling_skip_blanks(p) == '\0' || n == 2;
        return n == 2;
    }
    r->n++;
    if (s->name[1] == '-' && p[0] == '[' && p[1] == '-' && p[2] != '-')
        add_suffixed(r, s);
    spelling_take_argument(r, &r->out[r->n - 1]);
    if (negatable)
        add_negation(r, s);
    return true;
}

/* "--signed, --signed=WHEN": one may leave the value out, so that it must be
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

/* "-u, -U NUM": the small letter is the one without a value. */
static bool
is_other_case(const struct spelling *a, const struct spelling *b)
{
    return strlen(a->name) == 2 && strlen(b->name) == 2 &&
           a->name[1] != b->name[1] &&
           tolower((unsigned char)a->name[1]) ==
               tolower((unsigned char)b->name[1]);
}

/* "-f, --file=FILE": what the last says of a value holds for those before,
 * but for a negation. */
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

/* "-0 ... -9": those between too. False when no such dots stand there. */
static bool
take_range(struct spelling_reader *r)
{
    const char *p = spelling_skip_blanks(r->p);
    const struct spelling *first = r->n ? &r->out[r->n - 1] : NULL;
    size_t dots = spelling_dots_at(p);

    p = spelling_skip_blanks(p + dots);
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
    if (r.bad || (whole && *spelling_skip_blanks(r.p)))
        return 0;
    find_optional(&r);
    share_values(&r);
    return r.n;
}
