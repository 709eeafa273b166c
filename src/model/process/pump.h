/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pump.h - libcurl's transfers on the event loop.
 *
 * model/process/ is agentsh-model, the only user of libcurl. It knows HTTP
 * and one question at a time; it must not know what is asked, nor keep
 * anything between questions but warm connections. */
#ifndef MODEL_PROCESS_PUMP_H
#define MODEL_PROCESS_PUMP_H

#include <curl/curl.h>

#include "base/loop.h"

struct pump;

/* Called once when the transfer has ended; not for one that was removed. */
typedef void pump_done(void *arg, CURLcode code);

/* after: called each time that libcurl has done what there was to do, with
 * what arrived; NULL: not wanted. */
struct pump *pump_new(struct loop *l, void (*after)(void *arg), void *arg,
                      struct err *e);
void pump_free(struct pump *p);
DEFINE_CLEANUP(struct pump, pump_free)

/* Starts the transfer. The handle stays the caller's, who removes it; its
 * CURLOPT_PRIVATE is the pump's. */
struct pump_ticket {
    pump_done *done;
    void *arg;
};
int pump_add(struct pump *p, CURL *easy, struct pump_ticket *t, struct err *e);
void pump_remove(struct pump *p, CURL *easy);

#endif
