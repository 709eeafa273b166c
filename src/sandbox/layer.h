/* SPDX-License-Identifier: GPL-3.0-or-later */
/* layer.h - naming the layer of the sandbox that is missing. */
#ifndef SANDBOX_LAYER_H
#define SANDBOX_LAYER_H

#include "base/err.h"

/* Inside, root has no right to what is another user's. */
#define LAYER_CLOSED                                                           \
    "install it, or put it, where the user that runs it may read without "     \
    "root's rights"

/* ERR_SANDBOX with the layer, and errno's reason. Returns -1. */
int layer_missing(struct err *e, const char *layer);

/* The same for one of its parts: "layer: part: reason". */
int layer_missing_at(struct err *e, const char *layer, const char *part);

/* The same where the way to a file is closed (EACCES): what a person can do is
 * said too. Any other reason is layer_missing_at's. */
int layer_closed_at(struct err *e, const char *layer, const char *part);

#endif
