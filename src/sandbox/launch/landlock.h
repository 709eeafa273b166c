/* SPDX-License-Identifier: GPL-3.0-or-later */
/* landlock.h - the second wall around the files, and the one around signals.
 *
 * Landlock is by the inode, so it holds where a mount was forgotten; mounts
 * hold where it has no right to take away. It needs no privileges. */
#ifndef SANDBOX_LANDLOCK_H
#define SANDBOX_LANDLOCK_H

#include "sandbox/launch/binds.h"

/* Writing below the list's writable places and onto the usual devices, and
 * nowhere else; no TCP unless s->net; no signals and no abstract sockets to
 * the outside where the kernel can (ABI 6). Nothing where there is no
 * Landlock: the mounts stand. */
int landlock_writes(const struct sandbox_spec *s, const struct binds *b,
                    struct err *e);

/* Whether it can stand alone: below ABI 3 it cannot keep a file from being
 * cut. */
bool landlock_can_read(void);

/* For a spec with `owners`, where it stands alone too: every directory may be
 * listed; the files are read but for what is secret, /tmp and /dev; nothing is
 * written. */
int landlock_reads(const struct sandbox_spec *s, struct err *e);

/* Where there are no namespaces. Of a profile that shows the machine as
 * landlock_reads, with what the list puts back; else what is neither the home
 * directory, nor hides elsewhere, nor is secret, is read, and what the list
 * puts back. Written is what the list says, scratch ("": none) and the usual
 * devices. ERR_SANDBOX where Landlock cannot stand alone. */
int landlock_reduced(const struct sandbox_spec *s, const struct binds *b,
                     const char *scratch, struct err *e);

#endif
