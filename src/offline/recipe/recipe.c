/* SPDX-License-Identifier: GPL-3.0-or-later */
/* recipe.c - the book of recipes: files of them, and their text. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "offline/recipe/recipe_book.h"

struct recipe_book *
recipe_book_new(struct err *e)
{
    struct recipe_book *b = calloc(1, sizeof(*b));

    if (!b)
        err_sys(e, "a book of recipes");
    return b;
}

void
recipe_book_free(struct recipe_book *b)
{
    if (!b)
        return;
    for (size_t i = 0; i < b->n_texts; i++)
        free(b->texts[i]);
    free(b->v);
    free(b);
}

/* Both are the book's from here on. */
static int
keep_texts(struct recipe_book *b, char **path, char **text, struct err *e)
{
    if (b->n_texts == 2 * RECIPE_FILES_MAX)
        return err_set(e, ERR_USAGE, "%s: more than %d files", *path,
                       RECIPE_FILES_MAX);
    b->texts[b->n_texts++] = TAKE_PTR(*path);
    b->texts[b->n_texts++] = TAKE_PTR(*text);
    return 0;
}

int
recipe_book_add(struct recipe_book *b, const char *path, struct err *e)
{
    CLEANUP_BUF struct buf bytes = buf_of(RECIPE_FILE_MAX);
    CLEANUP(free_p) char *name = strdup(path);
    CLEANUP(free_p) char *text = NULL;
    size_t before = b->n;

    if (!name)
        return err_sys(e, "%s", path);
    if (file_read(path, &bytes, e) < 0)
        return err_wrap(e, "%s", path);
    if (memchr(bytes.p, '\0', bytes.len))
        return err_set(e, ERR_USAGE, "%s: contains a NUL character", path);
    text = buf_take(&bytes);
    if (!text)
        return err_sys(e, "%s", path);
    if (keep_texts(b, &name, &text, e) < 0)
        return -1;
    if (recipe_read(b, b->texts[b->n_texts - 2], b->texts[b->n_texts - 1], e) ==
        0)
        return 0;
    b->n = before;
    free(b->texts[--b->n_texts]);
    free(b->texts[--b->n_texts]);
    return -1;
}

size_t
recipe_book_count(const struct recipe_book *b)
{
    return b->n;
}

const struct recipe *
recipe_book_at(const struct recipe_book *b, size_t i)
{
    return i < b->n ? &b->v[i] : NULL;
}

const struct recipe *
recipe_book_find(const struct recipe_book *b, const char *id)
{
    for (size_t i = 0; i < b->n; i++)
        if (strcmp(b->v[i].id, id) == 0)
            return &b->v[i];
    return NULL;
}

struct recipe *
recipe_book_more(struct recipe_book *b, struct err *e)
{
    size_t room = b->room ? 2 * b->room : 64;
    struct recipe *more;

    if (b->n == RECIPE_BOOK_MAX) {
        err_set(e, ERR_USAGE, "more than %d recipes", RECIPE_BOOK_MAX);
        return NULL;
    }
    if (b->n == b->room) {
        more = reallocarray(b->v, room, sizeof(*more));
        if (!more) {
            err_sys(e, "the recipes");
            return NULL;
        }
        b->v = more;
        b->room = room;
    }
    b->v[b->n] = (struct recipe){.needs = ""};
    return &b->v[b->n++];
}

const char *
recipe_risk_name(enum recipe_risk risk)
{
    static const char *const names[] = {
        [RECIPE_READS] = "reads",
        [RECIPE_WRITES] = "writes",
        [RECIPE_DELETES] = "deletes",
        [RECIPE_ROOT] = "root",
    };

    return (unsigned)risk <= RECIPE_ROOT ? names[risk] : "?";
}
