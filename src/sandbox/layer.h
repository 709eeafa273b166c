/* SPDX-License-Identifier: GPL-3.0-or-later */
/* layer.h - naming the layer of the sandbox that is missing. */
#ifndef SANDBOX_LAYER_H
#define SANDBOX_LAYER_H

#include "base/err.h"

/* ERR_SANDBOX with the layer, and errno's reason. Returns -1. */
int layer_missing(struct err *e, const char *layer);

/* The same for one of its parts: "layer: part: reason". */
int layer_missing_at(struct err *e, const char *layer, const char *part);

#endif
