/* SPDX-License-Identifier: GPL-3.0-or-later */
/* json_extract.h - finds the JSON object in a model's text.
 *
 * Models wrap JSON in prose, fences and reasoning. The rules are those of the
 * AiAction contract: the text without its reasoning (provider/reasoning.h) as a
 * whole, else the first fenced block that holds an object, else the first place
 * where `{` is followed, after blanks, by `"` or `}`. One balanced object is
 * read from there, and nothing is ever repaired. Where another object of the
 * text is an answer as well, and not the same, nobody knows which is meant, and
 * none is taken. */
#ifndef ACTION_JSON_EXTRACT_H
#define ACTION_JSON_EXTRACT_H

#include <stdbool.h>

#include "base/buf.h"
#include "json/json.h"

/* Whether an object would be accepted as the answer. */
struct json_extract_check {
    bool (*is_answer)(const void *arg, const struct json *object);
    const void *arg;
};

/* Sets *root to the value, which the caller owns. Where the text holds no JSON,
 * returns 0 with *root NULL, and `prose` gets the text without its reasoning,
 * trimmed. ERR_ANSWER: there is JSON, but it is cut off or not strict; there
 * are two answers that differ; there are more objects than are looked at. Takes
 * time that grows with n alone. */
int json_extract(const char *text, size_t n,
                 const struct json_extract_check *check, struct json **root,
                 struct buf *prose, struct err *e);

#endif
