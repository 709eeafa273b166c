/* SPDX-License-Identifier: GPL-3.0-or-later */
/* owner_lock.h - tells whether the process that owns a row still lives.
 *
 * A process makes a file beside a database, locks it (flock(2)) and writes its
 * name, the token, into the rows that it owns. The kernel releases the lock at
 * its end, however that came: so a process id that is used again, or one of
 * another pid namespace, deceives nobody. */
#ifndef RECORD_OWNER_LOCK_H
#define RECORD_OWNER_LOCK_H

#include <stdbool.h>

#include "base/cleanup.h"
#include "base/err.h"

#define OWNER_TOKEN_SIZE 33 /* 32 hex digits and the NUL */

struct owner_lock;

/* Makes the file in the state directory. */
struct owner_lock *owner_lock_new(struct err *e);
void owner_lock_free(struct owner_lock *o); /* accepts NULL */
DEFINE_CLEANUP(struct owner_lock, owner_lock_free)
const char *owner_lock_token(const struct owner_lock *o); /* borrowed */

/* Whether the process of a token lives; the file of one that does not is
 * removed. o: our own lock; may be NULL. */
bool owner_lock_lives(const struct owner_lock *o, const char *token);

/* Tells the process of a token that its rows have changed. */
void owner_lock_notify(const char *token);

/* Whether it was notified since the last call; looks at the file's times. */
bool owner_lock_was_notified(struct owner_lock *o);

#endif
