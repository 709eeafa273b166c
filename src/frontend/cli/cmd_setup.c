/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_setup.c - agentsh setup: asks for a provider and its key, tries them, and
 * writes the configuration. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frontend/cli/command.h"
#include "frontend/cli/setup_providers.h"
#include "model/api_key.h"
#include "model/provider/default_models.h"
#include "model/provider/provider_table.h"
#include "term/escape.h"
#include "term/menu.h"
#include "ui/app.h"
#include "ui/model_setup.h"
#include "ui/model_try.h"
#include "ui/stop_signals.h"

#define TEXT_MAX 8192 /* bytes of a question or a sentence, with a path */

/* What is done next. Each but the last goes on from the loop. */
enum setup_step { ASK_PROVIDER, ASK_KEY, ASK_MODEL, TRY, ASK_CHANGE, WRITE };

struct setup {
    struct app *app;
    struct model_setup *settings;
    struct discovery servers;
    struct setup_provider chosen;
    char key[MENU_LINE_MAX];           /* "": none was typed */
    char model[MENU_LINE_MAX];         /* "": the default */
    bool has_model;                    /* it was asked for */
    struct model_selection *selection; /* that is tried */
    /* What is waited for; the others are NULL. */
    struct discovery_search *discovery;
    struct model_search *search;
    struct stop_signals stops; /* of these two */
    struct setup_providers *providers;
    struct menu *menu;
    struct buf question; /* of the menu */
    struct model_try *trial;
};

/* Ends a search, and all that runs for it. */
static void
end_setup_search(struct setup *s)
{
    stop_signals_done(&s->stops);
    discovery_search_free(TAKE_PTR(s->discovery));
    model_search_free(TAKE_PTR(s->search));
}

static void
setup_free(struct setup *s)
{
    if (!s)
        return;
    end_setup_search(s);
    setup_providers_close(s->providers);
    menu_close(s->menu);
    model_try_free(s->trial);
    model_selection_free(s->selection);
    explicit_bzero(s->key, sizeof(s->key));
    buf_done(&s->question);
    discovery_done(&s->servers);
    model_setup_free(s->settings);
    free(s);
}
DEFINE_CLEANUP(struct setup, setup_free)

/* Ends the run. */
static void
end_setup(struct setup *s, const struct err *why)
{
    struct app *a = s->app;
    int status = why->code != ERR_NONE ? app_fail(a, why) : 0;

    setup_free(s);
    app_over(a, status);
}

/* The last thing that a callback does: s may be gone afterwards. */
static void run_setup_step(struct setup *s, enum setup_step step);

/* The signal ends a search, and then has its usual effect. One that is ignored,
 * as SIGHUP is by nohup(1), is reported too. */
static void
on_stop(void *arg, unsigned signo)
{
    struct setup *s = arg;
    struct err e = {0};
    struct sigaction now;

    if (sigaction((int)signo, NULL, &now) == 0 && now.sa_handler == SIG_IGN)
        return;
    end_setup_search(s);
    (void)raise((int)signo);
    err_set(&e, ERR_INTERRUPTED, "interrupted");
    end_setup(s, &e);
}

static struct model_choice
current_choice(const struct setup *s)
{
    const struct discovery_server *server = s->chosen.server;

    return (struct model_choice){
        .provider = s->chosen.provider,
        .url = server ? server->url : NULL,
        .model = s->model[0] ? s->model : NULL,
        .key = s->key[0] ? s->key : NULL,
    };
}

/* The variable whose key is used, whatever is typed; NULL: none. */
static const char *
used_variable(const struct setup *s)
{
    return s->chosen.server
               ? NULL
               : api_key_variable(s->app->seat, s->chosen.provider);
}

static bool
takes_key(const struct setup *s)
{
    return !s->chosen.server && s->chosen.provider->key_header &&
           !used_variable(s);
}

/* The questions. */

static void
on_chosen(void *arg, const struct setup_provider *chosen, const struct err *why)
{
    struct setup *s = arg;
    CLEANUP(setup_providers_close_p)
    struct setup_providers *held = TAKE_PTR(s->providers);

    if (why->code != ERR_NONE) {
        end_setup(s, why);
        return;
    }
    s->has_model = false;
    explicit_bzero(s->key, sizeof(s->key));
    s->model[0] = '\0';
    if (!chosen) {
        run_setup_step(s, ASK_PROVIDER);
        return;
    }
    s->chosen = *chosen;
    if (chosen->provider && !takes_key(s) && used_variable(s))
        app_note(s->app, "%s is set: its key is used, and none is written.",
                 used_variable(s));
    run_setup_step(s, !chosen->provider ? WRITE
                      : takes_key(s)    ? ASK_KEY
                                        : ASK_MODEL);
}

static void
on_servers(void *arg, struct discovery *d,
           const struct discovery_missing *missing)
{
    struct setup *s = arg;
    struct err e = {0};

    (void)missing;
    s->servers = *d;
    end_setup_search(s);
    s->providers = setup_providers_open(s->app, s->settings, &s->servers,
                                        on_chosen, s, &e);
    if (!s->providers)
        end_setup(s, &e);
}

/* Looks for the servers of this machine, then asks. */
static int
find_providers(struct setup *s, struct err *e)
{
    struct app *a = s->app;
    const struct discovery_params p = {
        .can_ask = true,
        .afresh = true,
        .limit_ms = config_int(a->config, CONFIG_MODEL_DISCOVERY_TIMEOUT_MS)};

    discovery_done(&s->servers);
    s->servers = (struct discovery){0};
    s->discovery = discovery_start(a->loop, a->seat, &p, on_servers, s, e);
    return s->discovery ? stop_signals_init(&s->stops, a->loop, on_stop, s, e)
                        : -1;
}

/* What Enter stands for at the question for a key; NULL: a key is needed. */
static const char *
key_without_typing(const struct setup *s)
{
    const struct provider *p = s->chosen.provider;
    const char *setting = model_setup_key_setting(s->settings, p);

    if (!setting && p->own_needs_no_key &&
        model_setup_has_own_url(s->settings, p))
        return "none";
    return setting;
}

/* Takes the typed line, whose bytes are wiped by who asked. */
static void
take_line(struct setup *s, char to[MENU_LINE_MAX], const char *line)
{
    memcpy(to, line, strlen(line) + 1);
    menu_close(TAKE_PTR(s->menu));
}

static void
on_key_typed(void *arg, const char *line, const struct err *why)
{
    struct setup *s = arg;

    if (why) {
        end_setup(s, why);
        return;
    }
    take_line(s, s->key, line);
    run_setup_step(s, s->has_model ? TRY : ASK_MODEL);
}

static int
ask_key(struct setup *s, struct err *e)
{
    const char *enter = key_without_typing(s);

    buf_clear(&s->question);
    buf_printf(&s->question, _("Key for %s, which is not shown"),
               s->chosen.provider->title);
    if (enter)
        buf_printf(&s->question, _(" (Enter: %s)"), enter);
    buf_str(&s->question, ": ");
    s->menu = menu_open_secret(s->app->loop, &s->app->screen, s->question.p,
                               on_key_typed, s, e);
    return s->menu ? 0 : -1;
}

/* The model that Enter stands for; *name is what is written, "" for none. */
static const char *
model_without_typing(const struct setup *s, const char **name)
{
    const struct provider *p = s->chosen.provider;
    const char *model = s->chosen.server ? s->chosen.server->model
                                         : model_setup_model(s->settings, p);

    *name = model ? model : "";
    return model ? model : default_models_at(p, 0);
}

static void
on_model_typed(void *arg, const char *line, const struct err *why)
{
    struct setup *s = arg;
    const char *name;

    if (why) {
        end_setup(s, why);
        return;
    }
    take_line(s, s->model, line);
    (void)model_without_typing(s, &name);
    if (!s->model[0])
        snprintf(s->model, sizeof(s->model), "%s", name);
    s->has_model = true;
    run_setup_step(s, TRY);
}

static int
ask_model_name(struct setup *s, struct err *e)
{
    const char *name, *enter = model_without_typing(s, &name);

    buf_clear(&s->question);
    buf_str(&s->question, _("Model (Enter: "));
    escape_str(&s->question, &s->app->screen, enter, ESCAPE_LINES);
    buf_str(&s->question, "): ");
    s->menu = menu_open_line(s->app->loop, &s->app->screen, s->question.p,
                             on_model_typed, s, e);
    return s->menu ? 0 : -1;
}

static void
on_change(void *arg, char key, const struct err *why)
{
    struct setup *s = arg;
    struct err e = why ? *why : (struct err){0};

    menu_close(TAKE_PTR(s->menu));
    if (!why && key == 'q')
        err_set(&e, ERR_DENIED, "nothing was changed");
    if (e.code != ERR_NONE) {
        end_setup(s, &e);
        return;
    }
    if (key == 'k' && !takes_key(s)) {
        app_note(s->app, "It takes no key from here.");
        run_setup_step(s, ASK_CHANGE);
        return;
    }
    run_setup_step(s, key == 't'   ? TRY
                      : key == 'k' ? ASK_KEY
                      : key == 'm' ? ASK_MODEL
                      : key == 'p' ? ASK_PROVIDER
                                   : WRITE);
}

static int
ask_change(struct setup *s, struct err *e)
{
    static const struct menu_row rows[] = {
        {'t', N_("try again"), N_("ask the model again, as it is")},
        {'k', N_("key"), N_("type the key again")},
        {'m', N_("model"), N_("type another model")},
        {'p', N_("provider"), N_("choose another provider")},
        {'w', N_("write"), N_("write it all the same")},
        {'q', N_("quit"), N_("change nothing")},
        {0},
    };
    const struct menu_spec spec = {
        .rows = rows, .enter = 'q', .hidden = takes_key(s) ? NULL : "k"};

    s->menu = menu_open(s->app->loop, &s->app->screen, &spec, on_change, s, e);
    return s->menu ? 0 : -1;
}

/* What is done with the answers. */

static void
fail_trial(struct setup *s, const struct err *why)
{
    if (why->code == ERR_INTERRUPTED) {
        end_setup(s, why);
        return;
    }
    app_print_err(s->app, why);
    run_setup_step(s, ASK_CHANGE);
}

static void
on_tried(void *arg, int64_t ms, const struct err *why)
{
    struct setup *s = arg;
    CLEANUP(model_try_free_p) struct model_try *held = TAKE_PTR(s->trial);
    CLEANUP(model_selection_free_p)
    struct model_selection *m = TAKE_PTR(s->selection);

    if (why) {
        fail_trial(s, why);
        return;
    }
    app_note(s->app, "%s at %s answers: %s, after %.1f s.",
             model_selection_title(m), model_selection_url(m),
             model_selection_model(m), (double)ms / 1000);
    run_setup_step(s, WRITE);
}

static void
on_selected(void *arg, struct model_selection *m)
{
    struct setup *s = arg;
    struct err e = {0};

    end_setup_search(s);
    s->selection = m;
    s->trial = model_try_start(s->app, m, on_tried, s, &e);
    if (s->trial)
        return;
    model_selection_free(TAKE_PTR(s->selection));
    fail_trial(s, &e);
}

static void
on_not_selected(void *arg, const struct err *why)
{
    struct setup *s = arg;
    struct err e = *why;

    end_setup_search(s);
    fail_trial(s, &e);
}

/* Asks the model, with the configuration as it would be. */
static int
try_choice(struct setup *s, struct err *e)
{
    static const struct model_search_events events = {on_selected,
                                                      on_not_selected};
    const struct model_choice choice = current_choice(s);
    const struct model_select_params params = {
        .provider = choice.provider->name,
        .model = choice.model,
        .key = choice.key,
        .on_terminal = true};
    struct app *a = s->app;
    struct config *trial = model_setup_try(s->settings, &choice, e);

    if (!trial)
        return -1;
    config_free(a->config);
    a->config = trial;
    s->search = model_search_start(a->loop, a->seat, a->config, &params,
                                   &events, s, e);
    if (s->search && stop_signals_init(&s->stops, a->loop, on_stop, s, e) == 0)
        return 0;
    end_setup_search(s);
    return -1;
}

static int
try_model(struct setup *s, struct err *e)
{
    struct err why = {0};

    (void)e;
    if (try_choice(s, &why) < 0)
        fail_trial(s, &why);
    return 0;
}

/* What comes before the configuration is said: else it seems to have no effect.
 */
static void
note_variables(const struct setup *s)
{
    static const char *const names[] = {"AGENTSH_PROVIDER", "AGENTSH_MODEL"};

    for (size_t i = 0; i < 2; i++) {
        const char *value = seat_variable(s->app->seat, names[i]);

        if (value && *value)
            app_note(s->app,
                     "%s is set to %s in the environment, which comes before "
                     "the configuration.",
                     names[i], value);
    }
}

static int
write_choice(struct setup *s, struct err *e)
{
    const struct model_choice choice = current_choice(s);
    CLEANUP_BUF struct buf text = buf_of(TEXT_MAX);

    if (model_setup_write(s->settings, &choice, e) < 0)
        return -1;
    model_setup_describe(s->settings, &choice, &text);
    app_note(s->app, "%s", text.p);
    note_variables(s);
    end_setup(s, e);
    return 0;
}

static void
run_setup_step(struct setup *s, enum setup_step step)
{
    static int (*const steps[])(struct setup *, struct err *) = {
        [ASK_PROVIDER] = find_providers, [ASK_KEY] = ask_key,
        [ASK_MODEL] = ask_model_name,    [TRY] = try_model,
        [ASK_CHANGE] = ask_change,       [WRITE] = write_choice,
    };
    struct err e = {0};

    if (steps[step](s, &e) < 0)
        end_setup(s, &e);
}

/* Without a terminal: what does the same. */
static int
refuse_without_terminal(const struct err *why, struct err *e)
{
    CLEANUP_BUF struct buf names = buf_of(TEXT_MAX);
    const struct provider *p;

    for (size_t i = 0; (p = provider_at(i)) != NULL; i++) {
        if (p->key_header)
            buf_printf(&names, "%s%s", names.len ? " or " : "", p->key_vars[0]);
    }
    return err_set(e, ERR_USAGE,
                   "setup: %s. To do: set %s in the environment, or provider "
                   "and api_key_file as agentsh-config(5) says",
                   why->text, names.p);
}

static int
prepare_setup(struct setup *s, int n_words, struct err *e)
{
    struct err why = {0};

    if (n_words > 0)
        return err_set(e, ERR_USAGE, "setup takes no words");
    if (term_keys(&s->app->screen, &why) < 0)
        return refuse_without_terminal(&why, e);
    return app_config(s->app, e) == 0 &&
                   (s->settings = model_setup_open(s->app, e))
               ? 0
               : -1;
}

static int
run_setup(struct command_args *c)
{
    CLEANUP(setup_free_p) struct setup *s = calloc(1, sizeof(*s));
    struct err e = {0};

    if (!s) {
        err_nomem(&e);
        return app_fail(c->app, &e);
    }
    s->app = c->app;
    buf_init(&s->question, TEXT_MAX);
    if (prepare_setup(s, c->n, &e) < 0)
        return app_fail(c->app, &e);
    run_setup_step(TAKE_PTR(s), ASK_PROVIDER);
    return APP_GOES_ON;
}

const struct command cmd_setup = {
    .name = "setup",
    .args = "",
    .help = N_("ask for a model and its key, try them, and keep them"),
    .run = run_setup,
};
