/* SPDX-License-Identifier: GPL-3.0-or-later */
/* roff_chars.h - the names of special characters in roff. */
#ifndef OFFLINE_ROFF_CHARS_H
#define OFFLINE_ROFF_CHARS_H

#include <stddef.h>
#include <stdint.h>

/* The character of \(xx, \[xxx] or \[uXXXX]; 0 when the name is unknown. */
uint32_t roff_char(const char *name, size_t n);

#endif
