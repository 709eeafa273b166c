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
                                              address. Borrowed */
};

/* Prints the providers with what there is of each, a key or a server, and asks
 * which. *found is false where what is chosen cannot be used, which is said.
 * ERR_DENIED: the person quits; ERR_INTERRUPTED. */
int setup_providers_ask(struct app *a, const struct model_setup *settings,
                        const struct discovery *servers,
                        struct setup_provider *out, bool *found, struct err *e);

#endif
