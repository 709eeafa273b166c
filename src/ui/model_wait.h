/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model_wait.h - waits until a model is selected, for a caller that goes on
 * with it at once: the one place that turns the loop for that.
 *
 * SIGINT, SIGTERM and SIGHUP end the search and all that runs for it, and then
 * have their usual effect, which is the end of this process. */
#ifndef UI_MODEL_WAIT_H
#define UI_MODEL_WAIT_H

#include "model/discovery.h"
#include "model/select.h"
#include "ui/app.h"

/* Selects by the app's seat and configuration, which is loaded; on_terminal in
 * p is set. *out is the caller's; NULL: offline. The errors are those of
 * model_search_start, and ERR_INTERRUPTED. */
int model_wait(struct app *a, const struct model_select_params *p,
               struct model_selection **out, struct err *e);

/* Discovers the servers of this machine. The caller calls discovery_done. */
int model_wait_servers(struct app *a, const struct discovery_params *p,
                       struct discovery *out, struct err *e);

#endif
