/* SPDX-License-Identifier: GPL-3.0-or-later */
/* answer_schema.h - writes the JSON Schema of the answers that a verb takes.
 *
 * It demands what such an answer needs and no more, and every answer that fits
 * it passes aiaction_parse(), but for limits that no schema states. */
#ifndef ACTION_ANSWER_SCHEMA_H
#define ACTION_ANSWER_SCHEMA_H

#include "action/aiaction.h"
#include "tool/registry.h"

/* Appends {"anyOf":[…]}: an answer_only, and but for AIACTION_EXPLAIN the kind
 * of the verb with at least one step. A step may name a tool of the registry
 * (step_tools.h); r NULL: none. */
int answer_schema_write(enum aiaction_mode mode, struct registry *r,
                        struct buf *out, struct err *e);

#endif
