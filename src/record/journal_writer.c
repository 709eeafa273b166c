/* SPDX-License-Identifier: GPL-3.0-or-later */
/* journal_writer.c - a thread that writes the events of many runs. */
#include "record/journal_writer.h"

#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/thread.h"

/* Memory of events that are not written yet: some hundred of the largest that a
 * session makes, so that a disk that is busy for seconds loses none. */
#define QUEUE_MAX (16u << 20)

/* Who adds writes so much itself. Where it slept for that, as on a busy disk,
 * and longer than HERE_US, the thread writes for HERE_RESTS times as long as it
 * took: so a hundredth of the time at most is lost to such a disk. Where others
 * had the processor, they would have had it anyway. */
#define HERE_BYTES (16u << 10)
#define HERE_US    2000
#define HERE_RESTS 100

/* When the journal is closed: the thread waits for another process's lock up to
 * the first time, and is waited for up to the second. */
#define GIVE_UP_MS 1600
#define CLOSE_MS   2000

/* What is queued, and what the thread takes at once. */
struct queue {
    struct journal_event *first, **end;
    size_t bytes;
    const struct journal_file_run *to_sync; /* the last that asked; or NULL */
    struct journal_file_run *ended;
    int64_t lost; /* events for which there was no room, or no memory */
    struct err why;
    uint64_t last; /* the position of what was queued last */
};

struct journal_writer {
    pthread_t thread;
    /* the thread's, and while it is idle, of who adds */
    struct journal_file *file;
    int wake;
    int64_t rest_us; /* until then (clock_us) only the thread writes */
    /* all below is used under the lock */
    pthread_mutex_t lock;
    pthread_cond_t work, done;
    struct queue queue;
    bool urgent; /* the queue is to be taken */
    bool closing, ended;
    bool idle; /* the thread has settled all that it took, and waits */
    size_t writing_bytes; /* of what the thread has taken */
    uint64_t taken;       /* the position up to which the thread has taken */
    uint64_t settled;
    uint64_t awaited;   /* the position to wake for; UINT64_MAX: none */
    struct err trouble; /* the first; ERR_NONE: none since rows were written */
    bool unreported;
};

static void
queue_clear(struct queue *q, uint64_t last)
{
    *q = (struct queue){.last = last};
    q->end = &q->first;
}

/* The thread. */

/* Takes what is queued; waits for it. false: there is nothing, and nothing will
 * be. */
static bool
take_queue(struct journal_writer *w, struct queue *taken)
{
    bool any;

    pthread_mutex_lock(&w->lock);
    while (!w->urgent && !w->closing)
        pthread_cond_wait(&w->work, &w->lock);
    *taken = w->queue;
    any = taken->first || taken->ended || taken->to_sync || taken->lost > 0;
    queue_clear(&w->queue, taken->last);
    w->taken = taken->last;
    w->writing_bytes = taken->bytes;
    any = any || !w->closing;
    w->urgent = w->idle = false;
    pthread_mutex_unlock(&w->lock);
    return any;
}

static void
write_taken(struct journal_file *f, struct queue *q)
{
    if (q->lost > 0) /* told when it happened */
        journal_file_lose(f, q->lost, &q->why, false);
    (void)journal_file_write(f, q->first);
    if (q->to_sync)
        (void)journal_file_sync(f, q->to_sync, false);
    while (q->ended) {
        struct journal_file_run *run = q->ended;

        q->ended = run->next_ended;
        journal_file_end_run(f, run);
    }
}

static void
wake_loop(struct journal_writer *w)
{
    static const uint64_t one = 1;

    (void)!write(w->wake, &one, sizeof(one));
}

/* Lets the other thread know how far it is, and of trouble. */
static void
report_settled(struct journal_writer *w, uint64_t position)
{
    struct err why;
    bool trouble = journal_file_take_trouble(w->file, &why);
    bool well = !journal_file_has_trouble(w->file);
    bool wake;

    pthread_mutex_lock(&w->lock);
    w->writing_bytes = 0;
    w->settled = position;
    w->idle = true;
    if (trouble) {
        w->trouble = why;
        w->unreported = true;
    } else if (well && !w->unreported && w->queue.lost == 0) {
        w->trouble.code = ERR_NONE;
    }
    wake = w->awaited <= position;
    if (wake)
        w->awaited = UINT64_MAX;
    pthread_mutex_unlock(&w->lock);
    /* woken with the lock, the loop would wait for it at once */
    if (wake)
        wake_loop(w);
}

static void *
run_writer(void *arg)
{
    struct journal_writer *w = arg;
    struct queue taken;

    (void)prctl(PR_SET_NAME, "journal");
    (void)journal_file_open(w->file, NULL);
    report_settled(w, 0);
    while (take_queue(w, &taken)) {
        write_taken(w->file, &taken);
        report_settled(w, taken.last);
    }
    journal_file_close(w->file);
    pthread_mutex_lock(&w->lock);
    w->ended = true;
    pthread_cond_signal(&w->done);
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

/* The thread that adds. */

static void
init_locks(struct journal_writer *w)
{
    pthread_condattr_t attr;

    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->work, NULL);
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&w->done, &attr);
    pthread_condattr_destroy(&attr);
}

static void
free_writer(struct journal_writer *w)
{
    pthread_mutex_destroy(&w->lock);
    pthread_cond_destroy(&w->work);
    pthread_cond_destroy(&w->done);
    free(w);
}

struct journal_writer *
journal_writer_start(struct journal_file *f, int wake, struct err *e)
{
    CLEANUP(journal_file_close_p) struct journal_file *file = f;
    struct journal_writer *w = calloc(1, sizeof(*w));

    if (!w) {
        err_nomem(e);
        return NULL;
    }
    w->file = file;
    w->wake = wake;
    w->awaited = UINT64_MAX;
    queue_clear(&w->queue, 0);
    init_locks(w);
    if (thread_start(&w->thread, run_writer, w, e) < 0) {
        free_writer(w);
        return NULL;
    }
    file = NULL;
    return w;
}

/* Wakes the thread; the lock is held. */
static void
start_write(struct journal_writer *w)
{
    w->urgent = true;
    pthread_cond_signal(&w->work);
}

/* Counts an event as lost, and notes why; the lock is held. */
static void
count_lost(struct journal_writer *w, const struct err *why)
{
    if (w->queue.lost++ == 0)
        w->queue.why = *why;
    if (w->trouble.code != ERR_NONE)
        return;
    w->trouble = *why;
    err_wrap(&w->trouble, "some of this is not recorded (agentsh doctor)");
    w->unreported = true;
}

static bool
queue_has_room(const struct journal_writer *w, size_t bytes)
{
    return w->queue.bytes + w->writing_bytes + bytes <= QUEUE_MAX;
}

uint64_t
journal_writer_add(struct journal_writer *w, struct journal_event *event,
                   bool later)
{
    CLEANUP(journal_event_free_p) struct journal_event *lost = event;
    size_t bytes = sizeof(*event) + event->body.cap;
    uint64_t position = 0;
    struct err why;
    bool starts;

    pthread_mutex_lock(&w->lock);
    if (queue_has_room(w, bytes)) {
        *w->queue.end = TAKE_PTR(lost);
        w->queue.end = &event->next;
        w->queue.bytes += bytes;
        position = ++w->queue.last;
    } else {
        err_set(&why, ERR_NOMEM, "more was waiting for the disk than %u MiB",
                QUEUE_MAX >> 20);
        count_lost(w, &why);
    }
    starts = !later || w->queue.bytes > QUEUE_MAX / 2;
    w->urgent = w->urgent || starts;
    pthread_mutex_unlock(&w->lock);
    /* woken with the lock, the thread would wait for it at once */
    if (starts)
        pthread_cond_signal(&w->work);
    return position;
}

void
journal_writer_lose(struct journal_writer *w, const struct err *why)
{
    pthread_mutex_lock(&w->lock);
    count_lost(w, why);
    pthread_mutex_unlock(&w->lock);
}

uint64_t
journal_writer_sync(struct journal_writer *w,
                    const struct journal_file_run *run)
{
    uint64_t position;

    pthread_mutex_lock(&w->lock);
    w->queue.to_sync = run;
    position = ++w->queue.last;
    start_write(w);
    pthread_mutex_unlock(&w->lock);
    return position;
}

void
journal_writer_end_run(struct journal_writer *w, struct journal_file_run *run)
{
    pthread_mutex_lock(&w->lock);
    run->next_ended = w->queue.ended;
    w->queue.ended = run;
    start_write(w);
    pthread_mutex_unlock(&w->lock);
}

uint64_t
journal_writer_settled(struct journal_writer *w)
{
    uint64_t settled;

    pthread_mutex_lock(&w->lock);
    settled = w->settled;
    pthread_mutex_unlock(&w->lock);
    return settled;
}

/* The thread wakes only when it is told to, by who calls this. */
static bool
may_write_here(struct journal_writer *w)
{
    const struct queue *q = &w->queue;
    bool may;

    pthread_mutex_lock(&w->lock);
    may = w->idle && !w->urgent && q->first && q->bytes <= HERE_BYTES &&
          !q->to_sync && !q->ended && q->lost == 0 &&
          w->trouble.code == ERR_NONE;
    pthread_mutex_unlock(&w->lock);
    return may;
}

/* How often this thread has slept so far. */
static long
count_sleeps(void)
{
    struct rusage used;

    return getrusage(RUSAGE_THREAD, &used) == 0 ? used.ru_nvcsw : 0;
}

bool
journal_writer_write_now(struct journal_writer *w)
{
    int64_t from = clock_us(), took;
    long sleeps;
    bool done;

    if (from < w->rest_us || !may_write_here(w))
        return false;
    sleeps = count_sleeps();
    done = journal_file_write_now(w->file, w->queue.first);
    took = clock_us() - from;
    if (took > HERE_US && count_sleeps() != sleeps)
        w->rest_us = from + HERE_RESTS * took;
    if (!done)
        return false;
    pthread_mutex_lock(&w->lock);
    queue_clear(&w->queue, w->queue.last);
    w->taken = w->settled = w->queue.last;
    pthread_mutex_unlock(&w->lock);
    return true;
}

void
journal_writer_await(struct journal_writer *w, uint64_t position)
{
    bool settled, starts;

    pthread_mutex_lock(&w->lock);
    settled = position <= w->settled;
    starts = position > w->taken;
    w->awaited = settled ? UINT64_MAX : position;
    w->urgent = w->urgent || starts;
    pthread_mutex_unlock(&w->lock);
    if (settled)
        wake_loop(w);
    else if (starts) /* else the thread writes it */
        pthread_cond_signal(&w->work);
}

bool
journal_writer_take_trouble(struct journal_writer *w, struct err *out)
{
    bool unreported;

    pthread_mutex_lock(&w->lock);
    unreported = w->unreported;
    w->unreported = false;
    if (unreported)
        *out = w->trouble;
    pthread_mutex_unlock(&w->lock);
    return unreported;
}

/* Waits for the end of the thread; the lock is held. */
static bool
wait_for_end(struct journal_writer *w, int64_t until_ms)
{
    const struct timespec until = {.tv_sec = until_ms / 1000,
                                   .tv_nsec = until_ms % 1000 * 1000000};

    while (!w->ended && pthread_cond_timedwait(&w->done, &w->lock, &until) == 0)
        continue;
    return w->ended;
}

bool
journal_writer_stop(struct journal_writer *w)
{
    int64_t now = clock_ms();
    bool ended;

    journal_file_give_up(w->file, now + GIVE_UP_MS);
    pthread_mutex_lock(&w->lock);
    w->closing = true;
    pthread_cond_signal(&w->work);
    ended = wait_for_end(w, now + CLOSE_MS);
    pthread_mutex_unlock(&w->lock);
    if (!ended) {
        pthread_detach(w->thread);
        return false;
    }
    pthread_join(w->thread, NULL);
    free_writer(w);
    return true;
}
