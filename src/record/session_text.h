/* SPDX-License-Identifier: GPL-3.0-or-later */
/* session_text.h - checks and redacts the texts of a session.
 *
 * ERR_NOMEM: a text is above its limit (session_store.h). ERR_INVALID: it is no
 * UTF-8, has a NUL, or is no JSON where it should be. */
#ifndef RECORD_SESSION_TEXT_H
#define RECORD_SESSION_TEXT_H

#include "base/buf.h"
#include "record/session_store.h"

/* Checks a text of at most max bytes; `what` is for the message. NULL passes.
 */
int session_text_check(const char *what, const char *p, size_t max,
                       struct err *e);

/* Checks all texts that are there. */
int session_text_check_info(const struct session_info *in, struct err *e);

/* Redacts the title into `text`, where info->title points afterwards. NULL
 * stays. */
int session_text_redact_title(struct session_info *info, struct buf *text,
                              struct err *e);

/* Checks an item's kind and text, and appends the text, redacted. */
int session_text_redact_item(const char *kind, const char *text, size_t n,
                             struct buf *redacted, struct err *e);

#endif
