/* SPDX-License-Identifier: GPL-3.0-or-later */
/* server_policy.h - the rules that a server's option --policy names. */
#ifndef SERVER_SERVER_POLICY_H
#define SERVER_SERVER_POLICY_H

#include <stdbool.h>

#include "guard/policy/policy.h"

/* Whether it names a preset, and not a file. */
bool server_policy_is_preset(const char *option);

/* Loads the rules of a preset or of a file; NULL: the user's own rules, as
 * everywhere. What the administrator of the machine denies stays denied.
 * ERR_USAGE: there is no such file. */
struct policy *server_policy_load(const char *option, const struct seat *s,
                                  struct err *e);

#endif
