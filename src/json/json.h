/* SPDX-License-Identifier: GPL-3.0-or-later */
/* json.h - parses JSON text from anyone: strictly, bounded, without loss.
 *
 * The folder json/ is the only one that uses cJSON: parsing is here, writing in
 * json/write.h, checking against a schema in json/schema.h. It must not know
 * what the values mean. Text is checked before cJSON reads it: RFC 8259, valid
 * UTF-8, at most JSON_DEPTH_MAX levels. Strings may contain U+0000, so they
 * come with a length; numbers keep their digits as written; names compare byte
 * for byte. A byte order mark and a lone surrogate are errors; a number of any
 * size is not. What can fail is parsing: ERR_PARSE with the offset (e->at, the
 * first byte is 1) and what was expected there; ERR_INVALID for a duplicate
 * name; ERR_NOMEM. Parsing takes linear time and at most about 60 times the
 * text's size in memory. */
#ifndef JSON_JSON_H
#define JSON_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "base/err.h"

#define JSON_DEPTH_MAX 512
/* Values in one text: with two bytes a value, hostile text would fill the
 * memory; to free this many takes a processor 3 ms. */
#define JSON_VALUES_MAX (1 << 17)

struct json; /* one value; the root owns the whole tree */

enum json_type {
    JSON_NULL,
    JSON_BOOL,
    JSON_NUMBER,
    JSON_STRING,
    JSON_ARRAY,
    JSON_OBJECT,
};

/* Flag: a duplicate name in an object is ERR_INVALID. Without it the last one
 * wins and the others are not in the tree. */
#define JSON_UNIQUE 1u

/* Parses exactly one value, with white space around it. The caller frees it. */
struct json *json_parse(const char *text, size_t n, unsigned flags,
                        struct err *e);

/* The strings of a list that ends with NULL, as an array. The caller frees it.
 * NULL: its text would have more than max bytes, or there is no memory. */
struct json *json_of_strings(const char *const *list, size_t max);
void json_free(struct json *root);
DEFINE_CLEANUP(struct json, json_free)

/* The length of the value at the front of text, white space before it included:
 * for a value with something after it. 0 and an error when there is no whole
 * one. */
size_t json_span(const char *text, size_t n, struct err *e);

/* The same; *reached is the number of bytes that were scanned, in any case. */
size_t json_span_reached(const char *text, size_t n, size_t *reached,
                         struct err *e);

/* Where the first object in [from, n) of a text begins, or n. `{` begins one
 * when `"` or `}` follows it, after blanks: {a,b}, ${x} and {plan} are none. */
size_t json_find_object(const char *text, size_t from, size_t n);

enum json_type json_type(const struct json *v);

/* All of these accept NULL and a value of another type, and then return NULL,
 * false or 0. Pointers are borrowed from the tree. */
const struct json *json_get(const struct json *object, const char *name);
const struct json *json_at(const struct json *array, size_t i); /* O(i) */
size_t json_count(const struct json *array_or_object);
const char *json_str(const struct json *v, size_t *len); /* len may be NULL */
bool json_bool(const struct json *v, bool *out);
/* An integer of the int64_t range, exactly. 1.0 and 1e2 are not written as
 * integers and are none. */
bool json_int(const struct json *v, int64_t *out);
bool json_num(const struct json *v, double *out); /* false when too large */
const char *json_digits(const struct json *v, size_t *len); /* as written */

/* A string without a NUL; else NULL. */
const char *json_text(const struct json *v);
/* A member of an object that is one; else NULL. */
const char *json_get_str(const struct json *object, const char *name);

/* Whether two values are the same: numbers by size, members in any order. */
bool json_equal(const struct json *a, const struct json *b);

/* The member of object that has the same name as another's member. */
const struct json *json_member_like(const struct json *object,
                                    const struct json *member);

/* The children in order: for (c = json_first(v); c; c = json_next(c)) */
const struct json *json_first(const struct json *v);
const struct json *json_next(const struct json *child);
const char *json_name(const struct json *member, size_t *len);

#endif
