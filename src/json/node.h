/* SPDX-License-Identifier: GPL-3.0-or-later */
/* node.h - what a struct json is: a value, its name, what it holds.
 *
 * Only json/ includes this. */
#ifndef JSON_NODE_H
#define JSON_NODE_H

#include "json/json.h"

struct json {
    struct json *next;  /* in the same container */
    struct json *first; /* of what a container holds */
    const char *text;   /* a string, or a number's digits; ends with a NUL */
    const char *name;   /* a member's, as text; NULL: it is none */
    size_t len;         /* bytes of text; how many values it holds */
    unsigned name_len;
    unsigned char type; /* enum json_type */
    bool truth;
};

/* Orders by length first: names that differ mostly differ there. */
int json_node_compare_names(const struct json *a, const struct json *b);

/* Drops all but the last of each name, or fails with JSON_UNIQUE. */
int json_node_unique(struct json *object, unsigned flags, struct err *e);

/* A number's digits as a double, whatever the locale; may be infinite. */
double json_number_read(const char *digits);

#define JSON_NUMBER_SIZE 32
/* The shortest of %.15g to %.17g that reads back the same; finite d only. */
void json_number_print(double d, char text[JSON_NUMBER_SIZE]);

#endif
