/* SPDX-License-Identifier: GPL-3.0-or-later */
/* policy_part.h - splits a command line into the parts that rules decide on. */
#ifndef GUARD_POLICY_POLICY_PART_H
#define GUARD_POLICY_POLICY_PART_H

#include "guard/policy/policy_pin.h"

/* A call, a file, a host or a tool. A part that is none of them holds the facts
 * of the line that no other part explains. */
struct policy_part {
    const struct risk_call *call;
    const struct policy_target *target;
    const struct risk_host *host;
    const char *tool, *action;
    size_t owner;    /* of a target or a host: the call that names it */
    unsigned facts;  /* of a call: also those of the files that it names */
    uint64_t vetted; /* of a call: see policy_match.h */
    bool decided;    /* some rule matched it */
    bool covered;    /* of a call: an allow covers it with all that it names */
    enum guard_decision decision;
    const struct policy_rule *rule;
    const struct policy_rules *from; /* the file of the rule */
};

#define POLICY_NO_OWNER ((size_t)-1)

struct policy_parts {
    struct policy_context ctx;
    struct policy_targets *targets; /* one list for each path of the risk */
    size_t n_targets;
    struct policy_part *v;
    size_t n;
    size_t n_calls;
    bool trusting; /* programs need not be installed: for examples */
    /* why a saved rule that allowed the line does not apply any more; "": no
     * such rule */
    char lapsed[POLICY_PIN_WHY_MAX];
};

/* The index of the call's argument that the path is, or is a part of. 0: the
 * program touches the path although no argument names it. POLICY_NO_ARGUMENT:
 * the path is the target of a redirection, which no rule for the call
 * covers. */
#define POLICY_NO_ARGUMENT ((size_t)-1)
size_t policy_argument_of(const struct risk_call *c, const struct risk_path *p);

/* Splits a line into its parts. -1: no memory. */
int policy_parts_of(const struct risk *r, const struct path_context *where,
                    struct policy_parts *out);
void policy_parts_done(struct policy_parts *p);

/* Explains in words why a part is not simply allowed: "ls is not installed
 * here"; "" when its rule says all. */
enum policy_reason_kind policy_part_reason(const struct policy_parts *all,
                                           const struct policy_part *part,
                                           char *out, size_t size);

/* Whether a rule matches a part, and how surely. A rule about risk that asks or
 * denies never matches here: it is about the whole line. */
enum policy_fit policy_part_fit(const struct policy_rule *rule,
                                const struct policy_part *part,
                                struct policy_parts *all);

/* The part as a person reads it. */
void policy_part_text(const struct policy_part *p, char *out, size_t size);

#endif
