/* SPDX-License-Identifier: GPL-3.0-or-later */
/* policy_pattern.h - the words of a rule: bytes, and stars among them.
 *
 * A word is quoted as in a shell; a `*` that is not quoted stands for any
 * bytes of one word. In a path `*` stands for what is between two slashes, a
 * `**` between two slashes for any number of directories, and at the end for
 * the directory and everything below it. */
#ifndef GUARD_POLICY_PATTERN_H
#define GUARD_POLICY_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define POLICY_PATTERN_MAX 512 /* bytes and stars of one word */

enum policy_base {
    POLICY_BASE_NONE,
    POLICY_BASE_HOME, /* ~/…: tokens begin with the slash */
    POLICY_BASE_HERE, /* ./…: the same */
};

struct policy_pattern {
    char *text; /* without quotes */
    uint16_t *tokens;
    size_t n;
    bool is_path, has_star;
    enum policy_base base;
};

/* Splits a line into words: each is a pattern of a word. A word that begins
 * with # ends it. *at is where to go on; 0: no more words, 1: one, -1:
 * ERR_CONFIG. The caller frees the word by pattern_done. */
int pattern_next(const char **at, struct policy_pattern *out, struct err *e);

/* Makes the pattern of a word one of a path. */
int pattern_to_path(struct policy_pattern *p, struct err *e);
/* Lower case, no dot at the end: a host. */
void pattern_to_host(struct policy_pattern *p);
void pattern_done(struct policy_pattern *p);

/* A word that is `*` and nothing else. */
bool pattern_is_star(const struct policy_pattern *p);

/* Of a path: whether it takes all that is below what it matches. */
bool pattern_takes_below(const struct policy_pattern *p);
/* Of a path: whether it begins with a directory that is known. */
bool pattern_is_rooted(const struct policy_pattern *p);

/* Whether the pattern matches the whole text; `begins`: whether it matches
 * some text that begins so. The base of a path is the caller's matter. Time
 * is in proportion to both lengths. */
bool pattern_matches(const struct policy_pattern *p, const char *text, size_t n,
                     bool begins);

#endif
