/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guest_shared.h - what all connections of a guest agent share.
 *
 * The folder server/guest/ is the guest agent: the program that runs commands
 * and moves files for whoever owns the machine it runs on. It speaks JSON-RPC,
 * one message a line, on standard input and output or on many connections. It
 * must not know who its peers are. By default nothing is asked and nothing is
 * confined, since the peer owns the machine; a profile, a root and rules narrow
 * that. What can fail is answered, and the connection goes on. */
#ifndef SERVER_GUEST_GUEST_SHARED_H
#define SERVER_GUEST_GUEST_SHARED_H

#include "record/journal.h"
#include "server/guest/guest_settings.h"
#include "wire/read_buffer.h"

struct guest_connection;
struct guest_job;
struct guest_orphans;
struct guest_process;

/* A command that runs; guest_command.c embeds it. */
struct guest_running {
    struct guest_running *prev, *next;
    pid_t pid;      /* and its process group */
    uint64_t owner; /* what it ends with: a connection's number, GUEST_AGENT */
};

#define GUEST_AGENT 0

struct guest_shared {
    struct loop *loop;
    const struct seat *seat;               /* of the agent's own process */
    struct guest_settings *settings;       /* of connections that come */
    struct journal *(*journal)(void *arg); /* NULL: none is kept */
    struct read_buffer *buffer;
    enum profile profile;         /* of commands */
    const char *root;             /* absolute: files are below it; NULL: any */
    int root_fd;                  /* of it; -1: none */
    int64_t exec_timeout_ms;      /* 0: none */
    const char *const *variables; /* of commands, unless they are given some */
    const char *temp_dir;         /* for files without a name */
    struct journal_run *run;      /* of guest_record.h; NULL: nothing yet */
    struct guest_orphans *orphans;
    struct guest_job *jobs; /* that threads work on */
    struct guest_running *running;
    struct guest_process *processes;
    size_t n_processes;
    int64_t last_process;     /* the last id that was given */
    uint64_t last_connection; /* the same for the numbers of connections */
    void (*log)(void *arg, const char *line);
    void *arg; /* of log and journal */
};

#endif
