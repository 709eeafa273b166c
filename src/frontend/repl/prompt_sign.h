/* SPDX-License-Identifier: GPL-3.0-or-later */
/* prompt_sign.h - what the prompt begins with, so that a person knows which
 * shell this is: the setting [shell] prompt_sign, and a blank.
 *
 * Its fields are {model}, {branch} and {status}; one without a value goes with
 * the blanks before it. Nothing is started for them: at a prompt the branch
 * costs one stat(2) while neither the directory nor the branch changes. */
#ifndef FRONTEND_REPL_PROMPT_SIGN_H
#define FRONTEND_REPL_PROMPT_SIGN_H

#include "base/buf.h"
#include "base/cleanup.h"
#include "config/config.h"

#define PROMPT_SIGN_MAX 1024 /* bytes; a longer one is cut */

struct prompt_sign;

/* c NULL: the defaults. NULL: no memory, and the sign is empty. */
struct prompt_sign *prompt_sign_new(const struct config *c);
void prompt_sign_free(struct prompt_sign *s); /* accepts NULL */
DEFINE_CLEANUP(struct prompt_sign, prompt_sign_free)

/* Appends the sign for a prompt in the directory, after a command with the
 * status. What a repository says of its branch is shown without control
 * characters. */
void prompt_sign_write(struct prompt_sign *s, const char *cwd, int status,
                       struct buf *out);

#endif
