/* SPDX-License-Identifier: GPL-3.0-or-later */
/* menu_draw.h - the text of a menu; for menu.c and its tests. */
#ifndef TERM_MENU_DRAW_H
#define TERM_MENU_DRAW_H

#include "base/buf.h"
#include "term/menu.h"

#define MENU_LABEL_SIZE 128 /* bytes of a label, with its NUL */

/* A row's label in the person's language. */
struct menu_label {
    char text[MENU_LABEL_SIZE];
    char key;  /* that is shown, and answers */
    size_t at; /* of the key in the text; SIZE_MAX: it is not in it */
};

void menu_label_read(const struct menu_row *row, struct menu_label *l);

/* The row of a key of the table; of a key as it is shown; of a word, its first
 * letters where no other row has them, or its key. NULL: there is none. */
const struct menu_row *menu_find(const struct menu_spec *spec, int key);
const struct menu_row *menu_find_shown(const struct menu_spec *spec, int key);
const struct menu_row *menu_find_word(const struct menu_spec *spec,
                                      const char *word);

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
