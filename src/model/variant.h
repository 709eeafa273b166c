/* SPDX-License-Identifier: GPL-3.0-or-later */
/* variant.h - a JSON Schema as providers take it.
 *
 * Structured output knows a part of JSON Schema: references are written out,
 * and what decoders do not need (defaults, lengths, patterns) is left out;
 * lengths make llama.cpp many times slower. */
#ifndef MODEL_VARIANT_H
#define MODEL_VARIANT_H

#include "json/write.h"

/* OpenAI's strict mode: every property required, one that was optional may be
 * null (one with a default, or a list, is asked for instead). Implies
 * VARIANT_CLOSED. */
#define VARIANT_STRICT 1u
#define VARIANT_CLOSED 2u /* "additionalProperties": false everywhere */
/* A type that may also be null is written as the one that it is: what is
 * optional may be left out, and many chat templates know no list of types. */
#define VARIANT_ONE_TYPE 4u

void variant_write(struct json_writer *w, const struct json *schema,
                   unsigned flags);

#endif
