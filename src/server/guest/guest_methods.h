/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guest_methods.h - the methods that a peer can call. */
#ifndef SERVER_GUEST_GUEST_METHODS_H
#define SERVER_GUEST_GUEST_METHODS_H

#include "wire/rpc.h"

/* Each gets a struct guest_connection as its argument. */
const struct rpc_method *guest_methods(void);

#endif
