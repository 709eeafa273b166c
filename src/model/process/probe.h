/* SPDX-License-Identifier: GPL-3.0-or-later */
/* probe.h - which model servers answer on this machine. */
#ifndef MODEL_PROCESS_PROBE_H
#define MODEL_PROCESS_PROBE_H

#include "model/process/pump.h"
#include "json/json.h"

#define PROBE_MS 150 /* for all of them, side by side */

struct probe;

/* v: {"id":N,"servers":[{"url":BASE,"list":PATH}]}. Asks each for its list of
 * models, writes the event "servers" with those that gave one, in the order
 * in which they stood, and calls end; the probe may be freed from there. */
struct probe *probe_start(struct loop *l, struct pump *p, const struct json *v,
                          void (*end)(void *arg), void *arg, struct err *e);
void probe_free(struct probe *p); /* accepts NULL */

#endif
