/* SPDX-License-Identifier: GPL-3.0-or-later */
/* choose.c - which provider answers, and with what. */
#include "model/choose.h"

#include <stdio.h>
#include <string.h>

#include "model/choice.h"
#include "model/key.h"
#include "model/learned.h"
#include "model/remembered.h"

/* What is known while the choice is made. */
struct search {
    const struct config *config;
    const struct model_wish *wish;
    const char *named; /* the provider that somebody named; NULL */
    const struct found_server *server;    /* found here; NULL */
    const struct found_server *named_one; /* the same, of a named provider */
    bool remembered;
};

static const char *
from_environment(const char *name)
{
    const char *value = getenv(name);

    return value && *value ? value : NULL;
}

static const char *
name_provider(const struct config *c, const struct model_wish *w)
{
    const char *name = w->provider;

    if (!name)
        name = from_environment("AGENTSH_PROVIDER");
    if (!name)
        name = config_text(c, CONFIG_MODEL_PROVIDER);
    /* an address or a key without a provider: the language most speak */
    if (!name && (config_text(c, CONFIG_MODEL_BASE_URL) ||
                  config_text(c, CONFIG_MODEL_API_KEY_FILE) ||
                  config_text(c, CONFIG_MODEL_API_KEY_COMMAND)))
        name = "openai";
    return name;
}

static const struct provider *
with_key(void)
{
    const struct provider *p;

    for (size_t i = 0; (p = provider_at(i)) != NULL; i++) {
        if (key_in_environment(p))
            return p;
    }
    return NULL;
}

/* Whether the configuration's address and key are for this provider: another
 * one must never get them. */
static bool
is_mine(const struct config *c, const struct provider *p)
{
    const char *name = config_text(c, CONFIG_MODEL_PROVIDER);

    return strcmp(name ? name : "openai", p->name) == 0;
}

static int
choose_url(const struct search *s, struct model_choice *m, struct err *e)
{
    const struct provider *p = m->provider;
    const char *text = from_environment(p->url_var);

    if (s->server)
        text = s->server->url;
    if (!text && is_mine(s->config, p))
        text = config_text(s->config, CONFIG_MODEL_BASE_URL);
    m->url = call_base(p, text ? text : p->url, e);
    return m->url ? 0 : -1;
}

/* The model that somebody named for this provider; NULL: whichever it is. */
static const char *
name_model(const struct search *s, const struct provider *p)
{
    const char *own = config_text(s->config, CONFIG_MODEL_PROVIDER);
    const char *name = s->wish->model;

    if (!name)
        name = from_environment("AGENTSH_MODEL");
    if (!name && (!own || (p && strcmp(own, p->name) == 0)))
        name = config_text(s->config, CONFIG_MODEL_MODEL);
    return name;
}

static int
choose_model(const struct search *s, struct model_choice *m, struct err *e)
{
    const char *name = name_model(s, m->provider);

    if (!name && s->server)
        snprintf(m->why, sizeof(m->why), "%s", s->server->why);
    if (!name && s->named_one && strcmp(s->named_one->url, m->url) == 0)
        name = s->named_one->model;
    if (!name)
        name = s->server ? s->server->model : m->provider->model;
    if (!*name || strpbrk(name, " \t\r\n"))
        return err_set(e, ERR_USAGE, "\"%.80s\" is not a valid model name",
                       name);
    m->model = strdup(name);
    return m->model ? 0 : err_sys(e, "model");
}

static int
choose_key(const struct search *s, struct model_choice *m, struct err *e)
{
    const struct provider *p = m->provider;
    bool own_server = strcmp(m->url, p->url) != 0;

    if (s->server || !p->key_header)
        return 0;
    if (key_find(s->config, p, is_mine(s->config, p), &m->key, e) < 0)
        return -1;
    if (m->key || (own_server && p->own_needs_no_key))
        return 0;
    return err_set(e, ERR_MODEL,
                   "%s needs a key. To do: set %s, or api_key_file in "
                   "[model] of the configuration, or use --offline",
                   p->title, p->key_vars[0]);
}

static void
choose_limits(const struct config *c, struct ask_limits *l)
{
    l->connect_ms = 1000 * config_int(c, CONFIG_MODEL_CONNECT_TIMEOUT_S);
    l->first_byte_ms = 1000 * config_int(c, CONFIG_MODEL_FIRST_BYTE_TIMEOUT_S);
    l->idle_ms = 1000 * config_int(c, CONFIG_MODEL_IDLE_TIMEOUT_S);
    l->total_ms = 1000 * config_int(c, CONFIG_MODEL_TOTAL_TIMEOUT_S);
    l->retries = config_int(c, CONFIG_MODEL_MAX_RETRIES);
}

static struct model_choice *
choice_of(const struct search *s, const struct provider *p, struct err *e)
{
    CLEANUP(model_choice_free_p) struct model_choice *m = calloc(1, sizeof(*m));

    if (!m) {
        err_sys(e, "model");
        return NULL;
    }
    m->provider = p;
    m->title = s->server ? s->server->title : p->title;
    m->found = s->server && s->server->agreed == AGREED_NOT_ASKED;
    m->remembered = s->remembered;
    m->uid = s->server ? s->server->uid : LISTEN_NOBODY;
    choose_limits(s->config, &m->limits);
    if (choose_url(s, m, e) < 0 || choose_model(s, m, e) < 0 ||
        choose_key(s, m, e) < 0)
        return NULL;
    m->quirks = learned_load(m->url, m->model);
    return TAKE_PTR(m);
}

/* What a provider that was named has here, where nobody named a model: any
 * name of ours may be one that was never installed there. */
static void
look_at_named(struct search *s, const struct provider *p, struct found *found)
{
    if (strcmp(p->name, "ollama") != 0 || name_model(s, p))
        return;
    found_search(&(struct found_wish){.can_ask = true}, found);
    for (size_t i = 0; i < found->n; i++) {
        const struct found_server *v = &found->v[i];

        if (v->provider == p && v->model[0] && !s->named_one)
            s->named_one = v;
    }
}

/* A model that was asked for, and nobody to ask: words, not another answer. */
static int
nobody_has(const char *model, struct err *e)
{
    return err_set(e, ERR_MODEL,
                   "cannot ask %.80s: no key, no provider, no "
                   "server. To do: name one (--provider), set a key, start a "
                   "server, or use --offline",
                   model);
}

int
model_choose(const struct config *c, const struct model_wish *w,
             struct model_choice **out, struct err *e)
{
    CLEANUP(found_done) struct found found = {0};
    struct search s = {.config = c, .wish = w};
    const struct provider *p = NULL;
    struct model_choice *m;

    s.named = w->offline ? "offline" : name_provider(c, w);
    if (s.named && strcmp(s.named, "offline") == 0) {
        *out = NULL;
        return 0;
    }
    if (s.named) {
        p = provider_find(s.named);
        if (!p)
            return err_set(e, ERR_USAGE,
                           "unknown provider \"%.40s\"; providers are openai, "
                           "anthropic, gemini, ollama and offline",
                           s.named);
        look_at_named(&s, p, &found);
    } else {
        p = with_key();
    }
    if (!p) {
        found_search(&(struct found_wish){.model = name_model(&s, NULL),
                                          .can_ask = w->can_ask},
                     &found);
        s.server = found_best(&found);
        s.remembered = s.server && found.remembered;
        p = s.server ? s.server->provider : NULL;
    }
    if (!p && w->model)
        return nobody_has(w->model, e);
    m = p ? choice_of(&s, p, e) : NULL;
    if (p && !m)
        return -1;
    *out = m;
    return 0;
}

void
model_choice_free(struct model_choice *m)
{
    if (!m)
        return;
    free(m->url);
    free(m->model);
    key_free(m->key);
    free(m);
}

struct model_choice *
model_choice_copy(const struct model_choice *m, struct err *e)
{
    CLEANUP(model_choice_free_p)
    struct model_choice *copy = malloc(sizeof(*copy));

    if (copy) {
        *copy = *m;
        copy->url = strdup(m->url);
        copy->model = strdup(m->model);
        copy->key = m->key ? strdup(m->key) : NULL;
    }
    if (!copy || !copy->url || !copy->model || (m->key && !copy->key)) {
        err_sys(e, "model");
        return NULL;
    }
    return TAKE_PTR(copy);
}

const char *
model_choice_provider(const struct model_choice *m)
{
    return m->provider->name;
}

const char *
model_choice_title(const struct model_choice *m)
{
    return m->title;
}

const char *
model_choice_model(const struct model_choice *m)
{
    return m->model;
}

const char *
model_choice_url(const struct model_choice *m)
{
    return m->url;
}

bool
model_choice_is_here(const struct model_choice *m)
{
    return found_is_here(m->url);
}

bool
model_choice_found(const struct model_choice *m)
{
    return m->found;
}

const char *
model_choice_why(const struct model_choice *m)
{
    return m->why;
}

long
model_choice_user(const struct model_choice *m)
{
    return m->uid == LISTEN_NOBODY ? -1 : (long)m->uid;
}

int
model_choice_agree(struct model_choice *m, bool yes, struct err *e)
{
    m->found = m->found && !yes;
    return agreed_store(m->url, m->uid, yes, e);
}

bool
model_choice_remembered(const struct model_choice *m)
{
    return m->remembered;
}

void
model_choice_forget(struct model_choice *m)
{
    m->remembered = false;
    remembered_forget();
}
