/* SPDX-License-Identifier: GPL-3.0-or-later */
/* session_store.h - keeps the conversations of an editor's agent across
 * restarts.
 *
 * A session has a directory, a title, settings, and items: what was said and
 * done, in order. The store knows the meaning of none of them. It is the file
 * sessions.db in the state directory (WAL, mode 0600, checked as the journal
 * is). Texts are valid UTF-8 without a NUL, else ERR_INVALID; a text above its
 * limit is ERR_NOMEM. Secrets in titles and items are redacted before they are
 * stored (base/redact.h), and an item is redacted as text, by itself: a secret
 * that is cut in two by the end of an item is not found, and JSON may be none
 * afterwards. Settings and roots are stored as they are.
 *
 * Two processes may use the file at once. A function waits at most a second for
 * the other one, then it fails with ERR_TIMEOUT and has changed nothing; other
 * failures are those of record/sqlite.h. A damaged file is ERR_PARSE, and is
 * left as it is. Open it at most once in a process: closing one of two
 * descriptors of a file releases the locks of both (fcntl(2)).
 *
 * What a function wrote survives the end of the process, also by SIGKILL, when
 * it returns; it survives a power cut when the write-ahead log was moved into
 * the file since (session_store_checkpoint). */
#ifndef RECORD_SESSION_STORE_H
#define RECORD_SESSION_STORE_H

#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "record/session_cursor.h"
#include "record/session_id.h"

/* What a session may hold; the sizes in bytes. A text must be within its limit
 * both before and after it is redacted. */
#define SESSION_ITEM_MAX      (1u << 20)
#define SESSION_BYTES_MAX     (64u << 20) /* of all items */
#define SESSION_ITEMS_MAX     (1u << 16)  /* each takes 1 to 2 KiB more */
#define SESSION_KIND_MAX      64
#define SESSION_TITLE_MAX     4096
#define SESSION_DIRECTORY_MAX 4096 /* PATH_MAX */
#define SESSION_SETTINGS_MAX  (64u << 10)
#define SESSION_ROOTS_MAX     (512u << 10) /* 64 paths, escaped */

struct session_store;

/* Opens the file, or creates it. ERR_UNSUPPORTED: a newer agentsh wrote it.
 * ERR_PERMISSION: it, or its directory, is not only ours. */
struct session_store *session_store_open(struct err *e);
/* The same for a few items between two prompts of a shell: it does not wait for
 * the disk. Where a process was killed while it deleted, its texts stay in the
 * write-ahead log until the next session_store_open. */
struct session_store *session_store_open_quickly(struct err *e);
void session_store_close(struct session_store *s); /* accepts NULL */
DEFINE_CLEANUP(struct session_store, session_store_close)

struct session_info {
    char id[SESSION_ID_SIZE];
    const char *directory;
    const char *title;
    const char *settings;           /* JSON text of the owner's */
    const char *roots;              /* text of a JSON array */
    int64_t created_ms, updated_ms; /* since 1970 */
};

/* Creates a session with an id of session_id_make. The directory must be there;
 * the others may be NULL: "", "{}" and "[]". The id and the times in `in` are
 * not read. */
int session_store_create(struct session_store *s, const char *id,
                         const struct session_info *in, struct err *e);

/* Changes the members that are not NULL, and is an update in any case. Here and
 * below ERR_NOT_FOUND: no session has the id, or it was deleted. */
int session_store_update(struct session_store *s, const char *id,
                         const struct session_info *in, struct err *e);

/* Adds an item at the end; kind is a word of the owner's. On two busy cores one
 * of 100 bytes took 0.03 ms, of 2 KB 0.12 ms, of 20 KB 0.9 ms, of 1 MB 50 ms
 * (medians of thousands, of 60 for the last), nearly all of it to redact the
 * text. */
int session_store_append(struct session_store *s, const char *id,
                         const char *kind, const char *text, size_t n,
                         struct err *e);

/* Adds items at the end, all of them or none; no other process's come between.
 * ERR_NOMEM: more than SESSION_BATCH_MAX. */
struct session_item {
    const char *kind, *text;
    size_t n;
};
#define SESSION_BATCH_MAX 256
int session_store_append_all(struct session_store *s, const char *id,
                             const struct session_item *items, size_t n,
                             struct err *e);

/* Where the texts of a session have more than `most` bytes, deletes the oldest
 * items until they have at most `keep`; the numbers of the others stay. */
int session_store_trim(struct session_store *s, const char *id, int64_t most,
                       int64_t keep, struct err *e);

/* The callbacks return 0 to go on; with another value the reading ends, which
 * is no failure. Texts are borrowed for the call. A callback may read the
 * store, but must not write to it. */
typedef int session_item_cb(void *arg, int64_t number, const char *kind,
                            const char *text, size_t n);
typedef int session_info_cb(void *arg, const struct session_info *info);

/* Reads the items with a number above `after`, in order; they count from 1. */
int session_store_read(struct session_store *s, const char *id, int64_t after,
                       session_item_cb *cb, void *arg, struct err *e);

/* The same of all items, the newest first: for a reader that ends early. */
int session_store_read_back(struct session_store *s, const char *id,
                            session_item_cb *cb, void *arg, struct err *e);

/* Reads what is known of one session; cb is called once. */
int session_store_info(struct session_store *s, const char *id,
                       session_info_cb *cb, void *arg, struct err *e);

/* Lists at most `limit` (above 0) sessions of a directory, or of all (NULL);
 * the newest update first. cursor is NULL at the start, later what the call
 * before wrote to next, which is "" at the end. A session that is not updated
 * in between comes exactly once. One that is comes at most once: it is at the
 * front from then on, where a new list begins. ERR_INVALID: the cursor is
 * damaged, or of another directory's list. */
int session_store_list(struct session_store *s, const char *directory,
                       const char *cursor, size_t limit, session_info_cb *cb,
                       void *arg, char next[SESSION_CURSOR_SIZE],
                       struct err *e);

/* Deletes a session; only its id stays. Its texts are overwritten in the file,
 * and the write-ahead log, which may have them, is emptied: at once, or, where
 * another process reads at that moment, by a later call of this function, of
 * session_store_checkpoint, _close or _open. It waits for the disk: 0.6 to 1.6
 * ms were measured for a small session, 0.22 s for one of 16 MB. */
int session_store_delete(struct session_store *s, const char *id,
                         struct err *e);

/* Deletes the sessions that were not updated for more than keep_days; 0: they
 * are kept for ever, as the rows of the journal are. Each is deleted by itself,
 * so that others can write in between. */
int session_store_expire(struct session_store *s, int64_t keep_days,
                         struct err *e);

/* Deletes the oldest sessions with exactly these settings, but the `keep` that
 * were updated last; each by itself. */
int session_store_limit(struct session_store *s, const char *settings,
                        int64_t keep, struct err *e);

/* Moves the write-ahead log into the file when it has grown to 256 KiB: for a
 * moment when nothing is to be done, since it waits for the disk. Where it is
 * never called, an append does it once in 4 MiB, which took 20 to 80 ms. */
void session_store_checkpoint(struct session_store *s);

#endif
