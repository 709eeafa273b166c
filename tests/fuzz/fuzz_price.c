/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_price.c - any bytes as a file of prices, and as an amount. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "model/price.h"

static void
must(bool truth)
{
    if (!truth)
        abort();
}

/* An amount that was read is written as one that reads the same. */
static void
check_amount(const char *text)
{
    CLEANUP_BUF struct buf b = buf_of(100);
    struct cost c, again;

    if (!cost_read(text, &c))
        return;
    cost_put(&b, &c);
    must(cost_read(b.p, &again) && again.units == c.units);
}

static void
check_price(const struct price *p)
{
    CLEANUP_BUF struct buf b = buf_of(1000);
    const struct price_use use = {1000, 500, 100, 1000, 1000};
    struct cost c = price_cost(p, &use);

    must(p->in >= PRICE_NOT_KNOWN && p->up_to >= 0);
    must(!c.known || c.units >= 0);
    price_put(&b, p);
    must(!b.bad);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct price_query q = {"openai", "gpt-5-mini", "2026-11-26"};
    CLEANUP_BUF struct buf text = buf_of(PRICE_FILE_MAX);
    struct price p;
    struct err e = {0};
    int rc;

    if (buf_add(&text, data, size) < 0)
        return 0;
    rc = price_read("prices", text.p, &q, &p, &e);
    if (rc < 0)
        must(e.code == ERR_CONFIG && strncmp(e.text, "prices:", 7) == 0);
    else if (rc > 0)
        check_price(&p);
    check_amount(text.p);
    return 0;
}
