/* SPDX-License-Identifier: GPL-3.0-or-later */
/* repl_socket.h - the loadable's end of the socket to the REPL.
 *
 * bash may leave any of these calls by a long jump, so no function holds
 * memory in a variable that would have to be freed afterwards. */
#ifndef FRONTEND_REPL_LOADABLE_REPL_SOCKET_H
#define FRONTEND_REPL_LOADABLE_REPL_SOCKET_H

#include <sys/types.h>

#include "base/buf.h"
#include "frontend/repl/bash_protocol.h"

struct repl_socket {
    int fd;
    char packet[BASH_MSG_MAX + 1]; /* the last one received, a NUL behind it */
    struct buf reply;              /* under construction */
};

void repl_socket_send_raw(const struct repl_socket *l, const char *p, size_t n);

/* One packet: the letter, and text as its only field. */
void repl_socket_send(const struct repl_socket *l, char kind, const char *text);

/* Sends the fields (NULL last) in as many packets as it takes, then
 * BASH_MSG_DONE. A field that is larger than a packet is left out. */
void repl_socket_send_fields(struct repl_socket *l, char kind,
                             char *const *fields);

/* Waits for the next packet and returns its length; 0 or less when the REPL is
 * gone. Signals that bash must see are handled meanwhile. */
ssize_t repl_socket_receive(struct repl_socket *l);

#endif
