/* SPDX-License-Identifier: GPL-3.0-or-later */
/* session_writer.c - writes to a session_store in a thread, beside a loop. */
#include "record/session_writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/worker.h"

/* Above it the loop waits for the disk: some of the largest items, and many of
 * the usual ones. */
#define QUEUE_MAX (16u << 20)

enum session_write_kind {
    CREATE_SESSION,
    UPDATE_SESSION,
    APPEND_ITEM,
    EXPIRE_SESSIONS,
};

/* One thing to be stored. */
struct session_write {
    struct session_write *next;
    enum session_write_kind kind;
    char id[SESSION_ID_SIZE];
    char *texts[4]; /* of the info: directory, title, settings, roots; or the
                       kind and the text of an item */
    size_t n;       /* bytes of the item's text */
    int64_t days;   /* that EXPIRE_SESSIONS keeps */
    struct err why; /* why it could not be stored; ERR_NONE: it was */
};

struct session_writer {
    struct loop *loop;
    struct session_store *store; /* the worker's while there is one */
    void (*lost)(void *arg, const struct err *why);
    void *arg;
    struct worker *worker;
    struct session_write *writing;       /* the worker's */
    struct session_write *queued, **end; /* for the next one */
    size_t bytes;                        /* of these */
};

static void
free_write(struct session_write *op)
{
    if (!op)
        return;
    for (size_t i = 0; i < 4; i++)
        free(op->texts[i]);
    free(op);
}
DEFINE_CLEANUP(struct session_write, free_write)

static int
store_one(struct session_store *s, struct session_write *op)
{
    const struct session_info in = {.directory = op->texts[0],
                                    .title = op->texts[1],
                                    .settings = op->texts[2],
                                    .roots = op->texts[3]};

    switch (op->kind) {
    case CREATE_SESSION:
        return session_store_create(s, op->id, &in, &op->why);
    case UPDATE_SESSION:
        return session_store_update(s, op->id, &in, &op->why);
    case APPEND_ITEM:
        return session_store_append(s, op->id, op->texts[0], op->texts[1],
                                    op->n, &op->why);
    case EXPIRE_SESSIONS:
        return session_store_expire(s, op->days, &op->why);
    }
    return 0;
}

/* In the thread, or while there is none. */
static void
store_all(void *arg)
{
    const struct session_writer *w = arg;

    for (struct session_write *op = w->writing; op; op = op->next)
        (void)store_one(w->store, op);
    session_store_checkpoint(w->store);
}

/* Frees what was written, and reports what was not. */
static void
settle_writes(struct session_writer *w)
{
    while (w->writing) {
        CLEANUP(free_write_p) struct session_write *op = w->writing;

        w->writing = op->next;
        if (op->why.code != ERR_NONE)
            w->lost(w->arg, &op->why);
    }
}

static void
take_queued(struct session_writer *w)
{
    w->writing = w->queued;
    w->queued = NULL;
    w->end = &w->queued;
    w->bytes = 0;
}

static void on_stored(void *arg);

/* Where no thread can be had, the loop waits for the disk. */
static void
start_worker(struct session_writer *w)
{
    while (w->queued && !w->worker) {
        take_queued(w);
        w->worker = worker_start(w->loop, store_all, on_stored, w, NULL);
        if (w->worker)
            return;
        store_all(w);
        settle_writes(w);
    }
}

static void
end_worker(struct session_writer *w)
{
    worker_free(w->worker);
    w->worker = NULL;
    settle_writes(w);
}

static void
on_stored(void *arg)
{
    struct session_writer *w = arg;

    end_worker(w);
    start_worker(w);
}

struct session_store *
session_writer_wait(struct session_writer *w)
{
    end_worker(w);
    take_queued(w);
    store_all(w);
    settle_writes(w);
    return w->store;
}

struct session_writer *
session_writer_new(struct loop *l, struct session_store *s,
                   void (*lost)(void *arg, const struct err *why), void *arg,
                   struct err *e)
{
    struct session_writer *w = calloc(1, sizeof(*w));

    if (!w) {
        err_nomem(e);
        return NULL;
    }
    *w = (struct session_writer){
        .loop = l, .store = s, .lost = lost, .arg = arg};
    w->end = &w->queued;
    return w;
}

void
session_writer_free(struct session_writer *w)
{
    if (!w)
        return;
    (void)session_writer_wait(w);
    free(w);
}

static int
queue_write(struct session_writer *w, struct session_write *op)
{
    *w->end = op;
    w->end = &op->next;
    w->bytes += sizeof(*op) + op->n;
    if (w->bytes > QUEUE_MAX)
        (void)session_writer_wait(w);
    else
        start_worker(w);
    return 0;
}

/* A copy with a NUL behind it; NULL stays. */
static int
copy_of_text(char **to, const char *from, size_t n, struct err *e)
{
    if (!from)
        return 0;
    *to = malloc(n + 1);
    if (!*to)
        return err_nomem(e);
    memcpy(*to, from, n);
    (*to)[n] = '\0';
    return 0;
}

static int
queue_info(struct session_writer *w, enum session_write_kind kind,
           const char *id, const struct session_info *in, struct err *e)
{
    const char *texts[] = {in->directory, in->title, in->settings, in->roots};
    CLEANUP(free_write_p) struct session_write *op = calloc(1, sizeof(*op));

    if (!op)
        return err_nomem(e);
    op->kind = kind;
    snprintf(op->id, sizeof(op->id), "%s", id);
    for (size_t i = 0; i < 4; i++) {
        size_t n = texts[i] ? strlen(texts[i]) : 0;

        if (copy_of_text(&op->texts[i], texts[i], n, e) < 0)
            return -1;
        op->n += n;
    }
    return queue_write(w, TAKE_PTR(op));
}

int
session_writer_create(struct session_writer *w, const struct session_info *in,
                      char id[SESSION_ID_SIZE], struct err *e)
{
    char made[SESSION_ID_SIZE];

    if (session_id_make(made, e) < 0 ||
        queue_info(w, CREATE_SESSION, made, in, e) < 0)
        return -1;
    memcpy(id, made, sizeof(made));
    return 0;
}

int
session_writer_update(struct session_writer *w, const char *id,
                      const struct session_info *in, struct err *e)
{
    return queue_info(w, UPDATE_SESSION, id, in, e);
}

int
session_writer_append(struct session_writer *w, const char *id,
                      const char *kind, const char *text, size_t n,
                      struct err *e)
{
    CLEANUP(free_write_p) struct session_write *op = calloc(1, sizeof(*op));

    if (!op)
        return err_nomem(e);
    op->kind = APPEND_ITEM;
    op->n = n;
    snprintf(op->id, sizeof(op->id), "%s", id);
    if (copy_of_text(&op->texts[0], kind, strlen(kind), e) < 0 ||
        copy_of_text(&op->texts[1], text, n, e) < 0)
        return -1;
    return queue_write(w, TAKE_PTR(op));
}

int
session_writer_expire(struct session_writer *w, int64_t keep_days,
                      struct err *e)
{
    CLEANUP(free_write_p) struct session_write *op = calloc(1, sizeof(*op));

    if (!op)
        return err_nomem(e);
    op->kind = EXPIRE_SESSIONS;
    op->days = keep_days;
    return queue_write(w, TAKE_PTR(op));
}
