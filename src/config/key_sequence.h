/* SPDX-License-Identifier: GPL-3.0-or-later */
/* key_sequence.h - keys by their names, as "Ctrl-X Ctrl-A" and "Alt-A". */
#ifndef CONFIG_KEY_SEQUENCE_H
#define CONFIG_KEY_SEQUENCE_H

#include <stddef.h>

#include "base/err.h"

#define KEY_SEQUENCE_MAX 4

/* The bytes that a terminal sends for them; n 0: "none". */
struct key_sequence {
    char bytes[2 * KEY_SEQUENCE_MAX];
    size_t n;
};

/* Reads one to four names with blanks between: Ctrl-A to Ctrl-Z, Alt-A and
 * Alt-1, and behind the first also a letter or digit alone; or "none".
 * ERR_CONFIG: another text, or one that begins with Ctrl-C, Ctrl-M (Enter),
 * Ctrl-J or a key that types. out may be NULL. */
int key_sequence_read(const char *text, struct key_sequence *out,
                      struct err *e);

#endif
