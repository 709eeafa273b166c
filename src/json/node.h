/* SPDX-License-Identifier: GPL-3.0-or-later */
/* node.h - what a struct json is: a node of cJSON's tree, with lengths.
 *
 * cJSON leaves valueint and valuedouble of strings and containers unused, so
 * parse.c keeps lengths there: strings may hold NUL. Only json/ includes
 * this. */
#ifndef JSON_NODE_H
#define JSON_NODE_H

#include <cjson/cJSON.h>

#include "json/json.h"

/* valuedouble  bytes of a string or of a number's digits, children of a
 *              container
 * valueint     bytes of the member's name */
static inline const cJSON *
json_node(const struct json *v)
{
    return (const cJSON *)v;
}

static inline const struct json *
json_of(const cJSON *node)
{
    return (const struct json *)node;
}

static inline size_t
json_node_len(const cJSON *node)
{
    return (size_t)node->valuedouble;
}

/* Orders by length first: names that differ mostly differ there. */
int json_node_compare_names(const cJSON *a, const cJSON *b);

/* Drops all but the last of each name, or fails with JSON_UNIQUE. */
int json_node_unique(cJSON *object, unsigned flags, struct err *e);

/* A number's digits as a double, whatever the locale; may be infinite. */
double json_number_read(const char *digits);

#define JSON_NUMBER_SIZE 32
/* The shortest of %.15g to %.17g that reads back the same; finite d only. */
void json_number_print(double d, char text[JSON_NUMBER_SIZE]);

#endif
