/* SPDX-License-Identifier: GPL-3.0-or-later */
/* recipe_line.h - a recipe's command as the guard reads it; for the linter. */
#ifndef OFFLINE_RECIPE_LINE_H
#define OFFLINE_RECIPE_LINE_H

#include "guard/risk/risk.h"
#include "offline/recipe/recipe_example.h"

struct recipe_line {
    struct buf text; /* with examples in its slots */
    struct recipe_fills fills;
    struct syntax syntax;
    struct risk risk;
};

/* Where examples stand: a directory and a home that are not there. */
struct risk_context recipe_line_place(void);

/* What it would do in a directory where nothing is. out needs
 * recipe_line_done in any case. */
int recipe_line_read(const char *command, struct recipe_line *out,
                     struct err *e);
void recipe_line_done(struct recipe_line *l); /* accepts NULL */

#define RECIPE_HEADS_MAX 64

struct recipe_head {
    char name[64];
    bool must; /* it runs here; else where a host or a container is */
};

/* The programs that commands start, each once; builtins and what an expansion
 * decides are left out. */
struct recipe_heads {
    struct recipe_head v[RECIPE_HEADS_MAX];
    size_t n;
};

void recipe_heads_add(struct recipe_heads *h, const struct recipe_line *l);
/* Of all commands of a recipe. */
int recipe_heads_of(const struct recipe *r, struct recipe_heads *h,
                    struct err *e);

#endif
