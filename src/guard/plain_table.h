/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plain_table.h - inside plain.c: the programs that only look. */
#ifndef GUARD_PLAIN_TABLE_H
#define GUARD_PLAIN_TABLE_H

#include "guard/plain.h"
#include "guard/words.h"

/* Whether the call argv[0..n) of literal words reads or prints and does
 * nothing else; else out->reason says why not. argv[0] may be a name, or a
 * path in /bin or /usr/bin. */
bool plain_may_call(const char *const *argv, size_t n, const char *cwd,
                    struct guard_finding *out);

#endif
