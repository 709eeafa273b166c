/* SPDX-License-Identifier: GPL-3.0-or-later */
/* permit.c - decides whether a tool may be called with these arguments. */
#include "tool/permit.h"

#include <arpa/inet.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/environ_given.h"
#include "base/path.h"
#include "base/utf8.h"
#include "guard/path/path_table.h"

/* The call that is judged, and by what. */
struct judging {
    const struct policy *policy;
    const struct tool *tool;
    const struct manifest_action *action;
    const struct json *args;
    const struct path_context *where;
    struct permit *out;
};

void
permit_done(struct permit *p)
{
    if (!p)
        return;
    guard_finding_done(p->found);
    free(p->found);
    for (size_t i = 0; i < p->n_writable; i++)
        free(p->writable[i]);
    *p = (struct permit){0};
}

static void record_decision(struct permit *p, enum guard_decision d,
                            const char *rule, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* Records a decision. The first of the strictest ones is reported. */
static void
record_decision(struct permit *p, enum guard_decision d, const char *rule,
                const char *fmt, ...)
{
    va_list ap;
    size_t n;

    if (p->rule[0] && d <= p->decision)
        return;
    p->decision = d;
    snprintf(p->rule, sizeof(p->rule), "%s", rule);
    p->reason[0] = '\0';
    if (d == GUARD_ALLOW)
        return;
    va_start(ap, fmt);
    vsnprintf(p->reason, sizeof(p->reason), fmt, ap);
    va_end(ap);
    n = strlen(p->reason);
    p->reason[n - utf8_incomplete_tail(p->reason, n)] = '\0';
}

/* The facts that the presets have rules about. Paths and commands are judged on
 * their own. */
static unsigned
action_facts(const struct tool *t, const struct manifest_action *a)
{
    unsigned facts = 0;

    if (t->manifest->step)
        return 0;
    if (t->manifest->needs.network)
        facts |= RISK_NETWORK;
    if (a->read_only)
        return facts;
    if (t->manifest->needs.privileged[0])
        facts |= RISK_PRIVILEGED;
    if (a->writes[0])
        return facts | RISK_WRITES;
    return facts | RISK_ACTS | (a->destructive ? RISK_DESTRUCTIVE : 0);
}

static void
judge_action(struct judging *j)
{
    const struct tool *t = j->tool;
    const struct manifest_action *a = j->action;
    unsigned facts = action_facts(t, a);
    struct policy_verdict v;
    struct permit *p = j->out;

    p->read_only = a->read_only;
    p->destructive = a->destructive;
    p->privileged = (facts & RISK_PRIVILEGED) != 0;
    p->network = (facts & RISK_NETWORK) != 0;
    policy_judge_tool(j->policy, t->name, a->name, facts, &v);
    record_decision(p, v.decision, v.rule, "%s %s%s%s%s", t->name, a->name,
                    p->privileged ? ", with the rights of root" : "",
                    facts & RISK_DESTRUCTIVE ? ", which may lose data" : "",
                    p->network ? ", which accesses the network" : "");
}

/* The real path that would be written, whose last part may not exist. NULL: its
 * directory does not exist, and the tool will report that. */
static char *
resolve_written(const char *path, const struct path_context *where)
{
    CLEANUP(free_p)
    char *full = path[0] == '/'
                     ? strdup(path)
                     : path_join(where->cwd ? where->cwd : "/", path);
    char *real = full ? realpath(full, NULL) : NULL;
    CLEANUP(free_p) char *above = NULL;
    char *slash;

    if (real || !full || !(slash = strrchr(full, '/')))
        return real;
    *slash = '\0';
    above = realpath(slash > full ? full : "/", NULL);
    return above ? path_join(above, slash + 1) : NULL;
}

static bool
is_in_workspace(const char *dir, const struct path_context *where)
{
    char workspace[PATH_MAX];
    const char *in = guard_workspace(where, workspace);
    CLEANUP(free_p) char *real = in ? realpath(in, NULL) : NULL;

    return real && path_is_below(dir, real);
}

/* Adds a writable directory and takes ownership of dir. NULL: there was no
 * memory for it. */
static int
add_directory(struct judging *j, char *dir, struct err *e)
{
    CLEANUP(free_p) char *taken = dir;
    struct permit *p = j->out;

    if (!taken)
        return err_nomem(e);
    for (size_t i = 0; i < p->n_writable; i++)
        if (strcmp(p->writable[i], taken) == 0)
            return 0;
    if (p->n_writable == PROFILE_DIRS_MAX)
        return err_set(e, ERR_INVALID,
                       "%s: paths in more than %d directories at once",
                       j->tool->name, PROFILE_DIRS_MAX);
    p->writable[p->n_writable++] = TAKE_PTR(taken);
    return 0;
}

/* Makes the directory of a path outside of the workspace writable, unless it is
 * a system directory or holds the home directory. */
static int
permit_writable_dir(struct judging *j, const char *real, struct err *e)
{
    size_t n = (size_t)(path_base(real) - real);
    CLEANUP(free_p) char *dir = strndup(real, n > 1 ? n - 1 : 1);

    if (!dir)
        return err_nomem(e);
    if (is_in_workspace(dir, j->where))
        return 0;
    if (j->tool->source != TOOL_BUILTIN &&
        path_is_never_writable(dir, j->where->home)) {
        record_decision(j->out, GUARD_DENY, "only a built-in tool writes there",
                        "it may not write %.200s", real);
        return 0;
    }
    return add_directory(j, TAKE_PTR(dir), e);
}

/* The verb for a reason: what the action does to a path. */
static const char *
action_verb(const struct manifest_action *a, bool write)
{
    if (!write)
        return "read";
    return a->destructive && strcmp(a->name, "delete") == 0 ? "delete"
                                                            : "write";
}

static enum guard_decision
judge_by_rules(struct judging *j, const char *path, bool write)
{
    struct policy_verdict v;

    policy_judge_path(j->policy, path, write, j->where, &v);
    record_decision(j->out, v.decision, v.rule, "it %s%s %s",
                    v.decision == GUARD_DENY ? "may not " : "would ",
                    action_verb(j->action, write), v.part);
    return v.decision;
}

/* A path that becomes writable is judged by its real name: a link in it may
 * change between two looks at it. */
static int
judge_argument_path(struct judging *j, const char *path, bool write,
                    struct err *e)
{
    CLEANUP(free_p) char *real = NULL;

    if (judge_by_rules(j, path, write) == GUARD_DENY || !write ||
        !(real = resolve_written(path, j->where)) ||
        judge_by_rules(j, real, true) == GUARD_DENY)
        return 0;
    return permit_writable_dir(j, real, e);
}

static int
judge_read_path(struct judging *j, const char *path, struct err *e)
{
    return judge_argument_path(j, path, false, e);
}

static int
judge_written(struct judging *j, const char *path, struct err *e)
{
    return judge_argument_path(j, path, true, e);
}

/* The text behind "SCHEME://"; NULL: it does not begin so. */
static const char *
after_scheme(const char *text)
{
    static const char rest[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                               "abcdefghijklmnopqrstuvwxyz0123456789+.-";
    size_t n = strspn(text, rest);

    return n > 0 && strncmp(text + n, "://", 3) == 0 ? text + n + 3 : NULL;
}

/* Whether all readers take this name for the same host: ASCII, nothing that is
 * decoded, and no number but an address of four decimal parts, which some read
 * in other bases or with fewer parts (inet_aton(3)). */
static bool
is_plain_host(const char *name, size_t n)
{
    static const char in_name[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "abcdefghijklmnopqrstuvwxyz0123456789.-_";
    size_t last = n;
    char text[POLICY_HOST_MAX];
    struct in_addr address;

    if (n == 0 || n >= POLICY_HOST_MAX || strspn(name, in_name) < n)
        return false;
    while (last > 0 && name[last - 1] != '.')
        last--;
    if (last < n && (name[last] < '0' || name[last] > '9'))
        return true;
    snprintf(text, sizeof(text), "%.*s", (int)n, name);
    return inet_pton(AF_INET, text, &address) == 1;
}

/* Whether nothing but a port follows a host that no scheme stands before. */
static bool
is_end_or_port(const char *text)
{
    return !*text ||
           (*text == ':' && !text[1 + strspn(text + 1, "0123456789")]);
}

/* The host of a URL, or of HOST:PORT. "": what does not look like either, or is
 * read in different ways by those who contact it (RFC 3986, and the URL
 * standard of browsers, for which a backslash ends a host). */
static void
read_host(const char *text, char out[POLICY_HOST_MAX])
{
    const char *at = after_scheme(text), *end, *user;
    bool url = at != NULL;
    size_t n;

    *out = '\0';
    if (!url)
        at = text;
    end = at + strcspn(at, url ? "/?#" : "");
    user = url ? memrchr(at, '@', (size_t)(end - at)) : NULL;
    for (const char *c = at; c < end; c++) {
        if (*c == '\\' || (unsigned char)*c <= ' ' || *c == 0x7f)
            return;
    }
    if (user)
        at = user + 1;
    if (*at == '[') {
        n = strcspn(++at, "]");
        if (n >= POLICY_HOST_MAX || at + n >= end ||
            strspn(at, "0123456789abcdefABCDEF:.") < n ||
            (!url && !is_end_or_port(at + n + 1)))
            return;
    } else {
        n = strcspn(at, url ? ":/?#" : ":");
        if (!is_plain_host(at, n) || (!url && !is_end_or_port(at + n)))
            return;
    }
    memcpy(out, at, n);
    out[n] = '\0';
}

static int
judge_host(struct judging *j, const char *text, struct err *e)
{
    struct policy_verdict v;
    char host[POLICY_HOST_MAX];

    (void)e;
    read_host(text, host);
    policy_judge_host(j->policy, host, &v);
    j->out->network = true;
    record_decision(j->out, v.decision, v.rule, "it %s contact %s",
                    v.decision == GUARD_DENY ? "may not" : "would",
                    host[0] ? host : "some host");
    return 0;
}

typedef int judge_text(struct judging *j, const char *text, struct err *e);

static int
judge_value(struct judging *j, const struct json *v, judge_text *judge,
            struct err *e)
{
    size_t n;
    const char *s = json_str(v, &n);

    if (!v || json_type(v) == JSON_NULL)
        return 0;
    if (!s || strlen(s) < n || n == 0 || n >= PATH_MAX)
        return err_set(e, ERR_INVALID,
                       "it must be text, not empty, without a NUL and shorter "
                       "than %d bytes",
                       PATH_MAX);
    return judge(j, s, e);
}

/* Judges each text of the arguments that the manifest lists. */
static int
judge_named(struct judging *j, const char *const *names, judge_text *judge,
            struct err *e)
{
    for (; *names; names++) {
        const struct json *v = json_get(j->args, *names);
        int rc = 0;

        if (v && json_type(v) == JSON_ARRAY) {
            for (v = json_first(v); rc == 0 && v; v = json_next(v))
                rc = judge_value(j, v, judge, e);
        } else {
            rc = judge_value(j, v, judge, e);
        }
        if (rc < 0)
            return err_wrap(e, "%s", *names);
    }
    return 0;
}

/* The variables of a command's arguments. */
static int
read_variables(const struct json *env, struct environ_given *out, struct err *e)
{
    if (env && json_type(env) != JSON_NULL && json_type(env) != JSON_OBJECT)
        return err_set(e, ERR_INVALID, "env: must be an object");
    for (const struct json *v = json_first(env); v; v = json_next(v)) {
        size_t n, value_n;
        const char *name = json_name(v, &n), *value = json_str(v, &value_n);

        if (!value)
            return err_set(e, ERR_INVALID, "env: values must be text");
        if (environ_given_add(out, name, n, value, value_n, e) < 0)
            return err_wrap(e, "env");
    }
    return 0;
}

/* The variable of the arguments that a finding is about, since no person sees
 * it in the command; NULL: none. */
static const char *
reported_variable(const struct guard_finding *f, const struct environ_given *g)
{
    for (size_t i = 0; i < f->risk.n_reasons; i++) {
        const struct risk_reason *r = &f->risk.reasons[i];

        if (r->kind == RISK_KIND_VARIABLE && r->about &&
            environ_given_has(g, r->about))
            return r->about;
    }
    return NULL;
}

static int
judge_command_in(struct judging *j, const char *command,
                 const struct path_context *where, struct err *e)
{
    CLEANUP(environ_given_done) struct environ_given given = {0};
    struct guard_finding *f = calloc(1, sizeof(*f));
    struct risk_start start = {0};
    const char *variable;

    j->out->found = f;
    if (!f)
        return err_nomem(e);
    if (read_variables(json_get(j->args, "env"), &given, e) < 0)
        return -1;
    start.variables = (const char *const *)given.list;
    start.input = json_str(json_get(j->args, "stdin"), &start.input_n);
    if (guard_judge_from(j->policy, command, &start, where, f, e) < 0)
        return -1;
    variable = reported_variable(f, &given);
    record_decision(j->out, f->decision, f->rule, "%s%s%s",
                    variable ? variable : "", variable ? ": " : "", f->reason);
    return 0;
}

static int
judge_command(struct judging *j, struct err *e)
{
    const char *command = json_get_str(j->args, "command");
    const char *dir = json_get_str(j->args, "working_directory");
    struct path_context where = *j->where;
    CLEANUP(free_p) char *joined = NULL;
    struct permit *p = j->out;

    if (!command)
        return err_set(e, ERR_INVALID, "command: must be text without a NUL");
    if (dir && dir[0] != '/') {
        joined = path_join(where.cwd ? where.cwd : "/", dir);
        dir = joined;
    }
    if (dir)
        where.cwd = dir;
    if (judge_command_in(j, command, &where, e) < 0)
        return -1;
    p->destructive = p->found->risk.facts & RISK_DESTRUCTIVE;
    p->privileged = p->found->risk.facts & (RISK_SUDO | RISK_PRIVILEGED);
    p->network = p->found->risk.facts & RISK_NETWORK;
    for (size_t i = 0; i < p->found->profile.n_writable; i++) {
        if (add_directory(j, strdup(p->found->profile.writable[i]), e) < 0)
            return -1;
    }
    return 0;
}

int
permit_judge(const struct policy *p, const struct tool *t, const char *action,
             const struct json *args, const struct path_context *where,
             struct permit *out, struct err *e)
{
    struct judging j = {p,    t,     manifest_action(t->manifest, action),
                        args, where, out};

    *out = (struct permit){.decision = GUARD_ALLOW, .named = where->named};
    if (!j.action)
        return err_set(e, ERR_INVALID, "%s has no action \"%.64s\"", t->name,
                       action);
    judge_action(&j);
    if (judge_named(&j, j.action->reads, judge_read_path, e) < 0 ||
        judge_named(&j, j.action->writes, judge_written, e) < 0 ||
        judge_named(&j, j.action->hosts, judge_host, e) < 0)
        return -1;
    return t->manifest->step ? judge_command(&j, e) : 0;
}
