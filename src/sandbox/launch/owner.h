/* SPDX-License-Identifier: GPL-3.0-or-later */
/* owner.h - root without namespaces works as the owner of what it works in.
 *
 * Root has no capability inside, so another user's workspace, as it is mounted
 * into a container, would be closed to it, and the system's files its own. */
#ifndef SANDBOX_OWNER_H
#define SANDBOX_OWNER_H

#include "sandbox/launch/inside.h"

/* In the child, while it has root's capabilities. It stays root where that is
 * the owner, where it only looks at the machine, and where the program, or the
 * directory that it starts in, is closed to the owner. */
int owner_become(const struct inside *in, struct err *e);

#endif
