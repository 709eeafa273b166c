/* SPDX-License-Identifier: GPL-3.0-or-later */
/* policy_reason.c - says why a part of a line is asked about. */
#include "guard/policy/policy_part.h"

#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/utf8.h"

/* What a rule about facts has against a file; NULL: nothing. */
static const char *
fact_words(unsigned facts)
{
    static const struct {
        unsigned fact;
        const char *words;
    } rows[] = {
        {POLICY_AUTORUN, "changes a program or script that runs later"},
        {POLICY_SETTINGS, "changes files that programs trust or run later"},
        {POLICY_NO_WORKSPACE, "changes files outside a workspace"},
        {POLICY_OUTSIDE, "changes files outside of this directory"},
        {RISK_PRIVILEGED, "needs root's permissions"},
        {RISK_SECRET, "may read secrets"},
    };

    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        if (facts & rows[i].fact)
            return rows[i].words;
    }
    return NULL;
}

/* who is NULL where no program writes it, as with a redirection. */
static void
reason_for_target(const char *who, const struct policy_target *t,
                  unsigned facts, char *out, size_t size)
{
    const char *words = fact_words(facts);

    if (words && t->unknown && !who)
        snprintf(out, size, "cannot tell which file it uses until it runs");
    else if (words && t->unknown)
        snprintf(out, size, "cannot tell which file %s uses until it runs",
                 who);
    else if (words && !who)
        snprintf(out, size, "it %s: %s", words, t->path);
    else if (words)
        snprintf(out, size, "%s %s: %s", who, words, t->path);
}

/* Names the file of the call that the rule is about. */
static void
reason_for_named_file(const struct policy_parts *all,
                      const struct policy_part *part, unsigned facts, char *out,
                      size_t size)
{
    for (size_t i = 0; i < all->n && !out[0]; i++) {
        const struct policy_part *p = &all->v[i];

        if (p->target && p->owner != POLICY_NO_OWNER &&
            &all->v[p->owner] == part && p->facts & facts)
            reason_for_target(part->call->name, p->target, p->facts & facts,
                              out, size);
    }
}

/* Explains why no allow matches a call that only looks. */
static enum policy_reason_kind
reason_for_call(const struct risk_call *call, char *out, size_t size)
{
    if (call->wrapper && call->wrapper[0]) {
        snprintf(out, size, "%s is started by another program, %s", call->name,
                 call->wrapper);
        return POLICY_REASON_ANY;
    }
    for (size_t i = 1; i < call->n; i++) {
        if (call->expands[i] & SYNTAX_RUNS)
            snprintf(out, size,
                     "cannot tell the arguments of %s until it runs: command "
                     "substitution",
                     call->name);
        else if (call->expands[i] & SYNTAX_EXPANDS)
            snprintf(out, size,
                     "cannot tell the arguments of %s until it runs: %s",
                     call->name, call->argv[i]);
        if (out[0])
            return POLICY_REASON_ANY;
    }
    if (!call->path)
        snprintf(out, size, "%s is not installed here", call->name);
    else
        snprintf(out, size, "%s is not a system program", call->path);
    return call->path ? POLICY_REASON_ANY : POLICY_REASON_UNINSTALLED;
}

enum policy_reason_kind
policy_part_reason(const struct policy_parts *all,
                   const struct policy_part *part, char *out, size_t size)
{
    unsigned facts = part->rule ? part->rule->facts & part->facts : 0;
    enum policy_reason_kind kind = POLICY_REASON_ANY;

    out[0] = '\0';
    if (all->lapsed[0]) {
        snprintf(out, size, "%s", all->lapsed);
        out[strlen(out) - utf8_incomplete_tail(out, strlen(out))] = '\0';
        return POLICY_REASON_CHANGED;
    }
    if (part->rule && part->rule->kind != POLICY_RISK)
        return POLICY_REASON_ANY; /* the rule itself says why */
    if (part->target)
        reason_for_target(NULL, part->target, facts, out, size);
    else if (part->call && part->rule)
        reason_for_named_file(all, part, facts, out, size);
    else if (part->call)
        kind = reason_for_call(part->call, out, size);
    out[strlen(out) - utf8_incomplete_tail(out, strlen(out))] = '\0';
    return kind;
}
