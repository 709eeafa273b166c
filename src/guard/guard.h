/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guard.h - the one function that decides about a command line.
 *
 * `agentsh policy test`, the review, the executor and every door call it. */
#ifndef GUARD_GUARD_H
#define GUARD_GUARD_H

#include <limits.h>

#include "guard/effects/effects.h"
#include "guard/policy/policy.h"
#include "guard/profile.h"
#include "guard/risk/risk.h"

/* Everything that is known about one command line. */
struct guard_finding {
    enum guard_decision decision;
    char rule[256]; /* what decided */
    bool by_person; /* a rule of a file allows each part of it, no preset */
    struct syntax syntax;
    struct risk risk;
    struct effects effects; /* looked for only where risk is destructive */
    struct profile_choice profile;
    char reason[256]; /* in words, for the review; "" when it is allowed, and
                         asks for no word of its own */
    bool tells_uninstalled; /* it says that a program is not installed */
    bool reason_is_loss;    /* it says that something is destroyed, and no more:
                               the effects say what */
};

/* The strictest of the rules and of what no rule waives: what effects calls
 * never is denied, the profile full is asked for every time.
 * -1 only without memory: what cannot be read is a finding (opaque). out
 * needs guard_finding_done in any case. */
int guard_judge(const struct policy *p, const char *command,
                const struct risk_place *where, struct guard_finding *out,
                struct err *e);

/* Makes the finding one of a line that nobody is asked about: its profile
 * writes nothing, or adds what it names (profile_unasked), unless rules of
 * files allow every part of it and it does more than look. What cannot run so
 * becomes a question. */
int guard_unasked(const struct risk_place *where, struct guard_finding *f,
                  struct err *e);
void guard_finding_done(struct guard_finding *f); /* accepts NULL */

/* Whether a command line names what opens doors; also when it is too long to be
 * read, or there is no memory. */
bool guard_names_secret(const char *command, const struct risk_place *where);

/* The workspace of a place, clean, in out; NULL when there is none: it is
 * $HOME, above it, or /. */
const char *guard_workspace(const struct risk_place *where, char out[PATH_MAX]);

#endif
