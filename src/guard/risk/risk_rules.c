/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_rules.c - applies the rules of a program's stanza to one call. */
#include <string.h>

#include "base/array.h"
#include "base/path.h"
#include "guard/risk/risk_findings.h"
#include "guard/risk/risk_hosts.h"
#include "guard/risk/risk_internal.h"
#include "guard/risk/risk_paths.h"
#include "guard/risk/risk_verbs.h"

/* A call and the stanza that is being applied to it. */

struct rule_application {
    struct risk_state *st;
    const struct risk_frame *frame;
    const struct risk_parsed *p;
    bool remotes; /* host:path is not a local path */
    bool near;    /* every host that was named is this machine */
    bool vouched; /* it only reads and prints, or runs what was analysed */
};

static bool
has_number(const struct risk_parsed *p)
{
    for (size_t i = 0; i < p->n_operands; i++) {
        const char *s = p->operands[i]->text;

        if (s[0] && strspn(s, "0123456789") == strlen(s))
            return true;
    }
    return false;
}

static bool
has_remote_operand(struct rule_application *a)
{
    for (size_t i = 0; i < a->p->n_operands; i++) {
        const char *s = a->p->operands[i]->text;

        if (risk_host_is_remote(s) &&
            !risk_host_is_loopback(risk_host_parse(a->st, s)))
            return true;
    }
    return false;
}

static bool
has_system_path(struct rule_application *a)
{
    for (size_t i = 0; i < a->p->n_operands; i++)
        if (risk_path_is_system(a->st, a->p->operands[i]))
            return true;
    return false;
}

static bool
would_overwrite(struct rule_application *a, const struct program *program)
{
    const struct program_rule *r = risk_program_rules(program);

    for (size_t i = 0; i < program->n_rules; i++) {
        struct risk_args args = {0};

        if (r[i].verb != PROGRAM_CHANGES)
            continue;
        risk_select_args(a->st, a->p, &r[i], &args);
        for (size_t j = 0; j < args.n; j++)
            if (risk_path_exists(a->st, &args.v[j]))
                return true;
    }
    return false;
}

static bool
when_holds(struct rule_application *a, unsigned when)
{
    size_t n = a->p->n_operands;
    bool piped = a->frame->input.kind != RISK_INPUT_NONE;

    return !(
        (when & PROGRAM_WHEN_ARGS && n < 1) ||
        (when & PROGRAM_WHEN_NO_ARGS && n > 0) ||
        (when & PROGRAM_WHEN_NO_ARGS_2 && n > 1) ||
        (when & PROGRAM_WHEN_ARGS_2 && n < 2) ||
        (when & PROGRAM_WHEN_ARGS_3 && n < 3) ||
        (when & PROGRAM_WHEN_PIPED && !piped) ||
        (when & PROGRAM_WHEN_NOT_PIPED && piped) ||
        (when & PROGRAM_WHEN_NUMBERS && !has_number(a->p)) ||
        (when & PROGRAM_WHEN_REMOTE && !has_remote_operand(a)) ||
        (when & PROGRAM_WHEN_SYSTEM && !has_system_path(a)) ||
        (when & PROGRAM_WHEN_EXISTS && !would_overwrite(a, a->p->program)));
}

/* Whether the rule's if, unless and when clauses hold. */
static bool
rule_holds(struct rule_application *a, const struct program_rule *r)
{
    const struct program_clause *c = risk_program_clauses(r);
    bool vouches = r->verb == PROGRAM_PLAIN;

    /* An abbreviation that may match is enough to warn, not to vouch. */
    for (size_t i = 0; i < r->n_clauses; i++)
        if (risk_args_have(a->p, c[i].words, vouches != c[i].unless) ==
            c[i].unless)
            return false;
    return !r->when || when_holds(a, r->when);
}

#define FETCHED_MAX 64 /* URLs that are recorded */

/* Facts about this machine only. */
#define LOCAL_FACTS                                                            \
    (RISK_PRIVILEGED | RISK_LOOKS | RISK_HOLDERS | RISK_OWNERS | RISK_ACTS |   \
     RISK_UNKNOWN)

/* Facts that a person is asked about, or that path rules decide. */
#define ASKED_FACTS (RISK_ASKED | RISK_WRITES)

static bool
program_is_recursive(const struct risk_parsed *p)
{
    return p->program->flags & PROGRAM_IS_RECURSIVE ||
           risk_args_have(p, p->program->recursive, false);
}

static void
touch_paths(struct rule_application *a, const struct program_rule *r,
            enum risk_use use)
{
    struct risk_args args = {0};
    bool recursive = program_is_recursive(a->p);

    risk_select_args(a->st, a->p, r, &args);
    for (size_t i = 0; i < args.n; i++)
        if (!a->remotes || !risk_host_is_remote(args.v[i].text))
            risk_path_touch(a->st, a->frame, &args.v[i], use, recursive,
                            a->p->name);
}

static void
list_paths(struct rule_application *a, const struct program_rule *r)
{
    struct risk_args args = {0};
    bool recursive = program_is_recursive(a->p);

    risk_select_args(a->st, a->p, r, &args);
    for (size_t i = 0; i < args.n; i++)
        risk_path_list(a->st, a->frame, &args.v[i], recursive, a->p->name);
}

/* Records the file name that a download would get. */
static void
note_download(struct risk_state *st, const char *url)
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
contact_hosts(struct rule_application *a, const struct program_rule *r)
{
    struct risk_args args = {0};

    risk_select_args(a->st, a->p, r, &args);
    for (size_t i = 0; i < args.n; i++) {
        const struct risk_arg *v = &args.v[i];
        const char *host = v->known ? risk_host_parse(a->st, v->text) : "";

        if (strncmp(v->text, "file:", 5) == 0 ||
            strncmp(v->text, "unix:", 5) == 0)
            continue;
        note_download(a->st, v->text);
        risk_add_host(a->st,
                      (struct risk_host){host, a->p->name, v->from, v->to});
        a->near = risk_host_is_loopback(host) && (i == 0 || a->near);
        if (!risk_host_is_loopback(host))
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
apply_effect(struct rule_application *a, const struct program_rule *r)
{
    const struct risk_arg *name = a->p->v - 1;
    unsigned facts = r->facts;

    switch (r->verb) {
    case PROGRAM_FACT:
        if (a->frame->elsewhere)
            facts &= ~LOCAL_FACTS;
        if (a->near)
            facts &= ~RISK_NETWORK;
        if (facts & RISK_OPAQUE)
            facts |= RISK_DESTRUCTIVE;
        risk_report_program(a->st, facts, name->from, name->to, a->p->name,
                            risk_program_text(r->text));
        return;
    case PROGRAM_PLAIN:
        a->vouched = true;
        return;
    case PROGRAM_READS:
        touch_paths(a, r, RISK_READS);
        return;
    case PROGRAM_LISTS:
        list_paths(a, r);
        return;
    case PROGRAM_MAKES:
        touch_paths(a, r, RISK_MAKES);
        return;
    case PROGRAM_CHANGES:
        touch_paths(a, r, RISK_CHANGES);
        return;
    case PROGRAM_DELETES:
        touch_paths(a, r, RISK_DELETES);
        return;
    default:
        return;
    }
}

static bool
has_remotes(const struct program *program)
{
    const struct program_rule *r = risk_program_rules(program);

    for (size_t i = 0; i < program->n_rules; i++) {
        const struct program_word *w = risk_program_words(r[i].select);

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

/* Every program understands these two as the only word behind its name or its
 * verb; at other places only those whose stanza says so do, and never behind
 * --. With a value (--version 1.2, --help=x) it is another option. */
static bool
asks_for_help(const struct risk_parsed *p)
{
    if (p->n == 1 && p->n_before == 0)
        return p->v[0].known && is_help(p->v[0].text);
    if (risk_verbs_are_listed(p->program) && risk_verbs_ask_for_help(p))
        return true;
    for (size_t i = 0; i < p->n_options; i++) {
        const struct risk_option *o = &p->options[i];

        if (p->program->flags & PROGRAM_HELPS && !o->letter && !o->value_text &&
            o->arg->known && is_help(o->arg->text))
            return true;
    }
    return false;
}

/* Whether a help or dry-run option is revoked: --dry-run=none, --no-dry-run. */
static bool
is_revoked(const struct risk_parsed *p)
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
        for (size_t j = 0; j < ARRAY_SIZE(falses); j++)
            if (strcasecmp(text, falses[j]) == 0 &&
                risk_option_is_listed(p, o, p->program->help))
                return true;
    }
    return false;
}

/* What a file of the project makes a program run, it also runs in a dry run. */
static void
apply_unknown_facts(struct rule_application *a, const struct program *program)
{
    const struct program_rule *r = risk_program_rules(program);
    const struct risk_arg *name = a->p->v - 1;

    if (a->frame->elsewhere)
        return;
    for (size_t i = 0; i < program->n_rules; i++)
        if (r[i].verb == PROGRAM_FACT && r[i].facts & RISK_UNKNOWN &&
            rule_holds(a, &r[i]))
            risk_report_program(a->st, RISK_UNKNOWN, name->from, name->to,
                                a->p->name, risk_program_text(r[i].text));
}

/* Whether the call only prints its usage, or what it would do. */
static bool
only_prints_help(struct rule_application *a)
{
    const struct risk_parsed *p = a->p;
    bool asks = asks_for_help(p);

    if (!asks && (!risk_args_have(p, p->program->help, true) || is_revoked(p)))
        return false;
    if (!asks || p->program->flags & PROGRAM_IS_CONFIGURED)
        apply_unknown_facts(a, p->program);
    return true;
}

/* Analyses what a rule runs. A call whose commands were analysed is vouched
 * for; code in other languages was only searched. */
static bool
run_nested(struct rule_application *a, const struct program_rule *r)
{
    size_t before = a->st->out->n_calls;
    bool wraps = risk_analyze_nested(a->st, a->frame, a->p, r);

    if (r->verb != PROGRAM_CODE && r->verb != PROGRAM_LOADS &&
        a->st->out->n_calls > before)
        a->vouched = true;
    return wraps;
}

static bool
apply_stanza(struct rule_application *a, const struct program *program)
{
    const struct program_rule *r = risk_program_rules(program);
    bool wraps = false;

    a->near = false;
    for (size_t i = 0; i < program->n_rules; i++)
        if (r[i].verb == PROGRAM_HOSTS && rule_holds(a, &r[i]))
            contact_hosts(a, &r[i]);
    for (size_t i = 0; i < program->n_rules; i++)
        if (r[i].verb < PROGRAM_HOSTS && rule_holds(a, &r[i]))
            apply_effect(a, &r[i]);
    for (size_t i = 0; i < program->n_rules; i++)
        if (r[i].verb > PROGRAM_HOSTS && rule_holds(a, &r[i]) &&
            run_nested(a, &r[i]))
            wraps = true;
    return wraps;
}

/* Whether a rule is about an option: `if -c=…`, or selects its value. */
static bool
is_about_options(const struct program_rule *r)
{
    const struct program_word *w = risk_program_words(r->select);

    for (size_t i = 0; i < r->n_clauses; i++)
        if (!risk_program_clauses(r)[i].unless)
            return true;
    return w->kind == PROGRAM_SHORT || w->kind == PROGRAM_LONG ||
           w->kind == PROGRAM_WHOLE;
}

/* git -c core.pager=x log: applies the parent's rules about the options in
 * front of the subcommand. */
static void
apply_parent_options(struct risk_state *st, const struct risk_frame *f,
                     const struct risk_parsed *p)
{
    struct risk_parsed before = *p;
    struct rule_application a = {.st = st, .frame = f, .p = &before};
    const struct program_rule *r = risk_program_rules(p->parent);

    before.program = p->parent;
    before.parent = NULL;
    before.n_options = p->n_before;
    before.n_operands = 0;
    for (size_t i = 0; i < p->parent->n_rules; i++) {
        if (!is_about_options(&r[i]) || !rule_holds(&a, &r[i]))
            continue;
        if (r[i].verb > PROGRAM_HOSTS)
            risk_analyze_nested(st, f, &before, &r[i]);
        else if (r[i].verb == PROGRAM_HOSTS)
            contact_hosts(&a, &r[i]);
        else
            apply_effect(&a, &r[i]);
    }
}

/* git -C DIR archive -o FILE: the options in front of the subcommand say where
 * its paths begin. */
static void
enter_parent_directory(struct risk_state *st, const struct risk_frame *f,
                       const struct risk_parsed *p)
{
    struct risk_parsed before = *p;

    before.name = risk_program_text(p->parent->name);
    before.n_options = p->n_before;
    risk_enter_directory(st, f, &before);
}

static bool
is_fetched_input(const struct rule_application *a)
{
    return a->frame->input.kind == RISK_INPUT_UNKNOWN &&
           a->st->out->facts & RISK_NETWORK;
}

/* A program in a table about which no asked fact was reported has to be called
 * plain by a rule of its own. Otherwise it may do something that no rule
 * foresees, the more so with input from another machine. */
static void
report_unvouched(struct rule_application *a)
{
    const struct risk_arg *name = a->p->v - 1, *verb;
    bool asked = a->st->facts & ASKED_FACTS & ~RISK_UNKNOWN;

    if (a->vouched)
        return;
    if (!asked && is_fetched_input(a))
        risk_report_unread(a->st, name->from, name->to,
                           "cannot tell what it does with its input");
    if (!(a->st->facts & RISK_DESTRUCTIVE) &&
        risk_verbs_are_listed(a->p->program) &&
        (verb = risk_verbs_harmful(a->p, true)))
        risk_report_program(a->st, RISK_DESTRUCTIVE, verb->from, verb->to,
                            a->p->name,
                            "its first word means deleting or stopping");
    if (asked || a->st->facts & ASKED_FACTS || a->frame->elsewhere)
        return;
    risk_report(a->st, RISK_UNKNOWN,
                (struct risk_reason){.kind = RISK_KIND_UNVOUCHED,
                                     .program = a->p->name,
                                     .from = name->from,
                                     .to = name->to,
                                     .says = "may do more than print"});
}

bool
risk_apply_rules(struct risk_state *st, const struct risk_frame *f,
                 const struct risk_parsed *p)
{
    struct rule_application a = {.st = st, .frame = f, .p = p};
    struct risk_directory *outside = st->directory;
    bool wraps = false;

    if (only_prints_help(&a))
        return false;
    a.remotes = has_remotes(p->program);
    if (p->parent && p->program->flags & PROGRAM_INHERITS)
        wraps = apply_stanza(&a, p->parent);
    else if (p->parent && p->n_before)
        apply_parent_options(st, f, p);
    if (p->parent && p->n_before) {
        enter_parent_directory(st, f, p);
        wraps = apply_stanza(&a, p->program) || wraps;
        st->directory = outside;
    } else {
        wraps = apply_stanza(&a, p->program) || wraps;
    }
    if (!wraps)
        report_unvouched(&a);
    return wraps;
}
