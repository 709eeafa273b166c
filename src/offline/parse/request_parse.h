/* SPDX-License-Identifier: GPL-3.0-or-later */
/* request_parse.h - reads a request in plain words: its words and its values.
 *
 * Four folders answer a request without a model. parse/ reads it (here); index/
 * holds the recipes and searches them (recipe.h, index.h); generate/ writes
 * commands where no recipe can (generate.h); engine/ fills slots, ranks the
 * candidates and estimates how sure the answer is (engine.h). None of them
 * starts a process or opens a connection. They use the file system only to see
 * whether a named path exists and whether a program is installed.
 * What can fail: memory and bounds. A request is untrusted text: any bytes make
 * a request, at worst an empty one. */
#ifndef OFFLINE_PARSE_REQUEST_PARSE_H
#define OFFLINE_PARSE_REQUEST_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/seat.h"
#include "offline/parse/slot.h"

/* The most words of a request that are read: a set of them is one uint64_t. */
#define REQUEST_WORDS_MAX 64
#define REQUEST_BYTES_MAX (8u << 10)
#define REQUEST_STEM_MAX  32 /* bytes with the NUL; a longer word is cut */

struct literals; /* generate/literals.h */

struct request_word {
    size_t from, to;              /* bytes [from, to) of text */
    char plain[REQUEST_STEM_MAX]; /* lower case, a typing error corrected */
    char stem[REQUEST_STEM_MAX];  /* what is compared: "deleted", "removing" and
                                     "erase" are all "delete" (lexicon.h); of a
                                     value its type: "{path}" */
    int value; /* index in values; -1: a plain word. A value of several words
                  ("5 MB", "last 2 days") is one word here */
    bool weak; /* the, of, please: a word without meaning for the search */
};

struct request {
    char *text;              /* as it was given, as one line */
    const struct seat *seat; /* of the world that it was read for; or NULL */
    struct request_word words[REQUEST_WORDS_MAX];
    size_t n;
    struct request_value *values;
    size_t n_values;
    const struct literals *literals; /* read once for all generators; NULL: each
                                        generator reads its own */
};

/* What the parser asks about the world; tests supply their own answers. NULL:
 * nothing exists, and no spelling is corrected. */
struct request_world {
    /* who asks, and from where; borrowed while the request lives. NULL: it is
     * about no machine */
    const struct seat *seat;
    /* whether a path exists, and whether it is a directory; NULL: asks the
     * system, in the seat's directory */
    bool (*path)(void *arg, const char *path, bool *is_dir);
    /* the nearest known word to an unknown one, or NULL */
    const char *(*mend)(void *arg, const char *word);
    void *arg;
};

/* Reads a request; the caller frees *out with request_done(). ERR_NOMEM. *out
 * is untouched on failure. */
int request_read(const char *text, const struct request_world *world,
                 struct request *out, struct err *e);
void request_done(struct request *q); /* accepts NULL */

#define REQUEST_NONE ((size_t)-1)

/* The index of the first word with one of these stems, or REQUEST_NONE. stems
 * is a list with blanks, "big large", each as lexicon_stem() gives it. */
size_t request_find(const struct request *q, const char *stems);
bool request_has(const struct request *q, const char *stems);

/* The index of the first of several stems in a row, as "current directory";
 * weak words between them are ignored. REQUEST_NONE when there is no such row.
 */
size_t request_find_row(const struct request *q, const char *row);

/* The value of a word. NULL: a plain word. */
const struct request_value *request_value_of(const struct request *q,
                                             size_t word);

/* Whether a plain word is written as no word of the language is: a name. */
bool request_is_name(const struct request *q, size_t word);

/* Whether the text is a path on another machine: box:/etc, bob@box:file. */
bool request_is_remote_path(const char *text);

/* The set of the words with one of these stems, for a candidate's `used`. */
uint64_t request_set(const struct request *q, const char *stems);

#endif
