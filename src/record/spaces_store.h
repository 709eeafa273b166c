/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spaces_store.h - keeps runs that wait for an approval across restarts.
 *
 * A run is a list of operations (a text of its owner's) and where it stands in
 * it. An approval is a question about one of them, and its answer. The store
 * makes sure that a question is answered once, and that one process goes on
 * with a run: both are one transaction. It does not know what operations mean.
 * The file is approvals.db in the state directory (WAL, mode 0600, checked as
 * the journal is). Operations are kept as they are, not redacted, since they
 * are to be run; they are overwritten when the run is over.
 *
 * A process that has runs holds a lock on a file of its own beside the store,
 * from which others see that it lives. A function waits at most a second for
 * another process, then it fails with ERR_TIMEOUT and has changed nothing. What
 * a function wrote survives the end of the process, also by SIGKILL. A thread
 * may call these, one at a time. */
#ifndef RECORD_SPACES_STORE_H
#define RECORD_SPACES_STORE_H

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/sha256.h"

#define SPACES_STORE_ID_SIZE    37 /* "run_" and 32 hex digits */
#define SPACES_STORE_RUNS_MAX   1000
#define SPACES_STORE_BYTES_MAX  (256u << 20) /* of the operations of all */
#define SPACES_STORE_EVENTS_MAX (64u << 20)  /* of one run */

struct spaces_store;

/* Opens the file, or creates it, and deletes what is over, or has expired, for
 * keep_days (0: nothing). */
struct spaces_store *spaces_store_open(int64_t keep_days, struct err *e);
void spaces_store_close(struct spaces_store *s); /* accepts NULL */
DEFINE_CLEANUP(struct spaces_store, spaces_store_close)

enum spaces_approval_state {
    SPACES_APPROVAL_WAITS,
    SPACES_APPROVAL_YES,
    SPACES_APPROVAL_NO,
    SPACES_APPROVAL_EXPIRED,
};
const char *spaces_approval_state_name(enum spaces_approval_state s);

/* A question. Texts are borrowed. */
struct spaces_question {
    const char *run, *workspace;
    const char *policy; /* the option of the process that asks; may be NULL */
    const char *operations; /* the text of the run; operations_n bytes */
    size_t operations_n;
    size_t index;   /* of the operation */
    const char *op; /* its id, op_n bytes */
    size_t op_n;
    const char *type, *what; /* what it is, and what it would do */
    const char *reason, *rule;
    char digest[SHA256_HEX_SIZE]; /* what a yes covers */
    int64_t expires_ms;           /* since 1970; 0: never */
    const char *events;           /* that the agent may not get, if this */
    size_t events_n;              /* process is killed now; may be none */
};

/* Keeps a question, and its run. *approval becomes its number. ERR_NOMEM: too
 * many wait. */
int spaces_store_ask(struct spaces_store *s, const struct spaces_question *q,
                     int64_t *approval, struct err *e);

/* What is known of a question. Texts are valid during the callback. */
struct spaces_approval {
    int64_t number;
    const char *run, *workspace, *policy;
    const char *op, *type, *what, *reason, *rule;
    size_t op_n, index;
    enum spaces_approval_state state;
    int64_t asked_ms, expires_ms, decided_ms; /* 0: never */
    const char *by, *via, *why; /* who answered, how, and with which words */
    bool lives;                 /* the process that asked */
    bool goes_on; /* the run waits for nothing but to be gone on with */
};
typedef void spaces_approval_cb(void *arg, const struct spaces_approval *a);

/* Lists the questions that wait, and those that were answered while their run
 * was not gone on with yet; or the one of a number or a run (word), whatever
 * its state. ERR_NOT_FOUND. */
int spaces_store_list(struct spaces_store *s, spaces_approval_cb *cb, void *arg,
                      struct err *e);
int spaces_store_show(struct spaces_store *s, const char *word,
                      spaces_approval_cb *cb, void *arg, struct err *e);

/* An answer, and who gives it. */
struct spaces_answer {
    bool yes;
    const char *by, *via;
    const char *why; /* may be NULL */
};

/* Answers a question; the process that asked is notified, if it lives. *lives
 * says so. ERR_NOT_FOUND: there is no such question; ERR_INVALID: it was
 * answered before, or has expired, and nothing is changed. */
int spaces_store_answer(struct spaces_store *s, int64_t approval,
                        const struct spaces_answer *answer, bool *lives,
                        struct err *e);

/* A run that this process goes on with. */
enum spaces_outcome {
    SPACES_OUTCOME_WAITS,       /* nobody answered: it waits on */
    SPACES_OUTCOME_YES,         /* the operation at index runs */
    SPACES_OUTCOME_NO,          /* it does not */
    SPACES_OUTCOME_EXPIRED,     /* neither, and nobody said no */
    SPACES_OUTCOME_INTERRUPTED, /* it ran when its process was killed */
};

struct spaces_claim {
    enum spaces_outcome outcome;
    char run[SPACES_STORE_ID_SIZE];
    int64_t approval;
    size_t index;
    char digest[SHA256_HEX_SIZE];
    int64_t decided_ms;
    char *workspace, *policy, *operations; /* policy: "" is none */
    size_t operations_n;
    char *op, *reason, *rule, *by, *via, *why;
    size_t op_n;
    struct buf events; /* that the agent may not have got */
};
void spaces_claim_done(struct spaces_claim *c); /* accepts NULL */

/* Takes a run over, so that no other process goes on with it, and answers its
 * question where it waits. op NULL: whichever operation it waits for; answer
 * NULL: only if somebody else answered. workspace NULL: of any. out is released
 * with spaces_claim_done in any case. ERR_NOT_FOUND: no such run, or it was
 * answered otherwise; ERR_INVALID: it is over or under way, or waits for
 * another operation. */
struct spaces_resume {
    const char *run, *workspace, *op;
    size_t op_n;
    const struct spaces_answer *answer;
};
int spaces_store_claim(struct spaces_store *s, const struct spaces_resume *r,
                       struct spaces_claim *out, struct err *e);

/* The run that this process asked about and somebody else answered: its id, ""
 * for none. */
int spaces_store_answered(struct spaces_store *s,
                          char run[SPACES_STORE_ID_SIZE], struct err *e);

/* Whether a question of this process may have been answered since the last
 * call: looks at the lock file alone, which takes some microseconds. */
bool spaces_store_was_notified(struct spaces_store *s);

/* The operation at index begins: events are those before it, of which the
 * store does not know the first `from` bytes. */
int spaces_store_begin(struct spaces_store *s, const char *run, size_t index,
                       const struct buf *events, size_t from, struct err *e);

/* The agent got its events. over: and the run is. */
int spaces_store_delivered(struct spaces_store *s, const char *run, bool over,
                           struct err *e);

/* Calls cb for each run below this workspace that was interrupted, or answered
 * and not gone on with: for a log. */
int spaces_store_left(struct spaces_store *s, const char *workspace,
                      void (*cb)(void *arg, const char *run, bool interrupted),
                      void *arg, struct err *e);

#endif
