/* SPDX-License-Identifier: GPL-3.0-or-later */
/* schema_rule.h - what the files of the schema check share: a loaded schema, a
 * check under way, and a keyword as a row of a table. Only json/ includes this.
 */
#ifndef JSON_SCHEMA_RULE_H
#define JSON_SCHEMA_RULE_H

#include <regex.h>

#include "base/buf.h"
#include "json/schema.h"

struct schema_pattern {
    const struct json *text; /* the keyword's argument, by its address */
    regex_t compiled;
};

struct json_schema {
    const struct json *root;
    struct schema_pattern *patterns; /* in no order; schemas have few */
    size_t n_patterns;
};

/* A place in the value: a chain on the stack up to the root. */
struct schema_path {
    const struct schema_path *up;
    const struct json *member; /* of an object, else NULL */
    size_t index;              /* of an array */
};

struct schema_check {
    const struct json_schema *schema;
    unsigned flags;
    struct err *e;
    size_t steps;       /* pairs of schema and value checked so far */
    size_t depth;       /* of nested pairs */
    size_t fault_level; /* the depth in the value of the error in e */
    bool gave_up;       /* a limit was reached: no alternative is tried */
};

/* A keyword. Its argument is arg, a member of schema. load returns -1 with an
 * error when arg is not valid; check when the value v at `at` does not match.
 */
struct schema_rule {
    const char *keyword;
    int (*load)(struct json_schema *s, const struct json *arg, struct err *e);
    int (*check)(struct schema_check *c, const struct json *schema,
                 const struct json *arg, const struct json *v,
                 const struct schema_path *at); /* NULL: nothing to check */
};

/* Sets c->e to the place and the reason. Returns -1. */
int schema_error(struct schema_check *c, const struct schema_path *at,
                 const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* The keywords for strings and numbers: minLength, pattern, minimum, …; the
 * last row's keyword is NULL. */
const struct schema_rule *schema_scalar_rules(void);

/* Whether v is a whole number, 0 or more. */
bool schema_is_size(const struct json *v, size_t *out);

/* Loads the argument of a keyword that takes such a number. */
int schema_load_size(struct json_schema *s, const struct json *arg,
                     struct err *e);
#endif
