/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drop_sudo.h - a command of ours as root types it. */
#ifndef OFFLINE_DROP_SUDO_H
#define OFFLINE_DROP_SUDO_H

#include "base/buf.h"
#include "base/err.h"

/* Appends the command without each sudo that only asks for root's rights:
 * "sudo apt update" is "apt update". One with options stays. */
int drop_sudo(const char *command, struct buf *out, struct err *e);

#endif
