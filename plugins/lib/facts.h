/* SPDX-License-Identifier: GPL-3.0-or-later */
/* facts.h - an answer of facts: a text for a model, values for programs.
 *
 * The text comes first in a response and the values last, but both are made
 * of the same reading: so they are gathered here. */
#ifndef PLUGINS_LIB_FACTS_H
#define PLUGINS_LIB_FACTS_H

#include "plugins/lib/reply.h"

#define FACTS_MAX 16 /* members of meta that one tool has */

struct facts {
    struct buf text;
    struct buf values[FACTS_MAX];
    const char *names[FACTS_MAX];
    size_t n;
};

void facts_init(struct facts *f);
void facts_done(struct facts *f);

/* Begins the next member of meta; the caller writes one value, and is done
 * with it before the next. name is borrowed. */
struct json_writer facts_value(struct facts *f, const char *name);

/* {"ok":true,…} with all of it. ERR_NOMEM: it is too much. */
int facts_reply(const struct facts *f, const struct request *r, struct err *e);

#endif
