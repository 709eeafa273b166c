/* SPDX-License-Identifier: GPL-3.0-or-later */
/* json.h - reading JSON from anyone: strict, bounded, nothing lost.
 *
 * json/ is the only room that knows cJSON. Text is checked first: RFC 8259,
 * valid UTF-8, depth at most 512. Strings may hold U+0000, so lengths come
 * with them; numbers keep the digits they were written with; names compare
 * byte for byte. A byte order mark and half of a surrogate pair are refused;
 * a number of any size is taken. Writing is json/write.h, checking against a
 * schema json/schema.h. What can fail: parsing (ERR_PARSE with the position,
 * the first byte being byte 1, and what was expected there; ERR_INVALID for a
 * duplicate name where those are refused; ERR_NOMEM). Parsing takes linear
 * time, and at most about 60 times the text's size in memory. */
#ifndef JSON_JSON_H
#define JSON_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "base/err.h"

#define JSON_DEPTH_MAX 512
/* In one text: at two bytes a value hostile text would fill the memory. */
#define JSON_VALUES_MAX (1 << 20)

struct json; /* one value; the root owns the whole tree */

enum json_type {
    JSON_NULL,
    JSON_BOOL,
    JSON_NUMBER,
    JSON_STRING,
    JSON_ARRAY,
    JSON_OBJECT,
};

/* A duplicate name is ERR_INVALID; without this flag the last one wins and
 * the others are not in the tree. */
#define JSON_UNIQUE 1u

/* Reads exactly one value, with blanks around it. The caller frees it. */
struct json *json_parse(const char *text, size_t n, unsigned flags,
                        struct err *e);
void json_free(struct json *root);
DEFINE_CLEANUP(struct json, json_free)

/* How many bytes the value at text takes (blanks before it included), when a
 * whole one is there: for a value with something after it. 0 and e when not. */
size_t json_span(const char *text, size_t n, struct err *e);

/* The same; and *reached is how many bytes were looked at, whole or not. */
size_t json_span_reached(const char *text, size_t n, size_t *reached,
                         struct err *e);

enum json_type json_type(const struct json *v);

/* All of these accept NULL and a value of another type: then the answer is
 * NULL, false or 0. Pointers are borrowed from the tree. */
const struct json *json_get(const struct json *object, const char *name);
const struct json *json_at(const struct json *array, size_t i); /* walks */
size_t json_count(const struct json *array_or_object);
const char *json_str(const struct json *v, size_t *len); /* len may be NULL */
bool json_bool(const struct json *v, bool *out);
/* The whole int64_t range, exactly; 1.0 and 1e2 are not written as integers,
 * so they are none. */
bool json_int(const struct json *v, int64_t *out);
bool json_num(const struct json *v, double *out); /* false when too large */
const char *json_digits(const struct json *v, size_t *len); /* as written */

/* A string of an object, when it is there, is one and holds no NUL. */
const char *json_get_str(const struct json *object, const char *name);

/* Children in order: for (c = json_first(v); c; c = json_next(c)) */
const struct json *json_first(const struct json *v);
const struct json *json_next(const struct json *child);
const char *json_name(const struct json *member, size_t *len);

#endif
