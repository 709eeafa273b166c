/* SPDX-License-Identifier: GPL-3.0-or-later */
/* approval.h - computes the digest of a step, which an approval covers.
 *
 * What is shown is what runs: the digest is taken when a step is judged for a
 * plan to be shown, and is taken again and compared before the step runs. */
#ifndef ACTION_APPROVAL_H
#define ACTION_APPROVAL_H

#include "action/step_verdict.h"
#include "base/sha256.h"

/* Writes to hex the SHA-256 of the canonical form of a judged step.
 *
 * It covers the command, the directory, by its path and by which one that leads
 * to, the tool and the profile. The profile includes the network and the
 * writable directories beside the workspace; the command includes the contents
 * of the files of code that it runs, and where it may run what it reads, of
 * those; of one that is too long to be read at each step, which file it is and
 * when it was changed last. A tool includes its action, its arguments, the hash
 * of its files, and which files it would write, with the time of their last
 * change. Returns -1 with e set when memory is short or the step is too large.
 */
int approval_digest(const struct step *s, const struct step_verdict *v,
                    char hex[SHA256_HEX_SIZE], struct err *e);

/* A call that a program requests, as it was judged. */
struct approval_call {
    const struct seat *seat;
    const struct tool *tool;
    const char *action;
    const struct json *args; /* NULL: {} */
    const struct permit *permit;
};

/* The same for a call: its tool, action, arguments, directory, network and
 * writable directories; of cmd.run also all that approval_digest covers. */
int approval_call_digest(const struct approval_call *c,
                         char hex[SHA256_HEX_SIZE], struct err *e);

#endif
