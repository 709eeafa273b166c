/* SPDX-License-Identifier: GPL-3.0-or-later */
/* confine.h - a process gives up what it will not need.
 *
 * sandbox/ runs one child, confined. It must not know what the child is for:
 * it gets a profile and an argv. The filters are made by libseccomp when the
 * project is built (mkfilter.c) and embedded; nothing here can be undone by
 * the process, and what it starts inherits it. A layer that cannot be set up
 * is ERR_SANDBOX with its name: callers stop, they never go on without. */
#ifndef SANDBOX_CONFINE_H
#define SANDBOX_CONFINE_H

#include "base/err.h"

/* For commands and tools: no new privileges; no calls that reach the kernel
 * itself, other processes' memory, other name spaces or the terminal's input
 * queue; sockets of the usual families only. */
int confine_step(struct err *e);

/* For the process that holds the API key: all of the above, and it can
 * neither execute a program, nor start another process or signal one, nor
 * change a file, nor reach a Unix socket (seccomp; Landlock too where the
 * kernel has it). Descriptors that are open
 * stay usable, reading files stays possible. */
int confine_model(struct err *e);

/* Landlock's ABI version on this kernel; 0: none. For `doctor`. */
int confine_landlock_abi(void);

#endif
