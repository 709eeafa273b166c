/* SPDX-License-Identifier: GPL-3.0-or-later */
/* origin.h - whether two addresses are the same server. */
#ifndef MODEL_PROCESS_ORIGIN_H
#define MODEL_PROCESS_ORIGIN_H

#include <stdbool.h>

/* Scheme, host and port: all that a key may be sent to again. */
bool origin_is_same(const char *url, const char *other);

#endif
