/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guest_command.h - one command that runs, its streams and its end. */
#ifndef SERVER_GUEST_GUEST_COMMAND_H
#define SERVER_GUEST_GUEST_COMMAND_H

#include <sys/ioctl.h>

#include "base/cleanup.h"
#include "server/guest/guest_shared.h"

/* What is run. All is borrowed until guest_command_start returns. */
struct guest_command_spec {
    const struct guest_settings *settings;
    const char *const *argv;
    const char *program;       /* the path of argv[0] */
    const char *cwd;           /* NULL: the agent's, or its root */
    const char *const *env;    /* NULL: the agent's own variables */
    const struct winsize *tty; /* of its terminal; NULL: it has pipes */
    bool owners; /* in the profile observe: owners are shown as they are */
    bool input;  /* a pipe as its input, not /dev/null */
    int64_t timeout_ms;    /* 0: none */
    uint64_t memory_bytes; /* of each of its processes; 0: no limit */
    unsigned processes;    /* 0: no limit */
};

enum guest_stream { GUEST_STDOUT, GUEST_STDERR, GUEST_STREAMS };

struct guest_command_events {
    /* Must not free the command. A terminal's output is GUEST_STDOUT. */
    void (*output)(void *arg, enum guest_stream which, const char *bytes,
                   size_t n);
    /* The command has ended, and nobody holds its output open. May free it. */
    void (*ended)(void *arg);
};

/* Starts a command for a connection, by its number, which its tree is ended
 * with, or for GUEST_AGENT. The errors are those of guest_launch. */
struct guest_command *guest_command_start(struct guest_shared *sh,
                                          uint64_t owner,
                                          const struct guest_command_spec *spec,
                                          const struct guest_command_events *ev,
                                          void *arg, struct err *e);

/* Kills its tree, and no event follows. What is left of a command that has
 * ended goes on. Accepts NULL. */
void guest_command_free(struct guest_command *c);
DEFINE_CLEANUP(struct guest_command, guest_command_free)

/* Of one that has ended: its exit status; -1: a signal ended it. */
int guest_command_status(const struct guest_command *c);
int guest_command_killed_by(const struct guest_command *c); /* 0: none */
bool guest_command_timed_out(const struct guest_command *c);
pid_t guest_command_pid(const struct guest_command *c);

/* While paused no output is read. */
void guest_command_pause(struct guest_command *c, bool paused);

/* Writes to its input, or types keys. ERR_NOT_FOUND: the input is closed;
 * ERR_NOMEM: it reads too slowly, and nothing was written. */
int guest_command_input(struct guest_command *c, const char *bytes, size_t n,
                        struct err *e);
/* Closes the input when all is written; a terminal gets its end of file. */
void guest_command_close_input(struct guest_command *c);
/* ERR_INVALID: it has no terminal. */
int guest_command_resize(struct guest_command *c, const struct winsize *size,
                         struct err *e);
/* To its process group. */
void guest_command_signal(struct guest_command *c, int signo);

#endif
