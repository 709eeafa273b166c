/* SPDX-License-Identifier: GPL-3.0-or-later */
/* judge_call.c - what the rules say of the tool that a step names. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "action/judge_in.h"
#include "action/known.h"
#include "base/path.h"
#include "guard/path/path_table.h"
#include "guard/path/secret.h"

static void
describe_walls(const struct sandbox_setup *s, struct judgement *j)
{
    static const char root[] =
        "; the command it requests runs as root, outside the sandbox";
    static const char cut[] = " …";
    /* what does not fit is left out whole, and there is room to say so */
    CLEANUP_BUF
    struct buf text = buf_of(sizeof(j->walls) - sizeof(root) - sizeof(cut));

    buf_printf(
        &text, "its own%s%s%s%s",
        s->spec.reduced ? ", reduced (no namespaces here)" : "",
        s->spec.profile == PROFILE_OBSERVE_PROC ? ", sees every process" : "",
        s->spec.net ? ", with network" : "",
        s->spec.writable[0] || j->permit.privileged ? "" : ", writes nothing");
    for (size_t i = 0; s->spec.writable[i]; i++)
        buf_printf(&text, "%s%s", i ? ", " : ", writes in ",
                   s->spec.writable[i]);
    snprintf(j->walls, sizeof(j->walls), "%s%s%s", text.p, text.bad ? cut : "",
             j->permit.privileged ? root : "");
}

/* A path that it would write is there already: something may be lost. What
 * names no path that it writes may lose what nobody can look at. */
static bool
finds_something(const char *const *names, const struct json *args,
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

/* What may lose data by its manifest; a built-in tool that would make a new
 * file does not. */
static bool
loses(const struct judgement *j, const struct step *s)
{
    const struct manifest_action *a = manifest_action(j->tool->manifest,
                                                      s->action);

    return j->permit.destructive &&
           (j->tool->source != TOOL_BUILTIN || !a->writes[0] ||
            finds_something(a->writes, s->args, j->directory));
}

/* The rules about the call, beside those about the command. It runs behind
 * walls of its own, so that the command's do not matter. */
static void
take_permit(const struct step *s, struct judgement *j)
{
    const struct permit *p = &j->permit;
    bool harmless = j->decision == GUARD_ALLOW && !j->destructive &&
                    !j->privileged;
    char why[160];

    if (p->reason[0])
        judge_because(j, p->reason);
    j->destructive |= loses(j, s);
    if (j->destructive && !j->reason[0]) {
        snprintf(why, sizeof(why), "destructive: %.64s %.64s may lose data",
                 s->tool, s->action);
        judge_because(j, why);
    }
    j->privileged |= p->privileged;
    j->alone = false;
    judge_raise(j, p->decision);
    if (harmless && (j->destructive || j->privileged)) {
        judge_because(j, "the command shown does not match what the tool does");
        judge_raise(j, GUARD_ASK);
    }
    if (j->tool->source == TOOL_BUILTIN)
        return;
    /* that it only looks is its own word */
    snprintf(why, sizeof(why), "%.64s is not built in", s->tool);
    judge_because(j, why);
    judge_raise(j, GUARD_ASK);
}

/* Whether a text of the arguments is the path of what opens doors. */
static bool
names_secret(const struct json *v, const struct risk_context *where)
{
    const char *text = json_str(v, NULL);
    char path[PATH_MAX];
    bool cut;

    if (text)
        return path_absolute(text, where->cwd, where, path, &cut) &&
               secret_is_path(path, where);
    for (v = json_first(v); v; v = json_next(v))
        if (names_secret(v, where))
            return true;
    return false;
}

int
judge_call(const struct judge *by, const struct step *s,
           const struct risk_context *where, struct judgement *j, struct err *e)
{
    CLEANUP(sandbox_setup_done) struct sandbox_setup site = {0};
    char workspace[PATH_MAX];

    if (!by->registry)
        return err_set(e, ERR_NOT_FOUND, "unknown tool %s", s->tool);
    j->tool = registry_find(by->registry, s->tool, e);
    if (!j->tool)
        return -1;
    if (known_check_trust(j->tool, ERR_DENIED, e) < 0)
        return -1;
    if (permit_judge(by->policy, j->tool, s->action, s->args, where, &j->permit,
                     e) < 0 ||
        permit_site(&j->permit, j->tool, guard_workspace(where, workspace),
                    NULL, by->config, &site, e) < 0)
        return -1;
    take_permit(s, j);
    j->secret |= names_secret(s->args, where);
    describe_walls(&site, j);
    return 0;
}
