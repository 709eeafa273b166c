/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gateway_task_json.h - a task as clients see it. */
#ifndef SERVER_GATEWAY_GATEWAY_TASK_JSON_H
#define SERVER_GATEWAY_GATEWAY_TASK_JSON_H

#include "record/gateway_rows.h"
#include "json/write.h"

/* The member of metadata by which a session is resumed. */
#define GATEWAY_SESSION_KEY "auggie_session_id"

/* Writes a task; brief: without its description and metadata. */
void gateway_task_put(struct json_writer *w, const struct gateway_values *v,
                      bool brief);

/* What was used; cost in millionths. */
struct gateway_usage {
    int64_t turns, ms, tokens_in, tokens_out, cost;
};
/* Writes the members turns, minutes, tokens_in, tokens_out and cost. */
void gateway_usage_put(struct json_writer *w, const struct gateway_usage *u);

#endif
