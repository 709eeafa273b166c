/* SPDX-License-Identifier: GPL-3.0-or-later */
/* antonym.h - words that turn each other round, and commands that do. */
#ifndef OFFLINE_ANTONYM_H
#define OFFLINE_ANTONYM_H

#include <stdbool.h>

#include "offline/request/request.h"

/* Whether the command does the opposite of what a word of the request says:
 * "lock" and usermod -U, "not merged" and --merged. The title is asked where
 * the command itself says nothing of either. Returns that word, as the request
 * has it; NULL: there is none. */
const char *antonym_of(const struct request *q, const char *command,
                       const char *title);

#endif
