/* SPDX-License-Identifier: GPL-3.0-or-later */
/* policy_part.h - the parts of a command line that are judged by themselves. */
#ifndef GUARD_POLICY_PART_H
#define GUARD_POLICY_PART_H

#include "guard/policy/policy_pin.h"

/* A call, a file, a host, a tool; or none of them: what is known of the line
 * beyond its parts. */
struct policy_part {
    const struct risk_call *call;
    const struct policy_target *target;
    const struct risk_host *host;
    const char *tool, *action;
    size_t owner;    /* of a target and a host: the call that names it */
    unsigned facts;  /* of a call, those of the files that it names too */
    uint64_t vetted; /* of a call: see policy_call.h */
    bool spoken;     /* some rule was about it */
    bool covered;    /* of a call: an allow covers it with all it names */
    enum guard_decision decision;
    const struct policy_rule *rule;
    const struct policy_rules *from; /* where the rule stands */
};

#define POLICY_NO_OWNER ((size_t)-1)

struct policy_parts {
    struct policy_place place;
    struct policy_targets *targets; /* of each path of the risk */
    size_t n_targets;
    struct policy_part *v;
    size_t n;
    size_t n_calls;
    bool trusting; /* programs need not be there: for examples */
    /* why a rule that allowed the line once does not any more; "": none is */
    char lapsed[POLICY_PIN_WHY_MAX];
};

/* The call's argument that the path is, or is a part of; 0: a path that its
 * program touches unnamed. None of them is the target of a redirection, which
 * no rule about the call covers. */
#define POLICY_NO_ARGUMENT ((size_t)-1)
size_t policy_argument_of(const struct risk_call *c, const struct risk_path *p);

/* The parts of a command line; -1: no memory. */
int policy_parts_of(const struct risk *r, const struct risk_place *where,
                    struct policy_parts *out);
void policy_parts_done(struct policy_parts *p);

/* Why a part that was judged is not simply allowed, in words: "ls is not
 * installed here"; "" where its rule says all there is. Returns whether it is
 * that a program is not installed. */
bool policy_part_why(const struct policy_parts *all,
                     const struct policy_part *part, char *out, size_t size);

/* The strictest of what the rules say about each; all->v then says which. */
void policy_judge_parts(const struct policy *p, struct policy_parts *all,
                        struct policy_verdict *out);

/* Whether a rule is about a part, and how surely. A rule about risk that asks
 * or denies is about the line, not about a part. */
enum policy_fit policy_part_fit(const struct policy_rule *rule,
                                const struct policy_part *part,
                                struct policy_parts *all);

/* The part as a person reads it. */
void policy_part_text(const struct policy_part *p, char *out, size_t size);

#endif
