/* SPDX-License-Identifier: GPL-3.0-or-later */
/* array.h - the number of elements of an array. */
#ifndef BASE_ARRAY_H
#define BASE_ARRAY_H

/* For an array itself, not for a pointer to its first element. */
#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

#endif
