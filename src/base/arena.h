/* SPDX-License-Identifier: GPL-3.0-or-later */
/* arena.h - allocates the memory of one tree, which is freed at once. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

struct arena; /* chunks that double in size up to 256 KiB */

struct arena *arena_new(void);
void arena_free(struct arena *a); /* accepts NULL */

/* n zeroed bytes for a structure (aligned) or for text (not aligned). NULL: no
 * memory. They live as long as the arena. */
void *arena_get(struct arena *a, size_t n);
char *arena_text(struct arena *a, size_t n);

#endif
