/* SPDX-License-Identifier: GPL-3.0-or-later */
/* warm_process.h - one model process that a shell keeps between questions, so
 * that the next one finds its connection to the server open.
 *
 * The shell's half owns the process and lends a socket to it to each `ai` that
 * it runs, one at a time. The process is started when the first of them needs
 * it, and ended when it was idle for WARM_PROCESS_IDLE_MS, when what it gets
 * of the environment has changed, or when a borrower was killed: no part of
 * one question can reach the next. A borrower that leaves a question
 * unanswered shuts the socket down, which ends the process.
 *
 * The borrower's half finds the socket by AGENTSH_MODEL_PROCESS. */
#ifndef MODEL_WARM_PROCESS_H
#define MODEL_WARM_PROCESS_H

#include <stdbool.h>

#include "base/cleanup.h"
#include "base/loop.h"

/* libcurl opens a new connection in place of one that was idle for 118 s
 * (CURLOPT_MAXAGE_CONN), so a process that waits longer is of no use. */
#define WARM_PROCESS_IDLE_MS 120000

/* The environment entry of a borrower, whose socket is descriptor 3. */
#define WARM_PROCESS_VARIABLE "AGENTSH_MODEL_PROCESS"
#define WARM_PROCESS_ENTRY    WARM_PROCESS_VARIABLE "=3"

struct warm_process;

struct warm_process *warm_process_new(struct loop *l, struct err *e);
void warm_process_free(struct warm_process *w); /* ends the process */
DEFINE_CLEANUP(struct warm_process, warm_process_free)

/* The socket for a child that is about to start, as proc_spec.pass_fd; env is
 * the child's environment. The loop must run while the child does. -1: there
 * is none, and the child starts a process of its own. Borrowed. */
int warm_process_share(struct warm_process *w, const char *const *env,
                       struct err *e);
/* The child has ended; killed: by a signal. */
void warm_process_take_back(struct warm_process *w, bool killed);

/* For a borrower, once: the socket that it was lent, which its children do not
 * inherit; the caller closes it. -1: none. */
int warm_process_borrow(void);

#endif
