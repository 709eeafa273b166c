/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guest_exec.h - exec and exec_code: run a command, and answer with its output.
 *
 * Its input is empty. The answer comes when nobody holds the output open any
 * more, as for a shell's $(…). Of each stream it has the first 1 MiB of text,
 * in which bytes that are no UTF-8 are replaced. */
#ifndef SERVER_GUEST_GUEST_EXEC_H
#define SERVER_GUEST_GUEST_EXEC_H

#include "server/guest/guest_connection.h"

/* Methods: {cmd}, and {lang, code}. */
rpc_request_cb guest_exec_run, guest_exec_run_code;

/* Answers a request for a command that is not run: exit_code -1, and why. */
void guest_exec_answer_failed(struct guest_connection *c,
                              struct rpc_request *rq, const char *why);

/* Appends the command line that exec_code stands for; nothing for a language
 * that is not known. */
void guest_exec_put_line(const char *lang, const char *code, struct buf *out);

#endif
