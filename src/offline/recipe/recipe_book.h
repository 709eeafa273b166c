/* SPDX-License-Identifier: GPL-3.0-or-later */
/* recipe_book.h - the book from inside, for those who read recipes into it. */
#ifndef OFFLINE_RECIPE_BOOK_H
#define OFFLINE_RECIPE_BOOK_H

#include "offline/recipe/recipe.h"

/* Far over what people write; a file that passes one is not ours. */
#define RECIPE_BOOK_MAX  4096
#define RECIPE_FILES_MAX 64
#define RECIPE_FILE_MAX  (1u << 20) /* bytes */
#define RECIPE_ROW_MAX   1024       /* bytes of a line */

struct recipe_book {
    struct recipe *v; /* their texts live in `texts` */
    size_t n, room;
    char *texts[2 * RECIPE_FILES_MAX]; /* of each file: its path, its lines */
    size_t n_texts;
};

/* Adds the stanzas of text, which is written to (a NUL ends each string) and
 * must live as long as the book, as must name: what complaints call it. */
int recipe_read(struct recipe_book *b, const char *name, char *text,
                struct err *e);

/* The recipe of that name, NULL. */
const struct recipe *recipe_book_find(const struct recipe_book *b,
                                      const char *id);
/* A new recipe at the end, all zero; NULL: no room. Valid until the next. */
struct recipe *recipe_book_more(struct recipe_book *b, struct err *e);

#endif
