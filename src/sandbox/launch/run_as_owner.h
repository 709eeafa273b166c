/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run_as_owner.h - without namespaces, root runs as the workspace's owner.
 *
 * Sandboxed root has no capability, so that a workspace of another user, as it
 * is mounted into a container, would be closed to it, while it would own the
 * system's files. */
#ifndef SANDBOX_LAUNCH_RUN_AS_OWNER_H
#define SANDBOX_LAUNCH_RUN_AS_OWNER_H

#include "sandbox/launch/child.h"

/* Changes the child's user and group, while it still has root's capabilities.
 * It stays root where root owns the workspace, where the profile only looks at
 * the machine, and where the owner may not access the program or the working
 * directory. */
int run_as_owner(const struct child_config *conf, struct err *e);

#endif
