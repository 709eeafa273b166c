/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wait.h - a launcher that is there before it is needed.
 *
 * `agentsh-launch --wait` gets what it shall launch on descriptor 3 (spare.h
 * is the other side) and makes a launcher of a copy of itself for each, which
 * is the front's child as if the front had started it. What executing the
 * launcher costs is paid while the person reads. */
#ifndef SANDBOX_WAIT_H
#define SANDBOX_WAIT_H

#include <stdint.h>

#define WAIT_SOCKET 3

/* One order: this, with the descriptors of standard input, output and error,
 * of the report and of the working directory beside it; then `bytes` bytes,
 * the words of the launcher and of its environment, each with its NUL. The
 * answer is the process's id, or minus errno. */
struct wait_order {
    uint32_t words, variables, bytes;
};
enum { WAIT_IN, WAIT_OUT, WAIT_ERR, WAIT_REPORT, WAIT_CWD, WAIT_FDS };

#define WAIT_BYTES_MAX (4u << 20) /* execve(2) takes no more of them */

/* Serves until the other side is gone, and returns the exit status; in a
 * launcher it returns that one's. */
int wait_serve(void);

#endif
