/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tool_calls.h - assembles the tool calls of an answer while they arrive.
 *
 * Providers send a call whole or in pieces, and several calls at once. Servers
 * that speak OpenAI's API differ in what tells which call a piece belongs to:
 * its index, its id, both in every piece or only in the first, or nothing.
 * Names and arguments are handed on as they came: they are neither checked nor
 * repaired here. */
#ifndef MODEL_PROVIDER_TOOL_CALLS_H
#define MODEL_PROVIDER_TOOL_CALLS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "model/client.h"
#include "json/json.h"

#define TOOL_CALLS_NAME_MAX 256u /* the longest that providers take: 128 */
#define TOOL_CALLS_ID_MAX   512u /* the longest seen: 64 */
/* The model's reasoning; a signature has a few KiB. */
#define TOOL_CALLS_EXTRA_MAX (192u << 10)

struct tool_calls_entry {
    struct buf id, name, args;
    struct buf extra; /* members of an object that tool_calls_finish() closes */
    bool indexed;     /* the provider sends an index */
    int64_t index;
};

struct tool_calls {
    struct tool_calls_entry *rows; /* NULL before the first call */
    size_t n;
};

/* A piece of a call as the provider sends it; NULL: not sent. */
struct tool_calls_piece {
    const struct json *index, *id, *name;
    const struct json *args; /* a string, or a value that is complete */
    const char *extra_name;  /* of the member that goes back with the call */
    const struct json *extra;
};

void tool_calls_done(struct tool_calls *t);

/* Returns the call that the piece belongs to, a new one where the piece begins
 * one, with the piece's id, name and extra stored. NULL and ERR_ANSWER: there
 * are too many calls, or the id or name is too long. */
struct tool_calls_entry *tool_calls_add_piece(struct tool_calls *t,
                                              const struct tool_calls_piece *p,
                                              struct err *e);
/* Adds a member to the call's extra; one for which there is no room is left
 * out. */
void tool_calls_add_extra(struct tool_calls_entry *c, const char *name,
                          const char *text, size_t n);
/* The same with a value that is JSON already. Returns whether there is room. */
bool tool_calls_add_extra_json(struct tool_calls_entry *c, const char *name,
                               const char *json, size_t n);
/* ERR_ANSWER: there are more than MODEL_ARGS_MAX bytes. */
int tool_calls_add_args(struct tool_calls_entry *c, const struct json *args,
                        struct err *e);

/* Adds a complete call that was written as text. */
int tool_calls_add_whole(struct tool_calls *t, const char *name,
                         const struct json *args, struct err *e);

void tool_calls_remove(struct tool_calls *t, size_t i);

/* Called when all calls are there: gives a call without an id, or with the id
 * of another one, an id of our own. last_own_id: the number in the last such
 * id of the conversation. */
void tool_calls_finish(struct tool_calls *t, unsigned last_own_id);

/* The number in an id of our own; 0: the provider made the id. Ours have nine
 * letters and digits, which the strictest server requires. */
unsigned tool_calls_own_id(const char *id);

/* The call, borrowed from c. */
struct model_tool_call tool_calls_view(const struct tool_calls_entry *c);
/* Adds a copy of a call. -1: there is no room for it. */
int tool_calls_add_copy(struct tool_calls *t,
                        const struct model_tool_call *call);

#endif
