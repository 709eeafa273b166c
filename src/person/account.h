/* SPDX-License-Identifier: GPL-3.0-or-later */
/* account.h - what a run did before its last plan, for programs that ask.
 *
 * What the model looked at, and the plans whose results it wanted to see:
 * with -o json members of the one object at the end, with jsonl a line each
 * as it happens. */
#ifndef PERSON_ACCOUNT_H
#define PERSON_ACCOUNT_H

#include "base/buf.h"
#include "json/write.h"

struct app;
struct look_call;

struct account {
    struct buf looked, before; /* items of two JSON arrays */
};

void account_init(struct account *c);
void account_done(struct account *c);

/* A call of the model's is over. */
void account_looked(struct app *a, const struct look_call *c);
/* A report of a plan that is not the last one: a JSON object. */
void account_before(struct app *a, const char *json, size_t n);

/* The members "looked" and "before", where there is something in them. */
void account_put(const struct app *a, struct json_writer *w);

#endif
