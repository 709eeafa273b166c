/* SPDX-License-Identifier: GPL-3.0-or-later */
/* probe.h - lists of models from servers on this machine. */
#ifndef MODEL_PROCESS_PROBE_H
#define MODEL_PROCESS_PROBE_H

#include "model/process/pump.h"
#include "json/json.h"

struct probe;

/* v: {"id":N,"until":MS,"lists":[URL,…]}; MS is on the monotonic clock, which
 * the front shares. Asks for all of them side by side, writes the event
 * "servers" with {"ms":N,"list":VALUE} for each in their order, {} for one
 * that gave no JSON in time, and calls end; the probe may be freed from
 * there. */
struct probe *probe_start(struct loop *l, struct pump *p, const struct json *v,
                          void (*end)(void *arg), void *arg, struct err *e);
void probe_free(struct probe *p); /* accepts NULL */

#endif
