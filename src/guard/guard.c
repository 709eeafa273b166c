/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guard.c - decides about a command line: allowed, asked about or denied. */
#include "guard/guard.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/path.h"
#include "term/escape.h"

/* The order in which facts are explained when there are more than fit. */
static const unsigned by_weight[] = {
    RISK_OPAQUE,  RISK_DESTRUCTIVE, RISK_SUDO,     RISK_PRIVILEGED, RISK_SECRET,
    RISK_NETWORK, RISK_ACTS,        RISK_TERMINAL, RISK_UNKNOWN,
};
_Static_assert(ARRAY_SIZE(by_weight) == __builtin_popcount(RISK_ASKED),
               "each fact that is asked about has its weight");

/* These facts need an approval of their own, whatever the rules say. */
#define ASKED_ANYWAY (RISK_DESTRUCTIVE | RISK_SUDO | RISK_PRIVILEGED)

/* Reasons in one line; the review lists all of them. */
#define REASONS_SHOWN 2

const char *
guard_workspace(const struct path_context *where, char out[PATH_MAX])
{
    const char *w = where->workspace ? where->workspace : where->cwd;

    if (!w || snprintf(out, PATH_MAX, "%s", w) >= PATH_MAX)
        return NULL;
    path_clean(out);
    if (strcmp(out, "/") == 0 ||
        (where->home && path_is_below(where->home, out)))
        return NULL;
    return out;
}

/* A line that cannot be analysed counts as destructive. */
static void
set_opaque(struct guard_finding *f, const char *why)
{
    f->risk.facts |= RISK_OPAQUE | RISK_DESTRUCTIVE;
    snprintf(f->reason, sizeof(f->reason), "%s", why);
}

static void
append_reason(struct guard_finding *f, const char *text)
{
    size_t n = strlen(f->reason);

    snprintf(f->reason + n, sizeof(f->reason) - n, "%s%s", n ? "; " : "", text);
}

/* The next reason for a fact, with another text than the one before. */
static const struct risk_reason *
next_reason(const struct risk *r, unsigned fact,
            const struct risk_reason *before)
{
    for (size_t i = 0; i < r->n_reasons; i++)
        if (r->reasons[i].fact == fact &&
            (!before || !risk_reason_is_same(&r->reasons[i], before)))
            return &r->reasons[i];
    return NULL;
}

/* Adds one reason for each of the weightiest facts. If the line as a whole
 * cannot be read, that reason is there already and is enough. */
static void
add_weightiest_reasons(struct guard_finding *f, bool unread)
{
    const struct risk_reason *last = NULL, *r;
    size_t shown = f->reason[0] ? 1 : 0, before = shown;

    for (size_t i = 0; i < ARRAY_SIZE(by_weight) && shown < REASONS_SHOWN;
         i++) {
        r = unread && by_weight[i] == RISK_OPAQUE
                ? NULL
                : next_reason(&f->risk, by_weight[i], last);
        if (!r)
            continue;
        append_reason(f, r->text);
        last = r;
        shown++;
    }
    if (before == 0 && shown == 1 && last->fact == RISK_DESTRUCTIVE)
        f->reason_kind = GUARD_REASON_LOSS;
}

static void
apply_policy(struct guard_finding *f, const struct policy *p,
             const struct path_context *where)
{
    const bool unread = f->reason[0] != '\0';
    struct policy_verdict v = {.decision = GUARD_ASK};

    policy_judge(p, &f->risk, where, &v);
    f->decision = v.decision;
    f->by_person = v.by_person;
    /* a line that was not read has no part that a rule could allow */
    if (unread && f->decision == GUARD_ALLOW)
        f->decision = GUARD_ASK;
    memcpy(f->rule, v.rule, sizeof(f->rule));
    if (f->effects.protected_path) {
        f->decision = GUARD_DENY;
        snprintf(f->rule, sizeof(f->rule), "never: %.240s",
                 f->effects.protected_path);
        snprintf(f->reason, sizeof(f->reason),
                 "would delete or overwrite %.220s", f->effects.protected_path);
        return;
    }
    if (v.reason_kind == POLICY_REASON_CHANGED && f->decision == GUARD_ASK)
        append_reason(f, v.reason);
    add_weightiest_reasons(f, unread);
    if (f->decision == GUARD_ALLOW && !(f->risk.facts & ASKED_ANYWAY))
        f->reason[0] = '\0';
    else if (f->decision == GUARD_ALLOW)
        ; /* keep the reason for the approval that is needed nevertheless */
    else if (!f->reason[0] && v.reason[0]) {
        snprintf(f->reason, sizeof(f->reason), "%s", v.reason);
        f->reason_kind = v.reason_kind == POLICY_REASON_UNINSTALLED
                             ? GUARD_REASON_UNINSTALLED
                             : GUARD_REASON_ANY;
    } else if (!f->reason[0])
        snprintf(f->reason, sizeof(f->reason), "the rules %s %s",
                 f->decision == GUARD_DENY ? "deny" : "ask about", v.part);
}

/* No rule lets a line run without a sandbox and without a question. */
static void
require_approval_for_full(struct guard_finding *f)
{
    if (f->decision != GUARD_ALLOW || f->profile.profile != PROFILE_FULL)
        return;
    f->decision = GUARD_ASK;
    snprintf(f->rule, sizeof(f->rule),
             "profile full needs approval every time");
    snprintf(f->reason, sizeof(f->reason), "%s", f->profile.why);
    f->reason_kind = GUARD_REASON_ANY;
}

/* Whether a terminal would show all of the line and of its variables. */
static bool
is_visible(const char *command, const struct risk_start *start)
{
    const char *const *v = start->variables;

    for (; v && *v; v++)
        if (!escape_is_clean(*v, strlen(*v)))
            return false;
    return escape_is_clean(command, strlen(command));
}

/* Parses the line and finds its risk; -1: no memory. */
static int
analyse_line(struct guard_finding *f, const char *command,
             const struct risk_start *start, const struct path_context *where,
             struct err *e)
{
    size_t n = strlen(command);

    if (!is_visible(command, start))
        set_opaque(f, "contains invisible characters");
    if (n > SYNTAX_LINE_MAX) {
        set_opaque(f, "too long to check");
        return 0;
    }
    if (syntax_read(command, n, &f->syntax, e) < 0)
        return -1;
    if (risk_read_from(&f->syntax, where, start, &f->risk, e) < 0)
        return -1;
    return 0;
}

int
guard_judge(const struct policy *p, const char *command,
            const struct path_context *where, struct guard_finding *out,
            struct err *e)
{
    return guard_judge_from(p, command, &(struct risk_start){0}, where, out, e);
}

int
guard_judge_from(const struct policy *p, const char *command,
                 const struct risk_start *start,
                 const struct path_context *where, struct guard_finding *out,
                 struct err *e)
{
    char workspace[PATH_MAX];
    const char *in = guard_workspace(where, workspace);
    unsigned hidden;

    *out = (struct guard_finding){.decision = GUARD_ASK};
    if (analyse_line(out, command, start, where, e) < 0)
        return -1;
    hidden = out->reason[0] ? RISK_OPAQUE | RISK_DESTRUCTIVE : 0;
    out->risk.facts |= hidden;
    if ((out->risk.facts & RISK_DESTRUCTIVE) &&
        effects_find(&out->risk, where, in ? in : where->cwd, &out->effects,
                     e) < 0)
        return -1;
    apply_policy(out, p, where);
    if (profile_choose(&out->risk, command, where, in, &out->profile, e) < 0)
        return -1;
    require_approval_for_full(out);
    return 0;
}

/* Everything that it does is known, and it changes nothing. */
static bool
only_looks(const struct risk *r)
{
    return !(r->facts & ~(RISK_LOOKS | RISK_HOLDERS | RISK_OWNERS));
}

int
guard_auto_approved(const struct path_context *where, struct guard_finding *f,
                    struct err *e)
{
    char workspace[PATH_MAX], why[160];

    /* a person's rule lets the line have what it needs, and no more */
    if (f->decision != GUARD_ALLOW || (f->by_person && !only_looks(&f->risk)))
        return 0;
    if (profile_auto_approved(&f->risk, where,
                              guard_workspace(where, workspace), &f->profile,
                              why, e) < 0)
        return -1;
    if (!why[0])
        return 0;
    f->decision = GUARD_ASK;
    snprintf(f->rule, sizeof(f->rule),
             "cannot change anything without your approval");
    snprintf(f->reason, sizeof(f->reason), "%s", why);
    f->reason_kind = GUARD_REASON_ANY;
    return 0;
}

bool
guard_names_secret(const char *command, const struct path_context *where)
{
    CLEANUP(guard_finding_done) struct guard_finding f = {0};

    if (strlen(command) > SYNTAX_LINE_MAX ||
        syntax_read(command, strlen(command), &f.syntax, NULL) < 0 ||
        risk_read(&f.syntax, where, &f.risk, NULL) < 0)
        return true;
    return (f.risk.facts & RISK_SECRET) != 0;
}

void
guard_finding_done(struct guard_finding *f)
{
    if (!f)
        return;
    profile_choice_done(&f->profile);
    effects_done(&f->effects);
    risk_done(&f->risk);
    syntax_done(&f->syntax);
    *f = (struct guard_finding){0};
}
