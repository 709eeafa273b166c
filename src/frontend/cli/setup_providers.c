/* SPDX-License-Identifier: GPL-3.0-or-later */
/* setup_providers.c - lists the providers for agentsh setup, and asks which. */
#include "frontend/cli/setup_providers.h"

#include <stdio.h>
#include <string.h>

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

/* What there is to choose from. */
struct provider_list {
    struct app *app;
    const struct model_setup *settings;
    const struct discovery *servers;
};

static bool
is_local_provider(const struct provider *p)
{
    return !p->key_header;
}

/* A variable of the address, where that is enough to ask it. */
static const char *
address_variable(const struct provider_list *s, const struct provider *p)
{
    const char *url = seat_variable(s->app->seat, p->url_var);

    return url && *url && (is_local_provider(p) || p->own_needs_no_key)
               ? p->url_var
               : NULL;
}

/* What there is of it already: a variable or a setting; NULL: nothing. */
static const char *
ready_by(const struct provider_list *s, const struct provider *p)
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
add_provider_line(const struct provider_list *s, const char *name,
                  const char *state, bool current, struct buf *out)
{
    const struct term *t = &s->app->screen;

    buf_printf(out, "  %-10s ", name);
    escape_str(out, t, state, ESCAPE_PROSE | ESCAPE_LINES);
    buf_printf(out, "%s\n", current ? " (the choice now)" : "");
}

/* The local provider: a line for each server. */
static void
add_local_lines(const struct provider_list *s, const struct provider *p,
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
add_key_line(const struct provider_list *s, const struct provider *p,
             struct buf *out)
{
    CLEANUP_BUF struct buf state = buf_of(LINE_BYTES);
    const char *ready = ready_by(s, p);

    if (ready)
        buf_printf(&state, "%s is set", ready);
    else
        buf_str(&state, "needs a key");
    add_provider_line(s, p->name, state.p,
                      model_setup_is_current(s->settings, p), out);
}

static int
print_providers(const struct provider_list *s, struct err *e)
{
    CLEANUP_BUF struct buf out = buf_of(LIST_MAX);
    const struct provider *p;

    buf_str(&out, "Which model should answer?\n");
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

struct provider_menu {
    struct menu_row rows[PROVIDERS_MAX + 3];
    char help[PROVIDERS_MAX][HELP_MAX];
    const struct provider *providers[PROVIDERS_MAX];
    size_t n;
};

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

    *m = (struct provider_menu){0};
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
likely_provider(const struct provider_list *s, const struct provider_menu *m)
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

/* Which of the servers of this machine that have a model; *server stays NULL
 * where there is none. */
static int
choose_server(const struct provider_list *s,
              const struct discovery_server **server, struct err *e)
{
    struct menu_row rows[DISCOVERY_SERVERS_MAX + 1] = {0};
    const struct discovery_server *found[DISCOVERY_SERVERS_MAX] = {NULL};
    const struct menu_spec spec = {
        .question = "Which server? ", .rows = rows, .enter = '1'};
    size_t n = 0;
    char key = '1';

    for (size_t i = 0; i < s->servers->n; i++) {
        const struct discovery_server *v = &s->servers->v[i];

        if (!has_usable_model(v))
            continue;
        rows[n] = (struct menu_row){(char)('1' + n), v->title, v->url};
        found[n++] = v;
    }
    if (n > 1 && menu_key(s->app->loop, &s->app->screen, &spec, &key, e) < 0)
        return -1;
    *server = found[key - '1'];
    return 0;
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
overriding_variable(const struct provider_list *s,
                    const struct discovery_server *v)
{
    const struct provider *p = v->provider;
    const char *url = seat_variable(s->app->seat, p->url_var);
    const char *key = api_key_variable(s->app->seat, p);

    if (key)
        return key;
    return url && *url && !leads_to_server(v, url) ? p->url_var : NULL;
}

/* Of a local provider: a server that was found, or the address that a variable
 * or the settings have. *found says whether there is either. */
static int
choose_local(const struct provider_list *s, struct setup_provider *out,
             bool *found, struct err *e)
{
    const char *variable;

    if (choose_server(s, &out->server, e) < 0)
        return -1;
    variable = out->server ? overriding_variable(s, out->server) : NULL;
    *found = !variable && (out->server ||
                           model_setup_has_own_url(s->settings, out->provider));
    if (variable)
        app_note(s->app,
                 "%s is set, and not for %s. To do: unset it, then run agentsh "
                 "setup again",
                 variable, out->server->title);
    else if (!*found)
        app_note(s->app, "There is no model server on this machine that has a "
                         "model. To do: start one, then choose again");
    else if (out->server)
        out->provider = out->server->provider;
    return 0;
}

static int
ask_provider(const struct provider_list *s, struct provider_menu *m,
             struct setup_provider *out, struct err *e)
{
    const struct menu_spec spec = {
        .rows = m->rows,
        .likely = likely_provider(s, m),
        .enter = likely_provider(s, m) ? likely_provider(s, m) : KEY_QUIT};
    char key;

    *out = (struct setup_provider){0};
    if (print_providers(s, e) < 0 ||
        menu_key(s->app->loop, &s->app->screen, &spec, &key, e) < 0)
        return -1;
    if (key == KEY_QUIT)
        return err_set(e, ERR_DENIED, "nothing was changed");
    for (size_t i = 0; i < m->n; i++) {
        if (m->rows[i].key == key)
            out->provider = m->providers[i];
    }
    return 0;
}

int
setup_providers_ask(struct app *a, const struct model_setup *settings,
                    const struct discovery *servers, struct setup_provider *out,
                    bool *found, struct err *e)
{
    const struct provider_list list = {a, settings, servers};
    struct provider_menu menu;

    fill_provider_menu(&menu);
    if (ask_provider(&list, &menu, out, e) < 0)
        return -1;
    *found = true;
    return out->provider && is_local_provider(out->provider)
               ? choose_local(&list, out, found, e)
               : 0;
}
