/* SPDX-License-Identifier: GPL-3.0-or-later */
/* journal.c - adds the events of a run to the ledger, redacted. */
#include "record/journal.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fd.h"
#include "base/path.h"
#include "base/redact.h"
#include "base/secret_name.h"
#include "base/utf8.h"
#include "record/journal_path.h"
#include "record/ledger.h"
#include "record/retention.h"
#include "json/write.h"

#define JOURNAL_BODY_MAX (1u << 20) /* of one row, as JSON */
#define JOURNAL_RUN_SIZE 24

/* A longer holder of the lock is waited for once in a run, not at each event.
 */
#define AGAIN_MS 20

#define LATER_MAX 4

#define NAME_MAX_BYTES 128
/* This much more of a text is redacted than is kept, so that a secret across
 * the end of the kept part is seen as a whole. A secret across the end of the
 * redacted part is not, so as much is dropped from the result. */
#define BEYOND       (8u << 10)
#define LOOK_MAX     (JOURNAL_TEXT_MAX + BEYOND)
#define REDACTED_MAX (4u * LOOK_MAX)

/* Other processes hold the lock for as long as it takes to read and set a
 * length. */
#define LOCK_MS 1000
/* A run's name: the time (UTC), two letters for its part of the second, and
 * three at random. */
static int
name_run(char name[JOURNAL_RUN_SIZE], struct err *e)
{
    /* in byte order; without letters that look like digits or like each other,
     * and without vowels, which would make words */
    static const char letters[] = "23456789bcdfghjkmnpqrstvwxyz";
    const unsigned n = sizeof(letters) - 1;
    unsigned char chance[3];
    int64_t now = ledger_now_ms();
    unsigned part = (unsigned)(now % 1000) * n * n / 1000;
    time_t t = (time_t)(now / 1000);
    char when[16];
    struct tm tm;

    if (getrandom(chance, sizeof(chance), 0) != (ssize_t)sizeof(chance))
        return err_sys(e, "random bytes");
    if (!gmtime_r(&t, &tm) ||
        strftime(when, sizeof(when), "%Y%m%d-%H%M%S", &tm) == 0)
        return err_set(e, ERR_IO, "cannot read the clock");
    snprintf(name, JOURNAL_RUN_SIZE, "%s-%c%c%c%c%c", when, letters[part / n],
             letters[part % n], letters[chance[0] % n], letters[chance[1] % n],
             letters[chance[2] % n]);
    return 0;
}

/* The members of an event as JSON, redacted. */

/* Redacts and truncates a text; *cut tells whether something was left out. */
static void
redact_and_cut(const char *text, size_t n, struct buf *out, bool *cut)
{
    CLEANUP_BUF struct buf mended = buf_of(3 * LOOK_MAX);
    size_t keep = JOURNAL_TEXT_MAX;

    *cut = n > LOOK_MAX;
    (void)utf8_repair(&mended, text, *cut ? LOOK_MAX : n);
    (void)redact(mended.p, mended.len, out);
    if (*cut && out->len < keep + BEYOND)
        keep = out->len > BEYOND ? out->len - BEYOND : 0;
    if (out->len > keep) {
        buf_cut(out, utf8_boundary(out->p, out->len, keep));
        *cut = true;
    }
}

static void
put_left_out_size(struct json_writer *w, const char *name, size_t n)
{
    char size[NAME_MAX_BYTES];

    snprintf(size, sizeof(size), "%s_bytes", name);
    json_member_int(w, size, (int64_t)n);
}

static void
put_redacted_text(struct json_writer *w, const struct journal_member *m)
{
    CLEANUP_BUF struct buf text = buf_of(REDACTED_MAX);
    size_t n = m->len == SIZE_MAX ? strlen(m->text) : m->len;
    bool cut;

    redact_and_cut(m->text, n, &text, &cut);
    json_key(w, m->name);
    json_put_strn(w, text.p, text.len);
    if (cut || text.bad)
        put_left_out_size(w, m->name, n);
}

static void put_tree(struct json_writer *w, const struct json *v);

/* Writes a string redacted; as a whole where its name means a secret. */
static void
put_redacted_string(struct json_writer *w, const struct json *v)
{
    CLEANUP_BUF struct buf text = buf_of(REDACTED_MAX);
    const struct secret_name *secret;
    size_t n = 0, name_len = 0;
    const char *p = json_str(v, &n);
    const char *name = json_name(v, &name_len);
    bool cut;

    secret = name && n > 0 ? secret_name_find(name, name_len) : NULL;
    if (secret && !secret->weak && p[0] != '$') {
        buf_printf(&text, "[redacted:%s]", secret->kind);
        json_put_strn(w, text.p, text.len);
        return;
    }
    redact_and_cut(p, n, &text, &cut);
    json_put_strn(w, text.p, text.len);
}

static void
put_children(struct json_writer *w, const struct json *v)
{
    for (const struct json *c = json_first(v); c; c = json_next(c)) {
        size_t n;
        const char *name = json_name(c, &n);

        if (name)
            json_keyn(w, name, n);
        put_tree(w, c);
    }
}

/* Writes a value with its strings redacted, at most JSON_DEPTH_MAX levels deep.
 */
static void
put_tree(struct json_writer *w, const struct json *v)
{
    switch (json_type(v)) {
    case JSON_STRING:
        put_redacted_string(w, v);
        break;
    case JSON_ARRAY:
        json_open_array(w);
        put_children(w, v);
        json_close_array(w);
        break;
    case JSON_OBJECT:
        json_open_object(w);
        put_children(w, v);
        json_close_object(w);
        break;
    default:
        json_put_value(w, v);
    }
}

/* A value that is too large is left out as a whole: half of it would be no
 * JSON. */
static void
put_tree_member(struct json_writer *w, const struct journal_member *m)
{
    CLEANUP_BUF struct buf tree = buf_of(JOURNAL_BODY_MAX);
    struct json_writer in;

    json_write_init(&in, &tree);
    put_tree(&in, m->json);
    if (!tree.bad && tree.len <= 4 * JOURNAL_TEXT_MAX) {
        json_key(w, m->name);
        json_put_raw(w, tree.p, tree.len);
    } else {
        put_left_out_size(w, m->name, tree.len);
    }
}

static void
put_journal_member(struct json_writer *w, const struct journal_member *m)
{
    switch (m->type) {
    case JOURNAL_TEXT:
        if (m->text)
            put_redacted_text(w, m);
        break;
    case JOURNAL_INT:
        json_member_int(w, m->name, m->number);
        break;
    case JOURNAL_BOOL:
        json_member_bool(w, m->name, m->number != 0);
        break;
    case JOURNAL_JSON:
        if (m->json)
            put_tree_member(w, m);
        break;
    }
}

/* The members as one JSON object, redacted. -1: they do not fit. */
static int
put_journal_members(const struct journal_member *members, struct buf *out,
                    struct err *e)
{
    struct json_writer w;

    json_write_init(&w, out);
    json_open_object(&w);
    for (; members->name; members++)
        put_journal_member(&w, members);
    json_close_object(&w);
    return buf_ok(out, "an event of the journal", e);
}

/* Events that were lost.
 *
 * A run that finds the disk full ends before there is space again. It leaves a
 * file beside the journal, PATH-lost, whose length is the number of the events
 * that are missing: a length takes no block of a full disk. The next run that
 * opens the journal takes it and adds the row that tells of them. */

/* Opens and locks the file; -1: there is none. */
static int
open_lost_file(const char *path, int flags, struct stat *st)
{
    CLEANUP(free_p) char *name = path_beside(path, "-lost");
    CLEANUP(fd_close_p) int fd = -1;

    if (!name)
        return -1;
    fd = open(name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | flags, 0600);
    if (fd < 0 || fd_lock(fd, LOCK_MS, NULL) < 0 || fstat(fd, st) < 0 ||
        !S_ISREG(st->st_mode))
        return -1;
    return TAKE_FD(fd);
}

/* Adds n to the events that are missing in the journal at path, if it can. */
static void
add_lost(const char *path, int64_t n)
{
    struct stat st;
    CLEANUP(fd_close_p) int fd = open_lost_file(path, O_CREAT, &st);

    if (fd >= 0)
        (void)!ftruncate(fd, st.st_size + n);
}

/* How many events are missing; from now on none. 0 also when it is unknown. */
static int64_t
take_lost(const char *path)
{
    struct stat st;
    CLEANUP(fd_close_p) int fd = open_lost_file(path, 0, &st);

    if (fd < 0 || st.st_size == 0 || ftruncate(fd, 0) < 0)
        return 0;
    return st.st_size;
}

/* An event that is added together with the next one. */
struct later {
    char kind[16], time[LEDGER_TIME_SIZE];
    struct buf body;
};

struct journal {
    struct ledger *ledger;
    char *path;
    int64_t keep_days, keep_mb;
    char run[JOURNAL_RUN_SIZE];
    int64_t first; /* number of the run's first row; 0: none yet */
    int64_t lost;  /* events that were lost since the last one recorded */
    struct later later[LATER_MAX];
    size_t n_later;
    struct err trouble; /* the first failure; ERR_NONE: none */
    bool reported;
};

/* Leaves the journal at j->path as it is, and begins another one beside it. */
static int
begin_beside(struct journal *j, const struct err *why, struct err *e)
{
    CLEANUP(free_p) char *path = journal_path_replace(j->path, e);

    if (!path)
        return -1;
    ledger_close(j->ledger);
    j->ledger = ledger_open(path, SQLITE_MODE_WRITE, LEDGER_WAIT_MS, e);
    if (!j->ledger)
        return -1;
    err_set(&j->trouble, ERR_PARSE,
            "started a new journal in %s: %s. The old one is kept", path,
            why->text);
    j->reported = false;
    j->first = 0; /* row numbers start again there */
    free(j->path);
    j->path = TAKE_PTR(path);
    return 0;
}

struct journal *
journal_open(int64_t keep_days, int64_t keep_mb, struct err *e)
{
    CLEANUP(journal_close_p) struct journal *j = calloc(1, sizeof(*j));
    struct err why = {0};

    if (!j) {
        err_nomem(e);
        return NULL;
    }
    *j = (struct journal){.keep_days = keep_days, .keep_mb = keep_mb};
    j->path = journal_path_find(e);
    if (!j->path || journal_path_make(j->path, e) < 0 ||
        name_run(j->run, e) < 0)
        return NULL;
    j->ledger = ledger_open(j->path, SQLITE_MODE_WRITE, LEDGER_WAIT_MS, &why);
    if (!j->ledger && (why.code != ERR_PARSE || begin_beside(j, &why, e) < 0)) {
        if (why.code != ERR_PARSE && e)
            *e = why;
        add_lost(j->path, 1); /* at least */
        return NULL;
    }
    j->lost = take_lost(j->path);
    return TAKE_PTR(j);
}

static int
append_row(struct journal *j, const char *kind, const char *time,
           const struct buf *body, int64_t *seq, struct err *e)
{
    const struct ledger_row row = {
        .run = j->run,
        .run_len = strlen(j->run),
        .time = time,
        .time_len = strlen(time),
        .kind = kind,
        .kind_len = strlen(kind),
        .body = body->p,
        .body_len = body->len,
    };

    return ledger_append(j->ledger, &row, seq, e);
}

/* Adds a row "gap" that says how many events are missing, and why. */
static int
append_gap(struct journal *j, const char *time, struct err *e)
{
    CLEANUP_BUF struct buf body = buf_of(JOURNAL_BODY_MAX);
    const struct journal_member members[] = {
        JOURNAL_NUM("events", j->lost),
        JOURNAL_STR("why", j->trouble.code != ERR_NONE
                               ? j->trouble.text
                               : "earlier runs could not be recorded"),
        {0},
    };

    if (j->lost == 0)
        return 0;
    if (put_journal_members(members, &body, e) < 0)
        return -1;
    return append_row(j, "gap", time, &body, NULL, e);
}

static int
append_later(struct journal *j, int64_t *seq, struct err *e)
{
    for (size_t i = 0; i < j->n_later; i++) {
        const struct later *l = &j->later[i];

        if (append_row(j, l->kind, l->time, &l->body, seq, e) < 0)
            return -1;
    }
    return 0;
}

static void
forget_later(struct journal *j)
{
    for (size_t i = 0; i < j->n_later; i++)
        buf_done(&j->later[i].body);
    j->n_later = 0;
}

/* Adds an event, with the postponed ones before it, in one transaction. body
 * NULL: only these. */
static int
add_event(struct journal *j, const char *kind, const struct buf *body,
          struct err *e)
{
    char now[LEDGER_TIME_SIZE];
    int64_t seq = 0;
    bool done;

    ledger_time(ledger_now_ms(), now);
    if (ledger_begin(j->ledger, e) < 0)
        return -1;
    done = append_gap(j, now, e) == 0 && append_later(j, &seq, e) == 0 &&
           (!body || append_row(j, kind, now, body, &seq, e) == 0);
    if (ledger_end(j->ledger, done, e) < 0 || !done)
        return -1;
    if (j->first == 0)
        j->first = seq - (int64_t)j->n_later + !body;
    j->lost = 0;
    forget_later(j);
    return 0;
}

static int
note_trouble(struct journal *j, const struct err *why)
{
    if (j->trouble.code == ERR_NONE) {
        j->trouble = *why;
        err_wrap(&j->trouble, "some of this is not recorded (agentsh doctor)");
        j->reported = false;
    }
    if (j->ledger && why->code == ERR_TIMEOUT)
        sqlite_set_busy_timeout(ledger_database(j->ledger), AGAIN_MS);
    return -1;
}

static int
count_lost(struct journal *j, const struct err *why)
{
    j->lost++;
    return note_trouble(j, why);
}

/* Adds an event to the journal, or to a new one where it turns out to be
 * damaged. */
static int
add_somewhere(struct journal *j, const char *kind, const struct buf *body)
{
    struct err why = {0}, e = {0};

    if (add_event(j, kind, body, &why) == 0)
        return 0;
    if (why.code == ERR_PARSE && begin_beside(j, &why, &e) == 0 &&
        add_event(j, kind, body, &e) == 0)
        return 0;
    j->lost += (int64_t)j->n_later + (body != NULL);
    forget_later(j);
    return note_trouble(j, e.code != ERR_NONE ? &e : &why);
}

int
journal_add(struct journal *j, const char *kind,
            const struct journal_member *members)
{
    CLEANUP_BUF struct buf body = buf_of(JOURNAL_BODY_MAX);
    struct err e = {0};

    if (!j)
        return 0;
    if (!j->ledger)
        return count_lost(j, &j->trouble);
    if (put_journal_members(members, &body, &e) < 0)
        return count_lost(j, &e);
    return add_somewhere(j, kind, &body);
}

int
journal_add_later(struct journal *j, const char *kind,
                  const struct journal_member *members)
{
    struct later *l;
    struct err e = {0};

    if (!j || !j->ledger || j->n_later == LATER_MAX)
        return journal_add(j, kind, members);
    l = &j->later[j->n_later];
    snprintf(l->kind, sizeof(l->kind), "%s", kind);
    ledger_time(ledger_now_ms(), l->time);
    l->body = buf_of(JOURNAL_BODY_MAX);
    if (put_journal_members(members, &l->body, &e) < 0) {
        buf_done(&l->body);
        return count_lost(j, &e);
    }
    j->n_later++;
    return 0;
}

int
journal_sync(struct journal *j, bool soon)
{
    struct err e = {0};
    struct sqlite *s;

    if (!j || !j->ledger)
        return 0;
    if (j->n_later > 0 && add_somewhere(j, "", NULL) < 0)
        return -1;
    if (j->first == 0)
        return 0;
    s = ledger_database(j->ledger);
    if (sqlite_sync(s, soon, &e) < 0)
        return note_trouble(j, &e);
    if (retention_trim(j->ledger, j->run, j->first,
                       &(struct retention){j->keep_days, j->keep_mb}, &e) < 0 &&
        e.code != ERR_TIMEOUT) /* a later run will do it */
        return note_trouble(j, &e);
    sqlite_checkpoint(s);
    return 0;
}

const char *
journal_trouble(struct journal *j)
{
    if (!j || j->reported || j->trouble.code == ERR_NONE)
        return NULL;
    j->reported = true;
    return j->trouble.text;
}

void
journal_close(struct journal *j)
{
    if (!j)
        return;
    if (j->ledger && j->n_later > 0)
        (void)add_somewhere(j, "", NULL);
    if (j->ledger)
        sqlite_checkpoint(ledger_database(j->ledger));
    if (j->lost > 0)
        add_lost(j->path, j->lost);
    forget_later(j);
    ledger_close(j->ledger);
    free(j->path);
    free(j);
}
