/* SPDX-License-Identifier: GPL-3.0-or-later */
/* request_quantity.c - reads sizes, ages, dates and calculations.
 *
 * "10 MB" and "three days" are quantities. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "offline/parse/lexicon.h"
#include "offline/parse/request_parser.h"

/* Units as they are written, one of them or many. */
static const struct quantity_unit {
    const char *name;
    char unit;
    enum slot_type type;
} units[] = {
    {"byte", 'c', SLOT_SIZE},      {"bytes", 'c', SLOT_SIZE},
    {"k", 'k', SLOT_SIZE},         {"kb", 'k', SLOT_SIZE},
    {"kib", 'k', SLOT_SIZE},       {"kilobyte", 'k', SLOT_SIZE},
    {"kilobytes", 'k', SLOT_SIZE}, {"kbytes", 'k', SLOT_SIZE},
    {"kibibytes", 'k', SLOT_SIZE}, {"mb", 'M', SLOT_SIZE},
    {"mib", 'M', SLOT_SIZE},       {"meg", 'M', SLOT_SIZE},
    {"megs", 'M', SLOT_SIZE},      {"megabyte", 'M', SLOT_SIZE},
    {"megabytes", 'M', SLOT_SIZE}, {"mbytes", 'M', SLOT_SIZE},
    {"mebibytes", 'M', SLOT_SIZE}, {"g", 'G', SLOT_SIZE},
    {"gb", 'G', SLOT_SIZE},        {"gib", 'G', SLOT_SIZE},
    {"gig", 'G', SLOT_SIZE},       {"gigs", 'G', SLOT_SIZE},
    {"gigabyte", 'G', SLOT_SIZE},  {"gigabytes", 'G', SLOT_SIZE},
    {"gbytes", 'G', SLOT_SIZE},    {"gibibytes", 'G', SLOT_SIZE},
    {"t", 'T', SLOT_SIZE},         {"tb", 'T', SLOT_SIZE},
    {"tib", 'T', SLOT_SIZE},       {"terabyte", 'T', SLOT_SIZE},
    {"terabytes", 'T', SLOT_SIZE}, {"s", 's', SLOT_AGE},
    {"sec", 's', SLOT_AGE},        {"secs", 's', SLOT_AGE},
    {"second", 's', SLOT_AGE},     {"seconds", 's', SLOT_AGE},
    {"min", 'm', SLOT_AGE},        {"mins", 'm', SLOT_AGE},
    {"minute", 'm', SLOT_AGE},     {"minutes", 'm', SLOT_AGE},
    {"h", 'h', SLOT_AGE},          {"hr", 'h', SLOT_AGE},
    {"hrs", 'h', SLOT_AGE},        {"hour", 'h', SLOT_AGE},
    {"hours", 'h', SLOT_AGE},      {"d", 'd', SLOT_AGE},
    {"day", 'd', SLOT_AGE},        {"days", 'd', SLOT_AGE},
    {"w", 'w', SLOT_AGE},          {"wk", 'w', SLOT_AGE},
    {"week", 'w', SLOT_AGE},       {"weeks", 'w', SLOT_AGE},
    {"month", 'M', SLOT_AGE},      {"months", 'M', SLOT_AGE},
    {"y", 'y', SLOT_AGE},          {"yr", 'y', SLOT_AGE},
    {"yrs", 'y', SLOT_AGE},        {"year", 'y', SLOT_AGE},
    {"years", 'y', SLOT_AGE},
};

/* One letter is a unit right behind its digits, or a capital: "5 G". */
static const struct quantity_unit *
find_unit(const char *s, size_t n)
{
    for (size_t i = 0; i < ARRAY_SIZE(units); i++)
        if (strlen(units[i].name) == n && strncasecmp(units[i].name, s, n) == 0)
            return &units[i];
    return NULL;
}

/* "m" is minutes, "M" megabytes; who wrote "5m" may have meant either. */
static void
give_unit(struct request_value *v, const struct quantity_unit *u, const char *s,
          size_t n)
{
    v->types = (1u << u->type) | TYPE(TEXT);
    v->is = u->type;
    v->unit = u->unit;
    if (n == 1 && *s == 'M') {
        v->types = TYPE(SIZE) | TYPE(TEXT);
        v->is = SLOT_SIZE;
        v->unit = 'M';
    } else if (n == 1 && *s == 'm') {
        v->types |= TYPE(SIZE);
    }
}

/* 1.5G is 1536M */
static void
give_fraction(struct request_value *v, const char *s)
{
    static const char order[] = "ckMGT";
    static const struct {
        char unit, less;
        int parts;
    } ages[] = {{'y', 'M', 12}, {'w', 'd', 7},  {'d', 'h', 24},
                {'h', 'm', 60}, {'m', 's', 60}, {'M', 'd', 30}};
    double amount = strtod(s, NULL);
    const char *at = v->is == SLOT_SIZE && v->unit ? strchr(order, v->unit)
                                                   : NULL;

    v->amount = (int64_t)amount;
    if (amount == (double)v->amount)
        return;
    if (at && at > order) {
        v->unit = at[-1];
        v->amount = (int64_t)(amount * 1024);
    }
    for (size_t i = 0; v->is == SLOT_AGE && i < 6; i++)
        if (ages[i].unit == v->unit) {
            v->unit = ages[i].less;
            v->amount = (int64_t)(amount * ages[i].parts);
            break;
        }
}

/* Digits, perhaps with one dot between them; 0: no amount. */
static size_t
amount_length(const char *s, size_t n)
{
    size_t i = 0, k;

    while (i < n && isdigit((unsigned char)s[i]))
        i++;
    if (i == 0 || i > 12)
        return 0;
    if (i + 1 >= n || s[i] != '.' || !isdigit((unsigned char)s[i + 1]))
        return i;
    for (k = i + 1; k < n && k < i + 4 && isdigit((unsigned char)s[k]); k++)
        ;
    return k;
}

bool
request_joined(const char *s, size_t n, struct request_value *v)
{
    size_t sign = n > 1 && (*s == '+' || *s == '-');
    size_t k = amount_length(s + sign, n - sign);
    size_t dash = k && sign + k < n && s[sign + k] == '-';
    const char *unit = s + sign + k + dash;
    size_t left = k ? n - sign - k - dash : 0;
    const struct quantity_unit *u;

    if (left == 0)
        return false;
    u = find_unit(unit, left);
    if (!u && !(left == 1 && (*unit == 'm' || *unit == 'M')))
        return false;
    if (u)
        give_unit(v, u, unit, left);
    else
        give_unit(v, find_unit("min", 3), unit, left);
    give_fraction(v, s + sign);
    if (sign)
        v->bound = *s == '+' ? BOUND_MORE : BOUND_LESS;
    return true;
}

/* A token as a short word in lower case; "" when it is quoted or long. */
static const char *
short_word_at(const struct request_parser *r, size_t i,
              char out[REQUEST_STEM_MAX])
{
    size_t n;

    out[0] = '\0';
    if (i >= r->n || r->t[i].quoted)
        return out;
    n = r->t[i].end - r->t[i].in;
    if (n >= REQUEST_STEM_MAX)
        return out;
    for (size_t k = 0; k < n; k++)
        out[k] = (char)tolower((unsigned char)r->q->text[r->t[i].in + k]);
    out[n] = '\0';
    return out;
}

static const struct quantity_unit *
unit_at(const struct request_parser *r, size_t i)
{
    const char *s = r->q->text + r->t[i < r->n ? i : 0].in;
    size_t n = i < r->n ? r->t[i].end - r->t[i].in : 0;

    if (n == 0 || r->t[i].quoted)
        return NULL;
    if (n == 1 && !strchr("KkMGT", *s))
        return NULL;
    if (n == 1 && *s == 'M')
        return find_unit("mb", 2);
    return find_unit(s, n);
}

/* "3 days", "ten megabytes", "half an hour" */
static size_t
counted_amount(const struct request_parser *r, size_t i,
               struct request_value *v)
{
    char w[REQUEST_STEM_MAX], of[REQUEST_STEM_MAX];
    const char *number = short_word_at(r, i, w);
    size_t digits = amount_length(number, strlen(number));
    bool couple = strcmp(number, "couple") == 0;
    size_t at = i + 1 +
                (couple && strcmp(short_word_at(r, i + 1, of), "of") == 0);
    const struct quantity_unit *u = unit_at(r, at);

    if (!u || (digits == 0 && lexicon_number(number) < 0) ||
        (digits && number[digits]))
        return 0;
    give_unit(v, u, "", 0);
    if (digits)
        give_fraction(v, number);
    else
        v->amount = lexicon_number(number);
    return at - i + 1;
}

/* "a week", "the last hour", "this month": one of them, when no number is
 * there. An article alone needs a word before it that speaks of time. */
static size_t
single_amount(const struct request_parser *r, size_t i, struct request_value *v)
{
    char w[REQUEST_STEM_MAX], b[REQUEST_STEM_MAX];
    const struct quantity_unit *u = unit_at(r, i + 1);
    const char *word = short_word_at(r, i, w);
    const char *before = i ? short_word_at(r, i - 1, b) : "";

    if (!u || u->type != SLOT_AGE || r->t[i + 1].end - r->t[i + 1].in < 3)
        return 0;
    if (lexicon_listed(word, "a an")) {
        if (!lexicon_listed(before,
                            "than in within over about for under least most "
                            "every exactly last past every least"))
            if (strcmp(short_word_at(r, i + 2, b), "ago") != 0 &&
                strcmp(short_word_at(r, i + 2, b), "old") != 0)
                return 0;
    } else if (!lexicon_listed(word, "last past this previous")) {
        return 0;
    }
    if (u->unit == 's' && !lexicon_listed(word, "a last past"))
        return 0;
    give_unit(v, u, "", 0);
    v->amount = 1;
    if (!lexicon_listed(word, "a an"))
        v->bound = BOUND_AT_MOST;
    return 2;
}

/* A day that has a name is an age, and a date that programs understand. */
static size_t
named_day(const struct request_parser *r, size_t i, struct request_value *v)
{
    char w[REQUEST_STEM_MAX];
    const char *word = short_word_at(r, i, w);
    bool today = lexicon_listed(word, "today today's tonight");

    if (!today && !lexicon_listed(word, "yesterday yesterday's"))
        return 0;
    v->types = TYPE(AGE) | TYPE(DATE);
    v->is = SLOT_AGE;
    v->unit = 'd';
    v->amount = today ? 0 : 1;
    return 1;
}

/* Any digits for 0, as many of a kind as the form has. */
static bool
has_digit_form(const char *s, const char *form)
{
    for (; *form; s++, form++)
        if (*form == '0' ? !isdigit((unsigned char)*s) : *s != *form)
            return false;
    return *s == '\0';
}

static size_t
written_date(const struct request_parser *r, size_t i, struct request_value *v)
{
    static const char *const forms[] = {
        "0000-00-00",       "0000/00/00",          "00/00/0000", "00.00.0000",
        "0000-00-00t00:00", "0000-00-00t00:00:00", "00-00-0000",
    };
    char w[REQUEST_STEM_MAX], after[REQUEST_STEM_MAX];
    const char *word = short_word_at(r, i, w);

    for (size_t k = 0; k < ARRAY_SIZE(forms); k++) {
        if (!has_digit_form(word, forms[k]))
            continue;
        v->types = TYPE(DATE) | TYPE(TEXT);
        v->is = SLOT_DATE;
        short_word_at(r, i + 1, after);
        return has_digit_form(after, "00:00") ||
                       has_digit_form(after, "00:00:00")
                   ? 2
                   : 1;
    }
    return 0;
}

static bool
is_month(const char *w)
{
    static const char months[] = "january february march april may june july "
                                 "august september october november december "
                                 "jan feb mar apr jun jul aug sep sept oct "
                                 "nov dec";

    return lexicon_listed(w, months);
}

/* "1", "1st", "31" */
static bool
is_day(const char *w)
{
    char *end;
    long n = isdigit((unsigned char)*w) ? strtol(w, &end, 10) : 0;

    return n >= 1 && n <= 31 && (!*end || lexicon_listed(end, "st nd rd th"));
}

static bool
is_year(const char *w)
{
    return has_digit_form(w, "0000") && (*w == '1' || *w == '2');
}

/* "May 1 2024", "1 May 2024", "1st of May"; a month alone is none. */
static size_t
spoken_date(const struct request_parser *r, size_t i, struct request_value *v)
{
    char a[REQUEST_STEM_MAX], b[REQUEST_STEM_MAX], c[REQUEST_STEM_MAX];
    const char *first = short_word_at(r, i, a),
               *second = short_word_at(r, i + 1, b);
    size_t n = 0;

    if (is_day(first) && strcmp(second, "of") == 0 &&
        is_month(short_word_at(r, i + 2, c)))
        n = 3;
    else if ((is_month(first) && is_day(second)) ||
             (is_day(first) && is_month(second)))
        n = 2;
    else if (is_month(first) && is_year(second))
        n = 2;
    if (n == 0)
        return 0;
    if (is_year(short_word_at(r, i + n, c)))
        n++;
    v->types = TYPE(DATE) | TYPE(TEXT);
    v->is = SLOT_DATE;
    return n;
}

/* Calculations, "17 * 23": read only where a request begins with a word that
 * asks for a result, since the same signs are patterns, ranges and lists
 * elsewhere. */

#define OPERATORS "+-*/%^"
#define INSIDE    "+*^" /* 10.0.0.0/8 is no division, nor 3-5 a difference */

static bool
asks_result(const struct request_parser *r)
{
    char word[REQUEST_STEM_MAX];
    const struct request_token *t = r->t;
    size_t n = t->end - t->in;

    if (t->quoted || n >= sizeof(word))
        return false;
    for (size_t i = 0; i < n; i++)
        word[i] = r->q->text[t->in + i] | 0x20;
    word[n] = '\0';
    return lexicon_listed(word,
                          "calculate compute calc evaluate reckon bc what "
                          "what's");
}

/* Digits, operators and brackets; what of it there is counts for the whole. */
static bool
is_calculation_part(const struct request_parser *r, size_t i, bool *digits,
                    bool *operators)
{
    const struct request_token *t = &r->t[i < r->n ? i : 0];
    const char *s = r->q->text + t->in;
    size_t n = t->end - t->in;

    if (i >= r->n || t->quoted || n == 0)
        return false;
    if (request_span(s, n, ASCII_DIGITS OPERATORS "().") != n)
        return false;
    for (size_t k = 0; k < n; k++) {
        *digits |= strchr(ASCII_DIGITS, s[k]) != NULL;
        *operators |= strchr(n == 1 ? OPERATORS : INSIDE, s[k]) != NULL;
    }
    return true;
}

static size_t
calculation(const struct request_parser *r, size_t i, struct request_value *v)
{
    bool digits = false, operators = false;
    size_t n = 0;

    if (i == 0 || !asks_result(r))
        return 0;
    while (is_calculation_part(r, i + n, &digits, &operators))
        n++;
    if (!digits || !operators)
        return 0;
    v->types = TYPE(TEXT);
    v->is = SLOT_TEXT;
    return n;
}

size_t
request_quantity(const struct request_parser *r, size_t i,
                 struct request_value *v)
{
    size_t n;

    if (r->t[i].quoted)
        return 0;
    if ((n = spoken_date(r, i, v)) || (n = written_date(r, i, v)) ||
        (n = counted_amount(r, i, v)) || (n = single_amount(r, i, v)) ||
        (n = calculation(r, i, v)))
        return n;
    return named_day(r, i, v);
}
