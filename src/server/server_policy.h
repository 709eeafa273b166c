/* SPDX-License-Identifier: GPL-3.0-or-later */
/* server_policy.h - the rules of a server: --policy, or the person's. */
#ifndef SERVER_SERVER_POLICY_H
#define SERVER_SERVER_POLICY_H

#include "guard/policy/policy.h"

/* The rules that option names: a preset, or else a file. NULL: those of the
 * seat's person. What the administrator of the machine denies stays denied.
 * ERR_USAGE: there is no such file; the other errors are policy_load's. */
struct policy *server_policy_load(const char *option, const struct seat *s,
                                  struct err *e);

#endif
