/* SPDX-License-Identifier: GPL-3.0-or-later */
/* doctor.c - agentsh doctor: what works here, and why not. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/path.h"
#include "door/cli/call.h"
#include "model/choose.h"
#include "sandbox/confine.h"
#include "term/escape.h"
#include "term/style.h"
#include "json/write.h"

#define OUT_MAX 65536

/* What a probe found out. */
struct finding {
    bool good;
    char text[400];
};

struct probe {
    const char *name;
    void (*look)(struct app *a, struct finding *f);
};

static void say(struct finding *f, bool good, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

static void
say(struct finding *f, bool good, const char *fmt, ...)
{
    va_list ap;

    f->good = good;
    va_start(ap, fmt);
    vsnprintf(f->text, sizeof(f->text), fmt, ap);
    va_end(ap);
}

static void
look_at_config(struct app *a, struct finding *f)
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
look_at_model(struct app *a, struct finding *f)
{
    static const struct model_wish none = {0};
    CLEANUP(model_choice_free_p) struct model_choice *m = NULL;
    struct err e = {0};

    if (app_config(a, &e) < 0 || model_choose(a->config, &none, &m, &e) < 0)
        say(f, false, "%s", e.text);
    else if (!m)
        say(f, false,
            "none: set OPENAI_API_KEY, ANTHROPIC_API_KEY or GEMINI_API_KEY, "
            "or start a local server such as Ollama; ai explain works without");
    else
        say(f, true, "%s, %s at %s%s", model_choice_provider(m),
            model_choice_model(m), model_choice_url(m),
            model_choice_found(m) ? " (found here; asks before its first use)"
                                  : "");
}

static void
look_for(struct finding *f, const char *name)
{
    struct err e = {0};
    CLEANUP(free_p) char *path = path_libexec(name, &e);

    if (path && access(path, X_OK) == 0)
        say(f, true, "%s", path);
    else
        say(f, false, "%s", path ? "it cannot be executed" : e.text);
}

static void
look_at_model_process(struct app *a, struct finding *f)
{
    (void)a;
    look_for(f, "agentsh-model");
}

static void
look_at_launcher(struct app *a, struct finding *f)
{
    (void)a;
    look_for(f, "agentsh-launch");
}

static void
look_at_tool(struct app *a, struct finding *f)
{
    (void)a;
    look_for(f, "plugins/cmd.run/cmd.run");
}

static void
look_at_seccomp(struct app *a, struct finding *f)
{
    (void)a;
    if (prctl(PR_GET_SECCOMP, 0, 0, 0, 0) >= 0)
        say(f, true, "commands and the model process are filtered");
    else
        say(f, false, "this kernel has none: no command will run");
}

static void
look_at_landlock(struct app *a, struct finding *f)
{
    int abi = confine_landlock_abi();

    (void)a;
    if (abi > 0)
        say(f, true, "ABI %d; the model process cannot write files", abi);
    else
        say(f, false,
            "not on this kernel; the filter alone keeps the model "
            "process from writing files");
}

static void
look_at_namespaces(struct app *a, struct finding *f)
{
    (void)a;
    say(f, false,
        "not used: a command sees the files and the network that "
        "you see");
}

static void
look_at_hook(struct app *a, struct finding *f)
{
    const char *session = getenv("AGENTSH_SESSION");

    (void)a;
    if (session && session[0])
        say(f, true, "this shell's commands are recorded (%s)", session);
    else
        say(f, false,
            "not loaded in this shell: eval \"$(agentsh init bash)\" "
            "(zsh the same; fish: agentsh init fish | source)");
}

static const struct probe probes[] = {
    {"configuration", look_at_config},
    {"model", look_at_model},
    {"model process", look_at_model_process},
    {"launcher", look_at_launcher},
    {"tool cmd.run", look_at_tool},
    {"seccomp", look_at_seccomp},
    {"landlock", look_at_landlock},
    {"namespaces", look_at_namespaces},
    {"shell hook", look_at_hook},
};

#define N_PROBES (sizeof(probes) / sizeof(*probes))

static void
put_text(struct app *a, const struct probe *p, const struct finding *f,
         struct buf *out)
{
    const struct term *t = &a->result;
    enum style s = f->good ? STYLE_GOOD : STYLE_WARNING;

    buf_printf(out, "%s%s%s %-15s", style_on(t, s),
               style_symbol(t, f->good ? SYMBOL_GOOD : SYMBOL_BAD),
               style_off(t, s), p->name);
    escape_str(out, t, f->text, ESCAPE_PROSE);
    buf_ch(out, '\n');
}

static void
put_json(struct json_writer *w, const struct probe *p, const struct finding *f)
{
    json_key(w, p->name);
    json_open_object(w);
    json_member_bool(w, "ok", f->good);
    json_member_str(w, "text", f->text);
    json_close_object(w);
}

int
call_doctor(struct call *c)
{
    struct app *a = c->app;
    CLEANUP_BUF struct buf out = buf_of(OUT_MAX);
    struct json_writer w;
    struct err e = {0};

    json_write_init(&w, &out);
    if (a->output != OUTPUT_TEXT)
        json_open_object(&w);
    for (size_t i = 0; i < N_PROBES; i++) {
        struct finding f = {0};

        probes[i].look(a, &f);
        if (a->output == OUTPUT_TEXT)
            put_text(a, &probes[i], &f, &out);
        else
            put_json(&w, &probes[i], &f);
    }
    if (a->output != OUTPUT_TEXT) {
        json_close_object(&w);
        buf_ch(&out, '\n');
    }
    if (fd_write_all(STDOUT_FILENO, out.p, out.len, -1, &e) < 0)
        return app_fail(a, &e);
    return 0;
}
