/* SPDX-License-Identifier: GPL-3.0-or-later */
/* service_notify.h - notifies the service manager of a server's state.
 *
 * The protocol of sd_notify(3): a datagram of lines such as READY=1 to the
 * socket that NOTIFY_SOCKET names, a path, or with @ an abstract name. */
#ifndef SERVER_SERVICE_NOTIFY_H
#define SERVER_SERVICE_NOTIFY_H

#include "base/err.h"
#include "base/seat.h"

/* Sends the lines without blocking: a manager that does not read loses them. 0
 * also where there is no manager; -1 with the reason. */
int service_notify(const struct seat *s, const char *lines, struct err *e);

/* The same followed by MONOTONIC_USEC=, which RELOADING=1 needs. */
int service_notify_timed(const struct seat *s, const char *lines,
                         struct err *e);

#endif
