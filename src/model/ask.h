/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ask.h - what the front and the model process say to each other.
 *
 * One JSON object a line each way. The front writes
 *   {"ask":{"id",…}}  {"cancel":ID}  {"probe":{"id","servers":[…]}}
 * and the process answers with events that carry the id:
 *   text {"text"}  thinking  waiting {"line"}  learned {"quirk"}
 *   answer {"model","bytes","tokens_in","tokens_out","ms"}
 *   failed {"code","text"}  servers {"servers":[{"url","model"}]}
 * The key travels in the question and nowhere else. */
#ifndef MODEL_ASK_H
#define MODEL_ASK_H

#include <stdint.h>

#include "base/cleanup.h"
#include "model/provider.h"

/* A question with its data, JSON-escaped twice at worst. */
#define ASK_LINE_MAX (32u << 20)
/* The largest event: text that came in one read, escaped. */
#define ASK_EVENT_MAX (1u << 20)

struct ask_limits {
    int64_t connect_ms, first_byte_ms, idle_ms, total_ms;
    int64_t retries;
};

struct ask {
    int64_t id;
    struct call call;
    const char *key; /* NULL: none */
    struct ask_limits limits;
};

/* Appends the line, its newline included. */
int ask_write(const struct ask *a, struct buf *out, struct err *e);

/* A question that was read: a and what it points to. */
struct asked {
    struct ask a;
    struct json *root;
    struct model_turn *turns;
};

/* From the whole line's value, whose ownership it takes, also on failure. */
struct asked *asked_new(struct json *root, struct err *e);
void asked_free(struct asked *q);
DEFINE_CLEANUP(struct asked, asked_free)

#endif
