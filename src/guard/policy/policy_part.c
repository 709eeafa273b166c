/* SPDX-License-Identifier: GPL-3.0-or-later */
/* policy_part.c - splits a line into the parts that rules decide about. */
#include "guard/policy/policy_part.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/utf8.h"
#include "guard/path/secret.h"
#include "guard/policy/policy_match.h"

static struct policy_part *
add_policy_part(struct policy_parts *all)
{
    all->v[all->n] = (struct policy_part){.owner = POLICY_NO_OWNER};
    return &all->v[all->n++];
}

/* The innermost call that contains these bytes of the line. */
static size_t
find_owner(const struct risk *r, size_t from, size_t to)
{
    size_t found = POLICY_NO_OWNER;

    for (size_t i = 0; i < r->n_calls; i++) {
        const struct risk_call *c = &r->calls[i];

        if (c->from <= from && to <= c->to &&
            (found == POLICY_NO_OWNER || c->from >= r->calls[found].from))
            found = i;
    }
    return found;
}

size_t
policy_argument_of(const struct risk_call *c, const struct risk_path *p)
{
    if (!p->word && p->from == c->from)
        return 0;
    for (size_t i = 1; i < c->n; i++) {
        size_t len = strlen(c->argv[i]), tail = strlen(p->text);

        if (tail <= len && p->text == c->argv[i] + len - tail)
            return i;
    }
    return POLICY_NO_ARGUMENT;
}

/* Whether none of the files that a pattern matches could be taken for an
 * option: a name that begins with - in the directory where the pattern
 * begins. */
static bool
names_no_option(const struct policy_targets *t, const char *dir)
{
    size_t n = dir ? strlen(dir) : 0;

    for (size_t i = 0; i < t->n; i++) {
        const char *path = t->v[i].path;

        if (t->v[i].unknown || !dir || strncmp(path, dir, n) != 0 ||
            (n > 1 && path[n] != '/') || path[n + (n > 1)] == '-')
            return false;
    }
    return true;
}

static void
add_targets(struct policy_parts *all, const struct risk *r, size_t path)
{
    const struct risk_path *p = &r->paths[path];
    const struct policy_targets *targets = &all->targets[path];
    const char *dir = p->dir ? p->dir : all->ctx.where->cwd;
    size_t owner = find_owner(r, p->from, p->to);
    size_t argument = POLICY_NO_ARGUMENT;

    if (owner != POLICY_NO_OWNER)
        argument = policy_argument_of(&r->calls[owner], p);
    if (argument == POLICY_NO_ARGUMENT)
        owner = POLICY_NO_OWNER;
    else if (argument < POLICY_VETTED_MAX && names_no_option(targets, dir))
        all->v[owner].vetted |= (uint64_t)1 << argument;
    for (size_t i = 0; i < targets->n; i++) {
        struct policy_part *part = add_policy_part(all);

        part->target = &targets->v[i];
        part->facts = part->target->facts;
        part->owner = owner;
        if (owner == POLICY_NO_OWNER)
            continue;
        part->facts &= ~RISK_DESTRUCTIVE; /* that is a fact of the call */
        all->v[owner].facts |= part->facts;
    }
}

/* Whether a word sends a secret file by naming it inside: @FILE, file://. */
static bool
embeds_secret_path(const char *word, const struct path_context *where)
{
    const char *at = strchr(word, '@');
    const char *url = strstr(word, "file://");

    return (at && secret_is_path(at + 1, where)) ||
           (url && secret_is_path(url + 7, where));
}

/* Whether a call writes although none of its paths is written. */
static bool
writes_somewhere(const struct risk *r, const struct risk_call *call)
{
    if (!(call->facts & RISK_WRITES))
        return false;
    for (size_t i = 0; i < r->n_paths; i++)
        if (r->paths[i].use != RISK_READS && r->paths[i].from >= call->from &&
            r->paths[i].to <= call->to)
            return false;
    return true;
}

static void
add_calls(struct policy_parts *all, const struct risk *r,
          const struct path_context *where)
{
    for (size_t i = 0; i < r->n_calls; i++) {
        struct policy_part *part = add_policy_part(all);

        part->call = &r->calls[i];
        part->facts = r->calls[i].facts;
        if (all->ctx.no_workspace && writes_somewhere(r, &r->calls[i]))
            part->facts |= POLICY_NO_WORKSPACE;
        for (size_t k = 1; k < r->calls[i].n; k++)
            if (embeds_secret_path(r->calls[i].argv[k], where))
                part->facts |= RISK_SECRET;
    }
}

static void
add_hosts(struct policy_parts *all, const struct risk *r)
{
    for (size_t i = 0; i < r->n_hosts; i++) {
        struct policy_part *part = add_policy_part(all);

        part->host = &r->hosts[i];
        part->owner = find_owner(r, r->hosts[i].from, r->hosts[i].to);
        part->facts = RISK_NETWORK;
    }
}

/* Adds a part for the facts of the line that no other part has. */
static void
add_unexplained_facts(struct policy_parts *all, const struct risk *r,
                      const struct path_context *where)
{
    unsigned rest = r->facts;

    for (size_t i = 0; i < all->n; i++) {
        rest &= ~all->v[i].facts;
        if (all->v[i].target) /* its call has the fact that it is destroyed */
            rest &= ~all->v[i].target->facts;
    }
    if (!where->cwd)
        rest |= RISK_OPAQUE; /* nobody knows where it would run */
    if (rest & POLICY_RISKY)
        add_policy_part(all)->facts = rest;
}

int
policy_parts_of(const struct risk *r, const struct path_context *where,
                struct policy_parts *out)
{
    size_t n = r->n_calls + r->n_hosts + 1;

    policy_context_init(&out->ctx, where);
    out->targets = calloc(r->n_paths + 1, sizeof(*out->targets));
    if (!out->targets)
        return -1;
    out->n_targets = r->n_paths;
    out->n_calls = r->n_calls;
    for (size_t i = 0; i < r->n_paths; i++) {
        if (policy_targets_find(&r->paths[i], &out->ctx, &out->targets[i]) < 0)
            return -1;
        n += out->targets[i].n;
    }
    out->v = calloc(n, sizeof(*out->v));
    if (!out->v)
        return -1;
    add_calls(out, r, where);
    for (size_t i = 0; i < r->n_paths; i++)
        add_targets(out, r, i);
    add_hosts(out, r);
    add_unexplained_facts(out, r, where);
    return 0;
}

void
policy_parts_done(struct policy_parts *p)
{
    if (!p)
        return;
    for (size_t i = 0; i < p->n_targets; i++)
        policy_targets_done(&p->targets[i]);
    policy_context_done(&p->ctx);
    free(p->targets);
    free(p->v);
    *p = (struct policy_parts){0};
}

void
policy_part_text(const struct policy_part *p, char *out, size_t size)
{
    size_t n = 0, known;

    out[0] = '\0';
    if (p->target) { /* \1 stands for a name that is not known */
        known = strcspn(p->target->path, "\001");
        snprintf(out, size, "%.*s%s", (int)known, p->target->path,
                 p->target->path[known] ? "…" : "");
    } else if (p->host)
        snprintf(out, size, "%s", p->host->name);
    else if (p->tool)
        snprintf(out, size, "%s%s%s", p->tool, p->action ? " " : "",
                 p->action ? p->action : "");
    else if (!p->call)
        policy_facts_text(p->facts, out, size);
    for (size_t i = 0; p->call && i < p->call->n && n + 1 < size; i++) {
        snprintf(out + n, size - n, "%s%s", i ? " " : "", p->call->argv[i]);
        n = strlen(out);
    }
    n = strlen(out); /* snprintf may have cut a character */
    out[n - utf8_incomplete_tail(out, n)] = '\0';
}
