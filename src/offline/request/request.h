/* SPDX-License-Identifier: GPL-3.0-or-later */
/* request.h - a wish in everyday words, cut into words and literals.
 *
 * Four folders answer a wish without a model. request/ reads it (here);
 * recipe/ knows the recipes and searches them (recipe.h, index.h); compose/
 * makes commands to measure (compose.h); wish/ fills slots, ranks what results
 * and says how sure it is (engine.h). None starts a process or opens a
 * connection; they look at the file system only to learn whether a path that
 * was named exists and whether a program is installed.
 * What can fail: memory and bounds. A request is untrusted text: any bytes
 * give a request, at worst an empty one. */
#ifndef OFFLINE_REQUEST_H
#define OFFLINE_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "offline/request/slot.h"

/* Words of a request that are looked at: a set of them is one uint64_t. */
#define REQUEST_WORDS_MAX 64
#define REQUEST_BYTES_MAX (8u << 10)
#define REQUEST_STEM_MAX  32 /* bytes with the NUL; a longer word is cut */

struct literals; /* compose/literals.h */

struct request_word {
    size_t from, to;              /* bytes of text: [from, to) */
    char plain[REQUEST_STEM_MAX]; /* lower case, its typing error mended */
    char stem[REQUEST_STEM_MAX];  /* what is compared: "deleted" and "removing"
                                     and "erase" are all "delete" (words.h);
                                     of a literal its slot: "{path}" */
    int value; /* of values; -1: a plain word. A literal of several words
                  ("5 MB", "last 2 days") is one word here */
    bool weak; /* the, of, please: says nothing */
};

struct request {
    char *text; /* as it came, one line */
    struct request_word words[REQUEST_WORDS_MAX];
    size_t n;
    struct request_value *values;
    size_t n_values;
    const struct literals *literals; /* as composers read them, for all of them
                                        at once; NULL: each reads its own */
};

/* What the request needs of the world; tests have their own. NULL: this
 * machine and the working directory, and nothing is mended. */
struct request_world {
    /* whether a path is there, and whether it is a directory; NULL: as this
     * machine has it */
    bool (*path)(void *arg, const char *path, bool *is_dir);
    /* the nearest word that recipes know, for one that nobody knows: NULL */
    const char *(*mend)(void *arg, const char *word);
    void *arg;
};

int request_read(const char *text, const struct request_world *world,
                 struct request *out, struct err *e);
void request_done(struct request *q); /* accepts NULL */

#define REQUEST_NONE ((size_t)-1)

/* Where the first word of that stem is; REQUEST_NONE. The stems argument is a
 * list between blanks: request_find(q, "big large"), each written as
 * words_stem() gives it. */
size_t request_find(const struct request *q, const char *stems);
bool request_has(const struct request *q, const char *stems);

/* Stems that follow each other, weak words between them passed over:
 * request_find_row(q, "current directory"). */
size_t request_find_row(const struct request *q, const char *row);

/* The k-th value (0 is the first) that may be of that type, from word `from`
 * on; its place in words, or REQUEST_NONE. */
size_t request_value_at(const struct request *q, enum slot_type type,
                        size_t from, unsigned k);
const struct request_value *request_value_of(const struct request *q,
                                             size_t word); /* NULL: plain */

/* Whether a plain word was written as none of the language is: a name. */
bool request_is_name(const struct request *q, size_t word);

/* box:/etc, bob@box:file: on another machine. */
bool request_is_remote_path(const char *text);

/* The set of words of that list, for what a candidate has used. */
uint64_t request_set(const struct request *q, const char *stems);

#endif
