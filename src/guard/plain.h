/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plain.h - is this command line a plain call of programs that only look?
 *
 * guard/ says what may happen: it reads a command line and judges it; it runs
 * nothing and expands nothing. This is its first, narrow form: what it cannot
 * vouch for is asked. */
#ifndef GUARD_PLAIN_H
#define GUARD_PLAIN_H

#include <stdbool.h>

enum guard_decision { GUARD_ALLOW, GUARD_ASK, GUARD_DENY };

struct guard_finding {
    enum guard_decision decision;
    bool needs_sudo;  /* calls sudo, doas, su or pkexec */
    char reason[160]; /* in words; "" for a plain allow */
};

/* Judges `command` as bash would read it, run in directory cwd. */
void plain_judge(const char *command, const char *cwd,
                 struct guard_finding *out);

const char *guard_decision_name(enum guard_decision d); /* "allow", … */

#endif
