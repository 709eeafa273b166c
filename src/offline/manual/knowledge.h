/* SPDX-License-Identifier: GPL-3.0-or-later */
/* knowledge.h - what is known about programs, from manual pages and tables.
 *
 * manual/ is what agentsh knows about programs without running them. A manual
 * page describes the program of this machine in its own words. A built-in table
 * (tables/) adds what pages do not say in a form that can be read, such as
 * operands and commands inside commands, and is used alone where there is no
 * page.
 * manual/ must not run man or any other program; it reads pages itself (roff.h,
 * blocks.h, harvest.h). What can fail: memory. A page that is missing, damaged
 * or hostile is no error: the program is then less known. */
#ifndef OFFLINE_MANUAL_KNOWLEDGE_H
#define OFFLINE_MANUAL_KNOWLEDGE_H

#include <stdbool.h>

#include "offline/manual/page.h"

/* The most programs of one struct knowledge; further ones are not known. */
#define KNOWLEDGE_MAX 128

struct known_program {
    char *name;                /* as it was asked for, perhaps a path */
    bool is_file;              /* named by a path, so that it is no builtin */
    struct page *page, *table; /* either may be NULL */
    bool table_first;          /* the table is the person's language */
};

struct knowledge {
    const struct seat *seat; /* whose manual pages are read; borrowed */
    struct known_program v[KNOWLEDGE_MAX];
    size_t n;
    bool person; /* in the person's language: tables are translated, and go
                    before manual pages, which are not */
};

void knowledge_done(struct knowledge *k); /* accepts NULL */

/* Loads what is known about a program, which may be nothing; k->seat is set.
 * The name may be a path. The result is k's and is loaded once. NULL without
 * memory, or when k is full. */
const struct known_program *knowledge_get(struct knowledge *k,
                                          const char *name);

/* Whether there is a page or a table. Accepts NULL. */
bool program_is_known(const struct known_program *p);

/* Whether the name is a builtin of bash. */
bool program_is_builtin(const struct known_program *p);

/* What it is, in a few words; "" when neither page nor table says so. */
const char *program_summary(const struct known_program *p);

/* Appends the name of the source: "tar(1)", "cd in bash(1)", "bash builtin",
 * "our table for tar". */
void program_describe(const struct known_program *p, struct buf *out);

/* The functions of page.h over both: the page first, then the table; the other
 * way round where the table is in the person's language. */
const struct page_row *program_option(const struct known_program *p,
                                      const char *name, size_t n,
                                      enum option_takes *takes);

/* The row for an option whose value begins with the byte `first`. Some pages
 * have one row for each sign, as find's "-perm -MODE" and "-perm /MODE". Where
 * there is no such row, `row`, the option's own, is returned. */
const struct page_row *program_option_signed(const struct known_program *p,
                                             const struct page_row *row,
                                             const char *name, size_t n,
                                             char first);

const struct page_row *program_option_prefix(const struct known_program *p,
                                             const char *name, size_t n,
                                             enum option_takes *takes);
const struct page_row *program_term(const struct known_program *p,
                                    const char *word, size_t n);

/* What follows the name in the Q row of that quirk, "" when nothing does. NULL
 * when the table has no such quirk. */
const char *program_quirk(const struct known_program *p, const char *name);

#endif
