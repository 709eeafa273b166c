/* SPDX-License-Identifier: GPL-3.0-or-later */
/* doctor_search.h - what agentsh doctor has to ask others for: model servers,
 * and the servers of mcp.json. */
#ifndef FRONTEND_CLI_DOCTOR_SEARCH_H
#define FRONTEND_CLI_DOCTOR_SEARCH_H

#include "model/discovery.h"
#include "model/select.h"
#include "tool/registry.h"
#include "ui/app.h"

struct doctor_found {
    struct model_selection *model; /* NULL: there is none … */
    struct err model_why;          /* … or that is why; ERR_NONE: it is not */
    struct discovery servers;
    int64_t limit_ms;          /* for each of these to answer in */
    struct registry *registry; /* the tools of mcp.json are known; NULL: … */
    struct err registry_why;
};

struct doctor_search;

/* Calls cb once, from the loop, when all have answered or their time is over.
 * SIGINT, SIGTERM and SIGHUP end it, and then have their usual effect. */
struct doctor_search *doctor_search_start(struct app *a, void (*cb)(void *arg),
                                          void *arg, struct err *e);
const struct doctor_found *doctor_search_found(const struct doctor_search *s);
void doctor_search_free(struct doctor_search *s); /* accepts NULL */
DEFINE_CLEANUP(struct doctor_search, doctor_search_free)

#endif
