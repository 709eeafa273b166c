/* SPDX-License-Identifier: GPL-3.0-or-later */
/* syntax_arena.h - memory for one tree: given in pieces, freed at once. */
#ifndef GUARD_SYNTAX_ARENA_H
#define GUARD_SYNTAX_ARENA_H

#include <stddef.h>

struct syntax_arena; /* chunks, each twice the one before up to a bound */

struct syntax_arena *syntax_arena_new(void);
void syntax_arena_free(struct syntax_arena *a); /* accepts NULL */

/* n bytes of zeros for a structure, or for text with no wish about where it
 * begins. NULL when there is no memory. They live as long as the arena. */
void *syntax_arena_get(struct syntax_arena *a, size_t n);
char *syntax_arena_text(struct syntax_arena *a, size_t n);

#endif
