/* SPDX-License-Identifier: GPL-3.0-or-later */
/* policy_option.h - the rules that a server's option --policy names. */
#ifndef SERVER_POLICY_OPTION_H
#define SERVER_POLICY_OPTION_H

#include "base/seat.h"
#include "guard/policy/policy.h"

/* Loads a preset by its name, or else a file; what the administrator of the
 * machine denies stays denied. option NULL: the files of the seat's person.
 * ERR_USAGE: there is no such file. */
struct policy *policy_option_load(const char *option, const struct seat *s,
                                  struct err *e);

#endif
