/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trial_in.h - what the files of a trial share. */
#ifndef TOOL_TRIAL_IN_H
#define TOOL_TRIAL_IN_H

#include <limits.h>

#include "sandbox/setup.h"
#include "tool/response.h"
#include "tool/trial/chat.h"
#include "tool/trial/trial.h"

struct trial {
    const struct trial_wish *wish;
    struct tool tool;
    struct manifest *manifest;
    struct sandbox_setup site;
    char *dir, *program;    /* of the plugin, real */
    char scratch[PATH_MAX]; /* its workspace; "" before it is made */
    struct chat *chat;      /* with its process; NULL: none */
    struct buf refused;     /* calls that were told of, a ";" behind each */
    int64_t id, limit_ms;
    int failed;
    bool answered; /* it has answered in the right form, once */
    bool hopeless; /* the rest would tell the same */
};

/* How a request was answered. */
struct trial_reply {
    struct response response;
    size_t outputs; /* output events before it */
    int64_t ms;
    char came[256]; /* in words, for a finding */
};
void trial_reply_done(struct trial_reply *r);

void trial_pass(struct trial *t, const char *name);
void trial_fault(struct trial *t, const char *name, const char *wanted,
                 const char *came, const char *advice);
void trial_tell(struct trial *t, enum trial_verdict v, const char *name,
                const char *came);
bool trial_is_over(const struct trial *t); /* hopeless, or stopped */

/* A request line; args: JSON text. action NULL: none that it has. */
struct trial_request {
    const char *tool; /* NULL: its name */
    const char *action, *args;
    bool stream;
};
void trial_write(struct trial *t, const struct trial_request *rq,
                 struct buf *out);

/* Sends a line, to a process that is there if it is persistent, and awaits the
 * answer. -1: none in the right form; e says what came instead. action: whose
 * meta is checked; NULL: none. */
int trial_ask(struct trial *t, const struct buf *line, bool stream,
              const struct manifest_action *action, struct trial_reply *r,
              struct err *e);
/* The same for a line that is no request, whose answer needs no id. */
int trial_ask_stray(struct trial *t, const struct buf *line,
                    struct trial_reply *r, struct err *e);
/* The next answer of a persistent process that was sent several requests. */
int trial_await(struct trial *t, int64_t id, struct trial_reply *r,
                struct err *e);
/* A process to talk to. */
int trial_begin(struct trial *t, struct err *e);
/* Tells what it wrote on its log and what the walls refused, and ends it. */
void trial_end(struct trial *t);

/* A scratch directory with a file, our working directory and its state. */
int trial_place_make(struct trial *t, struct err *e);
void trial_place_drop(struct trial *t);
#define TRIAL_SAMPLE "sample.txt"

/* Returns false when there is no plugin to talk to. */
bool trial_manifest(struct trial *t, struct err *e);
void trial_action(struct trial *t, const struct manifest_action *a);
void trial_tool(struct trial *t);

#endif
