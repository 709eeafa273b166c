/* SPDX-License-Identifier: GPL-3.0-or-later */
/* summary.h - the text of an answer while its JSON still streams.
 *
 * Watches the bytes of an AiAction for `"kind": "answer_only"` and then
 * decodes the characters of `"summary"` as they come, so that a person can
 * read along. It is for the eyes only: what counts is the whole answer,
 * checked at its end. Where the members come in another order, or the answer
 * is not bare JSON, it stays silent. */
#ifndef ACTION_SUMMARY_H
#define ACTION_SUMMARY_H

#include <stddef.h>

#include "base/cleanup.h"
#include "base/err.h"

struct summary;

typedef void summary_cb(void *arg, const char *bytes, size_t n);

struct summary *summary_new(summary_cb *cb, void *arg, struct err *e);
void summary_free(struct summary *s);
DEFINE_CLEANUP(struct summary, summary_free)

/* More bytes of the answer; text that they complete goes to the callback. */
void summary_add(struct summary *s, const char *bytes, size_t n);

#endif
