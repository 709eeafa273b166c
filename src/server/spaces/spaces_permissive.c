/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spaces_permissive.c - what the preset permissive means for operations. */
#include "server/spaces/spaces_permissive.h"

#include <string.h>

#define PERMISSIVE  "preset permissive"
#define ASKED_FACTS (RISK_SUDO | RISK_PRIVILEGED | RISK_SECRET)

/* Whether a file that the command writes is one that the rules ask about by its
 * name, such as a hook, whatever is done to it. */
static bool
is_asked_by_name(const struct spaces_shared *sh, const char *directory,
                 const struct risk_path *at)
{
    struct path_context where = sh->where;
    struct policy_verdict v;

    if (at->use == RISK_READS || !at->known)
        return false;
    if (directory)
        where.cwd = directory;
    if (at->dir)
        where.cwd = at->dir;
    policy_judge_new_path(sh->policy, at->text, &where, &v);
    return v.decision != GUARD_ALLOW;
}

/* Whether a program of the line is known to destroy. What cannot be read counts
 * as if it did, elsewhere; a redirection is judged as the file that it writes.
 */
static bool
is_known_to_destroy(const struct risk *risk)
{
    for (size_t i = 0; i < risk->n_calls; i++)
        if ((risk->calls[i].facts & (RISK_DESTRUCTIVE | RISK_OPAQUE)) ==
            RISK_DESTRUCTIVE)
            return true;
    for (size_t i = 0; i < risk->n_reasons; i++) {
        const struct risk_reason *why = &risk->reasons[i];

        if (why->fact == RISK_DESTRUCTIVE && why->kind != RISK_KIND_UNREAD &&
            why->program[0] != '>')
            return true;
    }
    return false;
}

bool
spaces_permissive_waives(const struct spaces_shared *sh, const struct permit *p,
                         const char *directory)
{
    const struct risk *risk = p->found ? &p->found->risk : NULL;

    if (!risk || !spaces_is_permissive(sh) || risk->facts & ASKED_FACTS ||
        is_known_to_destroy(risk))
        return false;
    for (size_t i = 0; i < risk->n_paths; i++)
        if (is_asked_by_name(sh, directory, &risk->paths[i]))
            return false;
    return true;
}

bool
spaces_is_permissive(const struct spaces_shared *sh)
{
    struct policy_counts counts;

    policy_count(sh->policy, &counts);
    return counts.rules == 0 && strcmp(counts.preset, PERMISSIVE) == 0;
}
