/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rule.h - the keywords of a schema as rows of a table, for schema.c.
 *
 * Only json/ includes this. */
#ifndef JSON_RULE_H
#define JSON_RULE_H

#include <regex.h>

#include "base/buf.h"
#include "json/schema.h"

struct json_pattern {
    const struct json *text; /* the keyword's argument, by its address */
    regex_t compiled;
};

struct json_schema {
    const struct json *root;
    struct json_pattern *patterns; /* in no order; schemas have few */
    size_t n_patterns;
};

/* Where in the value the check is: a chain on the stack up to the root. */
struct json_place {
    const struct json_place *up;
    const struct json *member; /* of an object, else NULL */
    size_t index;              /* of an array */
};

struct json_check {
    const struct json_schema *schema;
    unsigned flags;
    struct err *e;
    size_t steps;       /* pairs of schema and value looked at */
    size_t depth;       /* of such pairs within each other */
    size_t fault_level; /* how deep in the value e's fault lies */
    bool gave_up;       /* a bound was reached: no form can mend that */
};

/* One keyword: its argument is arg, a member of schema. load returns -1 and
 * sets e when arg is no argument for it; check sets the fault. */
struct json_rule {
    const char *keyword;
    int (*load)(struct json_schema *s, const struct json *arg, struct err *e);
    int (*check)(struct json_check *c, const struct json *schema,
                 const struct json *arg, const struct json *v,
                 const struct json_place *at); /* NULL: nothing to check */
};

/* The rows by what they look at; each table ends with keyword NULL. */
const struct json_rule *json_rules_any(void);    /* type, enum, const */
const struct json_rule *json_rules_form(void);   /* $ref, anyOf, oneOf */
const struct json_rule *json_rules_scalar(void); /* minLength, minimum, … */
const struct json_rule *json_rules_tree(void);   /* properties, items, … */

/* A schema within the schema. */
int json_rule_load(struct json_schema *s, const struct json *schema,
                   struct err *e);
int json_rule_check(struct json_check *c, const struct json *schema,
                    const struct json *v, const struct json_place *at);

/* Sets e to the place in the value and the reason. Returns -1. */
int json_fault(struct json_check *c, const struct json_place *at,
               const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* A value for a message: a scalar as JSON, a long one cut, or "an object",
 * "an array". out is added to. */
void json_describe(struct buf *out, const struct json *v);
void json_describe_string(struct buf *out, const char *s, size_t len);

/* The same value: numbers by size, members in any order. */
bool json_equal(const struct json *a, const struct json *b);
/* The member of object that has the same name as another's member. */
const struct json *json_member_like(const struct json *object,
                                    const struct json *member);

/* A whole number that counts something: 0 or more. */
bool json_is_size(const struct json *v, size_t *out);

/* Arguments that several keywords have. */
int json_load_size(struct json_schema *s, const struct json *arg,
                   struct err *e);
int json_load_members(struct json_schema *s, const struct json *arg,
                      struct err *e); /* an object of schemas */

/* "pattern" has a file of its own, and weigh.c stands before it. */
bool json_pattern_is_light(const char *text);
int json_load_pattern(struct json_schema *s, const struct json *arg,
                      struct err *e);
int json_check_pattern(struct json_check *c, const struct json *schema,
                       const struct json *arg, const struct json *v,
                       const struct json_place *at);

#endif
