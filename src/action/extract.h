/* SPDX-License-Identifier: GPL-3.0-or-later */
/* extract.h - where in a model's text the AiAction lies.
 *
 * Models wrap JSON in prose, fences and reasoning. The rules are those of the
 * AiAction contract: the whole text, else the first fenced block that holds
 * an object, else the first place where `{` is followed, after blanks, by `"`
 * or `}`. From there one balanced object; nothing inside it and nothing after
 * it is searched, and nothing is ever mended. */
#ifndef ACTION_EXTRACT_H
#define ACTION_EXTRACT_H

#include "base/buf.h"
#include "json/json.h"

/* The value found: *root (owned by the caller), or NULL with 0 when the text
 * holds no JSON; then `prose` has the text without its reasoning, trimmed.
 * ERR_ANSWER when there is JSON that is not whole or not strict. */
int extract_json(const char *text, size_t n, struct json **root,
                 struct buf *prose, struct err *e);

#endif
