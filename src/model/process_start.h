/* SPDX-License-Identifier: GPL-3.0-or-later */
/* process_start.h - starts the program of the model process.
 *
 * The process gets few variables of the environment: proxies, certificates,
 * name resolution. No API key is among them. */
#ifndef MODEL_PROCESS_START_H
#define MODEL_PROCESS_START_H

#include "base/buf.h"
#include "base/proc.h"

/* Starts it in "/". env: NAME=value, ended by NULL, of which it gets what it
 * may have. socket: its standard input and output; -1: two pipes. */
struct proc *process_start(const char *const *env, int socket, struct err *e);

/* Appends what it gets of env, each ended by a NUL: two processes that get the
 * same are alike. */
void process_start_variables(const char *const *env, struct buf *out);

#endif
