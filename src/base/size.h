/* SPDX-License-Identifier: GPL-3.0-or-later */
/* size.h - formats sizes and durations for a person. */
#ifndef BASE_SIZE_H
#define BASE_SIZE_H

#include <stdint.h>

#define SIZE_TEXT 40
#define SIZE_MIB  ((uint64_t)1024 * 1024) /* bytes */

/* "512 B", "3.1 GiB". Returns text. */
const char *size_text(uint64_t bytes, char text[SIZE_TEXT]);

/* "45 s", "12 min", "3 h 5 min", "21 d 4 h". Returns text. */
const char *size_time_text(uint64_t seconds, char text[SIZE_TEXT]);

#endif
