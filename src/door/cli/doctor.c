/* SPDX-License-Identifier: GPL-3.0-or-later */
/* doctor.c - agentsh doctor: what works here, and why not. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/path.h"
#include "door/cli/call.h"
#include "door/cli/doctor_servers.h"
#include "door/cli/doctor_text.h"
#include "door/cli/tool_state.h"
#include "model/choose.h"
#include "person/result.h"
#include "record/history.h"
#include "record/place.h"
#include "sandbox/probe.h"
#include "json/write.h"

#define DOUBTS_MAX 65536      /* a line a rule */
#define OUT_MAX    (1u << 20) /* servers list hundreds of models */

struct probe {
    enum doctor_group group;
    bool needed; /* nothing runs without */
    bool shown;  /* also where it is as it should be */
    const char *name;
    void (*look)(struct app *a, struct doctor_finding *f);
};

static void say(struct doctor_finding *f, bool good, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

static void
say(struct doctor_finding *f, bool good, const char *fmt, ...)
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
look_at_config(struct app *a, struct doctor_finding *f)
{
    CLEANUP(free_p) char *path = path_of(PATH_CONFIG, "config", NULL);
    struct err e = {0};

    if (app_config(a, &e) < 0)
        say(f, false, "%s", e.text);
    else if (path && access(path, R_OK) == 0)
        say(f, true, "%s", path);
    else
        say(f, true, "the defaults (%s is not there)", path ? path : "it");
}

static void
say_no_model(struct doctor_finding *f)
{
    say(f, false,
        "none: set OPENAI_API_KEY, ANTHROPIC_API_KEY or GEMINI_API_KEY, or "
        "start a server such as Ollama; until then recipes answer");
    make_choice(f, "choose a model");
}

static void
look_at_model(struct app *a, struct doctor_finding *f)
{
    static const struct model_wish none = {.can_ask = true};
    CLEANUP(model_choice_free_p) struct model_choice *m = NULL;
    struct err e = {0};

    if (app_config(a, &e) < 0 || model_choose(a->config, &none, &m, &e) < 0)
        say(f, false, "%s", e.text);
    else if (!m)
        say_no_model(f);
    else
        say(f, true, "%s, %s at %s%s", model_choice_provider(m),
            model_choice_model(m), model_choice_url(m),
            model_choice_found(m) ? " (found here; asks before its first use)"
                                  : "");
}

static void
look_at_rules(struct app *a, struct doctor_finding *f)
{
    CLEANUP_BUF struct buf doubts = buf_of(DOUBTS_MAX);
    struct policy_counts n;
    struct err e = {0};

    if (app_policy(a, &e) < 0) {
        say(f, false, "%s", e.text);
        return;
    }
    policy_count(a->policy, &n);
    policy_doubts(a->policy, &doubts);
    say(f, true, "%s, and %zu of files%s", n.preset, n.rules,
        doubts.len ? "; agentsh policy check has warnings" : "");
}

static void
look_for(struct doctor_finding *f, const char *name)
{
    struct err e = {0};
    CLEANUP(free_p) char *path = path_libexec(name, &e);

    if (path && access(path, X_OK) == 0)
        say(f, true, "%s", path);
    else
        say(f, false, "%s", path ? "not executable" : e.text);
}

static void
look_at_model_process(struct app *a, struct doctor_finding *f)
{
    (void)a;
    look_for(f, "agentsh-model");
}

static void
look_at_launcher(struct app *a, struct doctor_finding *f)
{
    (void)a;
    look_for(f, "agentsh-launch");
}

static void
look_at_tools(struct app *a, struct doctor_finding *f)
{
    bool open = false;

    f->state = tool_state_say(a, f->text, sizeof(f->text), &open)
                   ? DOCTOR_GOOD
                   : DOCTOR_FAULT;
    if (open && f->state == DOCTOR_GOOD)
        make_choice(f, "decide about new tools (agentsh tool list)");
}

static void
look_at_servers(struct app *a, struct doctor_finding *f)
{
    bool open = false;

    f->state = tool_state_servers(a, f->text, sizeof(f->text), &open)
                   ? DOCTOR_GOOD
                   : DOCTOR_FAULT;
    if (open && f->state == DOCTOR_GOOD)
        make_choice(f, "decide about new MCP tools (agentsh tool list)");
}

static void
look_at_hook(struct app *a, struct doctor_finding *f)
{
    const char *session = getenv("AGENTSH_SESSION");

    (void)a;
    if (session && session[0]) {
        say(f, true, "loaded in this shell (%s)", session);
        return;
    }
    say(f, false,
        "not loaded in this shell: eval \"$(agentsh init bash)\" "
        "(zsh the same; fish: agentsh init fish | source)");
    make_choice(f, "load the shell hook");
}

/* When the chain was looked at last, and what came of it. */
static void
say_verified(const struct history_state *s, char *out, size_t size)
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
say_journal(struct app *a, struct history *h, struct doctor_finding *f)
{
    struct history_state s = {0};
    char checked[80], left[80] = "";
    struct err e = {0};
    int n = place_left();

    if (history_state(h, &s, &e) < 0) {
        say(f, false, "%s", e.text);
        return;
    }
    say_verified(&s, checked, sizeof(checked));
    if (n > 0)
        snprintf(
            left, sizeof(left),
            "; %d older ones next to it could not be read and may be removed",
            n);
    say(f, s.faults == 0,
        "%s: %lld KiB, %lld rows of %lld runs, %s; keeps %lld days, %lld MiB%s",
        history_path(h), (long long)s.bytes / 1024, (long long)s.rows,
        (long long)s.runs, checked,
        (long long)config_int(a->config, CONFIG_RECORD_KEEP_DAYS),
        (long long)config_int(a->config, CONFIG_RECORD_KEEP_MB), left);
}

/* Opened to write first, which says why that cannot be. */
static void
look_at_journal(struct app *a, struct doctor_finding *f)
{
    CLEANUP(history_close_p) struct history *h = NULL;
    CLEANUP(journal_close_p) struct journal *j = NULL;
    struct err e = {0};
    const char *why;

    if (app_config(a, &e) < 0) {
        say(f, false, "fix the configuration first");
        return;
    }
    if (!config_bool(a->config, CONFIG_RECORD_JOURNAL)) {
        say(f, true, "off (journal = no in [record] of the settings)");
        return;
    }
    j = journal_open(0, 0, &e);
    why = journal_trouble(j);
    if (!j || why)
        say(f, false, "%s", why ? why : e.text);
    else if (!(h = history_open(&e)))
        say(f, false, "%s", e.text);
    else
        say_journal(a, h, f);
}

static const struct probe probes[] = {
    {DOCTOR_YOU, true, false, "configuration", look_at_config},
    {DOCTOR_YOU, true, false, "rules", look_at_rules},
    {DOCTOR_MODEL, false, true, "model", look_at_model},
    {DOCTOR_MODEL, true, false, "model process", look_at_model_process},
    {DOCTOR_SANDBOX, true, false, "launcher", look_at_launcher},
    {DOCTOR_YOU, false, false, "tools", look_at_tools},
    {DOCTOR_YOU, false, false, "MCP servers", look_at_servers},
    {DOCTOR_YOU, false, false, "shell hook", look_at_hook},
    {DOCTOR_YOU, false, false, "journal", look_at_journal},
};

#define N_PROBES (sizeof(probes) / sizeof(*probes))

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

/* Where findings go: a list to be shown, or the members of one object. */
struct report {
    struct app *app;
    struct buf out;
    struct json_writer json;
    struct doctor_text *text;
};

static void
put(struct report *t, const struct doctor_finding *f)
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
put_machine(struct report *t, enum probe_machine m)
{
    struct doctor_finding f = {
        .group = DOCTOR_SANDBOX, .name = "machine", .first = m != PROBE_WHOLE};
    struct probe_finding found;

    probe_say_machine(m, &found);
    say(&f, found.good, "%s", found.text);
    if (!found.good)
        make_choice(&f, "");
    put(t, &f);
}

static void
put_sandbox(struct report *t)
{
    enum probe_machine machine = probe_machine(false);
    struct probe_finding layers[PROBE_N] = {0};
    struct doctor_finding f = {.group = DOCTOR_SANDBOX, .needed = true};
    struct err e = {0};

    put_machine(t, machine);
    if (probe_all(layers, &e) < 0) {
        f.name = "sandbox";
        say(&f, false, "%s", e.text);
        put(t, &f);
        return;
    }
    for (enum probe_layer i = 0; i < PROBE_N; i++) {
        f.name = probe_name(i);
        f.needed = is_needed(i);
        say(&f, layers[i].good, "%s", layers[i].text);
        if (!layers[i].good && machine == PROBE_REDUCED && is_namespace(i))
            make_choice(&f, "");
        put(t, &f);
    }
}

/* Servers that would be found: on this machine, and when none is named. */
static void
put_servers(struct report *t)
{
    static const struct found_wish all = {.can_ask = true, .afresh = true};
    CLEANUP(found_done) struct found f = {0};

    found_search(&all, &f);
    if (t->app->output != OUTPUT_TEXT) {
        servers_put(&f, &t->json);
        return;
    }
    for (size_t i = 0; i < f.n; i++) {
        CLEANUP_BUF struct buf text = buf_of(OUT_MAX);
        struct doctor_finding server = {.group = DOCTOR_MODEL,
                                        .name = f.v[i].title,
                                        .state = DOCTOR_CHOICE};

        servers_say(&f.v[i], &text);
        if (servers_is_good(&f.v[i]))
            server.state = DOCTOR_GOOD;
        server.longer = text.p;
        put(t, &server);
    }
}

static void
put_all(struct report *t)
{
    for (size_t i = 0; i < N_PROBES; i++) {
        struct doctor_finding f = {.group = probes[i].group,
                                   .name = probes[i].name,
                                   .needed = probes[i].needed,
                                   .shown = probes[i].shown};

        probes[i].look(t->app, &f);
        put(t, &f);
        if (probes[i].look == look_at_model)
            put_servers(t);
    }
    put_sandbox(t);
}

static void
report_done(struct report *t)
{
    buf_done(&t->out);
    doctor_text_free(t->text);
}

int
call_doctor(struct call *c)
{
    struct app *a = c->app;
    CLEANUP(report_done) struct report t = {.app = a, .out = buf_of(OUT_MAX)};
    bool json = a->output != OUTPUT_TEXT;
    struct err e = {0};

    t.text = doctor_text_new(&a->result, a->verbose, &e);
    if (!t.text)
        return app_fail(a, &e);
    json_write_init(&t.json, &t.out);
    if (json)
        json_open_object(&t.json);
    put_all(&t);
    if (json) {
        json_close_object(&t.json);
        buf_ch(&t.out, '\n');
    } else {
        doctor_text_write(t.text, &t.out);
    }
    if (buf_ok(&t.out, "the findings", &e) < 0 || result_write(&t.out, &e) < 0)
        return app_fail(a, &e);
    return 0;
}
