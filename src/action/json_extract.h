/* SPDX-License-Identifier: GPL-3.0-or-later */
/* json_extract.h - finds the JSON object in a model's text.
 *
 * Models wrap JSON in prose, fences and reasoning. The rules are those of the
 * AiAction contract: the whole text, else the first fenced block that holds
 * an object, else the first place where `{` is followed, after blanks, by `"`
 * or `}`. One balanced object is read from there. Nothing inside it or after it
 * is searched, and nothing is ever repaired. */
#ifndef ACTION_JSON_EXTRACT_H
#define ACTION_JSON_EXTRACT_H

#include "base/buf.h"
#include "json/json.h"

/* Sets *root to the value, which the caller owns. Where the text holds no JSON,
 * returns 0 with *root NULL, and `prose` gets the text without its reasoning,
 * trimmed. ERR_ANSWER: there is JSON, but it is cut off or not strict. */
int json_extract(const char *text, size_t n, struct json **root,
                 struct buf *prose, struct err *e);

#endif
