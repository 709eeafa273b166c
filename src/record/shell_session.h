/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shell_session.h - which conversation belongs to a shell.
 *
 * The shell's file talk-SESSION (shell_file.h) holds the id of its conversation
 * in the store of sessions, and nothing else; when it was written last is when
 * the conversation was used last. The id may be there before the conversation
 * is. Whatever file is there that is not ours, a link, or no id, counts as
 * none, and is replaced. */
#ifndef RECORD_SHELL_SESSION_H
#define RECORD_SHELL_SESSION_H

#include <stdbool.h>

#include "base/seat.h"
#include "record/session_store.h"

/* The settings of a conversation in the store that is a shell's. */
#define SHELL_SESSION_SETTINGS "{\"of\":\"shell\"}"

/* The conversation of the seat's shell that was used within the last idle_s
 * seconds. False: there is none, or no shell has a name here. Writes nothing.
 */
bool shell_session_find(const struct seat *s, int64_t idle_s,
                        char id[SESSION_ID_SIZE]);

/* The same; where there is none one begins, of which two processes at once get
 * the same. anew: one begins in any case. ERR_NOT_FOUND: no shell has a name
 * here. */
int shell_session_claim(const struct seat *s, int64_t idle_s, bool anew,
                        char id[SESSION_ID_SIZE], struct err *e);

/* Makes this the conversation of the seat's shell. ERR_NOT_FOUND likewise. */
int shell_session_set(const struct seat *s, const char *id, struct err *e);

/* Notes that the conversation is used now, if the shell still has it. */
void shell_session_touch(const struct seat *s, const char *id);

/* The shell of this name ends: its file goes. */
void shell_session_remove(const struct seat *s, const char *shell);

/* Takes a conversation from all shells that have it. */
void shell_session_forget(const struct seat *s, const char *id);

#endif
