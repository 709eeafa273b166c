/* SPDX-License-Identifier: GPL-3.0-or-later */
/* undo_paths.c - which files a step may change, and so can be undone. */
#include "action/undo_paths.h"
#include "action/undo_call.h"
#include "action/undo_files.h"
#include "action/undo_view.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/message.h"
#include "base/path.h"
#include "guard/path/path_table.h"
#include "guard/risk/risk.h"

/* Adds a path by its real place: the topmost part that is missing, where some
 * are. */
static int
add_real_path(struct undo_targets *out, const char *path, enum undo_how how,
              struct err *e)
{
    char text[PATH_MAX], dir[PATH_MAX], real[PATH_MAX];
    CLEANUP(free_p) char *whole = NULL;
    struct stat st;
    char *slash;

    snprintf(text, sizeof(text), "%s", path);
    path_clean(text);
    for (;;) {
        slash = strrchr(text, '/');
        if (!slash || !slash[1])
            return err_set(e, ERR_INVALID, "%s", path);
        snprintf(dir, sizeof(dir), "%.*s",
                 slash == text ? 1 : (int)(slash - text), text);
        if (realpath(dir, real) && stat(real, &st) == 0)
            break;
        if (slash == text)
            return err_sys(e, "%s", path);
        *slash = '\0';
    }
    if (!(whole = path_join(real, slash + 1)))
        return err_nomem(e);
    return undo_targets_add(out, whole, how, e);
}

/* Whether a ".." of the path follows a symbolic link, or perhaps one: the
 * kernel goes up from where that leads, which no spelling says. */
static bool
goes_up_from_link(const char *text, const char *dir,
                  const struct path_context *where)
{
    const char *end = text;

    while ((end = strstr(end, ".."))) {
        bool whole = (end == text || end[-1] == '/') && strchr("/", end[2]);
        char before[PATH_MAX], path[PATH_MAX];
        struct stat st;
        bool cut;

        if (whole && (size_t)(end - text) >= sizeof(before))
            return true;
        snprintf(before, sizeof(before), "%.*s", (int)(end - text), text);
        end += 2;
        if (whole && (!path_absolute(before, dir, where, path, &cut) || cut ||
                      (lstat(path, &st) == 0 && S_ISLNK(st.st_mode))))
            return true;
    }
    return false;
}

/* What a link leads to is written, and not the link; a link itself goes away.
 */
static int
add_with_target(struct undo_targets *out, const char *path, enum undo_how how,
                struct err *e)
{
    char real[PATH_MAX];
    struct stat st;

    if (add_real_path(out, path, how, e) < 0)
        return -1;
    if (how != UNDO_GOES && lstat(path, &st) == 0 && S_ISLNK(st.st_mode) &&
        realpath(path, real))
        return add_real_path(out, real, how, e);
    return 0;
}

static const char unknown_writes[] = N_(
    "it may write files that are not known");
static const char unknown_code[] = N_(
    "it runs code that may write files that are not known");

static void
set_doubt(struct undo_doubt *d, const char *reason)
{
    snprintf(d->why, sizeof(d->why), "%s", reason);
    d->unknown = reason == unknown_writes || reason == unknown_code;
}

static const char *
reason_of_tool(const struct step_verdict *v)
{
    if (v->tool->source != TOOL_BUILTIN)
        return N_("it is not built in, so nobody knows what it writes");
    if (v->permit.privileged)
        return N_("its tool knows no way back from it");
    return NULL;
}

static int
find_tool_paths(const struct step *s, const struct step_verdict *v,
                struct undo_targets *out, struct undo_doubt *doubt,
                struct err *e)
{
    const struct manifest_action *a = manifest_action(v->tool->manifest,
                                                      s->action);
    const struct path_context where = path_context_of(v->seat);
    const char *reason = reason_of_tool(v);

    if (v->permit.read_only && !reason)
        return 0;
    if (!reason && (!a || !a->writes[0]))
        reason = unknown_writes;
    if (reason) {
        set_doubt(doubt, reason);
        return 0;
    }
    for (const char *const *name = a->writes; *name; name++) {
        const char *text = json_get_str(s->args, *name);
        CLEANUP(free_p)
        char *path = text ? path_join(text[0] == '/' ? "/" : v->directory, text)
                          : NULL;

        if (path && goes_up_from_link(text, v->directory, &where)) {
            set_doubt(doubt, unknown_writes);
            return 0;
        }
        if (path && add_with_target(out, path, UNDO_CHANGES, e) < 0)
            return -1;
    }
    return 0;
}

static const char *
reason_of_facts(const struct risk *r)
{
    if (r->facts & (RISK_SUDO | RISK_PRIVILEGED))
        return N_("it needs root");
    if (r->facts & RISK_ACTS)
        return N_("it changes more than files");
    if (r->facts & (RISK_OPAQUE | RISK_UNKNOWN))
        return unknown_writes;
    for (size_t i = 0; i < r->n_reasons; i++)
        if (r->reasons[i].kind == RISK_KIND_FILE ||
            r->reasons[i].kind == RISK_KIND_VARIABLE ||
            r->reasons[i].kind == RISK_KIND_UNREAD)
            return unknown_code;
    return NULL;
}

/* The sandbox lets it write nothing. */
static bool
profile_writes_nothing(const struct profile_choice *c)
{
    return (c->profile == PROFILE_READ_ONLY || c->profile == PROFILE_OBSERVE ||
            c->profile == PROFILE_OBSERVE_PROC) &&
           c->n_added == 0 && c->n_writable == 0;
}

/* Whether all that the line deletes only goes away: what is moved stays by
 * another name. */
static bool
lets_go(const struct risk *r)
{
    for (size_t i = 0; i < r->n_calls; i++)
        if (strcmp(r->calls[i].name, "rm") != 0 &&
            strcmp(r->calls[i].name, "rmdir") != 0 &&
            strcmp(r->calls[i].name, "unlink") != 0 &&
            strcmp(r->calls[i].name, "find") != 0 &&
            r->calls[i].facts & (RISK_WRITES | RISK_DESTRUCTIVE))
            return false;
    return true;
}

static char
text_end(const char *text)
{
    return text[0] ? text[strlen(text) - 1] : '\0';
}

static bool
overlap(const char *a, const char *b)
{
    size_t n = strlen(a), m = strlen(b), least = n < m ? n : m;
    char next = n < m ? b[least] : a[least];

    return strncmp(a, b, least) == 0 &&
           (n == m || next == '/' || least == 0 || a[least - 1] == '/');
}

/* What goes away in a line that writes there too may be written before. */
static void
doubt_goers(struct undo_targets *t)
{
    for (size_t i = 0; i < t->n; i++)
        for (size_t j = 0; j < t->n && t->v[i].how == UNDO_GOES; j++)
            if (t->v[j].how == UNDO_CHANGES &&
                overlap(t->v[i].path, t->v[j].path))
                t->v[i].how = UNDO_CHANGES;
}

static int
find_line_paths(const struct step_verdict *v, struct undo_targets *out,
                struct undo_doubt *doubt, struct err *e)
{
    const struct risk *r = &v->found.risk;
    const char *reason = reason_of_facts(r);
    struct path_context where = path_context_of(v->seat);
    bool goes = lets_go(r);
    size_t writes = 0;

    if (profile_writes_nothing(&v->found.profile))
        return 0;
    where.workspace = where.cwd;
    where.cwd = v->directory;
    for (size_t i = 0; i < r->n_paths && !reason; i++) {
        const struct risk_path *p = &r->paths[i];
        char path[PATH_MAX];
        bool cut;

        if (p->use == RISK_READS)
            continue;
        writes++;
        /* of a pattern that is the directory: with everything in it */
        if (!p->known || !path_absolute(p->text, p->dir, &where, path, &cut) ||
            goes_up_from_link(p->text, p->dir, &where))
            reason = unknown_writes;
        else if (!path_is_sink(path) &&
                 add_with_target(out, path,
                                 p->use == RISK_DELETES && goes &&
                                         text_end(p->text) != '/'
                                     ? UNDO_GOES
                                     : UNDO_CHANGES,
                                 e) < 0)
            return -1;
    }
    doubt_goers(out);
    if (!reason && writes == 0 && (r->facts & (RISK_WRITES | RISK_DESTRUCTIVE)))
        reason = unknown_writes;
    if (!reason && writes == 0 && (r->facts & RISK_NETWORK))
        reason = unknown_writes;
    if (reason)
        set_doubt(doubt, reason);
    return 0;
}

int
undo_paths_find(const struct step *s, const struct step_verdict *v,
                struct undo_targets *out, struct undo_doubt *doubt,
                struct err *e)
{
    *doubt = (struct undo_doubt){0};
    if (v->undoing)
        return undo_files_targets(v->undoing, s, out, e);
    if (v->hosts) {
        set_doubt(doubt, N_("it runs on another host"));
        return 0;
    }
    return v->tool ? find_tool_paths(s, v, out, doubt, e)
                   : find_line_paths(v, out, doubt, e);
}

/* Why the step cannot run in a view; NULL: it can. */
static const char *
reason_of_view(const struct step_verdict *v, struct undo_machine *m)
{
    const struct profile_choice *c = &v->found.profile;
    const struct path_context where = path_context_of(v->seat);
    char dir[PATH_MAX];
    const char *workspace = guard_workspace(&where, dir);

    if (v->tool)
        return N_("it is a tool that may write files that are not known");
    if (!workspace)
        return N_("it may write files that are not known, and there is no "
                  "workspace here");
    if (v->terminal)
        return N_("it may write files that are not known, at the terminal");
    if (c->profile != PROFILE_WORKSPACE_WRITE)
        return N_("it may write files outside of the workspace");
    if (c->n_writable > 0)
        return N_("it may write files outside of the workspace, too");
    if (c->reduced || !m->namespaces)
        return N_("it may write files that are not known, and there are no "
                  "namespaces for a view here");
    if (c->n_added > 0 || c->n_reader > 0 || c->rest)
        return unknown_writes;
    if (!m->tried) {
        m->tried = true;
        (void)undo_view_try(v->seat, workspace, &m->why);
    }
    return m->why.code == ERR_NONE ? NULL : m->why.text;
}

/* Whether it is a change of which a tool knows the way back. */
static bool
judge_tool_way(const struct step *s, struct step_verdict *v,
               const struct undo_machine *m)
{
    CLEANUP(undo_call_done) struct undo_call c = {0};

    v->undo_tool = NULL;
    if (!m->tools || m->budget_bytes == 0 ||
        undo_call_find(s, v, &c, NULL) <= 0 ||
        !(v->undo_tool = undo_call_tool(m->tools, c.tool, NULL)))
        return false;
    v->undo = c.versions ? UNDO_WAY_VERSIONS : UNDO_WAY_TOOL;
    snprintf(v->undo_why, sizeof(v->undo_why), "%s", c.tool);
    return true;
}

static void
judge_way(const struct step *s, struct step_verdict *v, struct undo_machine *m)
{
    CLEANUP(undo_targets_done) struct undo_targets t = {0};
    struct undo_doubt doubt;
    struct err e = {0};
    const char *why = NULL;

    v->undo = UNDO_WAY_KEEP;
    if (undo_paths_find(s, v, &t, &doubt, &e) < 0)
        why = e.text;
    else if (!doubt.why[0] && t.n == 0)
        v->undo = UNDO_WAY_NONE;
    else if (m->budget_bytes == 0)
        why = N_("[record] undo_mb is 0");
    else if (doubt.unknown && !(why = reason_of_view(v, m)))
        v->undo = UNDO_WAY_VIEW;
    else if (doubt.why[0])
        why = why ? why : doubt.why;
    else if (undo_store_check(v->seat, &t, m->budget_bytes, &e) < 0)
        why = e.text;
    if (!why)
        return;
    v->undo = UNDO_WAY_NOT;
    snprintf(v->undo_why, sizeof(v->undo_why), "%.150s", why);
}

void
undo_paths_judge(const struct step *s, struct step_verdict *v,
                 struct undo_machine *m)
{
    v->undo = UNDO_WAY_NONE;
    v->undo_why[0] = '\0';
    if (v->undoing)
        v->undo = UNDO_WAY_KEEP; /* whatever it takes */
    else if (!v->refused && !judge_tool_way(s, v, m))
        judge_way(s, v, m);
}

void
undo_paths_describe(const struct step_verdict *v, bool person,
                    char text[UNDO_TEXT_SIZE])
{
    const char *lead = "", *said = "", *tail = "";

    if (v->undo == UNDO_WAY_NOT) {
        lead = N_("cannot be undone: ");
        said = v->undo_why;
    } else if (v->undo == UNDO_WAY_TOOL || v->undo == UNDO_WAY_VERSIONS) {
        lead = N_("can be undone: by ");
        said = v->undo_why;
        tail = v->undo == UNDO_WAY_VERSIONS
                   ? N_(", as far as the versions of now can still be had")
                   : "";
    } else if (v->undo == UNDO_WAY_KEEP && v->found.profile.net) {
        said = N_("can be undone: what it changes is kept before; but not what "
                  "it sends");
    } else if (v->undo == UNDO_WAY_KEEP) {
        said = N_("can be undone: what it changes is kept before");
    } else if (v->undo == UNDO_WAY_VIEW && v->found.profile.net) {
        said = N_("can be undone: it runs in a view, applied at its end; but "
                  "not what it sends");
    } else if (v->undo == UNDO_WAY_VIEW) {
        said = N_("can be undone: it runs in a view, applied at its end");
    }
    snprintf(text, UNDO_TEXT_SIZE, "%s%s%s", message_for(person, lead),
             message_for(person, said), message_for(person, tail));
}
