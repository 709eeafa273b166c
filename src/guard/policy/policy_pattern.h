/* SPDX-License-Identifier: GPL-3.0-or-later */
/* policy_pattern.h - matches the words of a rule: bytes, and stars among them.
 *
 * A word is quoted as in a shell; an unquoted `*` stands for any bytes of one
 * word. In a path, `*` stands for the bytes between two slashes, `**` between
 * two slashes for any number of directories, and `**` at the end for the
 * directory and everything below it. */
#ifndef GUARD_POLICY_POLICY_PATTERN_H
#define GUARD_POLICY_POLICY_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define POLICY_PATTERN_MAX 512 /* bytes and stars of one word */

enum policy_base {
    POLICY_BASE_NONE,
    POLICY_BASE_HOME, /* ~/…: the tokens begin with the slash */
    POLICY_BASE_HERE, /* ./…: likewise */
};

struct policy_pattern {
    char *text; /* without its quotes */
    uint16_t *tokens;
    size_t n;
    bool is_path, has_star;
    enum policy_base base;
};

/* Reads the next word of a line as a pattern; a word that begins with # ends
 * the line. *at moves behind the word. 1: out is a word, which the caller
 * releases with policy_pattern_done; 0: there are no more; -1: ERR_CONFIG. */
int policy_pattern_next(const char **at, struct policy_pattern *out,
                        struct err *e);

/* Turns the pattern of a word into one of a path. */
int policy_pattern_to_path(struct policy_pattern *p, struct err *e);
/* Turns it into one of a host: lower case, without a final dot. */
void policy_pattern_to_host(struct policy_pattern *p);
void policy_pattern_done(struct policy_pattern *p);

/* Whether the word is a single `*`. */
bool policy_pattern_is_star(const struct policy_pattern *p);

/* Of a path: whether it also matches everything below what it matches. */
bool policy_pattern_takes_below(const struct policy_pattern *p);
/* Of a path: whether it begins with a known directory. */
bool policy_pattern_is_rooted(const struct policy_pattern *p);

/* Whether the pattern matches the whole text, or, with `begins`, some text that
 * begins with it. The caller handles the pattern's base. The time is
 * proportional to the product of both lengths at most. */
bool policy_pattern_matches(const struct policy_pattern *p, const char *text,
                            size_t n, bool begins);

#endif
