/* SPDX-License-Identifier: GPL-3.0-or-later */
/* provider_query.h - answers one query: sends requests to the provider until
 * one succeeds or no other may, and writes the events of the answer. */
#ifndef MODEL_PROCESS_PROVIDER_QUERY_H
#define MODEL_PROCESS_PROVIDER_QUERY_H

#include "model/ipc.h"
#include "model/process/curl_loop.h"

struct provider_query;

/* Called once, after the answer or the failure was written. It may free the
 * query. */
typedef void provider_query_end(void *arg);

/* Takes parsed, also on failure. */
struct provider_query *provider_query_start(struct loop *l, struct curl_loop *c,
                                            struct ipc_parsed_query *parsed,
                                            provider_query_end *end, void *arg,
                                            struct err *e);
/* Ends the query without an event. */
void provider_query_free(struct provider_query *q);
/* Writes the text that has arrived, as one event for many small pieces. */
void provider_query_flush(struct provider_query *q);
int64_t provider_query_id(const struct provider_query *q);
/* Writes that the query was interrupted, and ends it. */
void provider_query_cancel(struct provider_query *q);

#endif
