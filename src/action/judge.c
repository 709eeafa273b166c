/* SPDX-License-Identifier: GPL-3.0-or-later */
/* judge.c - what a step needs before it may run. */
#include "action/judge.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/path.h"
#include "term/escape.h"

void
judgement_done(struct judgement *j)
{
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

/* The model's flags and the text itself can only make it stricter. */
static void
add_flags(const struct step *s, struct judgement *j)
{
    j->hidden = !escape_is_clean(s->command, strlen(s->command)) ||
                (s->directory &&
                 !escape_is_clean(s->directory, strlen(s->directory)));
    j->destructive = s->is_destructive;
    j->privileged |= s->requires_sudo;
    if (j->hidden)
        because(j, "holds characters that do not show");
    if (s->is_destructive)
        because(j, "destructive: the model says so");
    if (s->requires_sudo)
        because(j, "privileged: the model says so");
    if (s->needs_confirmation && !s->is_destructive && !s->requires_sudo)
        because(j, "the model asks for your confirmation");
    if (j->hidden || s->is_destructive || s->requires_sudo ||
        s->needs_confirmation)
        raise_to(j, GUARD_ASK);
}

int
judge_step(const struct step *s, const char *cwd, struct judgement *j,
           struct err *e)
{
    struct guard_finding f;

    *j = (struct judgement){0};
    if (find_directory(s, cwd, &j->directory, e) < 0)
        return -1;
    plain_judge(s->command, j->directory, &f);
    j->decision = f.decision;
    j->privileged = j->calls_sudo = f.needs_sudo;
    if (f.reason[0])
        because(j, f.reason);
    add_flags(s, j);
    /* sudo runs on the person's own terminal, which nothing here gives it;
     * the filter that commands run under would stop it as well */
    j->refused = f.decision == GUARD_DENY || f.needs_sudo ||
                 (s->requires_sudo && geteuid() != 0);
    return 0;
}
