/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_setup.c - agentsh setup: asks for a provider and its key, tries them, and
 * writes the configuration. */
#include <stdio.h>
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
#include "ui/model_wait.h"

#define TEXT_MAX 8192 /* bytes of a question or a sentence, with a path */

/* What is done next. */
enum setup_step {
    ASK_PROVIDER,
    ASK_KEY,
    ASK_MODEL,
    TRY,
    ASK_CHANGE,
    WRITE,
    END
};

struct setup {
    struct app *app;
    struct model_setup *settings;
    struct discovery servers;
    struct setup_provider chosen;
    char key[MENU_LINE_MAX];   /* "": none was typed */
    char model[MENU_LINE_MAX]; /* "": the default */
    bool has_model;            /* it was asked for */
};

static void
setup_done(struct setup *s)
{
    explicit_bzero(s->key, sizeof(s->key));
    discovery_done(&s->servers);
    model_setup_free(s->settings);
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

static int
find_servers(struct setup *s, struct err *e)
{
    const struct discovery_params p = {
        .can_ask = true,
        .afresh = true,
        .limit_ms = config_int(s->app->config,
                               CONFIG_MODEL_DISCOVERY_TIMEOUT_MS)};

    return model_wait_servers(s->app, &p, &s->servers, e);
}

static int
choose_provider(struct setup *s, enum setup_step *next, struct err *e)
{
    bool found;

    discovery_done(&s->servers);
    if (find_servers(s, e) < 0 ||
        setup_providers_ask(s->app, s->settings, &s->servers, &s->chosen,
                            &found, e) < 0)
        return -1;
    s->has_model = false;
    explicit_bzero(s->key, sizeof(s->key));
    s->model[0] = '\0';
    *next = !found                ? ASK_PROVIDER
            : !s->chosen.provider ? WRITE
            : takes_key(s)        ? ASK_KEY
                                  : ASK_MODEL;
    if (*next == ASK_MODEL && used_variable(s))
        app_note(s->app, "%s is set: its key is used, and none is written.",
                 used_variable(s));
    return 0;
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

static int
ask_key(struct setup *s, enum setup_step *next, struct err *e)
{
    CLEANUP_BUF struct buf question = buf_of(TEXT_MAX);
    const char *enter = key_without_typing(s);

    buf_printf(&question, "Key for %s, which is not shown",
               s->chosen.provider->title);
    if (enter)
        buf_printf(&question, " (Enter: %s)", enter);
    buf_str(&question, ": ");
    *next = s->has_model ? TRY : ASK_MODEL;
    return menu_read_line(s->app->loop, &s->app->screen, question.p, true,
                          s->key, e);
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

static int
ask_model_name(struct setup *s, enum setup_step *next, struct err *e)
{
    CLEANUP_BUF struct buf question = buf_of(TEXT_MAX);
    const char *name, *enter = model_without_typing(s, &name);

    buf_str(&question, "Model (Enter: ");
    escape_str(&question, &s->app->screen, enter, ESCAPE_LINES);
    buf_str(&question, "): ");
    if (menu_read_line(s->app->loop, &s->app->screen, question.p, false,
                       s->model, e) < 0)
        return -1;
    if (!s->model[0])
        snprintf(s->model, sizeof(s->model), "%s", name);
    s->has_model = true;
    *next = TRY;
    return 0;
}

static int
ask_change(struct setup *s, enum setup_step *next, struct err *e)
{
    static const struct menu_row rows[] = {
        {'t', "try again", "ask the model again, as it is"},
        {'k', "key", "type the key again"},
        {'m', "model", "type another model"},
        {'p', "provider", "choose another provider"},
        {'w', "write", "write it all the same"},
        {'q', "quit", "change nothing"},
        {0},
    };
    const struct menu_spec spec = {
        .rows = rows, .enter = 'q', .hidden = takes_key(s) ? NULL : "k"};
    char key;

    if (menu_key(s->app->loop, &s->app->screen, &spec, &key, e) < 0)
        return -1;
    if (key == 'q')
        return err_set(e, ERR_DENIED, "nothing was changed");
    *next = key == 't'   ? TRY
            : key == 'k' ? ASK_KEY
            : key == 'm' ? ASK_MODEL
            : key == 'p' ? ASK_PROVIDER
                         : WRITE;
    if (*next == ASK_KEY && !takes_key(s)) {
        app_note(s->app, "It takes no key from here.");
        *next = ASK_CHANGE;
    }
    return 0;
}

/* What is done with the answers. */

/* Asks the model, with the configuration as it would be. */
static int
try_choice(struct setup *s, struct err *e)
{
    const struct model_choice choice = current_choice(s);
    const struct model_select_params params = {
        .provider = choice.provider->name,
        .model = choice.model,
        .key = choice.key};
    CLEANUP(model_selection_free_p) struct model_selection *m = NULL;
    struct config *trial = model_setup_try(s->settings, &choice, e);
    int64_t ms;

    if (!trial)
        return -1;
    config_free(s->app->config);
    s->app->config = trial;
    if (model_wait(s->app, &params, &m, e) < 0 ||
        model_try(s->app, m, &ms, e) < 0)
        return -1;
    app_note(s->app, "%s at %s answers: %s, after %.1f s.",
             model_selection_title(m), model_selection_url(m),
             model_selection_model(m), (double)ms / 1000);
    return 0;
}

static int
try_model(struct setup *s, enum setup_step *next, struct err *e)
{
    struct err why = {0};

    *next = WRITE;
    if (try_choice(s, &why) == 0)
        return 0;
    if (why.code == ERR_INTERRUPTED) {
        *e = why;
        return -1;
    }
    app_print_err(s->app, &why);
    *next = ASK_CHANGE;
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
write_choice(struct setup *s, enum setup_step *next, struct err *e)
{
    const struct model_choice choice = current_choice(s);
    CLEANUP_BUF struct buf text = buf_of(TEXT_MAX);

    if (model_setup_write(s->settings, &choice, e) < 0)
        return -1;
    model_setup_describe(s->settings, &choice, &text);
    app_note(s->app, "%s", text.p);
    note_variables(s);
    *next = END;
    return 0;
}

static int
run_steps(struct setup *s, struct err *e)
{
    static int (*const steps[])(struct setup *, enum setup_step *,
                                struct err *) = {
        [ASK_PROVIDER] = choose_provider, [ASK_KEY] = ask_key,
        [ASK_MODEL] = ask_model_name,     [TRY] = try_model,
        [ASK_CHANGE] = ask_change,        [WRITE] = write_choice,
    };
    enum setup_step step = ASK_PROVIDER;

    while (step != END) {
        if (steps[step](s, &step, e) < 0)
            return -1;
    }
    return 0;
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
run_setup(struct command_args *c)
{
    CLEANUP(setup_done) struct setup s = {.app = c->app};
    struct err e = {0}, why = {0};

    if (c->n > 0)
        err_set(&e, ERR_USAGE, "setup takes no words");
    else if (term_keys(&c->app->screen, &why) < 0)
        refuse_without_terminal(&why, &e);
    else if (app_config(c->app, &e) == 0 &&
             (s.settings = model_setup_open(c->app, &e)) &&
             run_steps(&s, &e) == 0)
        return 0;
    return app_fail(c->app, &e);
}

const struct command cmd_setup = {
    .name = "setup",
    .args = "",
    .help = N_("ask for a model and its key, try them, and keep them"),
    .run = run_setup,
};
