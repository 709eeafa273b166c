/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wait.h - a launcher that is there before it is needed.
 *
 * Who calls wait_serve gets what shall be launched on descriptor 3 (spare.h is
 * the other side). For each there is a copy of it, which is the front's child
 * as if the front had started it, and has a child of its own in namespaces
 * (ready.h). What all this costs is paid while the person reads: the next copy
 * is made when the one before has ended, or is at work for long. */
#ifndef SANDBOX_WAIT_H
#define SANDBOX_WAIT_H

#include <stdint.h>

#include "sandbox/launch/inside.h"

#define WAIT_SOCKET 3

/* One order: this, with the descriptors of standard input, output and error,
 * of the report and of the working directory beside it; then `bytes` bytes,
 * the words of the launcher and of its environment, each with its NUL. The
 * answer, an int32_t, is the id of the process that does it. */
struct wait_order {
    uint32_t words, variables, bytes;
};
enum { WAIT_IN, WAIT_OUT, WAIT_ERR, WAIT_REPORT, WAIT_CWD, WAIT_FDS };

#define WAIT_BYTES_MAX (4u << 20) /* execve(2) takes no more of them */

/* Serves until the other side is gone, and returns the exit status; in a
 * launcher it returns that one's. tool: a program that need not be executed,
 * since it is in us. */
int wait_serve(const struct inside_tool *tool);

#endif
