/* SPDX-License-Identifier: GPL-3.0-or-later */
/* page.h - what a manual page, or a built-in table, says about a program.
 *
 * A page is a text with one fact per line and a tab between fields. Pages of
 * the machine, the cache on disk and the built-in tables all have this form,
 * and this file reads it. What can fail: memory, and a text without an N line.
 *
 *     N  name  section  what it is
 *     S  a line of the synopsis, plain
 *     O  spellings  value  meaning      "-f: --file:": a value follows;
 *                                       "--color::": it may be attached; the
 *                                       meaning has the value's name in marks
 *     T  word  rest  meaning            a subcommand, "if=", a bare letter
 *     P  operand  conditions  meaning   only in tables: tables/README
 *     Q  quirks                         only in tables
 *     D  sentence  conditions           only in tables: tables/README
 *     V  option  conditions  meaning    only in tables: tables/README
 *     B  name  synopsis  meaning        a builtin in bash(1): its S and O rows
 * follow
 */
#ifndef OFFLINE_MANUAL_PAGE_H
#define OFFLINE_MANUAL_PAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "offline/manual/spelling.h"

/* The marks around the name of an option's value in the meaning. */
#define PAGE_VALUE_ON  '\001'
#define PAGE_VALUE_OFF '\002'

#define PAGE_BYTES_MAX (2 * 1024 * 1024)
#define PAGE_ROWS_MAX  8192

struct page_row {
    char kind;
    const char *field[3]; /* "" where there is none */
};

struct page {
    char *bytes; /* owned; the rows point into it */
    const char *name, *section, *summary;
    struct page_row *rows; /* all rows but N */
    size_t n;              /* rows before the first B: the page's own */
    size_t n_all;
    bool is_table; /* built in, not a page of this machine */
};

/* Reads the text form of a page. Takes `bytes` over, also on failure; bytes may
 * be NULL (no memory). Unknown lines are skipped. ERR_NOMEM; ERR_PARSE without
 * an N line. */
struct page *page_new(char *bytes, struct err *e);
void page_free(struct page *p);
DEFINE_CLEANUP(struct page, page_free)

/* Puts the person's language in place of what a table says. */
void page_translate(struct page *p);

/* Puts the person's language in place of what a table says. */
void page_translate(struct page *p);

/* What the page of bash says about one of its builtins, as a page that the
 * caller frees. NULL when it does not describe the builtin. */
struct page *page_builtin(const struct page *bash, const char *name);

/* The option of the first builtin of bash that has it, or NULL; *builtin is the
 * name of that builtin. */
const struct page_row *page_builtin_option(const struct page *bash,
                                           const char *name, size_t n,
                                           const char **builtin);

/* The row of the option with exactly that spelling, or NULL; *takes is whether
 * it takes a value. A row with a meaning is preferred to one without. */
const struct page_row *page_option(const struct page *p, const char *name,
                                   size_t n, enum option_takes *takes);

/* Whether name[0..n) is one of the spellings of the row. */
bool page_row_names(const struct page_row *row, const char *name, size_t n);

/* The only long option that begins with name[0..n), as "--ext". NULL when there
 * is none, or more than one. */
const struct page_row *page_option_prefix(const struct page *p,
                                          const char *name, size_t n,
                                          enum option_takes *takes);

/* The T row of that word, or NULL. */
const struct page_row *page_term(const struct page *p, const char *word,
                                 size_t n);

/* Appends the name of the source: "tar(1)", "our table for tar". */
void page_describe(const struct page *p, struct buf *out);

#endif
