/* SPDX-License-Identifier: GPL-3.0-or-later */
/* make_index.c - the build's program that reads recipes: it makes the index,
 * and reports the mistakes in recipes to those who write them. */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "offline/index/index.h"
#include "offline/index/recipe_lint.h"

#define TEXT_BYTES_MAX (64u << 20) /* 11 bytes for 4 of the index */

static int
complain(const struct err *e)
{
    fprintf(stderr, "%s\n", e->text);
    return 1;
}

/* Numbers for an initializer of C: eight a line. There is text among them, so
 * they are right for one order of bytes only. */
static void
write_numbers(const struct buf *index, struct buf *out)
{
    uint32_t number;

    buf_str(out, "#if __BYTE_ORDER__ != ");
    buf_printf(out, "%d\n", __BYTE_ORDER__);
    buf_str(out, "#error\n#endif\n");
    for (size_t i = 0; i + sizeof(number) <= index->len; i += sizeof(number)) {
        memcpy(&number, index->p + i, sizeof(number));
        buf_printf(out, "0x%x,%c", number, i % 32 == 28 ? '\n' : ' ');
    }
    buf_ch(out, '\n');
}

static int
make(const struct recipe_book *book, const char *path)
{
    CLEANUP_BUF struct buf index = buf_of(INDEX_BYTES_MAX);
    CLEANUP_BUF struct buf text = buf_of(TEXT_BYTES_MAX);
    struct err e = {0};

    if (index_build(book, &index, &e) < 0)
        return complain(&e);
    write_numbers(&index, &text);
    if (buf_ok(&text, path, &e) < 0 ||
        file_write(path, text.p, text.len, 0644, &e) < 0)
        return complain(&e);
    return 0;
}

static int
check_book(const struct recipe_book *book)
{
    CLEANUP_BUF struct buf complaints = buf_of(TEXT_BYTES_MAX);
    size_t n = 0;

    for (size_t i = 0; i < recipe_book_count(book); i++)
        n += recipe_lint(recipe_book_at(book, i), &complaints);
    fputs(complaints.p, stdout);
    printf("%zu recipes, %zu complaints\n", recipe_book_count(book), n);
    return n > 0;
}

static int
list(const struct recipe_book *book)
{
    for (size_t i = 0; i < recipe_book_count(book); i++) {
        const struct recipe *r = recipe_book_at(book, i);
        struct recipe_heads heads;
        struct err e = {0};

        if (recipe_heads_of(r, &heads, &e) < 0)
            return complain(&e);
        printf("%s\t%s\t", r->id, r->title);
        for (size_t k = 0; k < heads.n; k++)
            printf("%s%s", k > 0 ? " " : "", heads.v[k].name);
        putchar('\n');
    }
    return 0;
}

int
main(int argc, char **argv)
{
    CLEANUP(recipe_book_free_p) struct recipe_book *book = NULL;
    struct err e = {0};
    const char *how = argc > 2 ? argv[1] : "";
    bool makes = strcmp(how, "--make") == 0;
    int bad = 0;

    if (!makes && strcmp(how, "--check") != 0 && strcmp(how, "--list") != 0) {
        fputs("usage: make_index --make OUT FILE... | --check FILE... | "
              "--list FILE...\n",
              stderr);
        return 2;
    }
    book = recipe_book_new(&e);
    if (!book)
        return complain(&e);
    for (int i = makes ? 3 : 2; i < argc; i++)
        if (recipe_book_add(book, argv[i], &e) < 0)
            bad = complain(&e);
    if (makes)
        return bad ? bad : make(book, argv[2]);
    return (strcmp(how, "--list") == 0 ? list(book) : check_book(book)) || bad;
}
