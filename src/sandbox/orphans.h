/* SPDX-License-Identifier: GPL-3.0-or-later */
/* orphans.h - finds launchers of this user whose front was killed.
 *
 * Such a launcher ends what it runs, which takes a moment; until then that may
 * still write. */
#ifndef SANDBOX_ORPHANS_H
#define SANDBOX_ORPHANS_H

#include <stdbool.h>

/* Waits until there is none, at most this long. False: there is one still. */
bool orphans_wait(int timeout_ms);

#endif
