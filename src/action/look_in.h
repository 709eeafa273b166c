/* SPDX-License-Identifier: GPL-3.0-or-later */
/* look_in.h - what look.c, look_offer.c and look_call.c share. */
#ifndef ACTION_LOOK_IN_H
#define ACTION_LOOK_IN_H

#include "action/look.h"
#include "base/sha256.h"
#include "tool/call.h"
#include "tool/permit.h"

#define LOOK_NAME_MAX 64 /* what every provider takes */

/* One action of a tool, as it is offered. */
struct look_offer {
    char name[LOOK_NAME_MAX + 1];     /* fs_read_file, or services__ports */
    char outside[LOOK_NAME_MAX + 32]; /* of its words: client.h; "": nothing */
    char *description, *schema;
    const struct tool *tool;
    const struct manifest_action *action;
};

/* A call that was made: the same again is answered from here. */
struct look_told {
    char key[SHA256_HEX_SIZE]; /* of its name and arguments */
    char *text, *outside;
    bool failed;
};

struct look {
    struct loop *loop;
    struct look_setting set;
    struct risk_context where;
    char *cwd; /* where.cwd */
    struct look_offer offers[LOOK_TOOLS_MAX];
    struct model_tool tools[LOOK_TOOLS_MAX]; /* the same, for the request */
    size_t n_offers;
    struct look_told told[LOOK_ROUNDS_MAX * MODEL_TOOL_CALLS_MAX];
    size_t n_told;
    size_t bytes; /* told so far */
    int64_t ms;   /* worked so far */

    /* the calls under way */
    const struct model_tool_call *tool_calls;
    size_t n_tool_calls, at;
    const struct look_events *ev;
    void *arg;
    struct watch *soon; /* goes on from the loop, not from a callback */
    struct tool_pool *pool;
    struct secret_tree secrets; /* closed to the calls of one answer */

    /* the one of them that is checked or runs */
    const struct look_offer *offer; /* NULL: none of ours */
    struct json *args;              /* owned; NULL: no object */
    char key[SHA256_HEX_SIZE];
    struct tool_call *call;
    int64_t began_ms;
    size_t wrote;     /* bytes */
    int64_t limit_ms; /* of its time */
    bool timed_out;
    const char *malformed; /* why nobody could make it; NULL */
};

/* look_offer.c: fills offers and tools. */
void look_read_offers(struct look *k);
void look_offers_done(struct look *k);
/* NULL: nothing of that name is offered. */
const struct look_offer *look_find_offer(const struct look *k,
                                         const char *name);

/* look_call.c: checks, judges and starts call `at`; its end comes by
 * look_over, at once when it cannot be made. */
void look_make_call(struct look *k);

/* Whether others than root could have written what the call, which was made,
 * has told. */
bool look_is_outside(const struct look *k);

/* A tool is at work on call `at`. */
void look_begun(const struct look *k);

/* Call `at` is over, with this text of the tool (raw) or of ours; or with
 * what the same call was told before. */
void look_over(struct look *k, const char *text, size_t n, bool raw,
               bool failed);
void look_again(struct look *k, const struct look_told *before);

#endif
