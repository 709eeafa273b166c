/* SPDX-License-Identifier: GPL-3.0-or-later */
/* list_models.h - asks servers on this machine for their lists of models. */
#ifndef MODEL_PROCESS_LIST_MODELS_H
#define MODEL_PROCESS_LIST_MODELS_H

#include "model/process/curl_loop.h"
#include "model/process/events.h"
#include "json/json.h"

struct list_models;

/* v: {"id":N,"until":MS,"lists":[URL,…]}, where MS is a time of the monotonic
 * clock, which the front shares. Requests all lists at once. Then writes the
 * event "servers", with {"ms":N,"list":VALUE} for each URL in their order, or
 * {} for one that sent no JSON in time, and calls end, which may free it. */
struct list_models *list_models_start(struct loop *l, struct curl_loop *c,
                                      struct events *o, const struct json *v,
                                      void (*end)(void *arg), void *arg,
                                      struct err *e);
void list_models_free(struct list_models *p);

#endif
