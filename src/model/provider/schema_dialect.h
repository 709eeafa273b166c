/* SPDX-License-Identifier: GPL-3.0-or-later */
/* schema_dialect.h - writes a JSON Schema in the subset that a provider takes.
 *
 * Structured output supports a part of JSON Schema. References are expanded,
 * and what decoders do not need (defaults, lengths, patterns) is left out:
 * lengths make llama.cpp many times slower. */
#ifndef MODEL_PROVIDER_SCHEMA_DIALECT_H
#define MODEL_PROVIDER_SCHEMA_DIALECT_H

#include "json/write.h"

/* OpenAI's strict mode: every property is required, and one that was optional
 * may be null, unless it has a default or is a list. Implies
 * SCHEMA_DIALECT_CLOSED. */
#define SCHEMA_DIALECT_STRICT 1u
/* "additionalProperties": false in every object. */
#define SCHEMA_DIALECT_CLOSED 2u
/* A type that may also be null is written without null: an optional property
 * may be left out, and many chat templates know no list of types. */
#define SCHEMA_DIALECT_ONE_TYPE 4u

void schema_dialect_write(struct json_writer *w, const struct json *schema,
                          unsigned flags);

#endif
