/* SPDX-License-Identifier: GPL-3.0-or-later */
/* recipe.h - a recipe: phrases that ask for it, and the commands that do it.
 *
 * recipes/README has the format of the text files. At build time they are read
 * into a book, each recipe is checked (recipe_lint()) and the index is built.
 * The program itself reads only the index. */
#ifndef OFFLINE_INDEX_RECIPE_H
#define OFFLINE_INDEX_RECIPE_H

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "offline/parse/request_parse.h"

#define RECIPE_PHRASES_MIN  3
#define RECIPE_PHRASES_MAX  6
#define RECIPE_COMMANDS_MAX 6 /* alternatives, or steps of a job */
#define RECIPE_STEPS_MAX    12
#define RECIPE_SLOTS_MAX    8

/* What the commands change. The linter compares it with what the guard reads.
 */
enum recipe_risk {
    RECIPE_READS,   /* nothing */
    RECIPE_WRITES,  /* creates or changes files, or sends data */
    RECIPE_DELETES, /* data may be lost: the guard calls it destructive */
    RECIPE_ROOT,    /* it needs root */
};

/* Values that are known without a request: {@today}. They are put into the
 * command as words, so that what is reviewed is what runs. */
enum recipe_known {
    RECIPE_KNOWN_NONE,  /* none: it is a slot */
    RECIPE_KNOWN_TODAY, /* {@today}: 2026-11-23 */
    RECIPE_KNOWN_DAY,   /* {@day}: 20261123 */
    RECIPE_KNOWN_HOME,  /* {@home}: the user's home directory, absolute */
    RECIPE_KNOWN_USER,  /* {@user}: the user's name */
};

/* A slot of a template: {path}, {path2}, {number:10}, {age.d}, {text!}. */
struct recipe_slot {
    enum recipe_known known; /* not NONE: only bare counts below */
    enum slot_type type;
    unsigned nth; /* 1, 2, … of its type */
    char unit;    /* the d of {age.d}: the unit of the value; for a path, d: its
                     directory, n: its name in there; 0: as it is */
    bool bare;    /* {text!}: the command has quotes of its own around it */
    const char *otherwise; /* used when the request has no value; NULL: then the
                              slot stays open. Valid during the call */
};

struct recipe_step {
    const char *description; /* of a step of a job; NULL: an alternative */
    const char *command;     /* a template with slots */
};

struct recipe {
    const char *id, *title;
    const char *phrases[RECIPE_PHRASES_MAX];
    size_t n_phrases;
    struct recipe_step steps[RECIPE_STEPS_MAX];
    size_t n_steps;
    bool job;              /* the steps run one after the other */
    const char *generator; /* of a `compose NAME` row: its phrases are for
                              that generator; else NULL */
    const char *needs;     /* programs, separated by blanks; never NULL */
    enum recipe_risk risk;
    const char *file;
    unsigned line;
};

struct recipe_book; /* the recipes of some files, with their texts */

struct recipe_book *recipe_book_new(struct err *e);
void recipe_book_free(struct recipe_book *b);
DEFINE_CLEANUP(struct recipe_book, recipe_book_free)

/* Adds the recipes of a file. ERR_USAGE names the file, the line and the
 * mistake; the book is unchanged then. */
int recipe_book_add(struct recipe_book *b, const char *path, struct err *e);
size_t recipe_book_count(const struct recipe_book *b);
const struct recipe *recipe_book_at(const struct recipe_book *b, size_t i);

/* Calls slot() for each {...} of a template in order, with its bytes [from,
 * to). Returns -1 when one is malformed or slot() returned -1. */
int recipe_slots(const char *text,
                 int (*slot)(void *arg, const struct recipe_slot *s,
                             size_t from, size_t to),
                 void *arg, struct err *e);

/* Checks a recipe: a command that bash cannot parse, a slot that only phrases
 * have, fewer than three phrases, two equal ones, a program that `needs` does
 * not name, a risk that the guard reads otherwise, a job that does more than
 * its title says. Appends a line for each fault and returns how many there are.
 */
size_t recipe_lint(const struct recipe *r, struct buf *complaints);

const char *recipe_risk_name(enum recipe_risk risk);

#endif
