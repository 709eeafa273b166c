/* SPDX-License-Identifier: GPL-3.0-or-later */
/* schema.h - a value against a JSON Schema (draft-07, the part in use).
 *
 * Known: type (one or a list), enum, const, required, properties,
 * additionalProperties (true, false or a schema), items (one schema),
 * minItems, maxItems, minLength and maxLength (code points), minimum,
 * maximum, pattern, $ref to "#/definitions/NAME", anyOf, oneOf; true and
 * false as schemas; annotations (title, description, default, $schema, $id,
 * $comment, examples) are skipped. A keyword that is not known is an error
 * when the schema is loaded, not silence.
 *
 * "integer" means written as one, as json_int() has it; its size is for
 * minimum and maximum to bound. A pattern is POSIX extended ([0-9], not \d),
 * does not refer back or repeat what may be empty, and matches no string of
 * more than 4096 bytes: matching takes bounded time. */
#ifndef JSON_SCHEMA_H
#define JSON_SCHEMA_H

#include "json/json.h"

struct json_schema;

/* Checks the schema itself. It keeps a reference to root, which must live as
 * long as it does. */
struct json_schema *json_schema_new(const struct json *root, struct err *e);
void json_schema_free(struct json_schema *s);
DEFINE_CLEANUP(struct json_schema, json_schema_free)

/* null for an optional member is as if the member were absent */
#define JSON_SCHEMA_NULL_ABSENT 1u

/* 0, or -1 with ERR_INVALID and the place and reason of the first fault, in
 * words that a person or a model can act upon:
 *     steps[2].shell_command: must be a string, not a number
 *     steps[0]: missing "id"
 *     kind: must be "a" or "b", not "c"
 * Of anyOf and oneOf it is the fault in the form that came furthest. The
 * place of the root is left out. Time and stack are bounded whatever the
 * schema. */
int json_schema_check(const struct json_schema *s, const struct json *value,
                      unsigned flags, struct err *e);

#endif
