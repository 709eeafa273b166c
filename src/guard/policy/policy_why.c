/* SPDX-License-Identifier: GPL-3.0-or-later */
/* policy_why.c - why a part of a command line is asked about, in words. */
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "guard/policy/policy_call.h"
#include "guard/policy/policy_part.h"

/* What a rule about risks has against a file; NULL: nothing. */
static const char *
said_of(unsigned facts)
{
    static const struct {
        unsigned fact;
        const char *words;
    } rows[] = {
        {POLICY_BY_NAME, "changes a program or script that runs later"},
        {POLICY_SETTINGS, "changes files that programs trust or run later"},
        {POLICY_NOWHERE, "changes files outside a workspace"},
        {POLICY_OUTSIDE, "changes files outside of this directory"},
        {RISK_PRIVILEGED, "needs root's permissions"},
        {RISK_SECRET, "may read secrets"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (facts & rows[i].fact)
            return rows[i].words;
    }
    return NULL;
}

static void
tell_target(const char *who, const struct policy_target *t, unsigned facts,
            char *out, size_t size)
{
    const char *words = said_of(facts);

    if (words && t->unknown)
        snprintf(out, size, "cannot tell which file %s uses until it runs",
                 who);
    else if (words)
        snprintf(out, size, "%s %s: %s", who, words, t->path);
}

/* The file that a call names and that the rule is about. */
static void
tell_named(const struct policy_parts *all, const struct policy_part *part,
           unsigned facts, char *out, size_t size)
{
    for (size_t i = 0; i < all->n && !out[0]; i++) {
        const struct policy_part *p = &all->v[i];

        if (p->target && p->owner != POLICY_NO_OWNER &&
            &all->v[p->owner] == part && p->facts & facts)
            tell_target(part->call->name, p->target, p->facts & facts, out,
                        size);
    }
}

/* Why no rule that allows speaks about a call that only looks. Returns whether
 * it is that the program is not installed. */
static bool
tell_call(const struct risk_call *call, char *out, size_t size)
{
    if (call->wrapper && call->wrapper[0]) {
        snprintf(out, size, "%s is started by another program, %s", call->name,
                 call->wrapper);
        return false;
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
            return false;
    }
    if (!call->path)
        snprintf(out, size, "%s is not installed here", call->name);
    else
        snprintf(out, size, "%s is not a system program", call->path);
    return !call->path;
}

bool
policy_part_why(const struct policy_parts *all, const struct policy_part *part,
                char *out, size_t size)
{
    unsigned facts = part->rule ? part->rule->facts & part->facts : 0;
    bool missing = false;

    out[0] = '\0';
    if (all->lapsed[0]) {
        snprintf(out, size, "%s", all->lapsed);
        out[strlen(out) - utf8_incomplete_tail(out, strlen(out))] = '\0';
        return false;
    }
    if (part->rule && part->rule->kind != POLICY_RISK)
        return false; /* the rule itself is the reason */
    if (part->target)
        tell_target("it", part->target, facts, out, size);
    else if (part->call && part->rule)
        tell_named(all, part, facts, out, size);
    else if (part->call)
        missing = tell_call(part->call, out, size);
    out[strlen(out) - utf8_incomplete_tail(out, strlen(out))] = '\0';
    return missing;
}
