/* SPDX-License-Identifier: GPL-3.0-or-later */
/* recipe.h - one recipe, as recipes/README says that it is written.
 *
 * The build reads the text files of recipes/ into a book, checks each recipe
 * and writes the index; the program reads the index alone. */
#ifndef OFFLINE_RECIPE_H
#define OFFLINE_RECIPE_H

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "offline/request/request.h"

#define RECIPE_PHRASES_MIN  3
#define RECIPE_PHRASES_MAX  6
#define RECIPE_COMMANDS_MAX 6 /* other ways, or steps of a job */
#define RECIPE_STEPS_MAX    12
#define RECIPE_SLOTS_MAX    8

/* What following it changes; the linter holds it against the guard. */
enum recipe_risk {
    RECIPE_READS,   /* nothing */
    RECIPE_WRITES,  /* makes or changes files, sends something */
    RECIPE_DELETES, /* something may be lost: the guard calls it destructive */
    RECIPE_ROOT,    /* a normal user cannot complete it */
};

/* What is known without a request when a recipe is filled: {@today}. The
 * command has it as a word, so that what is read and judged is what runs. */
enum recipe_known {
    RECIPE_KNOWN_NONE,  /* it is a slot */
    RECIPE_KNOWN_TODAY, /* {@today}: 2026-11-23 */
    RECIPE_KNOWN_DAY,   /* {@day}: 20261123 */
    RECIPE_KNOWN_HOME,  /* {@home}: of who asks, absolute */
    RECIPE_KNOWN_USER,  /* {@user}: who asks */
};

/* {path}, {path2}, {number:10}, {age.d}, {text!} of a command */
struct recipe_slot {
    enum recipe_known known; /* else nothing below counts but bare */
    enum slot_type type;
    unsigned nth; /* 1, 2, … of its type */
    char unit;    /* that the value is wanted in: the d of {age.d}; of a path
                     its directory, d, or its name there, n; 0 */
    bool bare;    /* {text!}: the command has its own quotes there */
    const char *otherwise; /* what stands there when the request has none;
                              NULL: it must be filled, or stays open. Valid
                              for the call */
};

struct recipe_step {
    const char *description; /* of a job's step; NULL: another way */
    const char *command;     /* with its slots */
};

struct recipe {
    const char *id, *title;
    const char *phrases[RECIPE_PHRASES_MAX];
    size_t n_phrases;
    struct recipe_step steps[RECIPE_STEPS_MAX];
    size_t n_steps;
    bool job;             /* the steps follow each other */
    const char *composer; /* of `compose NAME`: its phrases help that one */
    const char *needs;    /* programs, between blanks; never NULL */
    enum recipe_risk risk;
    const char *file;
    unsigned line;
};

struct recipe_book; /* all recipes of some files, and their text */

struct recipe_book *recipe_book_new(struct err *e);
void recipe_book_free(struct recipe_book *b);
DEFINE_CLEANUP(struct recipe_book, recipe_book_free)

/* Adds a file's stanzas. ERR_USAGE names the file, the line and what is wrong
 * with it; the book is as before then. */
int recipe_book_add(struct recipe_book *b, const char *path, struct err *e);
size_t recipe_book_count(const struct recipe_book *b);
const struct recipe *recipe_book_at(const struct recipe_book *b, size_t i);

/* Calls slot for each {…} of a template, in order. -1: one is wrong. */
int recipe_slots(const char *text,
                 int (*slot)(void *arg, const struct recipe_slot *s,
                             size_t from, size_t to),
                 void *arg, struct err *e);

/* What a reader of a recipe would object to: a command that bash would not
 * read, a slot in phrases that no command has, fewer than three phrases, two
 * the same, a program that `needs` does not name, a risk that the guard sees
 * otherwise, a job that does more than its title says. Appends one line each;
 * 0 when there is none. */
size_t recipe_check(const struct recipe *r, struct buf *complaints);

const char *recipe_risk_name(enum recipe_risk risk);

#endif
