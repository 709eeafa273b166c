/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ruin.h - whether a command would take away what nobody means to lose. */
#ifndef OFFLINE_RUIN_H
#define OFFLINE_RUIN_H

#include "base/buf.h"

/* Whether commands, one a line, would delete or change all of /, a home, a
 * directory of the system or the one that is worked in; appends which. What
 * cannot be read is none. */
bool ruin_of(const char *commands, struct buf *which);

#endif
