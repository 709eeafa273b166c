/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gateway_shared.h - what the files of the gateway share: its state, its
 * clients and their requests, and the tasks that are in memory.
 *
 * What is decided is decided on the loop, from memory, and handed to the store
 * in that order; who is told of it waits until it is on the disk. So an answer
 * or an event that was sent is never lost, and no two gateways or callbacks
 * decide the same thing. Lists and histories are read from the disk. */
#ifndef SERVER_GATEWAY_GATEWAY_SHARED_H
#define SERVER_GATEWAY_GATEWAY_SHARED_H

#include "record/gateway_store.h"
#include "record/journal.h"
#include "server/gateway/agent_type.h"
#include "server/gateway/gateway.h"
#include "server/gateway/gateway_agent.h"
#include "server/gateway/gateway_message.h"
#include "server/gateway/gateway_nodes.h"
#include "server/gateway/gateway_queue.h"
#include "wire/websocket.h"

#define GATEWAY_REQUESTS_MAX 64   /* of one client at once; then it waits */
#define GATEWAY_WATCHES_MAX  1000 /* of one client */
#define GATEWAY_PROMPTS_MAX  100  /* that wait, of one task */
#define GATEWAY_TRIES        3    /* of a task whose agent fails */
#define GATEWAY_REF_MAX      512  /* bytes of what a client calls a message */
#define GATEWAY_TASK_ID_MAX  128  /* bytes of what a client may call a task */
#define GATEWAY_EVENT_ROOM   128  /* bytes of an event beside its data */
#define GATEWAY_MICRO        1000000 /* of a unit of money: as costs are kept */
#define GATEWAY_ANSWER_MAX   (4u << 20) /* bytes of a message to a client */

struct gateway_client;
struct gateway_task;
struct gateway_action;
struct gateway_directory;
struct gateway_removal;
struct sent_event;
struct worktree_job;

/* The types of agents, as they were loaded; agents hold theirs. */
struct gateway_types {
    struct agent_types *rows;
    unsigned uses;
};

struct gateway {
    struct gateway_setup set;
    struct server_http *http;
    struct server_http_route routes[8]; /* its */
    struct gateway_page *page;
    struct gateway_store *store;
    struct gateway_nodes
        *nodes; /* that share the tasks; NULL: there are none */
    void (*opened)(void *gateway);
    struct config *config;
    struct gateway_types *types;
    struct journal_run *run; /* NULL: no journal is kept */
    struct gateway_client *clients;
    struct gateway_request *requests;
    struct gateway_watch *watches;
    struct sent_event *sending, *sending_last; /* when they are kept */
    struct gateway_task *tasks;                /* in memory */
    struct gateway_queue queue;
    int64_t last_task, last_event, last_prompt, last_place; /* counters */
    uint64_t n_shared_events;                               /* so far */
    uint64_t n_removed;     /* tasks that ended long ago, so far */
    uint64_t n_clients;     /* so far */
    struct watch *schedule; /* a place may be free: armed by whoever frees it */
    struct watch *tick;
    unsigned picking; /* tasks that are on their way from the queue */
    struct gateway_removal *removals; /* of tasks, that are under way */
    bool sweeping;                    /* it is looked for more of them */
    int64_t sweep_ms;                 /* when it is next */
    int64_t tree_after; /* the number of the last one with a tree that was
                           looked at */
    bool ready;         /* what the last gateway left is known */
    bool stopping, closing;
    int64_t stop_by_ms;
    int64_t stuck_ms;     /* since when the store cannot write; 0: it can */
    char directory[4096]; /* where agents work unless a task says otherwise */
};

struct gateway_client {
    struct gateway_client *next;
    struct gateway *g;
    struct websocket *ws; /* NULL: not open yet */
    char name[96];        /* "client 3 (127.0.0.1)" */
    unsigned n_requests, n_watches;
    bool full; /* reads slowly: events wait on the disk */
};

/* One request, until it is answered. */
struct gateway_request {
    struct gateway_request *next;
    struct gateway *g;
    struct gateway_client *client; /* NULL: it left */
    struct gateway_message m;
    const struct gateway_action *action;
    struct gateway_task *task;     /* that it names; NULL: none */
    char *ref;                     /* by which it is done once; NULL: none */
    bool doing;                    /* it is not done yet */
    int64_t asked_ms;              /* when it came */
    struct buf answer;             /* when what it did is on the disk */
    struct worktree_job *tree_job; /* that it waits for; NULL: none */
    /* The directory that it names is looked for; NULL: it is not. */
    struct gateway_directory *directory;
    void (*seen)(struct gateway_request *r); /* what is done when it is there */
    /* among gateways that share their tasks */
    char new_id[GATEWAY_ID_SIZE]; /* of the task that it makes; "": any */
    int64_t token;                /* it is handed on; 0: not */
    char to[RELAY_NODE_SIZE];
    char from[RELAY_NODE_SIZE]; /* who handed it on; "": it has a client */
    int64_t from_token;
    char from_client[96];
};

/* A task's events go to a client, or those of all tasks. */
struct gateway_watch {
    struct gateway_watch *next;
    struct gateway *g;
    struct gateway_client *client;      /* NULL: it left, or watches no more */
    char task[GATEWAY_TASK_ID_MAX + 1]; /* "*": all */
    bool all;
    unsigned kinds;   /* GATEWAY_KIND_… */
    int64_t sent;     /* the seq, or for all the n, that it has */
    bool repeats_all; /* open questions, whatever their number */
    bool live;        /* it has all that is on the disk */
    bool reading;     /* an answer of the store is under way */
};
#define GATEWAY_KIND_TASK       1u
#define GATEWAY_KIND_PERMISSION 2u
#define GATEWAY_KIND_OTHER      4u
#define GATEWAY_KINDS_ALL       7u

struct gateway_prompt {
    struct gateway_prompt *next;
    char id[GATEWAY_ID_SIZE];
    char *text;
    int64_t number[PROMPT_NUMBERS];
};

enum gateway_permission_state {
    PERMISSION_OPEN,
    PERMISSION_ANSWERED,
    PERMISSION_EXPIRED,
    PERMISSION_WITHDRAWN,
};

struct gateway_permission {
    struct gateway_permission *next;
    char *text[PERMISSION_TEXTS];
    int64_t number[PERMISSION_NUMBERS];
};

struct gateway_task {
    struct gateway_task *next;
    struct gateway *g;
    char id[GATEWAY_ID_SIZE];
    bool found; /* else it is looked for, or there is none */
    bool loading;
    bool copy;    /* to read: another gateway has it, or none */
    bool dropped; /* it was ours, while it was loaded */
    bool removed; /* its rows are about to be: for clients there is none */
    struct gateway_loading *waiters;
    unsigned uses; /* requests and others that hold it in memory */
    int64_t used_ms;
    char *text[TASK_TEXTS];
    int64_t number[TASK_FOUND_NUMBERS];
    struct gateway_prompt *prompts;
    struct gateway_permission *permissions;
    /* its agent */
    struct gateway_agent *agent; /* NULL: there is none */
    struct gateway_types *types; /* its */
    bool agent_ready;            /* it has a session, and takes prompts */
    bool in_turn;                /* it has a prompt, or is about to: */
    bool unsent;                 /* until that is written */
    bool reported;               /* how it ended, by an event of the agent's */
    bool stopping;               /* as asked: its state is settled */
    char over[128];              /* the limit that was reached; "": none */
    int64_t turn_ms, idle_ms;    /* since when */
    struct watch *limit;         /* of its minutes */
    int64_t transcript;          /* bytes of its events, once it is measured */
    int64_t transcript_most;     /* by its type; 0: no limit */
    bool measured;
    struct gateway_request *starter; /* waits for its agent */
    struct gateway_directory *look;  /* for its working tree, to begin it */
    struct worktree_job *tree_job;   /* that is made or removed */
    bool tree_quietly;               /* nobody asked for that */
    void (*tree_made)(struct gateway_task *t, const struct err *why);
    void (*tree_over)(struct gateway_task *t);
};

#endif
