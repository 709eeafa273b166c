/* SPDX-License-Identifier: GPL-3.0-or-later */
/* schema.h - checks a value against a JSON Schema (draft-07, the part in use).
 *
 * Supported: type (one or a list), enum, const, required, properties,
 * additionalProperties (true, false or a schema), items (one schema),
 * minItems, maxItems, minLength and maxLength (code points), minimum,
 * maximum, pattern, $ref to "#/definitions/NAME", anyOf, oneOf; true and
 * false as schemas; annotations (title, description, default, $schema, $id,
 * $comment, examples) are skipped. Any other keyword is an error when
 * the schema is loaded.
 *
 * "integer" means written as one, as json_int() has it; its size is for
 * minimum and maximum to bound. A pattern is POSIX extended ([0-9], not \d),
 * does not refer back or repeat what may be empty, and matches no string of
 * more than 4096 bytes: matching takes bounded time. */
#ifndef JSON_SCHEMA_H
#define JSON_SCHEMA_H

#include "json/json.h"

struct json_schema;

/* Loads a schema, and checks it: ERR_INVALID. It refers to root, which must
 * live as long. */
struct json_schema *json_schema_new(const struct json *root, struct err *e);
void json_schema_free(struct json_schema *s);
DEFINE_CLEANUP(struct json_schema, json_schema_free)

/* Flag: null as an optional member counts as an absent member. */
#define JSON_SCHEMA_NULL_ABSENT 1u

/* Checks a value. -1 with ERR_INVALID: the text has the place and the reason of
 * the first error, for a person or a model to act upon: steps[2].shell_command:
 * must be a string, not a number steps[0]: missing "id" kind: must be "a" or
 * "b", not "c" For anyOf and oneOf it is the error in the alternative that
 * matched furthest. The root has no place. Time and stack are bounded whatever
 * the schema. */
int json_schema_check(const struct json_schema *s, const struct json *value,
                      unsigned flags, struct err *e);

/* Whether an object's schema, as it is written, requires a member. */
bool json_schema_requires(const struct json *schema, const char *member);

#endif
