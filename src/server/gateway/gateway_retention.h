/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gateway_retention.h - removes tasks that ended long ago, with their events.
 *
 * A task goes that has ended, and was not changed since set.retain_ms: never
 * one that is queued, runs, was interrupted or was not started yet, that a
 * person is asked about, that is in use, or that has a working tree; but such a
 * tree goes where git knows all of it, and its task that time later. A task
 * goes in small steps, which the store's thread takes between other work: its
 * events first, so that what is left of a removal that was broken off is still
 * a task, and is removed the next time. */
#ifndef SERVER_GATEWAY_GATEWAY_RETENTION_H
#define SERVER_GATEWAY_GATEWAY_RETENTION_H

#include "server/gateway/gateway_shared.h"

/* To be called every second or so: looks whether it is time, and then for what
 * is to be removed. */
void gateway_retention_sweep(struct gateway *g, int64_t now);

/* When the store is closed. */
void gateway_retention_free(struct gateway *g);

#endif
