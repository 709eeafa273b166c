/* SPDX-License-Identifier: GPL-3.0-or-later */
/* index_programs.h - the programs that recipes begin with, for the index. */
#ifndef OFFLINE_INDEX_PROGRAMS_H
#define OFFLINE_INDEX_PROGRAMS_H

#include "offline/recipe/programs.h"
#include "offline/recipe/recipe.h"

struct index_program_name {
    char text[PROGRAMS_NAME];
};

/* Sorted, none twice. */
struct index_program_names {
    struct index_program_name *v;
    size_t n;
};

int index_program_names(const struct recipe_book *b,
                        struct index_program_names *out, struct err *e);
void index_program_names_done(struct index_program_names *p);

/* The place of a recipe's own among them. */
uint32_t index_program_find(const struct index_program_names *p,
                            const struct recipe *r);

#endif
