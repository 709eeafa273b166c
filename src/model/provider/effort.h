/* SPDX-License-Identifier: GPL-3.0-or-later */
/* effort.h - how much a model is asked to think, in the provider's own words.
 *
 * A command line is worth little thought, and thought costs seconds and tokens:
 * the least effort that serves is sent to models that are known to take it. A
 * model that refuses it has QUIRK_NO_EFFORT. */
#ifndef MODEL_PROVIDER_EFFORT_H
#define MODEL_PROVIDER_EFFORT_H

#include "model/provider/provider.h"

/* The effort that the request sends: "low" and the like; NULL: none. */
const char *effort_of(const struct provider_request *req);

#endif
