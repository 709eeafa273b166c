/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ask.h - what the front and the model process say to each other.
 *
 * One JSON object a line each way. The front writes
 *   {"ask":{"id",…}}  {"cancel":ID}  {"probe":{"id","until","lists":[URL,…]}}
 * and the process answers with events that carry the id:
 *   text {"text"}  thinking  waiting {"line"}  learned {"quirk"}
 *   wanted {"call":{"id","name","args","extra"}}, each before the answer
 *   answer {"model","bytes","wanted","tokens_in","tokens_out","ms"}
 *   failed {"code","kind","text"}  servers {"servers":[{"ms","list"},…]}
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
    struct model_wanted *calls; /* of all turns */
    struct call_tool *tools;
};

/* From the whole line's value, whose ownership it takes, also on failure. */
struct asked *asked_new(struct json *root, struct err *e);
void asked_free(struct asked *q);
DEFINE_CLEANUP(struct asked, asked_free)

/* The conversation's part of both directions (ask_turns.c): members "turns"
 * and "tools" of an object that is open, and back. */
void ask_put_turns(const struct call *c, struct json_writer *w);
void ask_put_tools(const struct call *c, struct json_writer *w);
int asked_read_turns(struct asked *q, const struct json *list, struct err *e);
int asked_read_tools(struct asked *q, const struct json *list, struct err *e);

/* One call of the model: {"id","name","args","extra"}. What is read points
 * into v. -1: it is none. */
void ask_put_wanted(const struct model_wanted *c, struct json_writer *w);
int ask_read_wanted(const struct json *v, struct model_wanted *c);

#endif
