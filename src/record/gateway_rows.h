/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gateway_rows.h - the tables of the gateway: tasks, their events, prompts and
 * permissions, and what was done for a client once.
 *
 * Each statement takes texts and then numbers, and each row that it returns has
 * texts and then numbers; a table says how many. The file is gateway.db in the
 * state directory (WAL, mode 0600, checked as the journal is), and a commit is
 * on the disk when it returns (synchronous=FULL). One process has it at a time.
 * What a task's words mean is not known here. */
#ifndef RECORD_GATEWAY_ROWS_H
#define RECORD_GATEWAY_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "record/gateway_statement.h"

#define GATEWAY_TEXTS   16
#define GATEWAY_NUMBERS 22

/* What a statement takes, or a row has. Texts that are NULL are "". */
struct gateway_values {
    const char *text[GATEWAY_TEXTS];
    int64_t number[GATEWAY_NUMBERS];
};

/* A task, where it is put or found. The descriptions of lists are empty. */
enum gateway_task_text {
    TASK_ID,
    TASK_STATE,
    TASK_TITLE,
    TASK_DESCRIPTION,
    TASK_BOARD,
    TASK_COLUMN,
    TASK_AGENT_TYPE,
    TASK_METADATA, /* JSON */
    TASK_SESSION,
    TASK_INSTANCE,
    TASK_COMMAND,
    TASK_ERROR,
    TASK_DIRECTORY,
    TASK_TREE, /* its working tree of git; "": it has none */
    TASK_BASE, /* the commit that this was made of */
    TASK_TEXTS,
};
enum gateway_task_number {
    TASK_N, /* counts tasks, from 1 */
    TASK_PRIORITY,
    TASK_QUEUED,  /* when it came to the queue: a counter; 0: it is not in it */
    TASK_CREATED, /* times are milliseconds since 1970 */
    TASK_UPDATED,
    TASK_ATTEMPTS,
    TASK_SENT, /* its agent has the prompt that is under way */
    TASK_TURNS,
    TASK_MS,
    TASK_TOKENS_IN,
    TASK_TOKENS_OUT,
    TASK_COST, /* millionths */
    TASK_SESSION_COST,
    TASK_LIMIT_TURNS, /* 0: none */
    TASK_LIMIT_MS,
    TASK_LIMIT_TOKENS,
    TASK_LIMIT_COST,
    TASK_WORKTREE,
    TASK_NUMBERS,
    /* only where it is found: */
    TASK_PROMPTS = TASK_NUMBERS, /* that wait */
    TASK_WAITING,                /* permissions that are open */
    TASK_LAST_SEQ,               /* of its events */
    TASK_FOUND_NUMBERS,
};

enum gateway_event_text {
    EVENT_TASK,
    EVENT_ACTION,
    EVENT_DATA, /* JSON */
    EVENT_TEXTS,
};
enum gateway_event_number {
    EVENT_N, /* counts events of all tasks, from 1 */
    EVENT_SEQ,
    EVENT_AT,
    EVENT_NUMBERS,
};

enum gateway_prompt_text {
    PROMPT_ID,
    PROMPT_TASK,
    PROMPT_TEXT,
    PROMPT_TEXTS,
};
enum gateway_prompt_number {
    PROMPT_N,
    PROMPT_STATE, /* enum gateway_prompt_state */
    PROMPT_CREATED,
    PROMPT_NUMBERS,
};

enum gateway_prompt_state {
    PROMPT_WAITS,
    PROMPT_UNDER_WAY,   /* its agent has it, or is about to */
    PROMPT_INTERRUPTED, /* that agent is gone: it waits for who starts it */
};

enum gateway_permission_text {
    PERMISSION_TASK,
    PERMISSION_REQUEST,
    PERMISSION_DATA, /* JSON of the question */
    PERMISSION_OPTION,
    PERMISSION_BY,
    PERMISSION_TEXTS,
};
enum gateway_permission_number {
    PERMISSION_STATE, /* 0: it is open */
    PERMISSION_SEQ,   /* of the event that asked */
    PERMISSION_EVENT, /* its n */
    PERMISSION_ASKED,
    PERMISSION_EXPIRES, /* 0: never */
    PERMISSION_DECIDED,
    PERMISSION_NUMBERS,
};

/* A gateway of those that share their tasks. */
enum gateway_node_number {
    NODE_EPOCH, /* the turn at which it joined; 0: it is gone */
    NODE_LAST,  /* of its changes since */
    NODE_TOKEN, /* by which it joined */
    NODE_SLOT,  /* counts them */
    NODE_TURN,  /* when this was so */
    NODE_NUMBERS,
};

/* How many a statement takes, and how many each of its rows has. */
struct gateway_form {
    unsigned texts, numbers, row_texts, row_numbers;
};
const struct gateway_form *gateway_rows_form(enum gateway_statement s);

struct gateway_rows;

/* Opens the file, or creates it; shared: that of tasks that are shared with
 * other gateways, gateway-shared.db, instead. ERR_INVALID: another gateway has
 * it; ERR_UNSUPPORTED: a newer agentsh wrote it; else as record/sqlite.h has
 * it. */
struct gateway_rows *gateway_rows_open(bool shared, struct err *e);
void gateway_rows_close(struct gateway_rows *r); /* accepts NULL */
DEFINE_CLEANUP(struct gateway_rows, gateway_rows_close)

/* A transaction; its end is on the disk. keep false: nothing of it stays. */
int gateway_rows_begin(struct gateway_rows *r, struct err *e);
int gateway_rows_end(struct gateway_rows *r, bool keep, struct err *e);

/* Runs a statement, and calls row for each row until it returns false. Texts
 * are valid during the callback. row may be NULL for a change. */
int gateway_rows_run(struct gateway_rows *r, enum gateway_statement s,
                     const struct gateway_values *in,
                     bool (*row)(void *arg, const struct gateway_values *v),
                     void *arg, struct err *e);

/* Moves the write-ahead log into the file when it has grown. */
void gateway_rows_checkpoint(struct gateway_rows *r);

#endif
