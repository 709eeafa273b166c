/* SPDX-License-Identifier: GPL-3.0-or-later */
/* provider_query.h - answers one query: sends requests to the provider until
 * one succeeds or no other may, and writes the events of the answer. */
#ifndef MODEL_PROCESS_PROVIDER_QUERY_H
#define MODEL_PROCESS_PROVIDER_QUERY_H

#include <stdbool.h>

#include "model/ipc.h"
#include "model/process/connections.h"
#include "model/process/curl_loop.h"
#include "model/process/events.h"

struct provider_query;

/* What all queries use. */
struct provider_query_means {
    struct loop *loop;
    struct curl_loop *curl;
    struct connections *connections;
    struct events *events;
};

/* Called once, after the answer or the failure was written. It may free the
 * query. */
typedef void provider_query_end(void *arg);

/* Takes parsed, also on failure. means is borrowed. */
struct provider_query *
provider_query_start(const struct provider_query_means *means,
                     struct ipc_parsed_query *parsed, provider_query_end *end,
                     void *arg, struct err *e);
/* Ends the query without an event. */
void provider_query_free(struct provider_query *q);
/* Writes the text that has arrived, as one event for many small pieces. */
void provider_query_flush(struct provider_query *q);
/* The events are no longer full: writes what waits, and takes more from the
 * server. It may end the query. */
void provider_query_continue(struct provider_query *q);
/* The front takes no text until it resumes. Twice is the same as once. */
void provider_query_hold(struct provider_query *q, bool held);
/* Writes that the query was interrupted, and ends it. */
void provider_query_cancel(struct provider_query *q);

#endif
