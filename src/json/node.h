/* SPDX-License-Identifier: GPL-3.0-or-later */
/* node.h - what a struct json is: a node of cJSON's tree, with lengths.
 *
 * cJSON does not use valueint and valuedouble of strings and containers, so
 * json_parse.c stores lengths there: strings may contain NUL. Only json/
 * includes this. */
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

/* Orders names by length first, since most names differ there. */
int json_node_compare_names(const cJSON *a, const cJSON *b);

#define JSON_NUMBER_SIZE 32
/* Prints a finite d in the shortest of %.15g to %.17g that reads back equal. */
void json_number_print(double d, char text[JSON_NUMBER_SIZE]);

#endif
