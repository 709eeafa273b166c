/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_hosts.h - recognizes hosts in arguments: names, URLs, host:path. */
#ifndef GUARD_RISK_RISK_HOSTS_H
#define GUARD_RISK_RISK_HOSTS_H

#include "guard/risk/risk_state.h"

/* Whether an argument is host:path, user@host or a URL. */
bool risk_host_is_remote(const char *text);

/* A copy of the host in an argument of any of these forms. */
const char *risk_host_parse(struct risk_state *st, const char *text);

/* localhost, 127.0.0.0/8, ::1. */
bool risk_host_is_loopback(const char *host);

#endif
