/* SPDX-License-Identifier: GPL-3.0-or-later */
/* chat.h - lines to a plugin's process and from it, one awaited at a time. */
#ifndef TOOL_TRIAL_CHAT_H
#define TOOL_TRIAL_CHAT_H

#include "tool/peer.h"

struct chat;

/* Starts the tool as a call would. */
struct chat *chat_new(struct loop *l, const struct tool *t,
                      const struct tool_setting *s, struct err *e);
void chat_free(struct chat *t); /* ends its tree; accepts NULL */
DEFINE_CLEANUP(struct chat, chat_free)

/* bytes may hold several lines, the last without its newline. last: its input
 * ends then. */
int chat_send(struct chat *t, const char *bytes, size_t n, bool last,
              struct err *e);
void chat_end_input(struct chat *t);

/* The next line, valid until the next call; NULL: none came. e says why:
 * ERR_TIMEOUT when it still runs after ms, ERR_INTERRUPTED, else how it ended.
 */
const char *chat_hear(struct chat *t, int64_t ms, const int *stop, size_t *n,
                      struct err *e);

/* Whether its process ends within ms; what it says meanwhile is kept. */
bool chat_ends(struct chat *t, int64_t ms, const int *stop);

const char *chat_log(struct chat *t); /* the end of its standard error */
void chat_refused(struct chat *t, struct denials *out);

#endif
