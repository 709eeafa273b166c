/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cost.h - an amount of money, exactly.
 *
 * The unit is 1e-12 of a currency: a price of a million tokens has at most six
 * decimals (price.h), so what any number of tokens costs is a whole number of
 * units, and sums lose nothing. */
#ifndef MODEL_COST_H
#define MODEL_COST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

#define COST_CURRENCY_SIZE 8
#define COST_TEXT_MAX      64 /* bytes of an amount with its currency */
#define COST_UNITS         INT64_C(1000000000000) /* in 1 of a currency */

struct cost {
    bool known;                        /* else the other members say nothing */
    int64_t units;                     /* not negative */
    char currency[COST_CURRENCY_SIZE]; /* "USD"; "": it has no name */
};

/* Adds an amount of the same currency. Where that is not possible (another
 * currency, an amount that is not known, too large a sum) *sum is not known. */
void cost_add(struct cost *sum, const struct cost *more);

/* Appends the amount in full, "0.00123 USD", with two decimals at least; or
 * rounded for a person: to two decimals, and where those are less than 0.10 to
 * two digits, so that nothing that costs shows as 0.00. Without a name of the
 * currency it is the amount alone. */
void cost_put(struct buf *out, const struct cost *c);
void cost_put_short(struct buf *out, const struct cost *c);

/* The amount alone, in full. */
void cost_put_amount(struct buf *out, const struct cost *c);

/* Whether it is the code of a currency: three capital letters, as ISO 4217 has
 * them. */
bool cost_is_currency(const char *word);

/* Reads what cost_put wrote; false: text is no amount. */
bool cost_read(const char *text, struct cost *out);

/* Reads a decimal of at most `decimals` (0 to 12) decimals, as a number of
 * units of the last of them: with 6, "0.25" is 250000. Returns the end of the
 * number in text; NULL: it is none, or one that is larger than most. */
const char *cost_read_decimal(const char *text, int decimals, int64_t most,
                              int64_t *out);

#endif
