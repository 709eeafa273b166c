/* SPDX-License-Identifier: GPL-3.0-or-later */
/* policy_tool.c - what the rules say about a tool, and what it would touch. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/path.h"
#include "base/utf8.h"
#include "guard/path/secret.h"
#include "guard/policy/policy_part.h"

static void
judge_one(const struct policy *p, struct policy_part part,
          struct policy_verdict *out)
{
    struct policy_parts all = {.v = &part, .n = 1};

    part.owner = POLICY_NO_OWNER;
    policy_judge_parts(p, &all, out);
}

/* Whether a rule of a file that speaks of it means just such files. */
static bool
is_meant(const struct policy *p, const struct policy_part *part)
{
    return part->rule && part->from != &p->preset &&
           (part->rule->decision == GUARD_ASK ||
            secret_is_key(part->rule->words[0].text));
}

static void
deny_key(const struct policy *p, const struct policy_target *t,
         struct policy_verdict *out)
{
    bool same = !t->real[0] || strcmp(t->path, t->real) == 0;

    out->decision = GUARD_DENY;
    snprintf(out->rule, sizeof(out->rule),
             "%s: permission denied: keys and secrets", p->preset.name);
    snprintf(out->why, sizeof(out->why), same ? "%s" : "%s, which is %s",
             t->path, t->real);
    out->why[strlen(out->why) -
             utf8_incomplete_tail(out->why, strlen(out->why))] = '\0';
}

/* Every preset denies tools the files with keys: a command that reads one is
 * shown, and asked about; a tool's argument is one word among many. */
static void
deny_keys(const struct policy *p, const struct policy_parts *all,
          struct policy_verdict *out)
{
    for (size_t i = 0; i < all->n; i++) {
        const struct policy_target *t = all->v[i].target;

        if (!t || all->v[i].decision == GUARD_DENY ||
            !(secret_is_key(t->path) || secret_is_key(t->real)) ||
            is_meant(p, &all->v[i]))
            continue;
        deny_key(p, t, out);
        return;
    }
}

void
policy_judge_path(const struct policy *p, const char *path, bool write,
                  const struct risk_place *where, struct policy_verdict *out)
{
    const struct syntax_word word = {.text = path, .len = strlen(path)};
    const char *dir = where->cwd ? where->cwd : "/";
    CLEANUP(free_p)
    char *full = path[0] == '/' ? strdup(path) : path_join(dir, path);
    bool there = full && access(full, F_OK) == 0;
    struct risk_path one = {.known = true, .text = path, .word = &word};
    const struct risk r = {.paths = &one, .n_paths = 1};
    struct policy_parts all = {0};

    one.use = !write ? RISK_READS : there ? RISK_CHANGES : RISK_MAKES;
    if (policy_parts_of(&r, where, &all) < 0) {
        *out = (struct policy_verdict){.decision = GUARD_DENY,
                                       .rule = "out of memory"};
    } else {
        policy_judge_parts(p, &all, out);
        deny_keys(p, &all, out);
    }
    policy_parts_done(&all);
}

void
policy_judge_host(const struct policy *p, const char *host,
                  struct policy_verdict *out)
{
    struct risk_host one = {.name = host};

    judge_one(p, (struct policy_part){.host = &one, .facts = RISK_NETWORK},
              out);
}

void
policy_judge_tool(const struct policy *p, const char *tool, const char *action,
                  unsigned facts, struct policy_verdict *out)
{
    judge_one(
        p, (struct policy_part){.tool = tool, .action = action, .facts = facts},
        out);
}
