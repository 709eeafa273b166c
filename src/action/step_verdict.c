/* SPDX-License-Identifier: GPL-3.0-or-later */
/* step_verdict.c - decides whether a step may run, how, and who must agree. */
#include "action/step_verdict.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "action/step_tools.h"
#include "action/sudo_line.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "base/path.h"
#include "guard/effects/effects_secrets.h"
#include "guard/path/path_table.h"
#include "guard/path/secret.h"
#include "guard/path/secret_tree.h"
#include "term/escape.h"
#include "tool/confinement.h"
#include "json/write.h"

#define NONE_HERE "reduced: no namespaces here"

/* The home on a host of which nothing is known: no file of here is in it. */
#define HOME_THERE "/nonexistent/home"

/* A tool's call as text: its names, and arguments escaped at worst. */
#define TOOL_CALL_MAX (6u * AIACTION_ARGS_MAX + 512u)

void
step_verdict_done(struct step_verdict *v)
{
    if (!v)
        return;
    guard_finding_done(&v->found);
    permit_done(&v->permit);
    free(v->directory);
    *v = (struct step_verdict){0};
}

/* Finds the step's directory, absolute. It must exist now. */
static int
find_directory(const struct step *s, const struct seat *seat, char **out,
               struct err *e)
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
        path = strdup(seat_dir(seat));
    else if (s->directory[0] == '~')
        path = seat_expand_home(seat, s->directory);
    else
        path = seat_resolve(seat, s->directory);
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

/* Adds a reason to the others. */
static void
add_verdict_reason(struct step_verdict *v, const char *why)
{
    size_t n = strlen(v->reason);

    snprintf(v->reason + n, sizeof(v->reason) - n, "%s%s", n ? "; " : "", why);
}

static void
raise_decision(struct step_verdict *v, enum guard_decision d)
{
    if (d > v->decision)
        v->decision = d;
}

static void
copy_finding(const struct guard_finding *f, struct step_verdict *v)
{
    unsigned facts = f->risk.facts;

    v->decision = f->decision;
    v->destructive = (facts & RISK_DESTRUCTIVE) != 0;
    v->privileged = (facts & (RISK_SUDO | RISK_PRIVILEGED)) != 0;
    v->calls_sudo = (facts & RISK_SUDO) != 0;
    v->secret = (facts & RISK_SECRET) != 0;
    v->alone = f->profile.profile == PROFILE_FULL;
    if (f->reason[0])
        add_verdict_reason(v, f->reason);
    if (!v->alone)
        return;
    raise_decision(v, GUARD_ASK);
    if (!v->reason[0])
        add_verdict_reason(v, f->profile.why);
}

static bool
is_clean(const struct step *s)
{
    CLEANUP_BUF struct buf call = buf_of(TOOL_CALL_MAX);

    if (s->tool)
        aiaction_put_call(&call, s);
    return !call.bad && escape_is_clean(call.p, call.len) &&
           escape_is_clean(s->command, strlen(s->command)) &&
           (!s->directory ||
            escape_is_clean(s->directory, strlen(s->directory)));
}

/* Without a terminal a program that prompts or draws there fails, or waits for
 * ever: the person can type it. Where they sit at one, the step gets it. */
static void
add_terminal(const struct step_verdict_params *by, const struct step *s,
             struct step_verdict *v)
{
    if (s->tool || !(v->found.risk.facts & RISK_TERMINAL))
        return;
    v->terminal = !by->own_terminal || v->found.profile.n_reader > 0;
    if (!v->terminal)
        v->tty = STEP_TTY_WHOLE;
    add_verdict_reason(v, v->terminal
                              ? "it needs a terminal, which a step does not "
                                "have: run it yourself"
                              : "it gets your terminal, and what it shows is "
                                "not kept");
    raise_decision(v, GUARD_ASK);
}

/* Decides whether a step that becomes root can do so here: by a sudo that asks
 * on the person's terminal. The sandbox of any other step stops it. */
static void
find_way_to_root(const struct step_verdict_params *by, const struct step *s,
                 struct step_verdict *v)
{
    char why[SUDO_LINE_WHY] = "";

    if (v->tool) {
        v->needs_sudo = v->permit.privileged && geteuid() != 0 &&
                        !by->own_terminal;
        if (v->needs_sudo)
            add_verdict_reason(v, "needs root, and you are not root");
        return;
    }
    v->needs_sudo = v->calls_sudo || (s->requires_sudo && geteuid() != 0);
    if (!v->calls_sudo || !by->own_terminal)
        return;
    if (!sudo_line_check(&v->found.syntax, &v->found.risk, seat_path(by->seat),
                         why)) {
        add_verdict_reason(v, why);
        return;
    }
    v->needs_sudo = false;
    if (v->tty == STEP_TTY_NONE)
        v->tty = STEP_TTY_INPUT;
}

/* Applies the model's flags and the characters of the text, which can only make
 * the verdict stricter. */
static void
add_flags(const struct step *s, struct step_verdict *v)
{
    v->hidden = !is_clean(s);
    /* the guard reports this of a command */
    if (v->hidden && escape_is_clean(s->command, strlen(s->command)))
        add_verdict_reason(v, "contains invisible characters");
    if (s->is_destructive && !v->destructive)
        add_verdict_reason(v, "destructive: the model says so");
    if (s->requires_sudo && !v->privileged)
        add_verdict_reason(v, "privileged: the model says so");
    if (s->needs_confirmation && !s->is_destructive && !s->requires_sudo)
        add_verdict_reason(v, "the model asks for confirmation");
    v->destructive |= s->is_destructive;
    v->privileged |= s->requires_sudo;
    if (v->hidden || v->destructive || v->privileged || s->needs_confirmation)
        raise_decision(v, GUARD_ASK);
}

/* A read-only tool that names no file: it would not see the files of the
 * view. */
static bool
reads_no_file(const struct step *s, const struct step_verdict *v)
{
    return v->permit.read_only &&
           !manifest_action(v->tool->manifest, s->action)->reads[0];
}

static bool
is_read_only_profile(const struct profile_choice *c)
{
    return c->profile == PROFILE_OBSERVE ||
           c->profile == PROFILE_OBSERVE_PROC ||
           c->profile == PROFILE_READ_ONLY;
}

/* Whether a preview makes sense: the step writes in the workspace only. A step
 * that writes nothing runs as well without. */
static bool
stays_inside(const struct profile_choice *c)
{
    return (c->profile == PROFILE_WORKSPACE_WRITE ||
            c->profile == PROFILE_REDUCED || is_read_only_profile(c)) &&
           !c->net && !c->n_writable;
}

bool
step_verdict_fits_view(const struct step *s, const struct step_verdict *v)
{
    if (v->refused || v->hosts)
        return false;
    return v->tool ? reads_no_file(s, v) : stays_inside(&v->found.profile);
}

static void
use_view(const struct step *s, struct step_verdict *v)
{
    struct profile_choice *c = &v->found.profile;

    if (step_verdict_fits_view(s, v)) {
        if (!v->tool && !is_read_only_profile(c))
            c->profile = PROFILE_PREVIEW;
        return;
    }
    if (v->tool)
        snprintf(v->reason, sizeof(v->reason),
                 "cannot be previewed: %s runs in a sandbox of its own",
                 v->tool->name);
    else
        snprintf(v->reason, sizeof(v->reason), "cannot be previewed: it %s",
                 c->net ? "needs the network" : c->why);
    v->refused = true;
    raise_decision(v, GUARD_ASK);
}

/* If others could have written what the model was sent, its steps need not be
 * wrong, but no step runs without a question. */
static void
ask_for_outside(const char *outside, struct step_verdict *v)
{
    char why[400];

    if (!outside)
        return;
    snprintf(why, sizeof(why), "based on text that others can write (%s)",
             outside);
    add_verdict_reason(v, why);
    raise_decision(v, GUARD_ASK);
}

/* Secrets outside the workspace cannot be hidden by name: a command that reads
 * a whole directory there is asked about when the directory is secret. */
static int
ask_for_secrets_outside(const struct path_context *where, const char *in,
                        struct step_verdict *v, struct err *e)
{
    char found[PATH_MAX], text[PATH_MAX + 64];
    struct err why = {0};

    if (v->tool)
        return 0;
    if (effects_secrets_find(&v->found.risk, where, in, found, &why) < 0) {
        if (why.code == ERR_NOMEM)
            return err_set(e, ERR_NOMEM, "%s", why.text);
        snprintf(text, sizeof(text), "%s", why.text);
    } else if (found[0]) {
        snprintf(text, sizeof(text), "may read secrets: %s", found);
    } else {
        return 0;
    }
    add_verdict_reason(v, text);
    raise_decision(v, GUARD_ASK);
    return 0;
}

/* Closes the secrets of the workspace to a step that nobody is asked about,
 * unless a rule of the person's own allows the whole line. If not all can be
 * closed, the person is asked. */
static int
close_secrets(const struct step_verdict_params *by,
              const struct path_context *where, struct step_verdict *v,
              struct err *e)
{
    char workspace[PATH_MAX];
    const char *in = guard_workspace(where, workspace);
    struct err why = {0};

    if (v->decision != GUARD_ALLOW || (!v->tool && v->found.by_person))
        return 0;
    if (ask_for_secrets_outside(where, in, v, e) < 0)
        return -1;
    if (v->decision != GUARD_ALLOW)
        return 0;
    v->closed = true;
    if (!in || !by->secrets ||
        secret_tree_find(by->secrets, in, by->named, by->seat, &why) == 0)
        return 0;
    if (why.code == ERR_NOMEM)
        return err_set(e, ERR_NOMEM, "%s", why.text);
    v->closed = false;
    add_verdict_reason(v, why.text);
    raise_decision(v, GUARD_ASK);
    return 0;
}

/* Without namespaces, a step that writes runs unasked only if the settings
 * allow the reduced sandbox, and never in a preview. */
static int
reduce_unasked(const struct step_verdict_params *by, const struct step *s,
               const struct path_context *where, struct step_verdict *v,
               struct err *e)
{
    struct profile_choice *c = &v->found.profile;
    char workspace[PATH_MAX];

    if (v->tool || v->decision != GUARD_ALLOW || by->machine != PROBE_REDUCED ||
        (is_read_only_profile(c) && !c->n_added))
        return 0;
    if (!by->allow_reduced) {
        add_verdict_reason(v, NONE_HERE
                           ", so that what writes is only run after a "
                           "yes, with --profile reduced, or with "
                           "[sandbox] allow_reduced");
        raise_decision(v, GUARD_ASK);
        return 0;
    }
    if (c->n_added == 0)
        return 0;
    profile_choice_done(c);
    return profile_choose(&v->found.risk, s->command, where,
                          guard_workspace(where, workspace), c, e);
}

/* Fits the profile to what this machine can enforce. */
static void
fit_machine(const struct step_verdict_params *by, struct step_verdict *v)
{
    struct profile_choice *c = &v->found.profile;
    bool free = c->profile == PROFILE_FULL ||
                (c->profile == PROFILE_OBSERVE_PROC && !c->rest);

    if (v->tool || free || by->machine == PROBE_WHOLE)
        return;
    if (by->machine == PROBE_REDUCED) {
        profile_reduce(c);
        return;
    }
    profile_make_full(c);
    snprintf(c->why, sizeof(c->why), "neither namespaces nor Landlock here");
    add_verdict_reason(v,
                       "full: neither namespaces nor Landlock here, so nothing "
                       "would confine it");
    v->alone = true;
    v->closed = false;
    raise_decision(v, GUARD_ASK);
}

/* A command that runs unasked gets a profile in which nothing is lost. A tool
 * that may write has a confinement of its own, so that it is asked about. */
static int
restrict_unasked(const struct step *s, const struct path_context *where,
                 struct step_verdict *v, struct err *e)
{
    char why[200];

    if (v->decision != GUARD_ALLOW)
        return 0;
    if (v->tool && !v->permit.read_only) {
        snprintf(why, sizeof(why),
                 "%.64s %.64s may change files: needs your approval", s->tool,
                 s->action);
        add_verdict_reason(v, why);
        raise_decision(v, GUARD_ASK);
    }
    if (v->tool)
        return 0;
    if (guard_auto_approved(where, &v->found, e) < 0)
        return -1;
    if (v->found.decision != GUARD_ALLOW)
        add_verdict_reason(v, v->found.reason);
    raise_decision(v, v->found.decision);
    return 0;
}

static void
describe_confinement(const struct sandbox_setup *s, struct step_verdict *v)
{
    static const char root[] =
        "; the command it requests runs as root, outside the sandbox";
    static const char cut[] = " …";
    /* a path that does not fit is left out whole, and the text says so */
    CLEANUP_BUF
    struct buf text = buf_of(sizeof(v->confinement) - sizeof(root) -
                             sizeof(cut));

    buf_printf(
        &text, "its own%s%s%s%s",
        s->spec.reduced ? ", reduced (no namespaces here)" : "",
        s->spec.profile == PROFILE_OBSERVE_PROC ? ", sees every process" : "",
        s->spec.net ? ", with network" : "",
        s->spec.writable[0] || v->permit.privileged ? "" : ", writes nothing");
    for (size_t i = 0; s->spec.writable[i]; i++)
        buf_printf(&text, "%s%s", i ? ", " : ", writes in ",
                   s->spec.writable[i]);
    snprintf(v->confinement, sizeof(v->confinement), "%s%s%s", text.p,
             text.bad ? cut : "", v->permit.privileged ? root : "");
}

/* Whether a path that it would write exists, so that data may be lost. A tool
 * that names no path that it writes may lose anything. */
static bool
finds_existing(const char *const *names, const struct json *args,
               const char *cwd)
{
    struct stat st;

    for (; *names; names++) {
        const char *text = json_get_str(args, *names);
        CLEANUP(free_p)
        char *path = text ? path_join(text[0] == '/' ? "/" : cwd, text) : NULL;

        if (!path || lstat(path, &st) == 0 || errno != ENOENT)
            return true;
    }
    return false;
}

/* Whether it may lose data by its manifest. A built-in tool that makes a new
 * file does not. */
static bool
may_lose_data(const struct step_verdict *v, const struct step *s)
{
    const struct manifest_action *a = manifest_action(v->tool->manifest,
                                                      s->action);

    return v->permit.destructive &&
           (v->tool->source != TOOL_BUILTIN || !a->writes[0] ||
            finds_existing(a->writes, s->args, v->directory));
}

/* Takes over the permit of the call. A tool has a confinement of its own, so
 * that the profile of the command does not matter. */
static void
apply_permit(const struct step *s, struct step_verdict *v)
{
    const struct permit *p = &v->permit;
    bool harmless = v->decision == GUARD_ALLOW && !v->destructive &&
                    !v->privileged;
    char why[160];

    if (p->reason[0])
        add_verdict_reason(v, p->reason);
    v->destructive |= may_lose_data(v, s);
    if (v->destructive && !v->reason[0]) {
        snprintf(why, sizeof(why), "destructive: %.64s %.64s may lose data",
                 s->tool, s->action);
        add_verdict_reason(v, why);
    }
    v->privileged |= p->privileged;
    v->alone = false;
    raise_decision(v, p->decision);
    if (harmless && (v->destructive || v->privileged)) {
        add_verdict_reason(
            v, "the command shown does not match what the tool does");
        raise_decision(v, GUARD_ASK);
    }
    if (v->tool->source == TOOL_BUILTIN)
        return;
    /* read-only is only its own claim */
    snprintf(why, sizeof(why), "%.64s is not built in", s->tool);
    add_verdict_reason(v, why);
    raise_decision(v, GUARD_ASK);
}

/* Whether an argument is the path of a secret. */
static bool
argument_names_secret(const struct json *v, const struct path_context *where)
{
    const char *text = json_str(v, NULL);
    char path[PATH_MAX];
    bool cut;

    if (text)
        return path_absolute(text, where->cwd, where, path, &cut) &&
               secret_is_path(path, where);
    for (v = json_first(v); v; v = json_next(v))
        if (argument_names_secret(v, where))
            return true;
    return false;
}

/* Judges the call of a step that names a tool, whose command is judged. */
static int
judge_tool(const struct step_verdict_params *by, const struct step *s,
           const struct path_context *where, struct step_verdict *v,
           struct err *e)
{
    CLEANUP(sandbox_setup_done) struct sandbox_setup setup = {0};
    char workspace[PATH_MAX];
    struct confinement_params how = {
        .permit = &v->permit,
        .seat = by->seat,
        .workspace = guard_workspace(where, workspace),
        .config = by->config};

    if (!by->registry)
        return err_set(e, ERR_NOT_FOUND, "unknown tool %s", s->tool);
    v->tool = registry_find(by->registry, s->tool, e);
    if (!v->tool)
        return -1;
    how.tool = v->tool;
    if (step_tools_check_trust(v->tool, ERR_DENIED, e) < 0)
        return -1;
    if (permit_judge(by->policy, v->tool, s->action, s->args, where, &v->permit,
                     e) < 0 ||
        confinement_fill_sandbox(&how, &setup, e) < 0)
        return -1;
    apply_permit(s, v);
    v->secret |= argument_names_secret(s->args, where);
    describe_confinement(&setup, v);
    return 0;
}

/* Where a step begins on another host: ~, ~/… or absolute. */
static int
find_remote_directory(const struct step *s, char **out, struct err *e)
{
    const char *dir = s->directory && s->directory[0] ? s->directory : "~";
    CLEANUP_BUF struct buf path = buf_of(PATH_MAX);

    if (dir[0] == '~' && dir[1] && dir[1] != '/')
        return err_set(e, ERR_INVALID,
                       "working directory %s: only ~ and ~/… are supported. To "
                       "do: write the full path",
                       dir);
    if (dir[0] != '/' && dir[0] != '~')
        buf_str(&path, "~/");
    buf_str(&path, dir);
    if (buf_ok(&path, "working directory", e) < 0)
        return -1;
    *out = buf_take(&path);
    return *out ? 0 : err_nomem(e);
}

/* Whether the sandbox of an agent there does what that of here does for this
 * line: it only looks, and not into a directory that is hidden there. */
static bool
looks_only_there(const struct profile_choice *c)
{
    return is_read_only_profile(c) && !c->net && c->n_writable == 0 &&
           c->n_readable == 0 && c->n_added == 0 && !c->rest;
}

/* A file of code that the line runs is another one there, or none. */
static void
ask_for_files_there(struct step_verdict *v)
{
    const struct risk *r = &v->found.risk;

    for (size_t i = 0; i < r->n_reasons; i++) {
        if (r->reasons[i].kind != RISK_KIND_FILE)
            continue;
        v->destructive = true;
        add_verdict_reason(v, "it runs a file of that host, which is not read "
                              "here");
        raise_decision(v, GUARD_ASK);
        return;
    }
}

/* Nobody is asked: the secrets there cannot be hidden from a line that reads
 * whole directories. */
static void
ask_for_secrets_there(struct step_verdict *v)
{
    const struct risk *r = &v->found.risk;

    for (size_t i = 0; i < r->n_paths; i++) {
        if (!r->paths[i].recursive)
            continue;
        add_verdict_reason(v, "it reads a whole directory there, in which "
                              "secrets may be");
        raise_decision(v, GUARD_ASK);
        return;
    }
}

/* Which user this would be there is not known: as a normal one a namespace
 * would hide the owners from it. */
static bool
shows_owners(const struct risk *r)
{
    for (size_t i = 0; i < r->n_calls; i++)
        if (r->calls[i].facts & RISK_OWNERS)
            return true;
    return false;
}

/* What only looks runs in a sandbox there; all else needs a yes, and has none.
 */
static void
confine_there(const struct step_verdict_params *by, struct step_verdict *v)
{
    struct profile_choice *c = &v->found.profile;

    v->alone = false;
    if (looks_only_there(c)) {
        c->owners = c->profile == PROFILE_OBSERVE &&
                    shows_owners(&v->found.risk);
        if (by->auto_approved)
            ask_for_secrets_there(v);
        return;
    }
    profile_make_full(c);
    if (v->decision == GUARD_ALLOW)
        add_verdict_reason(v, "it has no sandbox on another host");
    raise_decision(v, GUARD_ASK);
}

/* Names the home there as a person does. */
static void
name_home_there(char *text)
{
    size_t n = strlen(HOME_THERE);

    for (char *at = text; (at = strstr(at, HOME_THERE)) != NULL; at++) {
        *at = '~';
        memmove(at + 1, at + n, strlen(at + n) + 1);
    }
}

/* Judges a step that runs on other hosts. The line is read as one in a home
 * that holds nothing that is known, and no directory is a workspace. */
static int
judge_there(const struct step_verdict_params *by, const struct step *s,
            struct step_verdict *v, struct err *e)
{
    char cwd[PATH_MAX];
    struct path_context where = {.cwd = cwd,
                                 .workspace = HOME_THERE,
                                 .home = HOME_THERE,
                                 .path = seat_path(by->seat),
                                 .unwanted = by->unwanted};

    v->hosts = by->hosts;
    if (s->tool)
        return err_set(e, ERR_INVALID,
                       "it names the tool %.60s, which does not run on other "
                       "hosts: only commands do",
                       s->tool);
    if (find_remote_directory(s, &v->directory, e) < 0)
        return -1;
    if (snprintf(cwd, sizeof(cwd), "%s%s",
                 v->directory[0] == '~' ? HOME_THERE : "",
                 v->directory + (v->directory[0] == '~')) >= PATH_MAX)
        return err_set(e, ERR_INVALID, "the working directory is too long");
    if (guard_judge(by->policy, s->command, &where, &v->found, e) < 0)
        return -1;
    effects_done(&v->found.effects);
    v->found.effects = (struct effects){0};
    name_home_there(v->found.reason);
    copy_finding(&v->found, v);
    ask_for_files_there(v);
    add_terminal(by, s, v);
    add_flags(s, v);
    ask_for_outside(by->outside, v);
    confine_there(by, v);
    v->needs_sudo = v->calls_sudo;
    v->refused = v->decision == GUARD_DENY || v->needs_sudo;
    return 0;
}

/* A step that puts files back runs no command: what its line was found to do
 * does not count. It changes files, so that somebody must say yes. */
static int
judge_restores(const struct step_verdict_params *by, struct step_verdict *v,
               struct err *e)
{
    struct risk *r = &v->found.risk;

    if (!by->undoing)
        return err_set(e, ERR_INVALID, "nothing is undone here");
    v->undoing = by->undoing;
    effects_done(&v->found.effects);
    v->found.effects = (struct effects){0};
    r->n_reasons = r->n_paths = r->n_hosts = r->n_calls = r->facts = 0;
    v->found.profile = (struct profile_choice){.profile = PROFILE_FULL};
    v->found.decision = v->decision = GUARD_ASK;
    v->found.reason[0] = v->found.rule[0] = '\0';
    v->refused = by->preview;
    snprintf(v->reason, sizeof(v->reason), "%s",
             by->preview ? "cannot be previewed: agentsh itself puts back files"
                         : "it puts back files");
    return 0;
}

int
step_verdict_make(const struct step_verdict_params *by, const struct step *s,
                  struct step_verdict *v, struct err *e)
{
    struct path_context where = path_context_of(by->seat);

    *v = (struct step_verdict){.seat = by->seat};
    if (by->hosts)
        return judge_there(by, s, v, e);
    where.workspace = where.cwd;
    where.named = by->named;
    where.unwanted = by->unwanted;
    if (find_directory(s, by->seat, &v->directory, e) < 0)
        return -1;
    where.cwd = v->directory;
    if (guard_judge(by->policy, s->command, &where, &v->found, e) < 0)
        return -1;
    if (s->restores.n > 0)
        return judge_restores(by, v, e);
    copy_finding(&v->found, v);
    if (s->tool && judge_tool(by, s, &where, v, e) < 0)
        return -1;
    add_terminal(by, s, v);
    add_flags(s, v);
    ask_for_outside(by->outside, v);
    if (by->auto_approved && !by->preview &&
        (restrict_unasked(s, &where, v, e) < 0 ||
         reduce_unasked(by, s, &where, v, e) < 0))
        return -1;
    if (by->auto_approved && close_secrets(by, &where, v, e) < 0)
        return -1;
    find_way_to_root(by, s, v);
    v->refused = v->decision == GUARD_DENY || v->needs_sudo;
    if (by->preview && !v->refused)
        use_view(s, v);
    else
        fit_machine(by, v);
    return 0;
}

const char *
step_verdict_profile(const struct step_verdict *v)
{
    return profile_row(v->tool ? PROFILE_PLUGIN : v->found.profile.profile)
        ->name;
}

bool
step_verdict_network(const struct step_verdict *v)
{
    return v->tool ? v->permit.network : v->found.profile.net;
}

const char *
step_verdict_rule(const struct step_verdict *v)
{
    return v->tool && v->permit.decision >= v->found.decision ? v->permit.rule
                                                              : v->found.rule;
}
