/* SPDX-License-Identifier: GPL-3.0-or-later */
/* undo_call.c - steps that change packages or services, and what their tools
 * know about going back. */
#include "action/undo_call.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/buf.h"
#include "tool/call.h"
#include "json/write.h"

#define STATE_MS 60000 /* that a tool may take to tell it */

/* The lines that are such a change, by program and first word; NULL ends the
 * lists. Other options may mean other packages, other files or another
 * manager. */
struct line_row {
    const char *program, *tool, *manager;
    bool named; /* one service follows; else packages, or none */
    const char *verbs[8], *versions[8], *options[10];
};
#define APT_VERBS                                                              \
    {                                                                          \
        "install", NULL                                                        \
    }
#define APT_VERSIONS                                                           \
    {                                                                          \
        "remove", "autoremove", "upgrade", "full-upgrade", "dist-upgrade",     \
            NULL                                                               \
    }
#define APT_OPTIONS                                                            \
    {                                                                          \
        "-y", "--yes", "--assume-yes", "-q", "-qq", "-V",                      \
            "--no-install-recommends", "--only-upgrade", NULL                  \
    }

static const struct line_row line_rows[] = {
    {"apt-get", "pkg.manage", "apt", false, APT_VERBS, APT_VERSIONS,
     APT_OPTIONS},
    {"apt", "pkg.manage", "apt", false, APT_VERBS, APT_VERSIONS, APT_OPTIONS},
    {"systemctl",
     "svc.manage",
     "systemd",
     true,
     {"start", "stop", "enable", "disable", NULL},
     {NULL},
     {"--now", "-q", "--quiet", "--no-ask-password", NULL}},
};

static bool
is_in(const char *const *list, const char *word)
{
    while (*list && strcmp(*list, word) != 0)
        list++;
    return *list != NULL;
}

/* A package, with an architecture or a version, or a service. */
static bool
is_plain_subject(const char *word)
{
    static const char marks[] = "0123456789abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ+._:@=~-";

    return word[0] && !strchr("+._:@=~-", word[0]) &&
           !word[strspn(word, marks)];
}

static const struct line_row *
find_line_row(const char *program)
{
    for (size_t i = 0; i < ARRAY_SIZE(line_rows); i++)
        if (strcmp(line_rows[i].program, program) == 0)
            return &line_rows[i];
    return NULL;
}

/* The row of a call that is nothing but such a change; *name: the last word
 * that is no option, *verb the first. */
static const struct line_row *
read_line_call(const struct risk_call *c, const char **verb, const char **name)
{
    const struct line_row *row = find_line_row(c->name);
    size_t names = 0;

    *verb = *name = NULL;
    for (size_t i = 1; row && i < c->n; i++) {
        const char *word = c->argv[i];

        if (c->expands[i])
            return NULL;
        if (word[0] == '-' && is_in(row->options, word))
            continue;
        if (!is_plain_subject(word))
            return NULL;
        if (!*verb) {
            *verb = word;
            continue;
        }
        *name = word;
        names++;
    }
    return row && *verb && (!row->named || names == 1) &&
                   (is_in(row->verbs, *verb) || is_in(row->versions, *verb))
               ? row
               : NULL;
}

/* Whether the line does nothing beside its one call. */
static bool
is_one_call(const struct risk *r)
{
    if (r->n_calls != 1 || r->facts & (RISK_OPAQUE | RISK_UNKNOWN))
        return false;
    for (size_t i = 0; i < r->n_paths; i++)
        if (r->paths[i].use != RISK_READS)
            return false;
    return true;
}

static int
find_line_call(const struct step_verdict *v, struct undo_call *out,
               struct err *e)
{
    CLEANUP_BUF struct buf text = buf_of(AIACTION_ARGS_MAX);
    const struct line_row *row;
    const char *verb, *name;
    struct json_writer w;

    if (!is_one_call(&v->found.risk) ||
        !(row = read_line_call(&v->found.risk.calls[0], &verb, &name)))
        return 0;
    json_write_init(&w, &text);
    json_open_object(&w);
    if (row->named)
        json_member_str(&w, "service", name);
    json_member_str(&w, "manager", row->manager);
    json_close_object(&w);
    out->tool = row->tool;
    out->versions = is_in(row->versions, verb);
    out->of = buf_take(&text);
    return out->of ? 1 : err_nomem(e);
}

static int
find_tool_call(const struct step *s, const struct step_verdict *v,
               struct undo_call *out, struct err *e)
{
    const struct manifest_action *a = manifest_action(v->tool->manifest,
                                                      s->action);
    CLEANUP_BUF struct buf text = buf_of(2 * AIACTION_ARGS_MAX);
    struct json_writer w;

    if (!a || !a->undo || v->tool->source != TOOL_BUILTIN)
        return 0;
    json_write_init(&w, &text);
    json_put_value(&w, s->args);
    out->tool = v->tool->name;
    out->versions = strcmp(a->undo, "versions") == 0;
    out->of = buf_take(&text);
    return out->of ? 1 : err_nomem(e);
}

int
undo_call_find(const struct step *s, const struct step_verdict *v,
               struct undo_call *out, struct err *e)
{
    *out = (struct undo_call){0};
    if (v->hosts)
        return 0;
    return v->tool ? find_tool_call(s, v, out, e) : find_line_call(v, out, e);
}

void
undo_call_done(struct undo_call *c)
{
    if (!c)
        return;
    free(c->of);
    c->of = NULL;
}

struct undo_query {
    struct tool_call *call;
    struct json *args;
    undo_query_cb *cb;
    void *arg;
};

void
undo_query_free(struct undo_query *q)
{
    if (!q)
        return;
    tool_call_free(q->call);
    json_free(q->args);
    free(q);
}

static void
on_query_done(void *arg, const struct tool_result *r)
{
    const struct undo_query *q = arg;
    struct err why = {0};

    if (!r->ok)
        err_set(&why, ERR_TOOL, "%.*s", (int)strcspn(r->err, "\n"), r->err);
    q->cb(q->arg, r->ok ? r->meta : NULL, r->ok ? NULL : &why);
}

static void
on_query_failed(void *arg, const struct err *why)
{
    const struct undo_query *q = arg;

    q->cb(q->arg, NULL, why);
}

struct undo_query *
undo_query_start(const struct undo_query_params *p, undo_query_cb *cb,
                 void *arg, struct err *e)
{
    static const struct tool_events events = {.done = on_query_done,
                                              .failed = on_query_failed};
    CLEANUP(undo_query_free_p)
    struct undo_query *q = calloc(1, sizeof(*q));
    struct tool_request rq = {.action = p->action, .timeout_ms = STATE_MS};
    const struct tool_invocation in = {
        .confine = {.tool = p->tool,
                    .seat = p->seat,
                    .config = p->config,
                    .roots = CONFINEMENT_ROOTS_READ}};

    if (!q) {
        err_nomem(e);
        return NULL;
    }
    q->cb = cb;
    q->arg = arg;
    q->args = json_parse(p->args, strlen(p->args), JSON_UNIQUE, e);
    if (!q->args)
        return NULL;
    rq.args = q->args;
    q->call = tool_invoke(p->loop, &in, &rq, &events, q, e);
    return q->call ? TAKE_PTR(q) : NULL;
}

struct undo_query *
undo_query_state(const struct undo_query_params *p, const struct undo_call *c,
                 undo_query_cb *cb, void *arg, struct err *e)
{
    CLEANUP_BUF struct buf args = buf_of(2 * AIACTION_ARGS_MAX + 64);
    struct undo_query_params asked = *p;

    buf_printf(&args, "{\"of\":%s}", c->of);
    asked.action = "state";
    asked.args = args.p;
    if (buf_ok(&args, "the question", e) < 0)
        return NULL;
    return undo_query_start(&asked, cb, arg, e);
}

const struct tool *
undo_call_tool(struct registry *tools, const char *name, struct err *e)
{
    const struct tool *t = registry_find(tools, name, e);

    if (t && t->source != TOOL_BUILTIN) {
        err_set(e, ERR_DENIED, "%s is not built in", name);
        t = NULL;
    }
    return t;
}

struct undo_query *
undo_query_step(const struct undo_query_params *p, const struct step *s,
                const struct step_verdict *v, undo_query_cb *cb, void *arg,
                struct err *e)
{
    CLEANUP(undo_call_done) struct undo_call c = {0};
    struct undo_query_params asked = *p;
    int rc = undo_call_find(s, v, &c, e);

    asked.tool = v->undo_tool;
    if (rc == 0 || !asked.tool)
        err_set(e, ERR_TOOL, "no tool knows the way back");
    return rc <= 0 || !asked.tool ? NULL
                                  : undo_query_state(&asked, &c, cb, arg, e);
}
