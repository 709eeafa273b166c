/* SPDX-License-Identifier: GPL-3.0-or-later */
/* service_notify.h - tells the service manager what a server does.
 *
 * The protocol of sd_notify(3): a datagram of lines such as READY=1 to the
 * socket that NOTIFY_SOCKET names, a path, or with @ an abstract name. */
#ifndef SERVER_SERVICE_NOTIFY_H
#define SERVER_SERVICE_NOTIFY_H

#include "base/err.h"
#include "base/seat.h"

/* Sends the lines, and never waits: a manager that does not read misses them.
 * 0 too where there is no manager. Else why they could not be sent. */
int service_notify(const struct seat *s, const char *lines, struct err *e);

/* The same with MONOTONIC_USEC= behind them, as RELOADING=1 wants. */
int service_notify_timed(const struct seat *s, const char *lines,
                         struct err *e);

#endif
