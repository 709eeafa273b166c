/* SPDX-License-Identifier: GPL-3.0-or-later */
/* recipe_check.h - the linter from inside. */
#ifndef OFFLINE_RECIPE_CHECK_H
#define OFFLINE_RECIPE_CHECK_H

#include "offline/recipe/recipe_line.h"

struct recipe_checking {
    const struct recipe *r;
    struct buf *out;
    size_t n;         /* complaints so far */
    unsigned effects; /* of a job, those that were complained of */
};

/* One complaint: "file:line: id: what". */
void recipe_complain(struct recipe_checking *c, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* recipe_check_words.c: phrases and the slots of phrases. */
void recipe_check_phrases(struct recipe_checking *c);
/* recipe_check_job.c: of a job's step, what it does that the title says nothing
 * of (each effect once: found), what its profile hides from it, and what is
 * known before it runs. */
void recipe_check_job_step(struct recipe_checking *c,
                           const struct recipe_line *l, unsigned *found);
/* recipe_check_quotes.c: whether slots stand in quotes where they should. */
void recipe_check_quotes(struct recipe_checking *c, const char *command);

#endif
