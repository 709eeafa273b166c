/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fix_candidates.h - what the words of a failed command may have meant, for a
 * model that cannot see this machine. */
#ifndef UI_FIX_CANDIDATES_H
#define UI_FIX_CANDIDATES_H

#include "base/buf.h"
#include "base/seat.h"

/* Appends a line for each of the first words that names no program or file,
 * but nearly does: "program nearest to gti: git". It reads directories, and at
 * most some thousand entries of them. */
void fix_candidates_put(struct buf *out, const struct seat *s,
                        const char *command);

#endif
