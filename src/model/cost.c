/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cost.c - an amount of money, exactly: its sum, its text. */
#include "model/cost.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define DECIMALS     12 /* of COST_UNITS */
#define LEAST_PLACES 2

static const char digits[] = "0123456789";

void
cost_add(struct cost *sum, const struct cost *more)
{
    sum->known = sum->known && more->known &&
                 strcmp(sum->currency, more->currency) == 0 &&
                 !__builtin_add_overflow(sum->units, more->units, &sum->units);
}

/* Appends an amount with so many decimals, the last ones of which are 0 in the
 * units. */
static void
put_decimals(struct buf *out, int64_t units, int places)
{
    char part[DECIMALS + 9]; /* as the compiler counts */

    snprintf(part, sizeof(part), "%012" PRId64, units % COST_UNITS);
    buf_printf(out, "%" PRId64 ".%.*s", units / COST_UNITS, places, part);
}

static void
put_currency(struct buf *out, const struct cost *c)
{
    if (c->currency[0])
        buf_printf(out, " %s", c->currency);
}

void
cost_put_amount(struct buf *out, const struct cost *c)
{
    int places = DECIMALS;

    for (int64_t rest = c->units; places > LEAST_PLACES && rest % 10 == 0;
         rest /= 10)
        places--;
    put_decimals(out, c->units, places);
}

void
cost_put(struct buf *out, const struct cost *c)
{
    cost_put_amount(out, c);
    put_currency(out, c);
}

/* How many decimals show two digits of the amount. */
static int
short_places(int64_t units)
{
    int places = LEAST_PLACES;

    for (int64_t least = COST_UNITS / 10; places < DECIMALS && units < least;
         least /= 10)
        places++;
    return units > 0 ? places : LEAST_PLACES;
}

void
cost_put_short(struct buf *out, const struct cost *c)
{
    int places = short_places(c->units);
    int64_t step = 1, units;

    for (int i = places; i < DECIMALS; i++)
        step *= 10;
    if (__builtin_add_overflow(c->units, step / 2, &units))
        units = c->units;
    put_decimals(out, units - units % step, places);
    put_currency(out, c);
}

const char *
cost_read_decimal(const char *text, int decimals, int64_t most, int64_t *out)
{
    size_t whole = strspn(text, digits), part = 0;
    int64_t n = 0;

    if (whole == 0)
        return NULL;
    if (text[whole] == '.' && (part = strspn(text + whole + 1, digits)) == 0)
        return NULL;
    if (part > (size_t)decimals)
        return NULL;
    for (size_t i = 0; i < whole + (size_t)decimals; i++) {
        size_t at = i < whole ? i : i + 1;
        int digit = i < whole + part ? text[at] - '0' : 0;

        if (__builtin_mul_overflow(n, 10, &n) ||
            __builtin_add_overflow(n, digit, &n) || n > most)
            return NULL;
    }
    *out = n;
    return text + whole + (part ? part + 1 : 0);
}

bool
cost_is_currency(const char *word)
{
    return strlen(word) == 3 && strspn(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == 3;
}

bool
cost_read(const char *text, struct cost *out)
{
    struct cost c = {.known = true};
    const char *end = cost_read_decimal(text, DECIMALS, INT64_MAX, &c.units);

    if (!end || (*end && *end != ' ') || (*end && !end[1]))
        return false;
    if (*end && !cost_is_currency(end + 1))
        return false;
    if (*end)
        snprintf(c.currency, sizeof(c.currency), "%s", end + 1);
    *out = c;
    return true;
}
