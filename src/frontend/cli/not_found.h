/* SPDX-License-Identifier: GPL-3.0-or-later */
/* not_found.h - a line about a command that was not found. */
#ifndef FRONTEND_CLI_NOT_FOUND_H
#define FRONTEND_CLI_NOT_FOUND_H

#include "base/buf.h"
#include "base/seat.h"

/* Appends one line: the program of PATH that is nearest to words[0], or, where
 * several words look like a request, how to ask. Nothing where there is nothing
 * to say. aliases: lines NAME=TEXT, or NULL. */
void not_found_hint(const struct seat *s, const char *const *words, int n,
                    const char *aliases, struct buf *out);

#endif
