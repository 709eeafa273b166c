/* SPDX-License-Identifier: GPL-3.0-or-later */
/* judge.c - what a step needs before it may run. */
#include "action/judge_in.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/path.h"
#include "guard/path/secret_tree.h"
#include "term/escape.h"

void
judgement_done(struct judgement *j)
{
    if (!j)
        return;
    guard_finding_done(&j->found);
    permit_done(&j->permit);
    free(j->directory);
    *j = (struct judgement){0};
}

/* The step's directory as an absolute path; it must be there now. */
static int
find_directory(const struct step *s, const char *cwd, char **out, struct err *e)
{
    CLEANUP(free_p) char *path = NULL;
    struct stat st;

    if (s->directory && s->directory[0] == '~' && s->directory[1] &&
        s->directory[1] != '/')
        return err_set(e, ERR_INVALID,
                       "working directory %s: only ~ and ~/… are supported. To "
                       "do: write the full path",
                       s->directory);
    if (!s->directory || !s->directory[0])
        path = strdup(cwd);
    else if (s->directory[0] == '/' || s->directory[0] == '~')
        path = path_expand_home(s->directory);
    else
        path = path_join(cwd, s->directory);
    if (!path)
        return err_nomem(e);
    if (stat(path, &st) < 0)
        return err_sys(e, "working directory %s", path);
    if (!S_ISDIR(st.st_mode))
        return err_set(e, ERR_NOT_FOUND,
                       "working directory %s: not a directory", path);
    *out = TAKE_PTR(path);
    return 0;
}

void
judge_because(struct judgement *j, const char *why)
{
    size_t n = strlen(j->reason);

    snprintf(j->reason + n, sizeof(j->reason) - n, "%s%s", n ? "; " : "", why);
}

void
judge_raise(struct judgement *j, enum guard_decision d)
{
    if (d > j->decision)
        j->decision = d;
}

static void
take_finding(const struct guard_finding *f, struct judgement *j)
{
    unsigned facts = f->risk.facts;

    j->decision = f->decision;
    j->destructive = (facts & RISK_DESTRUCTIVE) != 0;
    j->privileged = (facts & (RISK_SUDO | RISK_PRIVILEGED)) != 0;
    j->calls_sudo = (facts & RISK_SUDO) != 0;
    j->secret = (facts & RISK_SECRET) != 0;
    j->alone = f->profile.profile == PROFILE_FULL;
    if (f->reason[0])
        judge_because(j, f->reason);
    if (!j->alone)
        return;
    judge_raise(j, GUARD_ASK);
    if (!j->reason[0])
        judge_because(j, f->profile.why);
}

static bool
is_clean(const struct step *s)
{
    CLEANUP_BUF struct buf call = buf_of(JUDGE_CALL_MAX);

    if (s->tool)
        aiaction_put_call(&call, s);
    return !call.bad && escape_is_clean(call.p, call.len) &&
           escape_is_clean(s->command, strlen(s->command)) &&
           (!s->directory ||
            escape_is_clean(s->directory, strlen(s->directory)));
}

/* A step reads nothing and has no terminal of its own: what asks there or
 * draws there fails, or waits for nobody. The person can type it. */
static void
add_terminal(const struct step *s, struct judgement *j)
{
    if (s->tool || !(j->found.risk.facts & RISK_TERMINAL))
        return;
    j->terminal = true;
    judge_because(
        j, "it needs a terminal, which a step does not have: run it yourself");
    judge_raise(j, GUARD_ASK);
}

/* The model's flags and the text itself can only make it stricter. */
static void
add_flags(const struct step *s, struct judgement *j)
{
    j->hidden = !is_clean(s);
    /* the guard says so of a command */
    if (j->hidden && escape_is_clean(s->command, strlen(s->command)))
        judge_because(j, "contains invisible characters");
    if (s->is_destructive && !j->destructive)
        judge_because(j, "destructive: the model says so");
    if (s->requires_sudo && !j->privileged)
        judge_because(j, "privileged: the model says so");
    if (s->needs_confirmation && !s->is_destructive && !s->requires_sudo)
        judge_because(j, "the model asks for confirmation");
    j->destructive |= s->is_destructive;
    j->privileged |= s->requires_sudo;
    if (j->hidden || j->destructive || j->privileged || s->needs_confirmation)
        judge_raise(j, GUARD_ASK);
}

/* A tool that only looks, and at no file: those of the view are not its own. */
static bool
looks_elsewhere(const struct step *s, const struct judgement *j)
{
    return j->permit.read_only &&
           !manifest_action(j->tool->manifest, s->action)->reads[0];
}

static bool
only_looks(const struct profile_choice *c)
{
    return c->profile == PROFILE_OBSERVE ||
           c->profile == PROFILE_OBSERVE_PROC ||
           c->profile == PROFILE_READ_ONLY;
}

/* A view of the workspace serves what stays in it; a step that only looks is
 * as well off outside. */
static bool
stays_inside(const struct profile_choice *c)
{
    return (c->profile == PROFILE_WORKSPACE_WRITE ||
            c->profile == PROFILE_REDUCED || only_looks(c)) &&
           !c->net && !c->n_writable;
}

bool
judge_fits_view(const struct step *s, const struct judgement *j)
{
    if (j->refused)
        return false;
    return j->tool ? looks_elsewhere(s, j) : stays_inside(&j->found.profile);
}

static void
move_to_view(const struct step *s, struct judgement *j)
{
    struct profile_choice *c = &j->found.profile;

    if (judge_fits_view(s, j)) {
        if (!j->tool && !only_looks(c))
            c->profile = PROFILE_PREVIEW;
        return;
    }
    if (j->tool)
        snprintf(j->reason, sizeof(j->reason),
                 "cannot be previewed: %s runs in a sandbox of its own",
                 j->tool->name);
    else
        snprintf(j->reason, sizeof(j->reason), "cannot be previewed: it %s",
                 c->net ? "needs the network" : c->why);
    j->refused = true;
    judge_raise(j, GUARD_ASK);
}

/* That a model was told what others can write does not make its steps wrong;
 * but nobody may wave them through unseen. */
static void
add_outside(const char *outside, struct judgement *j)
{
    char why[400];

    if (!outside)
        return;
    snprintf(why, sizeof(why), "based on text that others can write (%s)",
             outside);
    judge_because(j, why);
    judge_raise(j, GUARD_ASK);
}

/* Outside the workspace nothing is closed by its name: a line that reads a
 * directory there with all that is in it is asked about when that is secret. */
static int
ask_of_outside(const struct risk_context *where, const char *in,
               struct judgement *j, struct err *e)
{
    char found[PATH_MAX], text[PATH_MAX + 64];
    struct err why = {0};

    if (j->tool)
        return 0;
    if (secret_tree_find_read(&j->found.risk, where, in, found, &why) < 0) {
        if (why.code == ERR_NOMEM)
            return err_set(e, ERR_NOMEM, "%s", why.text);
        snprintf(text, sizeof(text), "%s", why.text);
    } else if (found[0]) {
        snprintf(text, sizeof(text), "may read secrets: %s", found);
    } else {
        return 0;
    }
    judge_because(j, text);
    judge_raise(j, GUARD_ASK);
    return 0;
}

/* Nobody said that it may read what opens doors, but who wrote rules about all
 * of the line. Where not all of that can be closed, somebody has to say it. */
static int
close_secrets(const struct judge *by, const struct risk_context *where,
              struct judgement *j, struct err *e)
{
    char workspace[PATH_MAX];
    const char *in = guard_workspace(where, workspace);
    struct err why = {0};

    if (j->decision != GUARD_ALLOW || (!j->tool && j->found.by_person))
        return 0;
    if (ask_of_outside(where, in, j, e) < 0)
        return -1;
    if (j->decision != GUARD_ALLOW)
        return 0;
    j->closed = true;
    if (!in || !by->secrets ||
        secret_tree_find(by->secrets, in, by->named, &why) == 0)
        return 0;
    if (why.code == ERR_NOMEM)
        return err_set(e, ERR_NOMEM, "%s", why.text);
    j->closed = false;
    judge_because(j, why.text);
    judge_raise(j, GUARD_ASK);
    return 0;
}

#define NONE_HERE "reduced: no namespaces here"

/* Where there are no namespaces, a step that writes runs without a question
 * only if the settings allow the reduced sandbox, and then in no view. */
static int
reduce_unasked(const struct judge *by, const struct step *s,
               const struct risk_context *where, struct judgement *j,
               struct err *e)
{
    struct profile_choice *c = &j->found.profile;
    char workspace[PATH_MAX];

    if (j->tool || j->decision != GUARD_ALLOW || by->machine != PROBE_REDUCED ||
        (only_looks(c) && !c->n_added))
        return 0;
    if (!by->allow_reduced) {
        judge_because(j, NONE_HERE ", so that what writes is only run after a "
                                   "yes, with --profile reduced, or with "
                                   "[sandbox] allow_reduced");
        judge_raise(j, GUARD_ASK);
        return 0;
    }
    if (c->n_added == 0)
        return 0;
    profile_choice_done(c);
    return profile_choose(&j->found.risk, s->command, where,
                          guard_workspace(where, workspace), c, e);
}

/* As the machine can keep it. */
static void
fit_machine(const struct judge *by, struct judgement *j)
{
    struct profile_choice *c = &j->found.profile;
    bool free = c->profile == PROFILE_FULL ||
                (c->profile == PROFILE_OBSERVE_PROC && !c->rest);

    if (j->tool || free || by->machine == PROBE_WHOLE)
        return;
    if (by->machine == PROBE_REDUCED) {
        profile_reduce(c);
        return;
    }
    profile_make_full(c);
    snprintf(c->why, sizeof(c->why), "neither namespaces nor Landlock here");
    judge_because(j, "full: neither namespaces nor Landlock here, so nothing "
                     "would confine it");
    j->alone = true;
    j->closed = false;
    judge_raise(j, GUARD_ASK);
}

/* The command gets a profile in which nothing is lost; a tool that may write
 * does that within walls of its own, so it is asked about. */
static int
restrict_unasked(const struct step *s, const struct risk_context *where,
                 struct judgement *j, struct err *e)
{
    char why[200];

    if (j->decision != GUARD_ALLOW)
        return 0;
    if (j->tool && !j->permit.read_only) {
        snprintf(why, sizeof(why),
                 "%.64s %.64s may change files: needs your approval", s->tool,
                 s->action);
        judge_because(j, why);
        judge_raise(j, GUARD_ASK);
    }
    if (j->tool)
        return 0;
    if (guard_unasked(where, &j->found, e) < 0)
        return -1;
    if (j->found.decision != GUARD_ALLOW)
        judge_because(j, j->found.reason);
    judge_raise(j, j->found.decision);
    return 0;
}

int
judge_step(const struct judge *by, const struct step *s, struct judgement *j,
           struct err *e)
{
    struct risk_context where = {.home = by->home,
                                 .path = by->path,
                                 .workspace = by->cwd,
                                 .named = by->named,
                                 .as_root = geteuid() == 0};

    *j = (struct judgement){0};
    if (find_directory(s, by->cwd, &j->directory, e) < 0)
        return -1;
    where.cwd = j->directory;
    if (guard_judge(by->policy, s->command, &where, &j->found, e) < 0)
        return -1;
    take_finding(&j->found, j);
    if (s->tool && judge_call(by, s, &where, j, e) < 0)
        return -1;
    add_terminal(s, j);
    add_flags(s, j);
    add_outside(by->outside, j);
    if (by->unasked && !by->preview &&
        (restrict_unasked(s, &where, j, e) < 0 ||
         reduce_unasked(by, s, &where, j, e) < 0))
        return -1;
    if (by->unasked && close_secrets(by, &where, j, e) < 0)
        return -1;
    /* sudo runs on the person's own terminal, which nothing here gives it;
     * the walls that commands run behind would stop it as well */
    j->needs_sudo = j->tool
                        ? j->permit.privileged && geteuid() != 0
                        : j->calls_sudo || (s->requires_sudo && geteuid() != 0);
    if (j->tool && j->needs_sudo)
        judge_because(j, "needs root, and you are not root");
    j->refused = j->decision == GUARD_DENY || j->needs_sudo;
    if (by->preview && !j->refused)
        move_to_view(s, j);
    else
        fit_machine(by, j);
    return 0;
}

const char *
judge_profile(const struct judgement *j)
{
    return profile_row(j->tool ? PROFILE_PLUGIN : j->found.profile.profile)
        ->name;
}

bool
judge_network(const struct judgement *j)
{
    return j->tool ? j->permit.network : j->found.profile.net;
}

const char *
judge_rule(const struct judgement *j)
{
    return j->tool && j->permit.decision >= j->found.decision ? j->permit.rule
                                                              : j->found.rule;
}
