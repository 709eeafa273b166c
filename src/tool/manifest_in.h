/* SPDX-License-Identifier: GPL-3.0-or-later */
/* manifest_in.h - reading a manifest member by member, for manifest.c alone.
 *
 * An object's members are rows of a table: a row says how its value is read
 * and where in a struct it goes. What no row names is a fault. */
#ifndef TOOL_MANIFEST_IN_H
#define TOOL_MANIFEST_IN_H

#include "tool/manifest.h"

/* Where in the file the reader is: a chain on the stack up to the root. */
struct manifest_spot {
    const struct manifest_spot *up; /* NULL: the root */
    const char *name;               /* of a member; NULL: an element */
    size_t index;
};

/* One value at a spot, into out. */
typedef int manifest_reader(const struct json *v,
                            const struct manifest_spot *at, void *out,
                            struct err *e);

struct manifest_member {
    const char *name;
    manifest_reader *read;
    size_t offset; /* in the struct that the object becomes */
    bool needed;
};

/* rows ends with name NULL. at NULL: the root. */
int manifest_members(const struct json *object, const struct manifest_spot *at,
                     const struct manifest_member *rows, void *out,
                     struct err *e);

/* "needs.read[2]: REASON"; returns -1 with ERR_INVALID. */
int manifest_fault(const struct manifest_spot *at, struct err *e,
                   const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* A string without control characters, at most max bytes and not empty; NULL
 * and a fault when it is none. */
const char *manifest_string(const struct json *v,
                            const struct manifest_spot *at, size_t max,
                            struct err *e);

/* Each element of a list of strings by `one`, which gets a const char **.
 * list holds MANIFEST_LIST_MAX and a NULL. */
int manifest_list(const struct json *v, const struct manifest_spot *at,
                  manifest_reader *one, const char **list, struct err *e);

/* out: a const char * (a sentence, one line); a bool. */
manifest_reader manifest_take_sentence, manifest_take_bool;

manifest_reader manifest_take_needs;   /* struct manifest_needs */
manifest_reader manifest_take_actions; /* struct manifest */

/* Names a file or directory in front; of a long path the end. Returns -1. */
int manifest_blame(struct err *e, const char *where);

/* The rows of the whole, of needs and of an action: for those and for who
 * compares them with the manual. */
const struct manifest_member *manifest_rows(void);
const struct manifest_member *manifest_needs_rows(void);
const struct manifest_member *manifest_action_rows(void);

/* Whether what is run for words may be so: its arguments become variables. */
int manifest_check_words(const struct manifest *m, struct err *e);

void manifest_actions_done(struct manifest *m);

#endif
