/* SPDX-License-Identifier: GPL-3.0-or-later */
/* price.h - what the tokens of a model cost, as a file says.
 *
 * Prices come from two files: ~/.config/agentsh/prices, which is the person's,
 * then the one that is installed. A row is a line of words:
 *
 *   server model in cached written out currency date source [limit…]
 *
 * The first row that fits counts. Prices are of a million tokens; "-" is a
 * price that is not known. No price is guessed: a model without a row has none,
 * and neither has a server on this machine. agentsh-config(5) is the manual. */
#ifndef MODEL_PRICE_H
#define MODEL_PRICE_H

#include "config/config.h"
#include "model/cost.h"
#include "model/select.h"

#define PRICE_FILE       "prices"
#define PRICE_FILE_MAX   (256u << 10) /* bytes; a row has about a hundred */
#define PRICE_DATE_SIZE  11           /* "2026-01-02" */
#define PRICE_NOT_KNOWN  (-1)
#define PRICE_SERVER_MAX 256

struct price {
    /* 1e-6 of the currency for a million tokens, which is COST_UNITS for one:
     * read, read from a cache, written to a cache, and output */
    int64_t in, cached, written, out;
    int64_t up_to; /* holds for requests of so many tokens; 0: for any */
    char currency[COST_CURRENCY_SIZE];
    char date[PRICE_DATE_SIZE]; /* when it was looked up; "": a setting */
};

/* Tokens as struct conversation_usage has them; -1: not told. */
struct price_use {
    int64_t in, cached, written, out;
    int64_t most_in; /* the largest `in` of one request */
};

/* Finds the price of a model, by the name that the server gave it and then by
 * the one that was asked for; model NULL: by the latter alone. The settings
 * price_in and price_out go before the files. Returns 1, 0: there is none; or
 * -1 and ERR_CONFIG: a file is wrong, which names the line. */
int price_find(const struct config *c, const struct model_selection *m,
               const char *model, struct price *out, struct err *e);

/* What so many tokens cost; not known where a count or a price that it takes is
 * not. */
struct cost price_cost(const struct price *p, const struct price_use *use);

/* Appends the price for the journal: "in 0.1 cached 0.01 written - out 0.5 USD,
 * 2026-01-02". */
void price_put(struct buf *out, const struct price *p);

/* Reads the text of a file: the first row for the model of a server, of which
 * today (YYYY-MM-DD) is not past the end. All rows are checked. name: of the
 * file, for messages. The fuzz target and the tests give it texts of their
 * own. */
struct price_query {
    const char *server, *model, *today;
};
int price_read(const char *name, const char *text, const struct price_query *q,
               struct price *out, struct err *e);

#endif
