/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ipc.h - the protocol between the front and the model process.
 *
 * Each side writes one JSON object a line. The front writes
 *   {"ask":{"id",…}}  {"cancel":ID}  {"probe":{"id","until","lists":[URL,…]}}
 *   {"hold":ID}: write no text of this query, nor its answer  {"resume":ID}
 * Up to QUERY_TABLE_MAX queries are open at once, each with an id that no other
 * open one has, and not 0. What is about an id that is not open is ignored: it
 * has just ended. The process answers with events that carry the id:
 *   text {"text"}  thinking  waiting {"line"}  learned {"quirk"}
 *   void: all text so far turned out to be reasoning; the answer's follows
 *   chosen {"model"}: it answers in place of a default that is gone
 *   wanted {"call":{"id","name","args","extra"}}: a tool call, before answer
 *   answer {"model","bytes","wanted","tokens_in","tokens_out",
 *     "tokens_cached","tokens_cache_written","tokens_reasoning","ms"}
 *   failed {"code","kind","text"}  servers {"servers":[{"ms","list"},…]}
 * answer and failed are the last of a query; cancel makes it fail at once.
 * failed with the id 0 is about the process itself, which ends then. A side
 * that gets a line of more than its maximum ends the process: what is lost with
 * the line nobody can tell.
 * The API key travels in "ask" and nowhere else. */
#ifndef MODEL_IPC_H
#define MODEL_IPC_H

#include <stdint.h>

#include "base/cleanup.h"
#include "model/provider/provider.h"

/* A query with its data, which is JSON-escaped twice at worst. */
#define IPC_LINE_MAX (32u << 20)
/* The largest event: text that came in one read, escaped. */
#define IPC_EVENT_MAX (1u << 20)

/* Time limits and retries of a query, from the section [model] of the
 * configuration. */
struct model_limits {
    int64_t connect_ms, first_byte_ms, idle_ms, total_ms;
    int64_t retries;
};

struct ipc_query {
    int64_t id;
    struct provider_request request;
    const char *key;     /* NULL: none */
    const char *ca_file; /* NULL: the CA certificates of the system */
    bool any_model;      /* nobody named the model: another may answer */
    struct model_limits limits;
};

/* Appends the query as a line, with its newline. */
int ipc_query_write(const struct ipc_query *q, struct buf *out, struct err *e);

/* A query that was read, and what its pointers point to. */
struct ipc_parsed_query {
    struct ipc_query query;
    struct json *root;
    struct model_turn *turns;
    struct model_tool_call *calls; /* of all turns */
    struct model_images *images;   /* of all turns; they point into root */
    struct provider_tool *tools;
};

/* Reads a query from the value of a whole line. Takes root, also on failure.
 * ERR_INVALID: a member is missing or wrong. */
struct ipc_parsed_query *ipc_parsed_query_new(struct json *root, struct err *e);
void ipc_parsed_query_free(struct ipc_parsed_query *q);
DEFINE_CLEANUP(struct ipc_parsed_query, ipc_parsed_query_free)

/* Reads the members of the event "failed". */
void ipc_failed_read(const struct json *v, struct err *why);

/* One tool call, {"id","name","args","extra"}. What is read points into v.
 * -1: v is not a tool call. */
void ipc_tool_call_write(const struct model_tool_call *c,
                         struct json_writer *w);
int ipc_tool_call_read(const struct json *v, struct model_tool_call *c);

#endif
