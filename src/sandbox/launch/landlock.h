/* SPDX-License-Identifier: GPL-3.0-or-later */
/* landlock.h - restricts files, signals and TCP by Landlock.
 *
 * Landlock decides by the inode, so it protects a file where a mount was
 * forgotten; mounts protect where Landlock has no right to take away. It needs
 * no privileges. */
#ifndef SANDBOX_LAUNCH_LANDLOCK_H
#define SANDBOX_LAUNCH_LANDLOCK_H

#include "sandbox/launch/binds.h"

/* Allows writing below the list's writable paths, in scratch ("": none) and to
 * the usual devices, and nowhere else: an empty place in which something of the
 * machine is seen is as read-only as that (binds_shows_more). No TCP unless
 * s->net; where the kernel can (ABI 6), no signals and no abstract sockets to
 * processes outside. Does nothing where there is no Landlock: the mounts
 * protect the files there, and nothing keeps from a pipe. */
int landlock_restrict_writes(const struct sandbox_spec *s,
                             const struct binds *b, const char *scratch,
                             struct err *e);

/* Returns whether Landlock can protect the files without mounts: below ABI 3
 * it cannot keep a file from being truncated. */
bool landlock_can_stand_alone(void);

/* For a spec with `owners`, where Landlock protects the files alone: every
 * directory may be listed; every file may be read except the secret ones and
 * those in /tmp and /dev; nothing may be written. */
int landlock_restrict_reads(const struct sandbox_spec *s, struct err *e);

/* For a sandbox without namespaces. A profile that shows the machine may read
 * as by landlock_restrict_reads; another one may read what is not in the home
 * directory, not hidden for another reason and not secret. Both may read what
 * the list puts back, and write what the list says, scratch ("": none) and the
 * usual devices. ERR_SANDBOX: Landlock cannot stand alone here. */
int landlock_restrict_reduced(const struct sandbox_spec *s,
                              const struct binds *b, const char *scratch,
                              struct err *e);

#endif
