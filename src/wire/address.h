/* SPDX-License-Identifier: GPL-3.0-or-later */
/* address.h - reads the address of a socket: unix:PATH, tcp:HOST:PORT,
 * vsock:PORT. */
#ifndef WIRE_ADDRESS_H
#define WIRE_ADDRESS_H

#include <stdbool.h>
#include <sys/socket.h>

#include "base/buf.h"

struct address {
    struct sockaddr_storage at;
    socklen_t len;
    int fd; /* of fd:N; else -1 */
};

/* Whether it begins as an address does: with unix:, tcp:, vsock: or fd:. */
bool address_has_kind(const char *text);

/* Parses an address. ERR_USAGE: it is invalid. Host names other than localhost
 * are not resolved. A client may also use vsock:CID:PORT. */
int address_read(const char *text, struct address *a, struct err *e);

/* Appends it in the form that address_read takes. */
void address_put(struct buf *out, const struct address *a);

/* Whether it is a TCP address that other machines may reach. */
bool address_is_open(const struct address *a);

#endif
