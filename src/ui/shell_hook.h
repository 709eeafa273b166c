/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shell_hook.h - prints the hook of `agentsh init` and removes the files of
 * shells that have ended.
 *
 * The scripts are in hooks/. After each command line they write the record
 * that model/prompt/last_command.h reads. The bash hook also has a scratch file
 * beside it, line-SESSION. */
#ifndef UI_SHELL_HOOK_H
#define UI_SHELL_HOOK_H

#include "base/buf.h"
#include "base/err.h"
#include "base/seat.h"
#include "config/config.h"

struct shell_hook_params {
    const struct seat *seat;
    const struct config *config; /* NULL: the defaults */
    bool for_parent; /* the parent process is the shell that reads it: its files
                        are made here, since a shell would start processes for
                        that */
};

/* Appends the hook for "bash", "zsh" or "fish"; ERR_USAGE for another. */
int shell_hook_print(const char *shell, const struct shell_hook_params *p,
                     struct buf *out, struct err *e);

/* Appends the completion script. In it @TABLE@ stands once, between single
 * quotes, for the table of verbs and options. */
int shell_hook_print_completion(const char *shell, struct buf *out,
                                struct err *e);

/* Removes the files of shells that have ended. A file that cannot be removed,
 * or is not certainly ours, stays. */
void shell_hook_sweep(void);

#endif
