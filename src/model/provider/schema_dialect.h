/* SPDX-License-Identifier: GPL-3.0-or-later */
/* schema_dialect.h - writes a JSON Schema in the subset that a provider takes.
 *
 * Structured output supports a part of JSON Schema. References are expanded,
 * and what decoders do not need (defaults, lengths, patterns) is left out:
 * great lengths make llama.cpp many times slower. The order of the members is
 * kept: a constrained decoder writes them in this order. */
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
/* An anyOf of objects below the root becomes one object, whose members are
 * those of all: constants of all become an enum and those of some a string,
 * what all require is required, and objects that differ become strings of JSON.
 * OpenAI refuses objects
 * in an anyOf that begin with the same name, and elsewhere this is shorter. */
#define SCHEMA_DIALECT_FLAT 8u
/* The same for an anyOf at the root, which OpenAI's strict mode and schemas of
 * tools do not take. */
#define SCHEMA_DIALECT_FLAT_ROOT 16u
/* For decoders that make a grammar of it (llama.cpp, xgrammar): "minLength" of
 * 1, "maxItems", and patterns of the plainest kind are kept. Anthropic refuses
 * these: platform.claude.com, structured outputs, JSON schema limitations. */
#define SCHEMA_DIALECT_BOUNDS 32u
/* A constant is written as an enum of one: "const" is not among the members
 * that Gemini documents for responseJsonSchema. */
#define SCHEMA_DIALECT_ENUM 64u

/* Descriptions are left out. */
#define SCHEMA_DIALECT_TERSE 128u
/* "minimum" and "maximum" are kept. Gemini documents them for
 * responseJsonSchema; grammars have them. Anthropic refuses them. */
#define SCHEMA_DIALECT_RANGES 256u

void schema_dialect_write(struct json_writer *w, const struct json *schema,
                          unsigned flags);

#endif
