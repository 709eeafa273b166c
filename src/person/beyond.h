/* SPDX-License-Identifier: GPL-3.0-or-later */
/* beyond.h - wishes that the offline engine can have no command for. */
#ifndef PERSON_BEYOND_H
#define PERSON_BEYOND_H

#include <stdbool.h>

#include "base/buf.h"

/* Whether no command of a shell does it ("order a pizza", "write a poem");
 * appends why, in a sentence without its stop. */
bool beyond_commands(const char *wish, struct buf *why);

/* Whether few of its words are English that the engine knows: what is near is
 * near by accident then. */
bool beyond_english(const char *wish);

#endif
