/* SPDX-License-Identifier: GPL-3.0-or-later */
/* glob.h - patterns of file names as bash has them without extglob.
 *
 * Our own, so that it reads only, is bounded in entries and time, and takes
 * no longer than the pattern's length times the name's. A pattern is text in
 * which * ? and […] mean what they mean to bash and a backslash takes the
 * meaning from what follows. */
#ifndef GUARD_GLOB_H
#define GUARD_GLOB_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/cleanup.h"

/* What one look at the file system may still cost. */
struct glob_limit {
    int64_t until_us; /* clock_us() */
    size_t entries;   /* of directories */
    bool more;        /* one of them was met: what was found is not all */
};

/* False, with more set, when nothing is left. */
bool glob_limit_take(struct glob_limit *l);

/* Paths or patterns, each allocated. */
struct glob_list {
    char **v;
    size_t n, room, bytes;
    bool more; /* a bound below was reached, or no memory */
};

#define GLOB_LIST_MAX   20000
#define GLOB_LIST_BYTES (8 * 1024 * 1024)

bool glob_list_add(struct glob_list *l, const char *text, size_t n);
void glob_list_done(struct glob_list *l);

/* Whether one component of a path matches. A name that begins with a dot
 * needs a pattern that does. */
bool glob_match(const char *pattern, const char *name);
/* The same without that rule, as find and git have it. */
bool glob_match_any(const char *pattern, const char *name);

/* Whether some * ? or [ in it has its meaning. */
bool glob_is_pattern(const char *pattern, size_t n);

/* Whether a component matches every name, or every one that begins with a
 * dot: *, .*, ?*, *.*, .[!.]* */
bool glob_matches_all(const char *component, size_t n);

/* Appends the text with a backslash before all that has a meaning; and the
 * other way. */
void glob_quote(struct buf *out, const char *text, size_t n);
void glob_unquote(struct buf *out, const char *pattern, size_t n);

/* The paths that match an absolute pattern, sorted. A directory's name is
 * followed through links, as bash does. None: bash leaves it as it is. */
void glob_expand(const char *pattern, struct glob_limit *limit,
                 struct glob_list *out);

/* The alternatives of {a,b} and {1..9} in a word as it is written: its
 * quotes and backslashes stay. At most GLOB_LIST_MAX; a word without braces
 * is itself. */
void glob_braces(const char *word, struct glob_list *out);

#endif
