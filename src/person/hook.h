/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hook.h - what `agentsh init` gives to a shell, and what dead shells left.
 *
 * The scripts are in hooks/. After each command line they write the record of
 * model/last_command.h. line-SESSION beside it is the bash hook's scratch. */
#ifndef PERSON_HOOK_H
#define PERSON_HOOK_H

#include "base/buf.h"
#include "base/err.h"

/* Appends the hook for "bash", "zsh" or "fish"; ERR_USAGE for another. */
int hook_print(const char *shell, struct buf *out, struct err *e);

/* The same for the completion script, in which @TABLE@ stands once, between
 * single quotes, for the table of verbs and options. */
int completion_print(const char *shell, struct buf *out, struct err *e);

/* Removes the files of shells that have ended. What cannot be removed, or is
 * not surely ours, stays. */
void hook_sweep(void);

#endif
