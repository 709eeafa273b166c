/* SPDX-License-Identifier: GPL-3.0-or-later */
/* policy_part.c - the parts of a command line, and rules about each. */
#include "guard/policy/policy_part.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "guard/path/secret.h"
#include "guard/policy/policy_call.h"
#include "guard/policy/policy_pin.h"

#define HOST_MAX 256

static struct policy_part *
add(struct policy_parts *all)
{
    all->v[all->n] = (struct policy_part){.owner = POLICY_NO_OWNER};
    return &all->v[all->n++];
}

/* The innermost call that these bytes of the line are in. */
static size_t
owner_of(const struct risk *r, size_t from, size_t to)
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

/* Whether no file that a pattern means could be taken for an option: a name
 * in the directory that the pattern begins in, which a - begins. */
static bool
is_vetted(const struct policy_targets *t, const char *dir)
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
    const char *dir = p->dir ? p->dir : all->place.where->cwd;
    size_t owner = owner_of(r, p->from, p->to);
    size_t argument = POLICY_NO_ARGUMENT;

    if (owner != POLICY_NO_OWNER)
        argument = policy_argument_of(&r->calls[owner], p);
    if (argument == POLICY_NO_ARGUMENT)
        owner = POLICY_NO_OWNER;
    else if (argument < POLICY_VETTED_MAX && is_vetted(targets, dir))
        all->v[owner].vetted |= (uint64_t)1 << argument;
    for (size_t i = 0; i < targets->n; i++) {
        struct policy_part *part = add(all);

        part->target = &targets->v[i];
        part->facts = part->target->facts;
        part->owner = owner;
        if (owner == POLICY_NO_OWNER)
            continue;
        part->facts &= ~RISK_DESTRUCTIVE; /* the call says what is destroyed */
        all->v[owner].facts |= part->facts;
    }
}

/* Whether a word sends a file of secrets by a name inside it: @FILE, file://.
 */
static bool
names_secret(const char *word, const struct risk_place *where)
{
    const char *at = strchr(word, '@');
    const char *url = strstr(word, "file://");

    return (at && secret_is_path(at + 1, where)) ||
           (url && secret_is_path(url + 7, where));
}

/* Whether a call writes, and no path says where. */
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
          const struct risk_place *where)
{
    for (size_t i = 0; i < r->n_calls; i++) {
        struct policy_part *part = add(all);

        part->call = &r->calls[i];
        part->facts = r->calls[i].facts;
        if (all->place.is_nowhere && writes_somewhere(r, &r->calls[i]))
            part->facts |= POLICY_NOWHERE;
        for (size_t k = 1; k < r->calls[i].n; k++)
            if (names_secret(r->calls[i].argv[k], where))
                part->facts |= RISK_SECRET;
    }
}

static void
add_hosts(struct policy_parts *all, const struct risk *r)
{
    for (size_t i = 0; i < r->n_hosts; i++) {
        struct policy_part *part = add(all);

        part->host = &r->hosts[i];
        part->owner = owner_of(r, r->hosts[i].from, r->hosts[i].to);
        part->facts = RISK_NETWORK;
    }
}

/* What the line does that none of its parts explains. */
static void
add_rest(struct policy_parts *all, const struct risk *r,
         const struct risk_place *where)
{
    unsigned rest = r->facts;

    for (size_t i = 0; i < all->n; i++) {
        rest &= ~all->v[i].facts;
        if (all->v[i].target) /* its call has what it destroys */
            rest &= ~all->v[i].target->facts;
    }
    if (!where->cwd)
        rest |= RISK_OPAQUE; /* nobody knows where it would run */
    if (rest & POLICY_HEAVY)
        add(all)->facts = rest;
}

int
policy_parts_of(const struct risk *r, const struct risk_place *where,
                struct policy_parts *out)
{
    size_t n = r->n_calls + r->n_hosts + 1;

    policy_place_init(&out->place, where);
    out->targets = calloc(r->n_paths + 1, sizeof(*out->targets));
    if (!out->targets)
        return -1;
    out->n_targets = r->n_paths;
    out->n_calls = r->n_calls;
    for (size_t i = 0; i < r->n_paths; i++) {
        if (policy_targets_find(&r->paths[i], &out->place, &out->targets[i]) <
            0)
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
    add_rest(out, r, where);
    return 0;
}

void
policy_parts_done(struct policy_parts *p)
{
    if (!p)
        return;
    for (size_t i = 0; i < p->n_targets; i++)
        policy_targets_done(&p->targets[i]);
    policy_place_done(&p->place);
    free(p->targets);
    free(p->v);
    *p = (struct policy_parts){0};
}

static enum policy_fit
fit(bool yes)
{
    return yes ? POLICY_FIT_YES : POLICY_FIT_NO;
}

static enum policy_fit
host_fit(const struct policy_rule *rule, const char *name)
{
    const struct policy_pattern *p = &rule->words[0];
    char host[HOST_MAX];
    size_t n = strlen(name);

    if (n == 0 || n >= sizeof(host)) { /* it may be any */
        if (pattern_is_star(p))
            return POLICY_FIT_YES;
        return rule->decision == GUARD_ALLOW ? POLICY_FIT_NO : POLICY_FIT_MAY;
    }
    for (size_t i = 0; i <= n; i++)
        host[i] = (char)tolower((unsigned char)name[i]);
    n -= n > 1 && host[n - 1] == '.';
    return fit(pattern_matches(p, host, n, false));
}

static enum policy_fit
tool_fit(const struct policy_rule *rule, const struct policy_part *part)
{
    const char *action = part->action ? part->action : "";
    const struct policy_pattern *p = rule->words;

    if (rule->kind == POLICY_ACTION)
        return fit(pattern_matches(p, action, strlen(action), false));
    return fit(pattern_matches(p, part->tool, strlen(part->tool), false) &&
               (rule->n == 1 ||
                pattern_matches(p + 1, action, strlen(action), false)));
}

/* A call beside others may start elsewhere: after cd, in a function. */
static bool
is_pinned(const struct policy_rule *rule, const struct risk_call *call,
          struct policy_parts *all)
{
    if (all->trusting || (!rule->in && !rule->with))
        return true;
    return all->n_calls == 1 &&
           policy_pin_holds(rule, call, &all->place, all->lapsed);
}

static enum policy_fit
call_fit(const struct policy_rule *rule, const struct policy_part *part,
         struct policy_parts *all)
{
    const struct policy_call call = {.call = part->call,
                                     .facts = part->facts,
                                     .vetted = part->vetted,
                                     .trusting = all->trusting};

    if (rule->decision == GUARD_ALLOW)
        return fit(policy_call_is(rule, &call, &all->place) &&
                   is_pinned(rule, part->call, all));
    return fit(policy_call_may_be(rule, part->call, &all->place));
}

enum policy_fit
policy_part_fit(const struct policy_rule *rule, const struct policy_part *part,
                struct policy_parts *all)
{
    unsigned heavy = part->facts & POLICY_HEAVY;

    switch (rule->kind) {
    case POLICY_COMMAND:
        return part->call ? call_fit(rule, part, all) : POLICY_FIT_NO;
    case POLICY_READ:
    case POLICY_WRITE:
        return part->target ? policy_target_fit(rule, part->target, &all->place)
                            : POLICY_FIT_NO;
    case POLICY_HOST:
        return part->host ? host_fit(rule, part->host->name) : POLICY_FIT_NO;
    case POLICY_TOOL:
    case POLICY_ACTION:
        return part->tool ? tool_fit(rule, part) : POLICY_FIT_NO;
    case POLICY_RISK:
        break;
    }
    return fit(rule->decision == GUARD_ALLOW && heavy &&
               !(heavy & ~rule->facts));
}

void
policy_part_text(const struct policy_part *p, char *out, size_t size)
{
    size_t n = 0;

    out[0] = '\0';
    if (p->target)
        snprintf(out, size, "%s", p->target->path);
    else if (p->host)
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
