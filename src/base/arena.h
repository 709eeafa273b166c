/* SPDX-License-Identifier: GPL-3.0-or-later */
/* syntax_arena.h - allocates the memory of one tree, which is freed at once. */
#ifndef GUARD_SYNTAX_SYNTAX_ARENA_H
#define GUARD_SYNTAX_SYNTAX_ARENA_H

#include <stddef.h>

struct syntax_arena; /* chunks that double in size up to 256 KiB */

struct syntax_arena *syntax_arena_new(void);
void syntax_arena_free(struct syntax_arena *a); /* accepts NULL */

/* n zeroed bytes for a structure (aligned) or for text (not aligned). NULL: no
 * memory. They live as long as the arena. */
void *syntax_arena_get(struct syntax_arena *a, size_t n);
char *syntax_arena_text(struct syntax_arena *a, size_t n);

#endif
