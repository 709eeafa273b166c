/* SPDX-License-Identifier: GPL-3.0-or-later */
/* judge.c - what a step needs before it may run. */
#include "action/judge.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/path.h"
#include "term/escape.h"
#include "json/write.h"

/* A step's command and paths, every byte escaped at worst. */
#define CANON_MAX (6u * (AIACTION_COMMAND_MAX + (2 + PROFILE_DIRS_MAX) * 4096u))

void
judgement_done(struct judgement *j)
{
    guard_finding_done(&j->found);
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
                       "working directory %s: only ~ and ~/… are understood, "
                       "your own home. To do: write the path out",
                       s->directory);
    if (!s->directory || !s->directory[0])
        path = strdup(cwd);
    else if (s->directory[0] == '/' || s->directory[0] == '~')
        path = path_expand_home(s->directory);
    else
        path = path_join(cwd, s->directory);
    if (!path)
        return err_set(e, ERR_NOMEM, "no memory");
    if (stat(path, &st) < 0)
        return err_sys(e, "working directory %s", path);
    if (!S_ISDIR(st.st_mode))
        return err_set(e, ERR_NOT_FOUND, "working directory %s: no directory",
                       path);
    *out = TAKE_PTR(path);
    return 0;
}

static void
because(struct judgement *j, const char *why)
{
    size_t n = strlen(j->reason);

    snprintf(j->reason + n, sizeof(j->reason) - n, "%s%s", n ? "; " : "", why);
}

static void
raise_to(struct judgement *j, enum guard_decision d)
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
    j->alone = f->profile.profile == PROFILE_FULL;
    if (f->reason[0])
        because(j, f->reason);
    if (!j->alone)
        return;
    raise_to(j, GUARD_ASK);
    if (!j->reason[0])
        because(j, f->profile.why);
}

/* The model's flags and the text itself can only make it stricter. */
static void
add_flags(const struct step *s, struct judgement *j)
{
    j->hidden = !escape_is_clean(s->command, strlen(s->command)) ||
                (s->directory &&
                 !escape_is_clean(s->directory, strlen(s->directory)));
    if (j->hidden)
        because(j, "holds characters that do not show");
    if (s->is_destructive && !j->destructive)
        because(j, "destructive: the model says so");
    if (s->requires_sudo && !j->privileged)
        because(j, "privileged: the model says so");
    if (s->needs_confirmation && !s->is_destructive && !s->requires_sudo)
        because(j, "the model asks for your confirmation");
    j->destructive |= s->is_destructive;
    j->privileged |= s->requires_sudo;
    if (j->hidden || j->destructive || j->privileged || s->needs_confirmation)
        raise_to(j, GUARD_ASK);
}

/* A view of the workspace serves what stays in it; a step that only looks is
 * as well off outside. */
static void
move_to_view(struct judgement *j)
{
    struct profile_choice *c = &j->found.profile;
    bool looks = c->profile == PROFILE_OBSERVE ||
                 c->profile == PROFILE_OBSERVE_PROC ||
                 c->profile == PROFILE_READ_ONLY;

    if (c->profile == PROFILE_WORKSPACE_WRITE && !c->net && !c->n_writable) {
        c->profile = PROFILE_PREVIEW;
        return;
    }
    if (looks && !c->net && !c->n_writable)
        return;
    snprintf(j->reason, sizeof(j->reason), "it cannot be previewed: it %s",
             c->net ? "needs the network" : c->why);
    j->refused = true;
    raise_to(j, GUARD_ASK);
}

int
judge_step(const struct judge *by, const struct step *s, struct judgement *j,
           struct err *e)
{
    struct risk_place where = {.home = by->home,
                               .path = by->path,
                               .workspace = by->cwd,
                               .as_root = geteuid() == 0};

    *j = (struct judgement){0};
    if (find_directory(s, by->cwd, &j->directory, e) < 0)
        return -1;
    where.cwd = j->directory;
    if (guard_judge(by->policy, s->command, &where, &j->found, e) < 0)
        return -1;
    take_finding(&j->found, j);
    add_flags(s, j);
    /* sudo runs on the person's own terminal, which nothing here gives it;
     * the walls that commands run behind would stop it as well */
    j->needs_sudo = j->calls_sudo || (s->requires_sudo && geteuid() != 0);
    j->refused = j->decision == GUARD_DENY || j->needs_sudo;
    if (by->preview && !j->refused)
        move_to_view(j);
    else if (by->reduced && j->found.profile.profile == PROFILE_WORKSPACE_WRITE)
        j->found.profile.profile = PROFILE_REDUCED;
    return 0;
}

int
judge_digest(const struct step *s, const struct judgement *j,
             char hex[SHA256_HEX_SIZE], struct err *e)
{
    CLEANUP_BUF struct buf canon = buf_of(CANON_MAX);
    const struct profile_choice *c = &j->found.profile;
    struct json_writer w;

    json_write_init(&w, &canon);
    json_open_object(&w); /* names sorted: canonical as it is written */
    json_member_str(&w, "command", s->command);
    json_member_str(&w, "directory", j->directory);
    json_member_bool(&w, "net", c->net);
    json_member_str(&w, "profile", profile_row(c->profile)->name);
    json_member_str(&w, "tool", AIACTION_TOOL);
    json_key(&w, "writable");
    json_open_array(&w);
    for (size_t i = 0; i < c->n_writable; i++)
        json_put_str(&w, c->writable[i]);
    json_close_array(&w);
    json_close_object(&w);
    if (buf_ok(&canon, "the step", e) < 0)
        return -1;
    sha256_hex(canon.p, canon.len, hex);
    return 0;
}
