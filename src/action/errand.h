/* SPDX-License-Identifier: GPL-3.0-or-later */
/* errand.h - one request for a tool, of any listener, from its rules to its
 * end.
 *
 * A listener is what takes requests of programs: `agentsh tool call`, a server.
 * An errand finds the tool, judges the call (tool/permit.h), asks where that is
 * the decision, makes the confinement, calls the tool and records all of it.
 * Many run at once on one loop. An errand never waits, and reads and writes no
 * descriptor of its listener: what comes of it are events, from the loop and
 * never from within a function below.
 *
 * It is in action/ since its approvals are those of action/approval.h. */
#ifndef ACTION_ERRAND_H
#define ACTION_ERRAND_H

#include "record/journal.h"
#include "tool/call.h"
#include "tool/permit.h"
#include "tool/registry.h"

#define ERRAND_ASK_MS (60 * 60 * 1000) /* for a person who is away */

/* Which answer a question of the rules gets. */
enum errand_ask {
    ERRAND_ASK_ALLOW, /* yes: whoever wrote the request has said so by it */
    ERRAND_ASK_DENY,  /* no: nobody is there */
    ERRAND_ASK_LATER, /* the event `ask`, then errand_answer */
};

/* Where an errand writes its events down. */
struct errand_record {
    /* Called once, while the first call works already, for a journal that takes
     * time to open. NULL: it is opened by the first event. */
    void (*open)(void *arg);
    /* Adds one; what fails is the listener's to report. later: together with
     * the next one (journal_add_later). The members are borrowed. */
    void (*add)(void *arg, const char *kind,
                const struct journal_member *members, bool later);
    /* NULL, or puts an event into words that add_prepared adds later, as add
     * does, and takes. NULL of it: the event is not recorded. */
    struct journal_event *(*prepare)(void *arg, const char *kind,
                                     const struct journal_member *members);
    void (*add_prepared)(void *arg, struct journal_event *event);
    /* NULL: the end of an errand is in the journal before its last event. Else
     * it is added later, and this comes at the end of the turn: it writes down
     * what was added, and only then sends what the last events brought. So
     * errands that end together are one transaction. */
    void (*flush)(void *arg);
    void *arg;
};

/* What the errands of one session share. All of it is borrowed while the
 * context lives. */
struct errand_params {
    struct loop *loop;
    const struct seat *seat; /* it has a directory */
    const struct config *config;
    const struct policy *policy;
    struct registry *registry;
    struct tool_pool *pool;
    const char *const *named; /* as in struct path_context; may be NULL */
    const char *workspace;    /* absolute: what commands may write, wherever
                                 they start; NULL: where each starts */
    struct errand_record record;
    enum errand_ask ask;
    int64_t ask_ms;  /* for an answer to `ask`; 0: ERRAND_ASK_MS */
    const char *by;  /* who requests, for the journal */
    const char *yes; /* who agrees to what the rules ask about, and to a
                        program that runs as root: the same */
    bool privileged; /* as in struct tool_setting */
    bool sudo;       /* the same */
    /* What does more than read is judged in a thread of its own: for a loop
     * that nothing may hold. The rules do not change meanwhile. */
    bool aside;
};

struct errand_context;
struct errand;

struct errand_context *errand_context_new(const struct errand_params *p,
                                          struct err *e);
/* Ends its errands without an event, also from one of their events. Each is
 * still to be freed, and nothing else can be done with it. A server that is
 * being asked for its tools is ended, which may take 2 s. Accepts NULL. */
void errand_context_free(struct errand_context *c);
DEFINE_CLEANUP(struct errand_context, errand_context_free)

/* Whether a call did more than read, so that the journal belongs on the disk
 * at the end of the session. */
bool errand_context_acted(const struct errand_context *c);

/* Borrowed while the errand lives. */
struct errand_request {
    const char *tool, *action;
    const struct json *args; /* NULL: {} */
    bool is_long;            /* they are: they are looked at in a thread */
    const char *step_id;     /* may be NULL */
    bool stream;             /* output comes as events too */
    int64_t timeout_ms; /* 0: the manifest's, or TOOL_CALL_TIMEOUT_MS; < 0: only
                           the manifest's */
};

/* Any of these may free the errand or the context, but for elevate, output and
 * progress.
 * Each may be NULL, but for the last three. */
struct errand_events {
    /* The tool is not trusted as it is now: the listener asks whether it is,
     * then errand_trust. t is borrowed until the answer. NULL: such a tool is
     * not used. */
    void (*trust)(void *arg, const struct tool *t);
    /* The rules ask. t and p are borrowed until the answer. */
    void (*ask)(void *arg, uint64_t token, const struct tool *t,
                const struct permit *p);
    void (*output)(void *arg, const char *stream, const char *bytes, size_t n);
    /* As in struct tool_events. */
    void (*progress)(void *arg, double done, double total, const char *text);
    /* As in struct tool_events; after TOOL_ELEVATE_LATER, errand_elevate. NULL:
     * the answer is no. */
    enum tool_elevation (*elevate)(void *arg, const char *const *argv);
    /* Exactly one of these comes, last. What they are handed is valid until
     * they return. denied: by a rule, or by the answer to
     * `ask`. */
    void (*done)(void *arg, const struct tool_result *r);
    void (*denied)(void *arg, const struct permit *p, int64_t ms);
    void (*failed)(void *arg, const struct err *why, int64_t ms);
};

/* Whether a request only reads, as all of the other ones do that are under way:
 * then it makes no difference in which order they run. False for what cannot be
 * told yet, and for a command. */
bool errand_may_overlap(const struct errand_context *c,
                        const struct errand_request *rq);

/* Begins. What is wrong with the request is `failed` and in the journal;
 * ERR_NOMEM alone is returned. ev is borrowed. */
struct errand *errand_start(struct errand_context *c,
                            const struct errand_request *rq,
                            const struct errand_events *ev, void *arg,
                            struct err *e);
/* Ends it, with all that it started; no event follows. Accepts NULL. */
void errand_free(struct errand *er);
DEFINE_CLEANUP(struct errand, errand_free)

/* Records a request that is none: root is what was sent, NULL when that is no
 * JSON. It never becomes an errand. */
void errand_record_unreadable(struct errand_context *c, const struct json *root,
                              const struct err *why);

/* While paused, no output of the tool is read. */
void errand_pause(struct errand *er, bool paused);

/* The answer to `trust`, which may be given from within it. why->code ERR_NONE:
 * the listener has called registry_trust, and the errand goes on; else it fails
 * with that. Without a question nothing happens. */
void errand_trust(struct errand *er, const struct err *why);

/* The answer to `ask`; token is that of the event. A yes is good for what was
 * judged then: it is judged again, and if the tool, the arguments, the files
 * of code that a command runs, those that a tool writes, the directory, by its
 * path or which one that is, or the confinement are not the same, the errand
 * fails with ERR_DENIED. ERR_NOT_FOUND: nothing is asked any
 * more, since it was answered, or took too long; ERR_INVALID: the token is
 * another one's. */
int errand_answer(struct errand *er, uint64_t token, bool yes, struct err *e);

/* The digest of what `ask` asks about, which a yes covers: the same as long as
 * what would run is. "" before. For a listener whose question outlives the
 * errand. Borrowed. */
const char *errand_digest(const struct errand *er);

/* The answer to `elevate`. Without a question nothing happens. */
void errand_elevate(struct errand *er, bool yes);

/* The sandbox of a command of cmd.run that runs; NULL: there is none. */
const struct sandbox_spec *errand_sandbox(const struct errand *er);

#endif
