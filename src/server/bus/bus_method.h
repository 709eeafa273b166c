/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bus_method.h - what a client of a bus may ask, and how it is answered. */
#ifndef SERVER_BUS_BUS_METHOD_H
#define SERVER_BUS_BUS_METHOD_H

#include "server/bus/bus_hub.h"

/* Deals with one message of a peer's, of n bytes, which a NUL follows; text:
 * they are valid UTF-8. */
void bus_method_take(struct bus_hub *h, struct bus_peer *p, const char *bytes,
                     size_t n, bool text);

#endif
