/* SPDX-License-Identifier: GPL-3.0-or-later */
/* knowledge.h - what is known of programs: this machine's pages, our tables.
 *
 * A page tells what this machine's program can do, in its own words; the
 * table adds what pages do not say in a form that can be read (operands,
 * nested commands) and stands in where there is no page. */
#ifndef OFFLINE_KNOWLEDGE_H
#define OFFLINE_KNOWLEDGE_H

#include <stdbool.h>

#include "offline/manual/page.h"

/* Programs met in one line; one more is not known. */
#define KNOWLEDGE_MAX 128

struct program {
    char *name;                /* as it was asked for */
    bool is_file;              /* by its path: no builtin */
    struct page *page, *table; /* either may be NULL */
};

struct knowledge {
    struct program v[KNOWLEDGE_MAX];
    size_t n;
};

void knowledge_done(struct knowledge *k);

/* What is known of it, nothing at worst; the name may be a path. NULL without
 * memory or room. The pointer is k's. */
const struct program *knowledge_get(struct knowledge *k, const char *name);

bool program_is_known(const struct program *p);
bool program_is_builtin(const struct program *p);

/* What it is, in a few words; "" when nobody says. */
const char *program_summary(const struct program *p);

/* "tar(1)", "bash's builtins", "our table for tar". Appends. */
void program_describe(const struct program *p, struct buf *out);

/* As the functions of page.h: the page first, then the table. */
const struct page_row *program_option(const struct program *p, const char *name,
                                      size_t n, enum option_takes *takes);

/* The row that tells of the option with that value, where the page has one
 * for each sign that a value may begin with: find's "-perm -MODE" and "-perm
 * /MODE". `row`, which is the option's, where it has none. */
const struct page_row *program_option_signed(const struct program *p,
                                             const struct page_row *row,
                                             const char *name, size_t n,
                                             char first);

const struct page_row *program_option_prefix(const struct program *p,
                                             const char *name, size_t n,
                                             enum option_takes *takes);
const struct page_row *program_term(const struct program *p, const char *word,
                                    size_t n);

/* The rest of the quirk's row ("" when there is none), NULL without it. */
const char *program_quirk(const struct program *p, const char *name);

#endif
