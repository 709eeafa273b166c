/* SPDX-License-Identifier: GPL-3.0-or-later */
/* page.h - what a manual page, or a table of ours, says about a program.
 *
 * A page is kept as text, one fact a line, fields between tabs: pages read
 * from the machine, the cache on disk and the tables that are compiled in
 * have this one form and this one reader.
 *
 *     N  name  section  what it is
 *     S  a line of the synopsis, plain
 *     O  spellings  value  meaning      "-f: --file:": a value follows,
 *                                       "--color::": it may be attached;
 *                                       the value's name in marks
 *     T  word  rest  meaning            a subcommand, "if=", a bare letter
 *     P  operand  conditions  meaning   tables only: see tables/README
 *     Q  quirks                         tables only
 *     D  sentence  conditions           tables only: see tables/README
 *     V  option  conditions  meaning    tables only: see tables/README
 *     B  name  synopsis  meaning        bash(1): its S and O rows follow
 */
#ifndef OFFLINE_PAGE_H
#define OFFLINE_PAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "offline/manual/spelling.h"

/* Round the name of an option's value in its meaning. */
#define PAGE_VALUE_ON  '\001'
#define PAGE_VALUE_OFF '\002'

#define PAGE_BYTES_MAX (2 * 1024 * 1024)
#define PAGE_ROWS_MAX  8192

struct page_row {
    char kind;
    const char *field[3]; /* "" where there is none */
};

struct page {
    char *bytes; /* what the rows point into */
    const char *name, *section, *summary;
    struct page_row *rows; /* all but N */
    size_t n;              /* of the page's own: those before the first B */
    size_t n_all;
    bool is_table; /* ours, not of this machine */
};

/* Reads a page's text form; takes `bytes` over, also when it fails. Lines it
 * does not know are passed over. NULL without memory or without an N line. */
struct page *page_new(char *bytes, struct err *e);
void page_free(struct page *p);
DEFINE_CLEANUP(struct page, page_free)

/* What bash's page says of one of its builtins, as a page of its own that the
 * caller frees; NULL when it says nothing of it. */
struct page *page_builtin(const struct page *bash, const char *name);

/* The first of bash's builtins that has the option; *builtin is its name. */
const struct page_row *page_builtin_option(const struct page *bash,
                                           const char *name, size_t n,
                                           const char **builtin);

/* The row of the option spelled exactly so; *takes says what it takes. One
 * with a meaning is preferred. NULL when there is none. */
const struct page_row *page_option(const struct page *p, const char *name,
                                   size_t n, enum option_takes *takes);

/* Whether that is one of the row's spellings. */
bool page_row_names(const struct page_row *row, const char *name, size_t n);

/* The one long option that begins so: "--ext". NULL when none or several. */
const struct page_row *page_option_prefix(const struct page *p,
                                          const char *name, size_t n,
                                          enum option_takes *takes);

/* The T row of that word. */
const struct page_row *page_term(const struct page *p, const char *word,
                                 size_t n);

/* "tar(1)", "our table for tar". Appends. */
void page_describe(const struct page *p, struct buf *out);

#endif
