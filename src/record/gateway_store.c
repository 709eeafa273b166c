/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gateway_store.c - reads and writes the tables of the gateway in a thread,
 * beside its loop. */
#include "record/gateway_store.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fd.h"
#include "base/thread.h"

#define ANSWER_BYTES (512u << 10) /* of one answer */
#define RETRY_S      1
#define CLOSE_MS     2000
#define HOLD_US      2000 /* for which callbacks may hold the loop at once */

/* A change, a question, or a callback that waits for the changes before it. */
struct store_job {
    struct store_job *next;
    enum gateway_statement what; /* GATEWAY_STATEMENTS: only a callback */
    struct gateway_values in;    /* texts are in `bytes` */
    size_t size;                 /* of all of it */
    void (*kept)(void *arg);
    gateway_answer_cb *answered;
    void *arg;
    size_t most;
    struct gateway_values *rows; /* the answer, whose texts are ours */
    size_t n, room, answer_bytes;
    bool more, lost; /* lost: no memory for the answer */
    bool may_pass;   /* it need not wait for changes that cannot be written */
    bool passed;
    char bytes[];
};

struct job_list {
    struct store_job *first, **end;
};

struct gateway_store {
    struct loop *loop;
    void (*on_trouble)(void *arg, const struct err *why);
    void *arg;
    struct gateway_rows *rows; /* the thread's */
    pthread_t thread;
    int wake;
    struct watch *woken, *flush;
    struct job_list fresh; /* of this turn of the loop, which goes to the
                              thread as a whole */
    struct job_list ready; /* whose callbacks are due: the loop's */
    struct err trouble;    /* the loop's copy; ERR_NONE: there is none */
    bool lost;             /* a change could not even be queued */
    atomic_size_t bytes;   /* of what is queued, or in the thread */
    /* all below is used under the lock */
    pthread_mutex_t lock;
    pthread_cond_t work;
    struct job_list queue, done;
    struct err failure;
    bool closing;
};

static void
clear_jobs(struct job_list *l)
{
    l->first = NULL;
    l->end = &l->first;
}

static void
append_jobs(struct job_list *l, struct job_list *more)
{
    if (!more->first)
        return;
    *l->end = more->first;
    l->end = more->end;
    clear_jobs(more);
}

static void
drop_job_answer(struct store_job *j)
{
    const struct gateway_form *f;

    if (!j->rows)
        return;
    f = gateway_rows_form(j->what);
    for (size_t i = 0; i < j->n; i++)
        for (unsigned k = 0; k < f->row_texts; k++)
            free((void *)j->rows[i].text[k]);
    free(j->rows);
    j->rows = NULL;
    j->n = j->room = j->answer_bytes = 0;
    j->more = j->lost = false;
}

static void
free_job(struct store_job *j)
{
    drop_job_answer(j);
    free(j);
}

static void
free_jobs(struct job_list *l)
{
    while (l->first) {
        struct store_job *j = l->first;

        l->first = j->next;
        free_job(j);
    }
    clear_jobs(l);
}

/* The thread. */

static bool
make_answer_room(struct store_job *j)
{
    size_t room = j->room > 0 ? j->room * 2 : 8;
    struct gateway_values *rows;

    if (j->n < j->room)
        return true;
    rows = reallocarray(j->rows, room, sizeof(*rows));
    if (!rows)
        return false;
    j->rows = rows;
    j->room = room;
    return true;
}

/* Copies a row of the answer. */
static bool
on_store_row(void *arg, const struct gateway_values *v)
{
    struct store_job *j = arg;
    const struct gateway_form *f = gateway_rows_form(j->what);
    struct gateway_values *to;

    if (j->n >= j->most || j->answer_bytes >= ANSWER_BYTES) {
        j->more = true;
        return false;
    }
    if (!make_answer_room(j)) {
        j->lost = true;
        return false;
    }
    to = &j->rows[j->n++];
    *to = *v;
    for (unsigned k = 0; k < f->row_texts; k++) {
        to->text[k] = strdup(v->text[k]);
        j->lost = j->lost || !to->text[k];
        j->answer_bytes += strlen(v->text[k]);
    }
    return !j->lost;
}

static int
do_job(struct gateway_store *s, struct store_job *j, struct err *e)
{
    if (j->what == GATEWAY_STATEMENTS)
        return 0;
    if (gateway_rows_run(s->rows, j->what, &j->in, on_store_row, j, e) < 0)
        return -1;
    return j->lost ? err_nomem(e) : 0;
}

static int
do_jobs(struct gateway_store *s, struct job_list *l, struct err *e)
{
    if (gateway_rows_begin(s->rows, e) < 0)
        return -1;
    for (struct store_job *j = l->first; j; j = j->next)
        if (do_job(s, j, e) < 0) {
            (void)gateway_rows_end(s->rows, false, NULL);
            return -1;
        }
    return gateway_rows_end(s->rows, true, e);
}

static void
wake_store_loop(struct gateway_store *s)
{
    static const uint64_t one = 1;

    (void)!write(s->wake, &one, sizeof(one));
}

static bool
take_jobs(struct gateway_store *s, struct job_list *out)
{
    pthread_mutex_lock(&s->lock);
    while (!s->queue.first && !s->closing)
        pthread_cond_wait(&s->work, &s->lock);
    clear_jobs(out);
    append_jobs(out, &s->queue);
    pthread_mutex_unlock(&s->lock);
    return out->first != NULL;
}

static void
hand_back(struct gateway_store *s, struct job_list *l, enum err_code failure)
{
    pthread_mutex_lock(&s->lock);
    for (const struct store_job *j = l->first; j; j = j->next)
        atomic_fetch_sub(&s->bytes, j->size);
    append_jobs(&s->done, l);
    s->failure.code = failure;
    pthread_mutex_unlock(&s->lock);
    wake_store_loop(s);
}

/* Answers what need not wait for the changes before it; false: nothing more
 * can be read at the moment. */
static bool
pass_questions(struct gateway_store *s, struct job_list *l, enum err_code why)
{
    struct job_list passed;
    struct store_job **at = &l->first;
    bool well = true;

    clear_jobs(&passed);
    while (*at) {
        struct store_job *j = *at;

        if (well && j->may_pass && !(well = do_job(s, j, NULL) == 0))
            drop_job_answer(j);
        if (!well || !j->may_pass) {
            at = &j->next;
            continue;
        }
        j->passed = true;
        *at = j->next;
        j->next = NULL;
        *passed.end = j;
        passed.end = &j->next;
    }
    l->end = at;
    if (passed.first)
        hand_back(s, &passed, why);
    return well;
}

/* Waits until it is time to try again, or for more questions: false. */
static bool
wait_for_time(struct gateway_store *s, struct job_list *l,
              const struct timespec *at, bool questions)
{
    int rc = 0;

    pthread_mutex_lock(&s->lock);
    while (!s->closing && !(questions && s->queue.first) && rc == 0)
        rc = pthread_cond_timedwait(&s->work, &s->lock, at);
    rc = rc != 0 || s->closing;
    append_jobs(l, &s->queue);
    pthread_mutex_unlock(&s->lock);
    return rc;
}

/* Waits until it is time to try again, and answers questions meanwhile; false:
 * the store is closed, and it is given up. */
static bool
wait_to_retry(struct gateway_store *s, struct job_list *l,
              const struct err *why, int64_t *until)
{
    struct timespec at;
    bool closing, well;

    pthread_mutex_lock(&s->lock);
    s->failure = *why;
    pthread_mutex_unlock(&s->lock);
    wake_store_loop(s);
    clock_gettime(CLOCK_REALTIME, &at);
    at.tv_sec += RETRY_S;
    do
        well = pass_questions(s, l, why->code);
    while (!wait_for_time(s, l, &at, well));
    pthread_mutex_lock(&s->lock);
    closing = s->closing;
    pthread_mutex_unlock(&s->lock);
    if (!closing)
        return true;
    if (*until == 0)
        *until = clock_ms() + CLOSE_MS;
    usleep(50000);
    return clock_ms() < *until;
}

static void *
run_store(void *arg)
{
    struct gateway_store *s = arg;
    struct job_list taken;
    int64_t until = 0;

    (void)prctl(PR_SET_NAME, "gateway store");
    while (take_jobs(s, &taken)) {
        struct err why = {0};

        while (do_jobs(s, &taken, &why) < 0) {
            for (struct store_job *j = taken.first; j; j = j->next)
                drop_job_answer(j);
            if (!wait_to_retry(s, &taken, &why, &until)) {
                hand_back(s, &taken, ERR_NONE);
                return NULL;
            }
        }
        hand_back(s, &taken, ERR_NONE);
        gateway_rows_checkpoint(s->rows);
    }
    return NULL;
}

/* The loop. */

static void
learn_trouble(struct gateway_store *s)
{
    struct err now;
    bool was = s->trouble.code != ERR_NONE, is;

    pthread_mutex_lock(&s->lock);
    now = s->failure;
    pthread_mutex_unlock(&s->lock);
    is = now.code != ERR_NONE;
    s->trouble = now;
    if (is != was)
        s->on_trouble(s->arg, is ? &s->trouble : NULL);
}

static void
call_job_back(struct store_job *j)
{
    const struct gateway_answer a = {
        .n = j->n, .row = j->rows, .more = j->more, .behind = j->passed};

    if (j->answered)
        j->answered(j->arg, &a);
    else if (j->kept)
        j->kept(j->arg);
}

static void
on_store_woken(void *arg, unsigned events)
{
    struct gateway_store *s = arg;
    int64_t until = clock_us() + HOLD_US;
    uint64_t n;

    (void)events;
    (void)!read(s->wake, &n, sizeof(n));
    learn_trouble(s);
    pthread_mutex_lock(&s->lock);
    append_jobs(&s->ready, &s->done);
    pthread_mutex_unlock(&s->lock);
    while (s->ready.first) {
        struct store_job *j = s->ready.first;

        if (!(s->ready.first = j->next))
            clear_jobs(&s->ready);
        call_job_back(j);
        free_job(j);
        if (s->ready.first && clock_us() > until) {
            wake_store_loop(s);
            return;
        }
    }
}

bool
gateway_store_is_full(const struct gateway_store *s)
{
    return atomic_load(&s->bytes) > GATEWAY_STORE_FULL;
}

const char *
gateway_store_trouble(const struct gateway_store *s)
{
    if (s->lost)
        return "out of memory";
    if (s->trouble.code != ERR_NONE)
        return s->trouble.text;
    return gateway_store_is_full(s) ? "too much waits to be written: the disk "
                                      "is too slow"
                                    : NULL;
}

static void
hand_to_thread(struct gateway_store *s, bool closing)
{
    pthread_mutex_lock(&s->lock);
    append_jobs(&s->queue, &s->fresh);
    s->closing = closing;
    pthread_cond_signal(&s->work);
    pthread_mutex_unlock(&s->lock);
}

static void
on_flush(void *arg, unsigned events)
{
    (void)events;
    hand_to_thread(arg, false);
}

static struct store_job *
new_job(enum gateway_statement what, const struct gateway_values *in)
{
    const struct gateway_form *f;
    size_t size = sizeof(struct store_job), n;
    struct store_job *j;
    char *to;

    if (what == GATEWAY_STATEMENTS) {
        j = calloc(1, size);
    } else {
        f = gateway_rows_form(what);
        for (unsigned i = 0; i < f->texts; i++)
            size += in->text[i] ? strlen(in->text[i]) + 1 : 0;
        if (!(j = calloc(1, size)))
            return NULL;
        to = j->bytes;
        for (unsigned i = 0; i < f->texts; i++) {
            if (!in->text[i])
                continue;
            n = strlen(in->text[i]) + 1;
            j->in.text[i] = memcpy(to, in->text[i], n);
            to += n;
        }
        memcpy(j->in.number, in->number, sizeof(in->number));
    }
    if (j) {
        j->what = what;
        j->size = size;
    }
    return j;
}

static void
queue_job(struct gateway_store *s, struct store_job *j)
{
    if (!j) {
        s->lost = true;
        return;
    }
    if (!s->fresh.first)
        watch_again(s->flush, 0);
    *s->fresh.end = j;
    s->fresh.end = &j->next;
    atomic_fetch_add(&s->bytes, j->size);
}

void
gateway_store_write(struct gateway_store *s, enum gateway_statement what,
                    const struct gateway_values *in)
{
    queue_job(s, new_job(what, in));
}

void
gateway_store_then(struct gateway_store *s, void (*cb)(void *arg), void *arg)
{
    struct store_job *j = new_job(GATEWAY_STATEMENTS, NULL);

    if (j) {
        j->kept = cb;
        j->arg = arg;
    }
    queue_job(s, j);
}

static void
queue_question(struct gateway_store *s, struct store_job *j, size_t most,
               gateway_answer_cb *cb, void *arg)
{
    if (j) {
        j->answered = cb;
        j->arg = arg;
        j->most = most;
    }
    queue_job(s, j);
}

void
gateway_store_ask(struct gateway_store *s, enum gateway_statement what,
                  const struct gateway_values *in, size_t most,
                  gateway_answer_cb *cb, void *arg)
{
    queue_question(s, new_job(what, in), most, cb, arg);
}

void
gateway_store_read(struct gateway_store *s, enum gateway_statement what,
                   const struct gateway_values *in, size_t most,
                   gateway_answer_cb *cb, void *arg)
{
    struct store_job *j = new_job(what, in);

    if (j)
        j->may_pass = true;
    queue_question(s, j, most, cb, arg);
}

static int
start_store(struct gateway_store *s, bool shared, struct err *e)
{
    if (!(s->rows = gateway_rows_open(shared, e)))
        return -1;
    s->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (s->wake < 0)
        return err_sys(e, "eventfd");
    s->woken = loop_fd(s->loop, s->wake, LOOP_READ, on_store_woken, s, e);
    if (!s->woken || !(s->flush = loop_timer(s->loop, 0, on_flush, s, e)))
        return -1;
    return thread_start(&s->thread, run_store, s, e);
}

static void
free_store(struct gateway_store *s)
{
    watch_free(s->woken);
    watch_free(s->flush);
    fd_close_p(&s->wake);
    gateway_rows_close(s->rows);
    pthread_cond_destroy(&s->work);
    pthread_mutex_destroy(&s->lock);
    free(s);
}

struct gateway_store *
gateway_store_open(struct loop *l, bool shared,
                   void (*trouble)(void *arg, const struct err *why), void *arg,
                   struct err *e)
{
    struct gateway_store *s = calloc(1, sizeof(*s));

    if (!s) {
        err_nomem(e);
        return NULL;
    }
    *s = (struct gateway_store){
        .loop = l, .on_trouble = trouble, .arg = arg, .wake = -1};
    clear_jobs(&s->fresh);
    clear_jobs(&s->ready);
    clear_jobs(&s->queue);
    clear_jobs(&s->done);
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->work, NULL);
    if (start_store(s, shared, e) < 0) {
        free_store(s);
        return NULL;
    }
    return s;
}

void
gateway_store_close(struct gateway_store *s)
{
    if (!s)
        return;
    hand_to_thread(s, true);
    (void)pthread_join(s->thread, NULL);
    free_jobs(&s->queue);
    free_jobs(&s->done);
    free_jobs(&s->ready);
    free_store(s);
}
