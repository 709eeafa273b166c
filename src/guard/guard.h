/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guard.h - decides whether a command line is allowed, asked about or denied.
 *
 * The folder's one entry: `agentsh policy test`, the review, the executor and
 * every frontend call guard_judge, so that all of them decide the same. Below
 * it, syntax/ parses the line, risk/ says what it would do, effects/ finds the
 * files and processes that it would touch, policy/ applies the rules, path/
 * knows what a path is, and profile/ chooses the sandbox. Nothing here runs the
 * line, asks a person or knows a frontend. Only memory can fail: a line that
 * cannot be analysed is a finding (RISK_OPAQUE), and counts as destructive. */
#ifndef GUARD_GUARD_H
#define GUARD_GUARD_H

#include <limits.h>

#include "guard/effects/effects.h"
#include "guard/policy/policy.h"
#include "guard/profile/profile.h"
#include "guard/risk/risk.h"

/* What the reason of a finding says, where a caller needs to know. */
enum guard_reason_kind {
    GUARD_REASON_ANY,
    GUARD_REASON_LOSS,        /* only that something is destroyed: the effects
                                 have the details */
    GUARD_REASON_UNINSTALLED, /* that a program is not installed */
};

/* Everything that is known about one command line. */
struct guard_finding {
    enum guard_decision decision;
    char rule[256]; /* the rule that decided, or "never: …" */
    bool by_person; /* files' rules, no preset's, allow each part */
    struct syntax syntax;
    struct risk risk;
    struct effects effects; /* filled in only when risk is destructive */
    struct profile_choice profile;
    char reason[256]; /* for the review, in words; "" when the line is allowed
                         and needs no approval of its own */
    enum guard_reason_kind reason_kind;
};

/* Applies the rules, and then what no rule waives: a line that touches a
 * protected path (effects_protection) is denied, and the profile full is asked
 * about every time. -1: no memory; nothing else fails, since a line that cannot
 * be read is a finding. out is released with guard_finding_done in any case. */
int guard_judge(const struct policy *p, const char *command,
                const struct path_context *where, struct guard_finding *out,
                struct err *e);
/* The same for a shell that begins with variables and an input. */
int guard_judge_from(const struct policy *p, const char *command,
                     const struct risk_start *start,
                     const struct path_context *where,
                     struct guard_finding *out, struct err *e);

/* Turns an allowed finding into one that runs without a question: its profile
 * writes nothing, or adds only the files that the line names
 * (profile_auto_approved). A finding whose every part is allowed by rules of
 * files, and that does more than look, stays as it is. A line that cannot run
 * under these limits becomes a question. */
int guard_auto_approved(const struct path_context *where,
                        struct guard_finding *f, struct err *e);
void guard_finding_done(struct guard_finding *f); /* accepts NULL */

/* Whether a command line names a file that holds secrets. Also true when the
 * line is too long to be read, or memory is short. */
bool guard_names_secret(const char *command, const struct path_context *where);

/* Writes the clean path of the workspace to out and returns it; NULL: there is
 * none, because it would be $HOME, a directory above it, or /. */
const char *guard_workspace(const struct path_context *where,
                            char out[PATH_MAX]);

#endif
