/* SPDX-License-Identifier: GPL-3.0-or-later */
/* listen.h - whether somebody listens on a port of this machine. */
#ifndef MODEL_LISTEN_H
#define MODEL_LISTEN_H

#include <stdbool.h>

/* Reads the kernel's table of sockets, connects to nobody. True also when the
 * table cannot be read: then only asking tells. */
bool listen_has(int port);

/* One line of /proc/net/tcp or tcp6. */
bool listen_line_has(const char *line, int port);

#endif
