/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gateway_statement.h - the statements on the tables of the gateway. */
#ifndef RECORD_GATEWAY_STATEMENT_H
#define RECORD_GATEWAY_STATEMENT_H

enum gateway_statement {
    /* Changes. */
    GATEWAY_PUT_TASK,
    GATEWAY_ADD_EVENT,
    GATEWAY_PUT_PROMPT,
    GATEWAY_REMOVE_PROMPT,
    GATEWAY_PUT_PERMISSION,
    GATEWAY_PUT_REF,
    /* Changes, of those that share. */
    GATEWAY_PUT_SELF,
    GATEWAY_PUT_NODE,
    GATEWAY_PUT_CLAIM,
    GATEWAY_REMOVE_CLAIM,
    /* Questions. */
    GATEWAY_FIND_TASK,        /* by id */
    GATEWAY_LIST_TASKS,       /* text, states, before; newest first */
    GATEWAY_COUNT_TASKS,      /* the same */
    GATEWAY_QUEUED_TASKS,     /* in their order */
    GATEWAY_UNFINISHED,       /* queued or running: id, state; when restarted */
    GATEWAY_PROMPTS,          /* of a task */
    GATEWAY_PERMISSIONS,      /* of a task */
    GATEWAY_OPEN_PERMISSIONS, /* of a task, or of all ("") */
    GATEWAY_EVENTS,           /* of a task after a seq */
    GATEWAY_EVENTS_BEFORE,    /* the same, the newest first */
    GATEWAY_ALL_EVENTS,       /* of all after an n */
    GATEWAY_FIND_REF,
    GATEWAY_USAGE,  /* by type of agent; of a task, or of all ("") */
    GATEWAY_STATES, /* how many tasks have which state */
    GATEWAY_LAST,   /* the last numbers of tasks, events and prompts */
    GATEWAY_SELF,   /* this gateway's name among those that share; the stream */
    GATEWAY_NODES,
    GATEWAY_CLAIMS,
    GATEWAY_ENDED_TASKS, /* that ended before a time, the oldest first; but none
                            that has a working tree, or the last number */
    GATEWAY_ENDED_TREES, /* the same that have one, with a number behind one */
    /* More changes. Gateways that share send each other these numbers: what is
     * new is added at the end. */
    GATEWAY_REMOVE_EVENTS, /* of a task, up to a seq */
    GATEWAY_REMOVE_PROMPTS,
    GATEWAY_REMOVE_PERMISSIONS,
    GATEWAY_REMOVE_TASK,
    GATEWAY_REMOVE_REFS, /* of before a time */
    GATEWAY_SHRINK,      /* gives some of the free space back */
    /* And more questions. */
    GATEWAY_TRANSCRIPT, /* how large a task's events are, with some bytes for
                           each */
    GATEWAY_STATEMENTS,
};

#endif
