/* SPDX-License-Identifier: GPL-3.0-or-later */
/* subcommand.h - the subcommand that a mistyped one was meant to be. */
#ifndef OFFLINE_ENGINE_SUBCOMMAND_H
#define OFFLINE_ENGINE_SUBCOMMAND_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/seat.h"

/* Appends a line such as "git pul --rebase" with its second word put right,
 * where the recipes know subcommands of the first, the second is none of them
 * and has no manual page of its own (git-pul(1)), and one of them is near.
 * False: it is no such line, and nothing was appended. */
bool subcommand_mend(const struct seat *s, const char *line, struct buf *out);

#endif
