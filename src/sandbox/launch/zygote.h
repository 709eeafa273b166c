/* SPDX-License-Identifier: GPL-3.0-or-later */
/* zygote.h - a launcher process that is started before it is needed.
 *
 * A process that calls zygote_serve receives on descriptor 3 what it shall
 * launch (zygote_client.h is the other side). For each request it forks a copy
 * of itself, which is the front's child, as if the front had started it, and
 * has a child of its own that is already in namespaces (prefork.h). The next
 * copy is made when the one before has ended or has run for long, so that the
 * cost is paid while the person reads. */
#ifndef SANDBOX_LAUNCH_ZYGOTE_H
#define SANDBOX_LAUNCH_ZYGOTE_H

#include <stdint.h>

#include "sandbox/launch/child.h"

#define ZYGOTE_SOCKET 3

/* A request: this struct, with a control message that carries the descriptors
 * of the enum below; then `bytes` bytes, which are the launcher's words and the
 * variables of its environment, each with its NUL. The answer is an int32_t,
 * the pid of the process that launches. */
struct zygote_request {
    uint32_t words, variables, bytes;
};
enum { /* standard input, output, error; the report; the working directory */
       ZYGOTE_IN,
       ZYGOTE_OUT,
       ZYGOTE_ERR,
       ZYGOTE_REPORT,
       ZYGOTE_CWD,
       ZYGOTE_FDS
};

#define ZYGOTE_BYTES_MAX (4u << 20) /* execve(2) takes no more of them */

/* Serves until the client closes the socket, and returns the exit status; in a
 * copy it returns the launcher's. builtin: a program that is part of this
 * executable, so that it need not be executed; NULL: there is none. */
int zygote_serve(const struct child_builtin *builtin);

#endif
