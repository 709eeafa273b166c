/* SPDX-License-Identifier: GPL-3.0-or-later */
/* profile_keys.h - whether a line uses the person's keys.
 *
 * One rule for all of ssh, what connects through it (git, rsync, scp, borg …)
 * and the clients that log in with a token of a file: such a call can do its
 * work in the profile `full` alone, since the others hide ~/.ssh, the agent's
 * socket and every other place of keys, and `full` is asked for every time. */
#ifndef GUARD_PROFILE_KEYS_H
#define GUARD_PROFILE_KEYS_H

#include "guard/risk/risk.h"

/* Whether the call logs in with keys. What connects through ssh for some
 * addresses only does so for those. Of git the addresses are also read from
 * the configuration of the repository and of the person, with what these
 * include, where a credential helper counts as keys too. Where not all of that
 * is known (an expansion, -c with what is no data, a GIT_ variable, a file that
 * cannot be read), it uses them. */
bool profile_call_uses_keys(const struct risk_call *call, const struct risk *r,
                            const struct risk_place *where);

/* The program that takes what the line runs to another machine with keys
 * (ssh host ls), whatever host that is; NULL: none does. Borrowed of r. */
const char *profile_carrier_with_keys(const struct risk *r);

/* Whether an address is reached through ssh: host:path, ssh://host/path. */
bool profile_is_over_ssh(const char *address);

#endif
