/* SPDX-License-Identifier: GPL-3.0-or-later */
/* menu_draw.h - what a menu looks like; for menu.c alone. */
#ifndef TERM_MENU_DRAW_H
#define TERM_MENU_DRAW_H

#include "base/buf.h"
#include "term/menu.h"

/* The row of a key, NULL when there is none. */
const struct menu_row *menu_find(const struct menu_spec *spec, int key);

/* "question  [r]un  [q]uit ? ", in as many lines as the width asks for. */
void menu_draw(struct buf *out, const struct term *t,
               const struct menu_spec *spec);

/* One line a row. */
void menu_draw_help(struct buf *out, const struct term *t,
                    const struct menu_spec *spec);

/* Which keys there are, after one that is none. */
void menu_draw_hint(struct buf *out, const struct term *t,
                    const struct menu_spec *spec, const char *why);

#endif
