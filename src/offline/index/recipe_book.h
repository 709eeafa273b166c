/* SPDX-License-Identifier: GPL-3.0-or-later */
/* recipe_book.h - the inside of a book of recipes, and the reader of its text.
 *
 * Only recipe.c uses it, and tests that read recipes from memory. */
#ifndef OFFLINE_INDEX_RECIPE_BOOK_H
#define OFFLINE_INDEX_RECIPE_BOOK_H

#include "offline/index/recipe.h"

/* Bounds, far over what people write: a larger file is an error. */
#define RECIPE_BOOK_MAX  4096
#define RECIPE_FILES_MAX 64
#define RECIPE_FILE_MAX  (1u << 20) /* bytes */
#define RECIPE_ROW_MAX   1024       /* bytes of a line */

struct recipe_book {
    struct recipe *v; /* their strings point into `texts` */
    size_t n, room;
    char *
        texts[2 * RECIPE_FILES_MAX]; /* for each file: its path, its contents */
    size_t n_texts;
};

/* Adds the recipes of a text. The text is modified (a NUL ends each string).
 * text and name, which errors use for the file, must outlive the book. */
int recipe_read(struct recipe_book *b, const char *name, char *text,
                struct err *e);

/* The recipe of that name, or NULL. */
const struct recipe *recipe_book_find(const struct recipe_book *b,
                                      const char *id);

#endif
