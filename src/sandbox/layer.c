/* SPDX-License-Identifier: GPL-3.0-or-later */
/* layer.c - naming the layer of the sandbox that is missing. */
#include "sandbox/layer.h"

#include <string.h>

int
layer_missing(struct err *e, const char *layer)
{
    err_sys(e, "sandbox: %s", layer);
    if (e)
        e->code = ERR_SANDBOX;
    return -1;
}

int
layer_missing_at(struct err *e, const char *layer, const char *part)
{
    err_sys(e, "sandbox: %s: %s", layer, part);
    if (e)
        e->code = ERR_SANDBOX;
    return -1;
}

int
layer_closed_at(struct err *e, const char *layer, const char *part)
{
    if (errno != EACCES)
        return layer_missing_at(e, layer, part);
    return err_set(e, ERR_SANDBOX, "sandbox: %s: %.110s: %s: " LAYER_CLOSED,
                   layer, part, strerror(errno));
}
