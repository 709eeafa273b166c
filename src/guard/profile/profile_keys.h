/* SPDX-License-Identifier: GPL-3.0-or-later */
/* profile_keys.h - finds out whether a call logs in with the person's keys.
 *
 * One rule covers ssh, every program that connects through it (git, rsync, scp,
 * borg …) and clients that log in with a token from a file: such a call works
 * only in the profile `full`. All other profiles hide ~/.ssh, the agent's
 * socket and every other place of keys; and `full` is asked about every
 * time. */
#ifndef GUARD_PROFILE_PROFILE_KEYS_H
#define GUARD_PROFILE_PROFILE_KEYS_H

#include "guard/risk/risk.h"

/* Whether the call uses keys. A program that connects through ssh for some
 * addresses uses them only for those. For git, the addresses also come from the
 * configuration of the repository and of the person, with every file that these
 * include; a credential helper counts as keys. The answer is yes when something
 * is not known: an expansion, -c with a key that is no plain data, a GIT_
 * variable, a file that cannot be read. */
bool profile_call_uses_keys(const struct risk_call *call, const struct risk *r,
                            const struct path_context *where);

/* The program that runs a part of the line on another machine, with keys (`ssh
 * host ls`), whatever that machine is; NULL: none. Borrowed from r. */
const char *profile_remote_program_with_keys(const struct risk *r);

#endif
