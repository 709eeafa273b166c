/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_value.c - writes values of options in words: ages, sizes, numbers. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/message.h"
#include "offline/explain/explain_language.h"
#include "offline/explain/explain_phrase.h"

#define SHOWN_MAX 60 /* bytes of a text that a sentence quotes */

static const char *const numbers[] = {
    "no",    "one",   "two",  "three", "four",   "five",   "six",
    "seven", "eight", "nine", "ten",   "eleven", "twelve",
};

static const struct {
    const char *down, *up; /* sorted in descending, ascending order */
} orders[] = {
    [KEY_SIZE] = {"largest", "smallest"},
    [KEY_TIME] = {"newest", "oldest"},
    [KEY_COUNT] = {"most frequent", "rarest"},
    [KEY_CPU] = {"busiest", "idlest"},
    [KEY_MEMORY] = {"largest", "smallest"},
};

void
value_number(long long n, struct buf *out)
{
    if (n >= 0 && (size_t)n < ARRAY_SIZE(numbers))
        buf_str(out, numbers[n]);
    else
        buf_printf(out, "%lld", n);
}

void
value_ordinal(long long n, struct buf *out)
{
    static const char *const names[] = {"first", "first", "second", "third"};
    static const char *const ends[] = {"th", "st", "nd", "rd"};
    int last = (int)(n % 10);

    if (n >= 0 && (size_t)n < ARRAY_SIZE(names))
        buf_str(out, names[n]);
    else
        buf_printf(out, "%lld%s", n,
                   last < 0 || last > 3 || n % 100 / 10 == 1 ? ends[0]
                                                             : ends[last]);
}

const char *
value_key_order(enum phrase_key key, bool down)
{
    return down ? orders[key].down : orders[key].up;
}

const char *
value_key_other_end(const char *order)
{
    for (size_t i = 1; i < ARRAY_SIZE(orders); i++) {
        if (strcmp(orders[i].down, order) == 0)
            return orders[i].up;
        if (strcmp(orders[i].up, order) == 0)
            return orders[i].down;
    }
    return NULL;
}

static enum phrase_key
key_of_directive(const char *p)
{
    if (*p == 's' || *p == 'k' || *p == 'b')
        return KEY_SIZE;
    if ((*p == 'T' || *p == 'A' || *p == 'C') && p[1] && strchr("@+Y", p[1]))
        return KEY_TIME;
    if (*p == 'Y' || *p == 'X' || *p == 'W') /* stat's */
        return KEY_TIME;
    return KEY_NONE;
}

void
value_key_of_format(const char *format, struct phrase *out)
{
    size_t column = 1;

    for (const char *p = format; *p && column < PHRASE_COLUMNS; p++) {
        if (*p == ' ' || (*p == '\\' && p[1] == 't'))
            column++;
        else if (*p == '%' && p[1] && !out->columns[column])
            out->columns[column] = key_of_directive(p + 1);
    }
}

/* A count of find: -7, +7 or 7. */
struct value_count {
    char sign;
    long n;
    const char *unit;
};

static bool
read_signed_count(const char *value, struct value_count *c)
{
    char *end;

    c->sign = *value == '-' || *value == '+' ? *value : '\0';
    value += c->sign != '\0';
    if (!isdigit((unsigned char)*value))
        return false;
    c->n = strtol(value, &end, 10);
    c->unit = end;
    return true;
}

static bool
describe_age(const struct value_count *c, const struct explainer *x, bool day,
             struct buf *out)
{
    long n = c->n;

    if (*c->unit)
        return false;
    if (c->sign == '-' && n == 1)
        buf_str(out, day ? explain_words(x, "in the last day")
                         : explain_words(x, "in the last minute"));
    else if (c->sign == '-')
        buf_printf(out,
                   day ? explain_words(x, "in the last %ld days")
                       : explain_words(x, "in the last %ld minutes"),
                   n);
    else
        buf_printf(out,
                   n == 1 ? day ? explain_words(x, "%s%ld day ago")
                                : explain_words(x, "%s%ld minute ago")
                   : day ? explain_words(x, "%s%ld days ago")
                          : explain_words(x, "%s%ld minutes ago"),
                   c->sign ? explain_words(x, "more than ") : "", n);
    return true;
}

static bool
describe_size(const struct value_count *c, const struct explainer *x,
              struct buf *out)
{
    static const struct {
        const char *letter, *unit;
    } units[] = {{"", N_("blocks")}, {"b", N_("blocks")}, {"c", N_("bytes")},
                 {"k", "KiB"},       {"M", "MiB"},        {"G", "GiB"},
                 {"w", N_("words")}};

    for (size_t i = 0; i < ARRAY_SIZE(units); i++)
        if (strcmp(units[i].letter, c->unit) == 0) {
            buf_printf(out, "%s%ld %s",
                       c->sign == '+'   ? explain_words(x, "larger than ")
                       : c->sign == '-' ? explain_words(x, "smaller than ")
                                        : explain_words(x, "of "),
                       c->n, explain_words(x, units[i].unit));
            return true;
        }
    return false;
}

/* Describes -perm of find: all bits of -MODE, any bit of /MODE, exactly
 * MODE. */
static bool
describe_mode(const struct explainer *x, const char *value, struct buf *out)
{
    static const struct {
        const char *mode, *meaning;
    } bits[] = {{"4000", N_("with the set-user-ID bit")},
                {"u=s", N_("with the set-user-ID bit")},
                {"2000", N_("with the set-group-ID bit")},
                {"g=s", N_("with the set-group-ID bit")},
                {"1000", N_("with the sticky bit")},
                {"200", N_("that the owner may write")},
                {"20", N_("that the group may write")},
                {"2", N_("that everybody may write")},
                {"o+w", N_("that everybody may write")},
                {"o=w", N_("that everybody may write")}};
    bool all = *value == '-', any = *value == '/';
    const char *mode = value + (all || any);

    if (!*mode)
        return false;
    for (size_t i = 0; (all || any) && i < ARRAY_SIZE(bits); i++)
        if (strcmp(bits[i].mode, mode + strspn(mode, "0")) == 0) {
            buf_str(out, explain_words(x, bits[i].meaning));
            return true;
        }
    buf_printf(out,
               all   ? explain_words(x, "with all mode bits of %.40s")
               : any ? explain_words(x, "with any mode bit of %.40s")
                     : explain_words(x, "with exactly the mode %.40s"),
               mode);
    return true;
}

bool
value_render(const struct explainer *x, const char *form, const char *value,
             struct buf *out)
{
    struct value_count c;

    if (strcmp(form, "file") == 0)
        return strcmp(value, "-") != 0 && buf_str(out, value) == 0;
    if (strcmp(form, "mode") == 0)
        return describe_mode(x, value, out);
    if (!read_signed_count(value, &c))
        return false;
    if (strcmp(form, "days") == 0)
        return describe_age(&c, x, true, out);
    if (strcmp(form, "minutes") == 0)
        return describe_age(&c, x, false, out);
    if (strcmp(form, "size") == 0)
        return describe_size(&c, x, out);
    if (strcmp(form, "seconds") == 0 && !c.sign) {
        buf_printf(out, "%ld%s", c.n,
                   *c.unit    ? c.unit
                   : c.n == 1 ? explain_words(x, " second")
                              : explain_words(x, " seconds"));
        return true;
    }
    if (strcmp(form, "times") == 0 && !*c.unit && !c.sign) {
        if (c.n == 1)
            buf_str(out, explain_words(x, "once"));
        else
            buf_printf(out, explain_words(x, "%ld times"), c.n);
        return true;
    }
    if (strcmp(form, "number") == 0 && !*c.unit && !c.sign) {
        value_number(c.n, out);
        return true;
    }
    return false;
}

int
value_shown(size_t n)
{
    return (int)(n < SHOWN_MAX ? n : SHOWN_MAX);
}

const char *
value_part_end(const char *p, char mark)
{
    for (; *p && *p != mark; p++)
        if (*p == '\\' && p[1])
            p++;
    return p;
}

bool
value_signal_group(const struct explainer *x, const char *operand,
                   struct buf *out)
{
    const char *digits = operand + (*operand == '-');

    if (strcmp(operand, "0") == 0)
        buf_str(out,
                explain_words(x, "every process of the shell's own group"));
    else if (strcmp(operand, "-1") == 0)
        buf_str(out, explain_words(x, "every process that you may signal"));
    else if (digits > operand && *digits &&
             strspn(digits, "0123456789") == strlen(digits))
        buf_printf(out, explain_words(x, "every process of the group %.20s"),
                   digits);
    else
        return false;
    return true;
}
