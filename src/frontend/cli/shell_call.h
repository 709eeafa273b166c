/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shell_call.h - calls of agentsh as a shell is called: -c LINE, -l, a script.
 *
 * A login shell is called by programs, not by a person: login(1), sshd(8),
 * su(1), editors and cron(8) know only how bash takes its arguments. What needs
 * no prompt is bash's own work from the first byte on. */
#ifndef FRONTEND_CLI_SHELL_CALL_H
#define FRONTEND_CLI_SHELL_CALL_H

#include <stdbool.h>

enum shell_call {
    SHELL_CALL_NONE,        /* a verb or an option of our own */
    SHELL_CALL_INTERACTIVE, /* the REPL; its arguments are bash's: -i, -l */
    SHELL_CALL_BASH,        /* bash, with the same arguments */
};

/* What the arguments ask for. An argument that no verb of ours can be is of a
 * shell: options of the letters c, e, i, l, n, s, u, v, x, but -v alone;
 * --login; a path with a slash. argv[0] with a - in front is a login shell, as
 * login(1) calls it. */
enum shell_call shell_call_of(int argc, char *const *argv);

/* Whether it is to be a login shell. */
bool shell_call_is_login(int argc, char *const *argv);

/* Whether the word names a readable plain file here: a script without a slash,
 * once it is known to be no verb. */
bool shell_call_is_script(const char *word);

/* Becomes bash with these arguments; the name says whether it is a login shell.
 * Returns a status of 126 or 127, as a shell's, when it cannot. */
int shell_call_become_bash(char **argv);

#endif
