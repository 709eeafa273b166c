/* SPDX-License-Identifier: GPL-3.0-or-later */
/* key_reply.h - what a key of a shell gets from `agentsh line --for-key`.
 *
 * On standard output: the command on the first line, which is empty where there
 * is none, and below it what is to be shown: errors, remarks, an explanation.
 * Meanwhile Ctrl-C ends this process alone, and not the shell that waits for
 * it; other keys are dropped, since an Enter among them would run what has not
 * been seen. The terminal's modes are those of before at the end. */
#ifndef FRONTEND_CLI_KEY_REPLY_H
#define FRONTEND_CLI_KEY_REPLY_H

#include "base/cleanup.h"
#include "base/loop.h"
#include "base/seat.h"

struct key_reply;

/* From here on standard output and standard error are collected. shows: what is
 * printed is to be shown, and is no command. s is borrowed. */
struct key_reply *key_reply_open(struct loop *l, const struct seat *s,
                                 bool shows, struct err *e);

/* Writes the reply, and frees arg, which is a key_reply. Returns the status, of
 * which an agent's that has no command is 4. */
int key_reply_finish(void *arg, int status);

#endif
