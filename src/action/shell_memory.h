/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shell_memory.h - the conversation of a shell, over its `ai` lines.
 *
 * Each line adds one exchange to it (shell_exchange.h). A line that asks a
 * model sends the newest of them before its own request, as messages of the
 * person and the model by turns, within a number of tokens, about four bytes
 * each; the oldest are left out, whole. What steps wrote is quoted as data, and
 * counts as text that others could have written (model/prompt/origin.h), and so
 * does what came after it: no step of the answer runs without a question. The
 * offline engine gets none of it. It is kept in record/session_store.h; which
 * conversation is a shell's is in record/shell_session.h. */
#ifndef ACTION_SHELL_MEMORY_H
#define ACTION_SHELL_MEMORY_H

#include "action/conversation.h"
#include "action/shell_exchange.h"
#include "config/config.h"
#include "model/select.h"

struct shell_memory;

struct shell_memory_params {
    const struct seat *seat;     /* borrowed */
    const struct config *config; /* likewise */
    bool anew;                   /* a new conversation begins */
    bool looks;                  /* nothing is begun and nothing is kept */
};

/* Whether the settings allow it: a run that is not recorded is not remembered
 * either. */
bool shell_memory_is_kept(const struct config *c);

/* Finds the conversation, or begins one. NULL without an error: the settings
 * forbid it, no shell has a name here, or there is none to look at. */
struct shell_memory *shell_memory_open(const struct shell_memory_params *p,
                                       struct err *e);
void shell_memory_free(struct shell_memory *m);
DEFINE_CLEANUP(struct shell_memory, shell_memory_free)

/* All below accept NULL: there is no memory. What they return is borrowed. */

/* The id of the conversation, for the journal. */
const char *shell_memory_id(const struct shell_memory *m);

/* Reads what is to be sent to this model (NULL: one elsewhere). On failure it
 * is nothing. A second call reads it again. */
int shell_memory_load(struct shell_memory *m, const struct model_selection *c,
                      struct err *e);
/* What was read, for a turn to go on with. NULL: nothing was read. */
struct conversation *shell_memory_conversation(const struct shell_memory *m);
/* What came of the last answer of it, which stands before the next request; and
 * what of that others could have written. NULL: nothing. */
const char *shell_memory_before(const struct shell_memory *m);
const char *shell_memory_outside(const struct shell_memory *m);

/* What this line adds, for a turn to fill. */
struct shell_exchange *shell_memory_exchange(const struct shell_memory *m);

/* Keeps that, if there is something, and deletes what is too old or too much.
 * A conversation that was deleted meanwhile stays so. What was an error of
 * reading, since the store is damaged, is none again. */
int shell_memory_save(struct shell_memory *m, struct err *e);

#endif
