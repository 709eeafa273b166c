/* SPDX-License-Identifier: GPL-3.0-or-later */
/* glob.h - expands patterns of file names as bash does without extglob.
 *
 * libc's glob() is not used: this one only reads, has bounds on entries and
 * time, and takes at most the product of the pattern's and the name's length.
 * In a pattern, * ? and […] have bash's meaning, and a backslash takes the
 * meaning from the byte that follows. */
#ifndef GUARD_EFFECTS_GLOB_H
#define GUARD_EFFECTS_GLOB_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/cleanup.h"

/* What an expansion may still cost. */
struct glob_limit {
    int64_t until_us; /* clock_us() at which it stops */
    size_t entries;   /* of directories */
    bool more;        /* a limit was reached: the result is not complete */
    const atomic_bool *unwanted; /* worker_is_unwanted, which is a limit, too */
};

/* Takes one entry; false, with more set, when a limit is reached. */
bool glob_limit_take(struct glob_limit *l);

/* Paths or patterns, each allocated. */
struct glob_list {
    char **v;
    size_t n, room, bytes;
    bool more; /* a bound below was reached, or memory ran out */
};

#define GLOB_LIST_MAX   20000
#define GLOB_LIST_BYTES (8 * 1024 * 1024)

bool glob_list_add(struct glob_list *l, const char *text, size_t n);
void glob_list_done(struct glob_list *l);

/* Whether a pattern matches one component of a path. A name that begins with a
 * dot needs a pattern that does. */
bool glob_match(const char *pattern, const char *name);
/* The same without the rule about dots, as find and git match. */
bool glob_match_any(const char *pattern, const char *name);

/* Whether an unescaped * ? or [ stands in it. */
bool glob_is_pattern(const char *pattern, size_t n);

/* Whether a component matches every name, or every name that begins with a dot:
 * *, .*, ?*, *.*, .[!.]* */
bool glob_matches_all(const char *component, size_t n);

/* Append the text with its special bytes escaped, or with the escapes
 * removed. */
void glob_quote(struct buf *out, const char *text, size_t n);
void glob_unquote(struct buf *out, const char *pattern, size_t n);

/* Appends the paths that match an absolute pattern, sorted. Links to
 * directories are followed, as bash does. No match appends nothing. */
void glob_expand(const char *pattern, struct glob_limit *limit,
                 struct glob_list *out);

/* Appends the alternatives of {a,b} and {1..9} in a word as it is written: its
 * quotes and backslashes stay. At most GLOB_LIST_MAX; a word without braces is
 * its only alternative. */
void glob_braces(const char *word, struct glob_list *out);

#endif
