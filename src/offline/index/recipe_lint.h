/* SPDX-License-Identifier: GPL-3.0-or-later */
/* recipe_lint.h - the linter from inside: recipes read by the guard, reports.
 *
 * recipe_lint() of recipe.h checks one recipe. Its commands are read by the
 * guard in a directory that does not exist, so that the machine which checks
 * makes no difference. */
#ifndef OFFLINE_INDEX_RECIPE_LINT_H
#define OFFLINE_INDEX_RECIPE_LINT_H

#include "guard/risk/risk.h"
#include "offline/index/recipe_example.h"

struct recipe_line {
    struct buf text; /* the command with examples in its slots */
    struct recipe_fills fills;
    struct syntax syntax;
    struct risk risk;
};

/* The place where examples are: a directory and a home that do not exist. */
struct path_context recipe_line_place(void);

/* Reads what the command would do in an empty directory. out needs
 * recipe_line_done() also when this fails. */
int recipe_line_read(const char *command, struct recipe_line *out,
                     struct err *e);
void recipe_line_done(struct recipe_line *l); /* accepts NULL */

#define RECIPE_HEADS_MAX 64

struct recipe_head {
    char name[64];
    bool must; /* it must be installed here; false: it runs on another host or
                  in a container */
};

/* The programs that commands start, each once. Builtins and names that an
 * expansion makes are left out. */
struct recipe_heads {
    struct recipe_head v[RECIPE_HEADS_MAX];
    size_t n;
};

/* Adds the programs of one command. */
void recipe_heads_add(struct recipe_heads *h, const struct recipe_line *l);

/* Collects the programs of all commands of a recipe. */
int recipe_heads_of(const struct recipe *r, struct recipe_heads *h,
                    struct err *e);

struct recipe_lint {
    const struct recipe *r;
    struct buf *out;
    size_t n;         /* reports so far */
    unsigned effects; /* of a job: those that were reported */
};

/* Appends one report: "file:line: id: what". */
void recipe_lint_report(struct recipe_lint *c, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Checks one step of a job: it may have no effect that the title does not
 * announce (each effect is reported once; *found is the set of those seen),
 * its sandbox profile must not hide what it works on, and what is known before
 * it runs must be written out. */
void recipe_lint_job_step(struct recipe_lint *c, const struct recipe_line *l,
                          unsigned *found);

#endif
