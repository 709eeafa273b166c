/* SPDX-License-Identifier: GPL-3.0-or-later */
/* session_writer.h - writes to a session_store in a thread, beside a loop.
 *
 * Redacting a text takes 10 ms and more a MiB, and the disk takes what it
 * likes: a process with other work queues what is to be kept. It is stored in
 * order, some milliseconds later; only then does it survive SIGKILL. What
 * cannot be stored is lost, and reported. */
#ifndef RECORD_SESSION_WRITER_H
#define RECORD_SESSION_WRITER_H

#include "base/loop.h"
#include "record/session_store.h"

struct session_writer;

/* lost is called by the loop, or by a function below, for each thing that could
 * not be stored. The store is the writer's while it lives: use it only as
 * session_writer_wait says. The loop outlives the writer. */
struct session_writer *
session_writer_new(struct loop *l, struct session_store *s,
                   void (*lost)(void *arg, const struct err *why), void *arg,
                   struct err *e);
/* Stores what is queued first. Accepts NULL. */
void session_writer_free(struct session_writer *w);
DEFINE_CLEANUP(struct session_writer, session_writer_free)

/* As session_id_make with session_store_create, and as session_store_update,
 * _append and _expire. What is handed in is copied. ERR_NOMEM: it is not
 * queued. */
int session_writer_create(struct session_writer *w,
                          const struct session_info *in,
                          char id[SESSION_ID_SIZE], struct err *e);
int session_writer_update(struct session_writer *w, const char *id,
                          const struct session_info *in, struct err *e);
int session_writer_append(struct session_writer *w, const char *id,
                          const char *kind, const char *text, size_t n,
                          struct err *e);
int session_writer_expire(struct session_writer *w, int64_t keep_days,
                          struct err *e);

/* Waits until all is stored. The store is the caller's until a function above
 * is called. */
struct session_store *session_writer_wait(struct session_writer *w);

#endif
