/* SPDX-License-Identifier: GPL-3.0-or-later */
/* setup_providers.h - lists the providers for agentsh setup, and asks which. */
#ifndef FRONTEND_CLI_SETUP_PROVIDERS_H
#define FRONTEND_CLI_SETUP_PROVIDERS_H

#include "model/discovery.h"
#include "ui/model_setup.h"

/* What a person chose. */
struct setup_provider {
    const struct provider *provider;       /* NULL: the offline engine */
    const struct discovery_server *server; /* on this machine; NULL: another
                                              address. Of the servers that
                                              were listed */
};

struct setup_providers; /* the question on the screen */

/* chosen NULL: what was chosen cannot be used, which is said; or, where why is
 * not ERR_NONE: the person quits (ERR_DENIED), or ERR_INTERRUPTED. chosen is
 * borrowed. It comes once, from the loop, and may close it. */
typedef void setup_providers_cb(void *arg, const struct setup_provider *chosen,
                                const struct err *why);

/* Prints the providers with what there is of each, a key or a server, and asks
 * which. What it is handed is borrowed until the callback. */
struct setup_providers *setup_providers_open(struct app *a,
                                             const struct model_setup *settings,
                                             const struct discovery *servers,
                                             setup_providers_cb *cb, void *arg,
                                             struct err *e);
void setup_providers_close(struct setup_providers *s); /* accepts NULL */
DEFINE_CLEANUP(struct setup_providers, setup_providers_close)

#endif
