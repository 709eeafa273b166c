/* SPDX-License-Identifier: GPL-3.0-or-later */
/* setup_providers.c - lists the providers for agentsh setup, and asks which. */
#include "frontend/cli/setup_providers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "model/api_key.h"
#include "model/provider/provider_table.h"
#include "term/escape.h"
#include "term/menu.h"
#include "ui/consent.h"

#define PROVIDERS_MAX 16
#define HELP_MAX      200
#define LIST_MAX      16384 /* bytes of the list of providers */
#define LINE_BYTES    2048  /* of one of them */

#define KEY_OFFLINE 'f'
#define KEY_QUIT    'q'

struct provider_menu {
    struct menu_row rows[PROVIDERS_MAX + 3];
    char help[PROVIDERS_MAX][HELP_MAX];
    const struct provider *providers[PROVIDERS_MAX];
    size_t n;
};

/* Of the servers of this machine, those that have a model. */
struct server_menu {
    struct menu_row rows[DISCOVERY_SERVERS_MAX + 1];
    const struct discovery_server *servers[DISCOVERY_SERVERS_MAX];
    size_t n;
};

struct setup_providers {
    struct app *app;
    const struct model_setup *settings;
    const struct discovery *servers;
    struct provider_menu providers;
    struct server_menu local;
    struct menu *menu; /* NULL: it is answered */
    struct setup_provider chosen;
    setup_providers_cb *cb;
    void *arg;
};

void
setup_providers_close(struct setup_providers *s)
{
    if (!s)
        return;
    menu_close(s->menu);
    free(s);
}

static bool
is_local_provider(const struct provider *p)
{
    return !p->key_header;
}

/* A variable of the address, where that is enough to ask it. */
static const char *
address_variable(const struct setup_providers *s, const struct provider *p)
{
    const char *url = seat_variable(s->app->seat, p->url_var);

    return url && *url && (is_local_provider(p) || p->own_needs_no_key)
               ? p->url_var
               : NULL;
}

/* What there is of it already: a variable or a setting; NULL: nothing. */
static const char *
ready_by(const struct setup_providers *s, const struct provider *p)
{
    const char *name = api_key_variable(s->app->seat, p);

    if (!name)
        name = address_variable(s, p);
    return name ? name : model_setup_key_setting(s->settings, p);
}

static bool
has_usable_model(const struct discovery_server *v)
{
    return v->model[0] != '\0';
}

static size_t
count_usable(const struct discovery *d)
{
    size_t n = 0;

    for (size_t i = 0; i < d->n; i++)
        n += has_usable_model(&d->v[i]);
    return n;
}

static void
add_server_line(const struct discovery_server *v, struct buf *out)
{
    char user[96];

    consent_write_user(v->uid == TCP_LISTENER_UID_UNKNOWN ? -1 : (long)v->uid,
                       user, sizeof(user));
    buf_printf(out, "%s at %s%s: %s", v->title, v->url, user,
               has_usable_model(v) ? v->model
               : v->answered       ? "no usable model"
                                   : "no answer");
}

static void
add_provider_line(const struct setup_providers *s, const char *name,
                  const char *state, bool current, struct buf *out)
{
    const struct term *t = &s->app->screen;

    buf_printf(out, t->plain ? "  %s: " : "  %-10s ", name);
    escape_str(out, t, state, ESCAPE_PROSE | ESCAPE_LINES);
    buf_printf(out, "%s\n", current ? " (the choice now)" : "");
}

/* The local provider: a line for each server. */
static void
add_local_lines(const struct setup_providers *s, const struct provider *p,
                struct buf *out)
{
    bool current = model_setup_is_current(s->settings, p);
    const char *ready = ready_by(s, p);

    for (size_t i = 0; i < s->servers->n; i++) {
        CLEANUP_BUF struct buf line = buf_of(LINE_BYTES);

        add_server_line(&s->servers->v[i], &line);
        add_provider_line(s, i ? "" : p->name, line.p, current && i == 0, out);
    }
    if (s->servers->n == 0)
        add_provider_line(s, p->name,
                          ready ? ready : "no model server was found here",
                          current, out);
}

static void
add_key_line(const struct setup_providers *s, const struct provider *p,
             struct buf *out)
{
    CLEANUP_BUF struct buf state = buf_of(LINE_BYTES);
    const char *ready = ready_by(s, p);

    if (ready)
        buf_printf(&state, _("%s is set"), ready);
    else
        buf_str(&state, _("needs a key"));
    add_provider_line(s, p->name, state.p,
                      model_setup_is_current(s->settings, p), out);
}

static int
print_providers(const struct setup_providers *s, struct err *e)
{
    CLEANUP_BUF struct buf out = buf_of(LIST_MAX);
    const struct provider *p;

    buf_str(&out, _("Which model should answer?\n"));
    for (size_t i = 0; (p = provider_at(i)) != NULL; i++) {
        if (is_local_provider(p))
            add_local_lines(s, p, &out);
        else
            add_key_line(s, p, &out);
    }
    add_provider_line(s, "offline", "no model: recipes answer, nothing is sent",
                      model_setup_is_current(s->settings, NULL), &out);
    return term_put(&s->app->screen, &out, e);
}

/* The menu of providers. */

/* The first letter of the name that no row has. */
static char
free_letter(const struct provider_menu *m, const char *name)
{
    for (; *name; name++) {
        const struct menu_spec spec = {.rows = m->rows};
        bool taken = *name == KEY_OFFLINE || *name == KEY_QUIT;

        for (const struct menu_row *r = spec.rows; r->key; r++)
            taken |= r->key == *name;
        if (!taken)
            return *name;
    }
    return '0';
}

static void
fill_provider_menu(struct provider_menu *m)
{
    const struct provider *p;

    for (; m->n < PROVIDERS_MAX && (p = provider_at(m->n)) != NULL; m->n++) {
        m->providers[m->n] = p;
        snprintf(m->help[m->n], HELP_MAX,
                 is_local_provider(p) ? "%s, or another server on this machine"
                                      : "%s, with a key of yours",
                 p->title);
        m->rows[m->n] = (struct menu_row){free_letter(m, p->name), p->name,
                                          m->help[m->n]};
    }
    m->rows[m->n] = (struct menu_row){KEY_OFFLINE, "offline",
                                      "no model: recipes answer"};
    m->rows[m->n + 1] = (struct menu_row){KEY_QUIT, "quit", "change nothing"};
}

/* The key of the choice of now, else of the first provider that is ready; 0:
 * none is. */
static char
likely_provider(const struct setup_providers *s, const struct provider_menu *m)
{
    char first = 0;

    for (size_t i = 0; i < m->n; i++) {
        const struct provider *p = m->providers[i];
        bool ready = ready_by(s, p) ||
                     (is_local_provider(p) && count_usable(s->servers) > 0);

        if (model_setup_is_current(s->settings, p))
            return m->rows[i].key;
        if (ready && !first)
            first = m->rows[i].key;
    }
    return first;
}

/* Whether a variable of the address leads to this server. */
static bool
leads_to_server(const struct discovery_server *v, const char *text)
{
    CLEANUP(free_p)
    char *url = provider_base_url(v->provider, v->provider->url_var, text,
                                  NULL);
    const char *port = url ? strrchr(url, ':') : NULL;

    return port && discovery_is_local(url) &&
           strcmp(port, strrchr(v->url, ':')) == 0;
}

/* The variable by which the server would be sent a key that is not for it, or
 * another server be asked in its place, since the environment comes before the
 * configuration; NULL: none. */
static const char *
overriding_variable(const struct setup_providers *s,
                    const struct discovery_server *v)
{
    const struct provider *p = v->provider;
    const char *url = seat_variable(s->app->seat, p->url_var);
    const char *key = api_key_variable(s->app->seat, p);

    if (key)
        return key;
    return url && *url && !leads_to_server(v, url) ? p->url_var : NULL;
}

/* The end of the question. */

static void
give_chosen(struct setup_providers *s, bool usable)
{
    static const struct err none = {0};

    s->cb(s->arg, usable ? &s->chosen : NULL, &none);
}

static void
give_error(struct setup_providers *s, const struct err *why)
{
    s->cb(s->arg, NULL, why);
}

/* Of a local provider: a server that was found, or the address that a variable
 * or the settings have. It cannot be used where there is neither. */
static void
give_local(struct setup_providers *s, const struct discovery_server *server)
{
    struct setup_provider *out = &s->chosen;
    const char *variable = server ? overriding_variable(s, server) : NULL;
    bool found = !variable && (server || model_setup_has_own_url(
                                             s->settings, out->provider));

    out->server = server;
    if (variable)
        app_note(s->app,
                 "%s is set, and not for %s. To do: unset it, then run agentsh "
                 "setup again",
                 variable, server->title);
    else if (!found)
        app_note(s->app, "There is no model server on this machine that has a "
                         "model. To do: start one, then choose again");
    else if (server)
        out->provider = server->provider;
    give_chosen(s, found);
}

/* The servers of this machine. */

static void
on_server(void *arg, char key, const struct err *why)
{
    struct setup_providers *s = arg;

    menu_close(TAKE_PTR(s->menu));
    if (why)
        give_error(s, why);
    else
        give_local(s, s->local.servers[key - '1']);
}

static void
fill_server_menu(const struct discovery *d, struct server_menu *m)
{
    *m = (struct server_menu){0};
    for (size_t i = 0; i < d->n; i++) {
        const struct discovery_server *v = &d->v[i];

        if (!has_usable_model(v))
            continue;
        m->rows[m->n] = (struct menu_row){(char)('1' + m->n), v->title, v->url};
        m->servers[m->n++] = v;
    }
}

/* Asks which of them, where there is a choice. */
static void
choose_local(struct setup_providers *s)
{
    const struct menu_spec spec = {
        .question = "Which server? ", .rows = s->local.rows, .enter = '1'};
    struct err e = {0};

    fill_server_menu(s->servers, &s->local);
    if (s->local.n < 2) {
        give_local(s, s->local.servers[0]);
        return;
    }
    s->menu = menu_open(s->app->loop, &s->app->screen, &spec, on_server, s, &e);
    if (!s->menu)
        give_error(s, &e);
}

/* The providers. */

static void
on_provider(void *arg, char key, const struct err *why)
{
    struct setup_providers *s = arg;
    const struct provider_menu *m = &s->providers;
    struct err e = why ? *why : (struct err){0};

    menu_close(TAKE_PTR(s->menu));
    for (size_t i = 0; i < m->n; i++) {
        if (m->rows[i].key == key)
            s->chosen.provider = m->providers[i];
    }
    if (!why && key == KEY_QUIT)
        err_set(&e, ERR_DENIED, "nothing was changed");
    if (e.code != ERR_NONE)
        give_error(s, &e);
    else if (s->chosen.provider && is_local_provider(s->chosen.provider))
        choose_local(s);
    else
        give_chosen(s, true);
}

static int
ask_provider(struct setup_providers *s, struct err *e)
{
    const struct menu_spec spec = {
        .rows = s->providers.rows,
        .likely = likely_provider(s, &s->providers),
        .enter = likely_provider(s, &s->providers)
                     ? likely_provider(s, &s->providers)
                     : KEY_QUIT};

    if (print_providers(s, e) < 0)
        return -1;
    s->menu = menu_open(s->app->loop, &s->app->screen, &spec, on_provider, s,
                        e);
    return s->menu ? 0 : -1;
}

struct setup_providers *
setup_providers_open(struct app *a, const struct model_setup *settings,
                     const struct discovery *servers, setup_providers_cb *cb,
                     void *arg, struct err *e)
{
    CLEANUP(setup_providers_close_p)
    struct setup_providers *s = calloc(1, sizeof(*s));

    if (!s) {
        err_nomem(e);
        return NULL;
    }
    *s = (struct setup_providers){.app = a,
                                  .settings = settings,
                                  .servers = servers,
                                  .cb = cb,
                                  .arg = arg};
    fill_provider_menu(&s->providers);
    return ask_provider(s, e) < 0 ? NULL : TAKE_PTR(s);
}
