/* SPDX-License-Identifier: GPL-3.0-or-later */
/* menu_draw.h - the text of a menu; for menu.c and its tests. */
#ifndef TERM_MENU_DRAW_H
#define TERM_MENU_DRAW_H

#include "base/buf.h"
#include "term/menu.h"

/* The row of a key, NULL when there is none. */
const struct menu_row *menu_find(const struct menu_spec *spec, int key);

/* Appends "question  [r]un  [q]uit ? ", in as many lines as needed. */
void menu_draw(struct buf *out, const struct term *t,
               const struct menu_spec *spec);

/* Appends the help, a line for each row. */
void menu_draw_help(struct buf *out, const struct term *t,
                    const struct menu_spec *spec);

/* Appends `why` and the list of keys, after a key that is none of them. */
void menu_draw_hint(struct buf *out, const struct term *t,
                    const struct menu_spec *spec, const char *why);

#endif
