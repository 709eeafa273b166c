/* SPDX-License-Identifier: GPL-3.0-or-later */
/* curl_loop.h - runs libcurl's transfers on the event loop.
 *
 * process/ is the program agentsh-model, the only user of libcurl. It sends
 * many queries at once to providers over HTTP, and nothing of one may reach
 * another. It must not know what is asked, and keeps nothing after a query but
 * open connections (connections.h). It fails with the
 * errors that client.h lists. */
#ifndef MODEL_PROCESS_CURL_LOOP_H
#define MODEL_PROCESS_CURL_LOOP_H

#include <curl/curl.h>

#include "base/loop.h"

struct curl_loop;

/* Called once when a transfer has ended; not after curl_loop_remove(). */
typedef void curl_loop_done(void *arg, CURLcode code);

/* after: called whenever libcurl has processed what arrived; NULL: not called.
 */
struct curl_loop *curl_loop_new(struct loop *l, void (*after)(void *arg),
                                void *arg, struct err *e);
void curl_loop_free(struct curl_loop *c);
DEFINE_CLEANUP(struct curl_loop, curl_loop_free)

/* The callback of a transfer. The caller owns it, and keeps it until the
 * transfer is removed. */
struct curl_loop_transfer {
    curl_loop_done *done;
    void *arg;
};

/* Starts a transfer. The caller keeps the handle, removes it, and leaves its
 * CURLOPT_PRIVATE alone. */
int curl_loop_add(struct curl_loop *c, CURL *easy, struct curl_loop_transfer *t,
                  struct err *e);
void curl_loop_remove(struct curl_loop *c, CURL *easy);

#endif
