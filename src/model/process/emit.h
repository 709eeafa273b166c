/* SPDX-License-Identifier: GPL-3.0-or-later */
/* emit.h - the process's events, written to its standard output at once. */
#ifndef MODEL_PROCESS_EMIT_H
#define MODEL_PROCESS_EMIT_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "model/draft.h"

/* A front that is gone makes them do nothing: its end shows on stdin. */
void emit_text(int64_t id, const char *p, size_t n);
void emit_word(int64_t id, const char *event); /* an event without members */
void emit_line(int64_t id, const char *event, const char *name,
               const char *text);
void emit_answer(int64_t id, const struct draft *r, int64_t ms);
void emit_failed(int64_t id, const struct err *why, const char *key);

/* Servers that answered a probe; the list is a JSON array. */
void emit_servers(int64_t id, const char *list, size_t n);

#endif
