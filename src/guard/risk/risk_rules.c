/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_rules.c - what a stanza's lines say of one call. */
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "guard/risk/risk_hosts.h"
#include "guard/risk/risk_memory.h"
#include "guard/risk/risk_paths.h"
#include "guard/risk/risk_rules.h"
#include "guard/risk/risk_verbs.h"

#define FETCHED_MAX 64 /* URLs that are remembered */

/* What is true of our machine only. */
#define HERE_ONLY                                                              \
    (RISK_PRIVILEGED | RISK_LOOKS | RISK_HOLDERS | RISK_OWNERS | RISK_ACTS |   \
     RISK_UNKNOWN)

/* What a person would be asked about, or what the rules of paths are for. */
#define ASKED                                                                  \
    (RISK_DESTRUCTIVE | RISK_SUDO | RISK_PRIVILEGED | RISK_NETWORK |           \
     RISK_SECRET | RISK_OPAQUE | RISK_ACTS | RISK_TERMINAL | RISK_UNKNOWN |    \
     RISK_WRITES)

static bool
is_recursive(const struct risk_parsed *p)
{
    return p->program->flags & PROGRAM_IS_RECURSIVE ||
           risk_stands(p, p->program->recursive, false);
}

static void
touch(struct risk_applying *a, const struct program_rule *r, enum risk_use use)
{
    struct risk_args args = {0};
    bool recursive = is_recursive(a->p);

    risk_select(a->st, a->p, r, &args);
    for (size_t i = 0; i < args.n; i++)
        if (!a->remotes || !risk_is_remote(args.v[i].text))
            risk_touch(a->st, a->frame, &args.v[i], use, recursive, a->p->name);
}

static void
list(struct risk_applying *a, const struct program_rule *r)
{
    struct risk_args args = {0};
    bool recursive = is_recursive(a->p);

    risk_select(a->st, a->p, r, &args);
    for (size_t i = 0; i < args.n; i++)
        risk_list(a->st, a->frame, &args.v[i], recursive, a->p->name);
}

/* What a download without a name of its own would be called. */
static void
note_fetched(struct risk_state *st, const char *url)
{
    struct risk_name *n;

    if (!strstr(url, "://") || st->n_fetched >= FETCHED_MAX)
        return;
    n = risk_alloc(st, sizeof(*n));
    if (!n)
        return;
    st->n_fetched++;
    n->name = path_base(risk_copy(st, url, strcspn(url, "?#")));
    n->next = st->fetched;
    st->fetched = n;
}

static void
reach(struct risk_applying *a, const struct program_rule *r)
{
    struct risk_args args = {0};

    risk_select(a->st, a->p, r, &args);
    for (size_t i = 0; i < args.n; i++) {
        const struct risk_arg *v = &args.v[i];
        const char *host = v->known ? risk_host_of(a->st, v->text) : "";

        if (strncmp(v->text, "file:", 5) == 0 ||
            strncmp(v->text, "unix:", 5) == 0)
            continue;
        note_fetched(a->st, v->text);
        risk_add_host(a->st,
                      (struct risk_host){host, a->p->name, v->from, v->to});
        a->near = risk_is_loopback(host) && (i == 0 || a->near);
        if (!risk_is_loopback(host))
            risk_report(a->st, RISK_NETWORK,
                        (struct risk_reason){.kind = RISK_KIND_HOST,
                                             .program = a->p->name,
                                             .about = host,
                                             .from = v->from,
                                             .to = v->to,
                                             .says = "contacts a host"});
    }
}

static void
apply_first(struct risk_applying *a, const struct program_rule *r)
{
    const struct risk_arg *name = a->p->v - 1;
    unsigned facts = r->facts;

    switch (r->verb) {
    case PROGRAM_FACT:
        if (a->frame->elsewhere)
            facts &= ~HERE_ONLY;
        if (a->near)
            facts &= ~RISK_NETWORK;
        if (facts & RISK_OPAQUE)
            facts |= RISK_DESTRUCTIVE;
        risk_say(a->st, facts, name->from, name->to, a->p->name,
                 program_text(r->text));
        return;
    case PROGRAM_PLAIN:
        a->vouched = true;
        return;
    case PROGRAM_READS:
        touch(a, r, RISK_READS);
        return;
    case PROGRAM_LISTS:
        list(a, r);
        return;
    case PROGRAM_MAKES:
        touch(a, r, RISK_MAKES);
        return;
    case PROGRAM_CHANGES:
        touch(a, r, RISK_CHANGES);
        return;
    case PROGRAM_DELETES:
        touch(a, r, RISK_DELETES);
        return;
    default:
        return;
    }
}

static bool
has_remotes(const struct program *program)
{
    const struct program_rule *r = program_rules(program);

    for (size_t i = 0; i < program->n_rules; i++) {
        const struct program_word *w = program_words(r[i].select);

        for (; r[i].verb == PROGRAM_HOSTS && w->kind != PROGRAM_END; w++)
            if (w->kind == PROGRAM_REMOTE)
                return true;
    }
    return false;
}

static bool
is_help(const char *text)
{
    return strcmp(text, "--help") == 0 || strcmp(text, "--version") == 0;
}

/* Both of these as the only word behind the program or its verb are
 * read by all; at another place only by who is said to read them there, and
 * never behind --. A value (--version 1.2, --help=x) makes another option of
 * them. */
static bool
asks_for_help(const struct risk_parsed *p)
{
    if (p->n == 1 && p->n_before == 0)
        return p->v[0].known && is_help(p->v[0].text);
    if (risk_has_verbs(p->program) && risk_asks_verb_for_help(p))
        return true;
    for (size_t i = 0; i < p->n_options; i++) {
        const struct risk_option *o = &p->options[i];

        if (p->program->flags & PROGRAM_HELPS && !o->letter && !o->value_text &&
            o->arg->known && is_help(o->arg->text))
            return true;
    }
    return false;
}

/* As --dry-run=none, or --no-dry-run beside it. */
static bool
is_taken_back(const struct risk_parsed *p)
{
    static const char *const falses[] = {"false", "none", "no",
                                         "0",     "off",  "never"};

    for (size_t i = 0; i < p->n_options; i++) {
        const struct risk_option *o = &p->options[i];
        const char *text = o->value_text;

        if (strncmp(o->arg->text, "--no-", 5) == 0 &&
            strstr("--no-dry-run --no-dryrun --no-noop --no-simulate",
                   o->arg->text))
            return true;
        if (!text || o->value || strncmp(o->arg->text, "--", 2) != 0)
            continue;
        for (size_t j = 0; j < sizeof(falses) / sizeof(falses[0]); j++)
            if (strcasecmp(text, falses[j]) == 0 &&
                risk_option_is_listed(p, o, p->program->help))
                return true;
    }
    return false;
}

/* What a file of the project runs, it runs in a dry run as well. */
static void
apply_unknown(struct risk_applying *a, const struct program *program)
{
    const struct program_rule *r = program_rules(program);
    const struct risk_arg *name = a->p->v - 1;

    if (a->frame->elsewhere)
        return;
    for (size_t i = 0; i < program->n_rules; i++)
        if (r[i].verb == PROGRAM_FACT && r[i].facts & RISK_UNKNOWN &&
            risk_rule_holds(a, &r[i]))
            risk_say(a->st, RISK_UNKNOWN, name->from, name->to, a->p->name,
                     program_text(r[i].text));
}

/* Whether the call prints how it is used, or what it would do. */
static bool
only_tells(struct risk_applying *a)
{
    const struct risk_parsed *p = a->p;
    bool asks = asks_for_help(p);

    if (!asks && (!risk_stands(p, p->program->help, true) || is_taken_back(p)))
        return false;
    if (!asks || p->program->flags & PROGRAM_IS_CONFIGURED)
        apply_unknown(a, p->program);
    return true;
}

/* What is run was read as well; of code in other languages only some calls
 * were looked for. */
static bool
run_nested(struct risk_applying *a, const struct program_rule *r)
{
    size_t before = a->st->out->n_calls;
    bool wraps = risk_nested(a->st, a->frame, a->p, r);

    if (r->verb != PROGRAM_CODE && r->verb != PROGRAM_LOADS &&
        a->st->out->n_calls > before)
        a->vouched = true;
    return wraps;
}

static bool
apply_lines(struct risk_applying *a, const struct program *program)
{
    const struct program_rule *r = program_rules(program);
    bool wraps = false;

    a->near = false;
    for (size_t i = 0; i < program->n_rules; i++)
        if (r[i].verb == PROGRAM_HOSTS && risk_rule_holds(a, &r[i]))
            reach(a, &r[i]);
    for (size_t i = 0; i < program->n_rules; i++)
        if (r[i].verb < PROGRAM_HOSTS && risk_rule_holds(a, &r[i]))
            apply_first(a, &r[i]);
    for (size_t i = 0; i < program->n_rules; i++)
        if (r[i].verb > PROGRAM_HOSTS && risk_rule_holds(a, &r[i]) &&
            run_nested(a, &r[i]))
            wraps = true;
    return wraps;
}

/* Whether a line is about an option: `if -c=…`, or what an option's value is.
 */
static bool
is_about_options(const struct program_rule *r)
{
    const struct program_word *w = program_words(r->select);

    for (size_t i = 0; i < r->n_clauses; i++)
        if (!program_clauses(r)[i].unless)
            return true;
    return w->kind == PROGRAM_SHORT || w->kind == PROGRAM_LONG ||
           w->kind == PROGRAM_WHOLE;
}

/* git -c core.pager=x log: the parent's lines about what stands there. */
static void
apply_before(struct risk_state *st, const struct risk_frame *f,
             const struct risk_parsed *p)
{
    struct risk_parsed before = *p;
    struct risk_applying a = {.st = st, .frame = f, .p = &before};
    const struct program_rule *r = program_rules(p->parent);

    before.program = p->parent;
    before.parent = NULL;
    before.n_options = p->n_before;
    before.n_operands = 0;
    for (size_t i = 0; i < p->parent->n_rules; i++) {
        if (!is_about_options(&r[i]) || !risk_rule_holds(&a, &r[i]))
            continue;
        if (r[i].verb > PROGRAM_HOSTS)
            risk_nested(st, f, &before, &r[i]);
        else if (r[i].verb == PROGRAM_HOSTS)
            reach(&a, &r[i]);
        else
            apply_first(&a, &r[i]);
    }
}

static bool
is_fetched_input(const struct risk_applying *a)
{
    return a->frame->input.kind == RISK_INPUT_UNKNOWN &&
           a->st->out->facts & RISK_NETWORK;
}

/* Who is in a table, but of whom nothing was said that a person would be
 * asked about, has to be plain by its own line; else it may do what nobody
 * thought of: the more so with what another machine sends it. */
static void
doubt(struct risk_applying *a)
{
    const struct risk_arg *name = a->p->v - 1, *verb;
    bool asked = a->st->facts & ASKED & ~RISK_UNKNOWN;

    if (a->vouched)
        return;
    if (!asked && is_fetched_input(a))
        risk_say_opaque(a->st, name->from, name->to,
                        "cannot tell what it does with its input");
    if (!(a->st->facts & RISK_DESTRUCTIVE) && risk_has_verbs(a->p->program) &&
        (verb = risk_harmful_word(a->p, true)))
        risk_say(a->st, RISK_DESTRUCTIVE, verb->from, verb->to, a->p->name,
                 "its first word means deleting or stopping");
    if (asked || a->st->facts & ASKED || a->frame->elsewhere)
        return;
    risk_report(a->st, RISK_UNKNOWN,
                (struct risk_reason){.kind = RISK_KIND_UNVOUCHED,
                                     .program = a->p->name,
                                     .from = name->from,
                                     .to = name->to,
                                     .says = "may do more than print"});
}

bool
risk_apply(struct risk_state *st, const struct risk_frame *f,
           const struct risk_parsed *p)
{
    struct risk_applying a = {.st = st, .frame = f, .p = p};
    bool wraps = false;

    if (only_tells(&a))
        return false;
    a.remotes = has_remotes(p->program);
    if (p->parent && p->program->flags & PROGRAM_INHERITS)
        wraps = apply_lines(&a, p->parent);
    else if (p->parent && p->n_before)
        apply_before(st, f, p);
    wraps = apply_lines(&a, p->program) || wraps;
    if (!wraps)
        doubt(&a);
    return wraps;
}
