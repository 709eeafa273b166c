/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_doctor.c - agentsh doctor: what works here, and why not. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/path.h"
#include "base/utf8.h"
#include "frontend/cli/command.h"
#include "frontend/cli/doctor_search.h"
#include "frontend/cli/doctor_text.h"
#include "frontend/cli/doctor_tools.h"
#include "record/journal_path.h"
#include "record/journal_read.h"
#include "sandbox/probe.h"
#include "ui/app.h"
#include "json/write.h"

#define DOUBTS_MAX   65536      /* a line a rule */
#define OUT_MAX      (1u << 20) /* servers list hundreds of models */
#define OTHERS_SHOWN 6 /* models besides the chosen one; -o json has all */

/* Where findings go: a list to be shown, or the members of one object. */
struct doctor {
    struct app *app;
    struct doctor_search *search;
    const struct doctor_found *found;
    struct buf out;
    struct json_writer json;
    struct doctor_text *text;
};

struct doctor_check {
    enum doctor_group group;
    bool needed; /* nothing runs without */
    bool shown;  /* also where it is as it should be */
    const char *name;
    void (*run)(const struct doctor *t, struct doctor_finding *f);
};

static void set_doctor_finding(struct doctor_finding *f, bool good,
                               const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

static void
set_doctor_finding(struct doctor_finding *f, bool good, const char *fmt, ...)
{
    va_list ap;

    f->state = good ? DOCTOR_GOOD : DOCTOR_FAULT;
    va_start(ap, fmt);
    vsnprintf(f->text, sizeof(f->text), fmt, ap);
    va_end(ap);
}

/* It works without, and the person may want it. */
static void
make_choice(struct doctor_finding *f, const char *todo)
{
    f->ok = f->state == DOCTOR_GOOD;
    f->state = DOCTOR_CHOICE;
    snprintf(f->todo, sizeof(f->todo), "%s", todo);
}

static void
check_config(const struct doctor *t, struct doctor_finding *f)
{
    struct app *a = t->app;
    CLEANUP(free_p) char *path = path_of(PATH_CONFIG, "config", NULL);
    struct err e = {0};

    if (app_config(a, &e) < 0)
        set_doctor_finding(f, false, "%s", e.text);
    else if (path && access(path, R_OK) == 0)
        set_doctor_finding(f, true, "%s", path);
    else
        set_doctor_finding(f, true, "the defaults (%s is not there)",
                           path ? path : "it");
}

static void
set_no_model(struct doctor_finding *f)
{
    set_doctor_finding(
        f, false,
        N_("none: agentsh setup asks for one; or set OPENAI_API_KEY, "
           "ANTHROPIC_API_KEY or GEMINI_API_KEY, or start a server such as "
           "Ollama; until then recipes answer"));
    make_choice(f, N_("choose a model"));
}

static void
check_model(const struct doctor *t, struct doctor_finding *f)
{
    const struct model_selection *m = t->found->model;

    if (t->found->model_why.code != ERR_NONE)
        set_doctor_finding(f, false, "%s", t->found->model_why.text);
    else if (!m && model_is_declined(t->app->seat, t->app->config))
        set_doctor_finding(f, true, N_("none, as you chose: recipes answer"));
    else if (!m)
        set_no_model(f);
    else
        set_doctor_finding(f, true, "%s, %s at %s%s",
                           model_selection_provider(m),
                           model_selection_model(m), model_selection_url(m),
                           model_selection_needs_consent(m)
                               ? " (found here; asks before its first use)"
                               : "");
}

static void
check_policy_rules(const struct doctor *t, struct doctor_finding *f)
{
    struct app *a = t->app;
    CLEANUP_BUF struct buf doubts = buf_of(DOUBTS_MAX);
    struct policy_counts n;
    struct err e = {0};

    if (app_policy(a, &e) < 0) {
        set_doctor_finding(f, false, "%s", e.text);
        return;
    }
    policy_count(a->policy, &n);
    policy_lint(a->policy, &doubts);
    set_doctor_finding(f, true, "%s, and %zu of files%s", n.preset, n.rules,
                       doubts.len ? "; agentsh policy check has warnings" : "");
}

static void
check_our_program(struct doctor_finding *f, const char *name)
{
    struct err e = {0};
    CLEANUP(free_p) char *path = path_libexec(name, &e);

    if (path && access(path, X_OK) == 0)
        set_doctor_finding(f, true, "%s", path);
    else
        set_doctor_finding(f, false, "%s", path ? "not executable" : e.text);
}

static void
check_model_process(const struct doctor *t, struct doctor_finding *f)
{
    (void)t;
    check_our_program(f, "agentsh-model");
}

static void
check_launcher(const struct doctor *t, struct doctor_finding *f)
{
    (void)t;
    check_our_program(f, "agentsh-launch");
}

static void
check_tools(const struct doctor *t, struct doctor_finding *f)
{
    bool open = false;

    f->state = doctor_tools_describe(t->app, f->text, sizeof(f->text), &open)
                   ? DOCTOR_GOOD
                   : DOCTOR_FAULT;
    if (open && f->state == DOCTOR_GOOD)
        make_choice(f, N_("decide about new tools (agentsh tool list)"));
}

static void
check_servers(const struct doctor *t, struct doctor_finding *f)
{
    bool open = false;

    f->state = doctor_tools_describe_mcp(t->found, f->text, sizeof(f->text),
                                         &open)
                   ? DOCTOR_GOOD
                   : DOCTOR_FAULT;
    if (open && f->state == DOCTOR_GOOD)
        make_choice(f, N_("decide about new MCP tools (agentsh tool list)"));
}

static void
check_hook(const struct doctor *t, struct doctor_finding *f)
{
    const char *session = getenv("AGENTSH_SESSION");

    (void)t;
    if (session && session[0]) {
        set_doctor_finding(f, true, "loaded in this shell (%s)", session);
        return;
    }
    set_doctor_finding(
        f, false,
        N_("not loaded in this shell: eval \"$(agentsh init bash)\" "
           "(zsh the same; fish: agentsh init fish | source)"));
    make_choice(f, N_("load the shell hook"));
}

/* When the chain was looked at last, and what came of it. */
static void
describe_verification(const struct journal_state *s, char *out, size_t size)
{
    if (!s->verified[0])
        snprintf(out, size, "never checked (ai log --verify)");
    else if (s->faults)
        snprintf(out, size, "%lld fault%s on %.10s (ai log --verify)",
                 (long long)s->faults, s->faults == 1 ? "" : "s", s->verified);
    else
        snprintf(out, size, "checked on %.10s", s->verified);
}

static void
describe_journal(struct app *a, struct journal_reader *h,
                 struct doctor_finding *f)
{
    struct journal_state s = {0};
    char checked[80], left[80] = "";
    struct err e = {0};
    int n = journal_path_count_old();

    if (journal_read_state(h, &s, &e) < 0) {
        set_doctor_finding(f, false, "%s", e.text);
        return;
    }
    describe_verification(&s, checked, sizeof(checked));
    if (n > 0)
        snprintf(
            left, sizeof(left),
            "; %d older ones next to it could not be read and may be removed",
            n);
    set_doctor_finding(
        f, s.faults == 0,
        "%s: %lld KiB, %lld rows of %lld runs, %s; keeps %lld days, %lld MiB%s",
        journal_read_path(h), (long long)s.bytes / 1024, (long long)s.rows,
        (long long)s.runs, checked,
        (long long)config_int(a->config, CONFIG_RECORD_KEEP_DAYS),
        (long long)config_int(a->config, CONFIG_RECORD_KEEP_MB), left);
}

/* Opened to write first, which says why that cannot be. */
static void
check_journal(const struct doctor *t, struct doctor_finding *f)
{
    struct app *a = t->app;
    CLEANUP(journal_read_close_p) struct journal_reader *h = NULL;
    CLEANUP(journal_close_p) struct journal *j = NULL;
    struct err e = {0};
    const char *why;

    if (app_config(a, &e) < 0) {
        set_doctor_finding(f, false, "fix the configuration first");
        return;
    }
    if (!config_bool(a->config, CONFIG_RECORD_JOURNAL)) {
        set_doctor_finding(f, true,
                           "off (journal = no in [record] of the settings)");
        return;
    }
    j = journal_open(0, 0, &e);
    why = journal_trouble(j);
    if (!j || why)
        set_doctor_finding(f, false, "%s", why ? why : e.text);
    else if (!(h = journal_read_open(&e)))
        set_doctor_finding(f, false, "%s", e.text);
    else
        describe_journal(a, h, f);
}

static const struct doctor_check checks[] = {
    {DOCTOR_YOU, true, false, N_("configuration"), check_config},
    {DOCTOR_YOU, true, false, N_("rules"), check_policy_rules},
    {DOCTOR_MODEL, false, true, N_("model"), check_model},
    {DOCTOR_MODEL, true, false, N_("model process"), check_model_process},
    {DOCTOR_SANDBOX, true, false, N_("launcher"), check_launcher},
    {DOCTOR_YOU, false, false, N_("tools"), check_tools},
    {DOCTOR_YOU, false, false, N_("MCP servers"), check_servers},
    {DOCTOR_YOU, false, false, N_("shell hook"), check_hook},
    {DOCTOR_YOU, false, false, N_("journal"), check_journal},
};

#define N_CHECKS ARRAY_SIZE(checks)

/* Layers without which a command cannot be confined. */
static bool
is_needed(enum probe_layer layer)
{
    return layer == PROBE_SECCOMP || layer == PROBE_USER ||
           layer == PROBE_MOUNT || layer == PROBE_PID;
}

/* Layers that a machine without namespaces does without. */
static bool
is_namespace(enum probe_layer layer)
{
    return layer == PROBE_USER || layer == PROBE_MOUNT || layer == PROBE_PID ||
           layer == PROBE_PROC || layer == PROBE_NET || layer == PROBE_OVERLAY;
}

static void
add_finding(struct doctor *t, const struct doctor_finding *f)
{
    if (t->app->output == OUTPUT_TEXT) {
        doctor_text_add(t->text, f);
        return;
    }
    json_key(&t->json, f->name);
    json_open_object(&t->json);
    json_member_bool(&t->json, "ok", f->state == DOCTOR_GOOD || f->ok);
    json_member_str(&t->json, "text", f->text);
    json_close_object(&t->json);
}

static void
put_machine(struct doctor *t, enum probe_machine m)
{
    struct doctor_finding f = {
        .group = DOCTOR_SANDBOX, .name = "machine", .first = m != PROBE_WHOLE};
    struct probe_finding found;

    probe_describe_machine(m, &found);
    set_doctor_finding(&f, found.good, "%s", found.text);
    if (!found.good)
        make_choice(&f, "");
    add_finding(t, &f);
}

static void
put_sandbox_layers(struct doctor *t)
{
    enum probe_machine machine = probe_machine(false);
    struct probe_finding layers[PROBE_N] = {0};
    struct doctor_finding f = {.group = DOCTOR_SANDBOX, .needed = true};
    struct err e = {0};

    put_machine(t, machine);
    if (probe_all(layers, &e) < 0) {
        f.name = "sandbox";
        set_doctor_finding(&f, false, "%s", e.text);
        add_finding(t, &f);
        return;
    }
    for (enum probe_layer i = 0; i < PROBE_N; i++) {
        f.name = probe_name(i);
        f.needed = is_needed(i);
        set_doctor_finding(&f, layers[i].good, "%s", layers[i].text);
        if (!layers[i].good && machine == PROBE_REDUCED && is_namespace(i))
            make_choice(&f, "");
        add_finding(t, &f);
    }
}

/* Model servers on this machine. */

static const char *const consents[] = {
    [SERVER_CONSENT_NOT_ASKED] = "not asked",
    [SERVER_CONSENT_YES] = "yes",
    [SERVER_CONSENT_NO] = "no",
};

/* Whether the person agreed to it and it has a usable model. */
static bool
is_server_used(const struct discovery_server *v)
{
    return v->model[0] && v->consent == SERVER_CONSENT_YES;
}

/* What it has besides, and what of that can never be chosen. */
static void
describe_other_models(const struct discovery_server *v, struct buf *out)
{
    size_t shown = 0, left = 0;

    for (size_t i = 0; i < v->models.n; i++) {
        const struct model_info *m = &v->models.v[i];
        const char *never = model_rank_exclusion(m);

        if (strcmp(m->name, v->model) == 0)
            continue;
        if (shown == OTHERS_SHOWN) {
            left++;
            continue;
        }
        buf_printf(out, "%s%s", shown++ ? ", " : "; also ", m->name);
        if (never)
            buf_printf(out, " (%s)", never);
    }
    if (left > 0)
        buf_printf(out, " and %zu more", left);
}

static void
describe_models(const struct discovery_server *v, int64_t limit_ms,
                struct buf *out)
{
    if (!v->answered) {
        buf_printf(out, ": no list of models within %lld ms",
                   (long long)limit_ms);
        return;
    }
    buf_printf(out, " (%lld ms): ", (long long)v->ms);
    if (!v->model[0])
        buf_str(out, "no usable model");
    else
        buf_printf(out, "%s%s%s%s", v->model, v->reason[0] ? " (" : "",
                   v->reason, v->reason[0] ? ")" : "");
    describe_other_models(v, out);
}

static void
describe_consent(const struct model_dirs *dirs,
                 const struct discovery_server *v, struct buf *out)
{
    CLEANUP(free_p) char *path = server_consent_path(dirs);

    if (v->consent == SERVER_CONSENT_NOT_ASKED && v->model[0])
        buf_str(out, ". You are asked before its first use");
    else if (v->consent != SERVER_CONSENT_NOT_ASKED)
        buf_printf(out,
                   ". You said %s; to be asked again remove its line from %s",
                   v->consent == SERVER_CONSENT_YES ? "yes" : "no",
                   path ? path : "the file of servers");
}

/* One server in a line: where, how fast, which model and why, what the person
 * answered about it, and how to take that back. */
static void
describe_server(const struct model_dirs *dirs, const struct discovery_server *v,
                int64_t limit_ms, struct buf *out)
{
    buf_str(out, v->url);
    describe_models(v, limit_ms, out);
    describe_consent(dirs, v, out);
}

static void
put_model(const struct model_info *m, struct json_writer *w)
{
    const char *never = model_rank_exclusion(m);

    json_open_object(w);
    json_member_str(w, "name", m->name);
    if (m->billions > 0)
        json_member_int(w, "parameters", (int64_t)(m->billions * 1e9));
    if (m->bytes > 0)
        json_member_int(w, "bytes", m->bytes);
    json_member_bool(w, "loaded", m->loaded);
    if (never)
        json_member_str(w, "never", never);
    json_close_object(w);
}

static void
put_discovered_server(const struct discovery_server *v, struct json_writer *w)
{
    json_open_object(w);
    json_member_str(w, "title", v->title);
    json_member_str(w, "provider", discovery_provider(v));
    json_member_str(w, "url", v->url);
    if (v->uid != TCP_LISTENER_UID_UNKNOWN)
        json_member_int(w, "uid", (int64_t)v->uid);
    json_member_str(w, "agreed", consents[v->consent]);
    json_member_bool(w, "answered", v->answered);
    if (v->answered)
        json_member_int(w, "ms", v->ms);
    if (v->model[0]) {
        json_member_str(w, "model", v->model);
        json_member_str(w, "why", v->reason);
    }
    json_key(w, "models");
    json_open_array(w);
    for (size_t i = 0; i < v->models.n; i++)
        put_model(&v->models.v[i], w);
    json_close_array(w);
    json_close_object(w);
}

/* The member "model servers", with all of them and all their models. */
static void
put_servers_json(const struct discovery *f, struct json_writer *w)
{
    char text[40];

    snprintf(text, sizeof(text), "%zu found on this machine", f->n);
    json_key(w, "model servers");
    json_open_object(w);
    json_member_bool(w, "ok", discovery_best(f) != NULL);
    json_member_str(w, "text", text);
    json_member_int(w, "ms", f->ms);
    json_key(w, "servers");
    json_open_array(w);
    for (size_t i = 0; i < f->n; i++)
        put_discovered_server(&f->v[i], w);
    json_close_array(w);
    json_close_object(w);
}

/* Servers that would be found: on this machine, and when none is named. */
static void
put_servers(struct doctor *t)
{
    const struct discovery *f = &t->found->servers;
    CLEANUP(model_dirs_done) struct model_dirs dirs;

    model_dirs_init(&dirs, t->app->seat);
    if (t->app->output != OUTPUT_TEXT) {
        put_servers_json(f, &t->json);
        return;
    }
    for (size_t i = 0; i < f->n; i++) {
        CLEANUP_BUF struct buf text = buf_of(OUT_MAX);
        struct doctor_finding server = {.group = DOCTOR_MODEL,
                                        .name = f->v[i].title,
                                        .state = DOCTOR_CHOICE};

        describe_server(&dirs, &f->v[i], t->found->limit_ms, &text);
        if (is_server_used(&f->v[i]))
            server.state = DOCTOR_GOOD;
        server.longer = text.p;
        add_finding(t, &server);
    }
}

static void
put_all(struct doctor *t)
{
    for (size_t i = 0; i < N_CHECKS; i++) {
        struct doctor_finding f = {.group = checks[i].group,
                                   .name = checks[i].name,
                                   .needed = checks[i].needed,
                                   .shown = checks[i].shown};

        checks[i].run(t, &f);
        add_finding(t, &f);
        if (checks[i].run == check_model)
            put_servers(t);
    }
    put_sandbox_layers(t);
}

static void
doctor_free(struct doctor *t)
{
    if (!t)
        return;
    doctor_search_free(t->search);
    buf_done(&t->out);
    doctor_text_free(t->text);
    free(t);
}
DEFINE_CLEANUP(struct doctor, doctor_free)

/* All have answered who had to be asked. */
static void
print_findings(void *arg)
{
    CLEANUP(doctor_free_p) struct doctor *t = arg;
    struct app *a = t->app;
    bool json = a->output != OUTPUT_TEXT;
    struct err e = {0};
    int status = 0;

    t->found = doctor_search_found(t->search);
    json_write_init(&t->json, &t->out);
    if (json)
        json_open_object(&t->json);
    put_all(t);
    if (json) {
        json_close_object(&t->json);
        buf_ch(&t->out, '\n');
    } else {
        doctor_text_write(t->text, &t->out);
    }
    if (buf_ok(&t->out, "the findings", &e) < 0 ||
        app_write_result(&t->out, &e) < 0)
        status = app_fail(a, &e);
    app_over(a, status);
}

static int
run_doctor(struct command_args *c)
{
    CLEANUP(doctor_free_p) struct doctor *t = calloc(1, sizeof(*t));
    struct app *a = c->app;
    struct err e = {0};

    if (!t) {
        err_nomem(&e);
        return app_fail(a, &e);
    }
    t->app = a;
    buf_init(&t->out, OUT_MAX);
    if (!(t->text = doctor_text_new(&a->result, a->verbose, &e)) ||
        !(t->search = doctor_search_start(a, print_findings, t, &e)))
        return app_fail(a, &e);
    TAKE_PTR(t);
    return APP_GOES_ON;
}

const struct command cmd_doctor = {
    .name = "doctor",
    .args = "",
    .help = N_("check what works here, and why not"),
    .options = FOR_REPORT | FOR_DOCTOR,
    .run = run_doctor,
};
