/* SPDX-License-Identifier: GPL-3.0-or-later */
/* select.c - selects the provider and the model that answer. */
#include "model/select.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "base/path.h"
#include "config/provider_names.h"
#include "model/api_key.h"
#include "model/discovery_cache.h"
#include "model/model_memory.h"
#include "model/provider/default_models.h"
#include "model/provider/provider_table.h"
#include "model/quirk_cache.h"
#include "model/selection.h"

#define HEADERS_MAX (12u << 10) /* what a request has room for, beside ours */
#define CA_FILE_MAX (4u << 20)  /* the bundle of all authorities has 250 KiB */

/* What is known while the selection is made. */
struct selector {
    const struct config *config;
    const struct model_select_params *params;
    const char *named; /* the provider that somebody named; NULL */
    const struct discovery_server *server;       /* the discovered one; NULL */
    const struct discovery_server *named_server; /* of a named provider */
    bool cached; /* server is from the cache of an earlier discovery */
};

static const char *
environment_value(const char *name)
{
    const char *value = getenv(name);

    return value && *value ? value : NULL;
}

static const char *
named_provider(const struct config *c, const struct model_select_params *w)
{
    const char *name = w->provider;

    if (!name)
        name = environment_value("AGENTSH_PROVIDER");
    if (!name)
        name = config_text(c, CONFIG_MODEL_PROVIDER);
    /* a URL or key without a provider: most servers speak OpenAI's API */
    if (!name && (config_text(c, CONFIG_MODEL_BASE_URL) ||
                  config_text(c, CONFIG_MODEL_API_KEY_FILE) ||
                  config_text(c, CONFIG_MODEL_API_KEY_COMMAND)))
        name = "openai";
    return name;
}

static const struct provider *
provider_with_key(void)
{
    const struct provider *p;

    for (size_t i = 0; (p = provider_at(i)) != NULL; i++) {
        if (api_key_in_environment(p))
            return p;
    }
    return NULL;
}

/* An address alone names a provider too. A server on this machine, which
 * OLLAMA_HOST may tell programs to listen at, is left to the discovery, which
 * asks about it. */
static const struct provider *
provider_with_url(void)
{
    const struct provider *p;

    for (size_t i = 0; (p = provider_at(i)) != NULL; i++) {
        const char *text = environment_value(p->url_var);
        CLEANUP(free_p) char *url = NULL;

        if (!text)
            continue;
        url = p->key_header ? NULL
                            : provider_base_url(p, p->url_var, text, NULL);
        if (!url || !discovery_is_local(url))
            return p;
    }
    return NULL;
}

/* Whether the configuration's URL and key are for this provider. They must
 * never be sent to another one. */
static bool
is_configured(const struct config *c, const struct provider *p)
{
    const char *name = config_text(c, CONFIG_MODEL_PROVIDER);

    return strcmp(name ? name : "openai", p->name) == 0;
}

static int
set_url(const struct selector *s, struct model_selection *m, struct err *e)
{
    const struct provider *p = m->provider;
    const char *text = environment_value(p->url_var);

    m->url_name = p->url_var;
    if (s->server)
        text = s->server->url;
    if (!text && is_configured(s->config, p) &&
        config_is_set(s->config, CONFIG_MODEL_BASE_URL)) {
        text = config_text(s->config, CONFIG_MODEL_BASE_URL);
        m->url_name = "base_url in the configuration";
    }
    m->url = provider_base_url(p, m->url_name, text ? text : p->url, e);
    m->address = m->url ? strndup(m->url, strcspn(m->url, "?")) : NULL;
    if (m->url && !m->address)
        return err_sys(e, "model");
    return m->url ? 0 : -1;
}

/* The model that was named for this provider; NULL: none was. p NULL: any
 * provider. */
static const char *
named_model(const struct selector *s, const struct provider *p)
{
    const char *own = config_text(s->config, CONFIG_MODEL_PROVIDER);
    const char *name = s->params->model;

    if (!name)
        name = environment_value("AGENTSH_MODEL");
    if (!name && (!own || (p && strcmp(own, p->name) == 0)))
        name = config_text(s->config, CONFIG_MODEL_MODEL);
    return name;
}

/* The provider's default, or the model that answered when that was gone. */
static const char *
default_model(const struct model_selection *m, char text[MODEL_NAME_SIZE])
{
    const char *first = default_models_at(m->provider, 0);

    return model_memory_load(m->address, first, text) == 0 ? text : first;
}

static int
set_model(const struct selector *s, struct model_selection *m, struct err *e)
{
    const char *name = named_model(s, m->provider);
    char remembered[MODEL_NAME_SIZE];

    if (!name && s->server)
        snprintf(m->reason, sizeof(m->reason), "%s", s->server->reason);
    if (!name && s->named_server && strcmp(s->named_server->url, m->url) == 0)
        name = s->named_server->model;
    if (!name && s->server)
        name = s->server->model;
    m->any_model = !name;
    if (!name)
        name = default_model(m, remembered);
    if (!*name || strpbrk(name, " \t\r\n"))
        return err_set(e, ERR_USAGE, "\"%.80s\" is not a valid model name",
                       name);
    m->model = strdup(name);
    return m->model ? 0 : err_sys(e, "model");
}

static int
set_key(const struct selector *s, struct model_selection *m, struct err *e)
{
    const struct provider *p = m->provider;
    bool own_server = strcmp(m->url, p->url) != 0;

    if (s->server || !p->key_header)
        return 0;
    if (api_key_find(s->config, p, is_configured(s->config, p), &m->key,
                     &m->key_name, e) < 0)
        return -1;
    if (m->key || (own_server && p->own_needs_no_key))
        return 0;
    return err_set(e, ERR_MODEL,
                   "%s needs a key. To do: set %s, or api_key_file in "
                   "[model] of the configuration, or use --offline",
                   p->title, p->key_vars[0]);
}

/* Copies the headers of the configuration as lines. */
static int
set_more_headers(const struct config *c, struct model_selection *m,
                 struct err *e)
{
    CLEANUP_BUF struct buf lines = buf_of_secret(HEADERS_MAX);
    const char *at = config_text(c, CONFIG_MODEL_HEADERS), *item;
    size_t n;

    while (config_header_next(&at, &item, &n))
        buf_printf(&lines, "%.*s\n", (int)n, item);
    if (buf_ok(&lines, "headers", e) < 0)
        return -1;
    m->more_headers = lines.len > 0 ? buf_take(&lines) : NULL;
    return 0;
}

/* Copies the path of ca_file, once it is known to have a certificate. */
static int
set_ca_file(const struct config *c, struct model_selection *m, struct err *e)
{
    const char *name = config_text(c, CONFIG_MODEL_CA_FILE);
    CLEANUP_BUF struct buf text = buf_of(CA_FILE_MAX);
    CLEANUP(free_p) char *path = name ? path_expand_home(name) : NULL;
    struct err why = {0};

    if (!name)
        return 0;
    if (!path)
        return err_sys(e, "ca_file");
    if (file_read(path, &text, &why) < 0)
        return err_set(e, ERR_CONFIG, "ca_file: %.240s", why.text);
    if (!strstr(text.p, "-----BEGIN CERTIFICATE-----") &&
        !strstr(text.p, "-----BEGIN TRUSTED CERTIFICATE-----"))
        return err_set(e, ERR_CONFIG,
                       "ca_file: %.160s has no certificate in PEM form", path);
    m->ca_file = TAKE_PTR(path);
    return 0;
}

/* How the configured server is reached. Like its key, the headers go to no
 * other provider. */
static int
set_connection(const struct selector *s, struct model_selection *m,
               struct err *e)
{
    if (s->server || !is_configured(s->config, m->provider))
        return 0;
    if (set_more_headers(s->config, m, e) < 0)
        return -1;
    return set_ca_file(s->config, m, e);
}

static void
set_limits(const struct config *c, struct model_limits *l)
{
    l->connect_ms = 1000 * config_int(c, CONFIG_MODEL_CONNECT_TIMEOUT_S);
    l->first_byte_ms = 1000 * config_int(c, CONFIG_MODEL_FIRST_BYTE_TIMEOUT_S);
    l->idle_ms = 1000 * config_int(c, CONFIG_MODEL_IDLE_TIMEOUT_S);
    l->total_ms = 1000 * config_int(c, CONFIG_MODEL_TOTAL_TIMEOUT_S);
    l->retries = config_int(c, CONFIG_MODEL_MAX_RETRIES);
}

static struct model_selection *
new_selection(const struct selector *s, const struct provider *p, struct err *e)
{
    CLEANUP(model_selection_free_p)
    struct model_selection *m = calloc(1, sizeof(*m));

    if (!m) {
        err_sys(e, "model");
        return NULL;
    }
    m->provider = p;
    m->title = s->server ? s->server->title : p->title;
    m->needs_consent = s->server &&
                       s->server->consent == SERVER_CONSENT_NOT_ASKED;
    m->cached = s->cached;
    m->uid = s->server ? s->server->uid : TCP_LISTENER_UID_UNKNOWN;
    set_limits(s->config, &m->limits);
    if (set_url(s, m, e) < 0 || set_model(s, m, e) < 0 ||
        set_key(s, m, e) < 0 || set_connection(s, m, e) < 0)
        return NULL;
    m->quirks = quirk_cache_load(m->address, m->model);
    return TAKE_PTR(m);
}

static int64_t
discovery_ms(const struct selector *s)
{
    return config_int(s->config, CONFIG_MODEL_DISCOVERY_TIMEOUT_MS);
}

/* Asks a named local provider for its models when nobody named a model: our
 * default may never have been installed there. */
static void
discover_named(struct selector *s, const struct provider *p,
               struct discovery *d)
{
    if (strcmp(p->name, "ollama") != 0 || named_model(s, p))
        return;
    discovery_run(&(struct discovery_params){.can_ask = true,
                                             .limit_ms = discovery_ms(s)},
                  d);
    for (size_t i = 0; i < d->n; i++) {
        const struct discovery_server *v = &d->v[i];

        if (v->provider == p && v->model[0] && !s->named_server)
            s->named_server = v;
    }
}

static void
discover_any(const struct selector *s, struct discovery *d)
{
    const struct discovery_params p = {.model = named_model(s, NULL),
                                       .can_ask = s->params->can_ask,
                                       .limit_ms = discovery_ms(s)};

    if (s->params->missing)
        discovery_wait(&p, d, s->params->missing);
    else
        discovery_run(&p, d);
}

/* A model was named, but nothing can run it: an error, not the offline engine.
 */
static int
fail_no_provider(const char *model, struct err *e)
{
    return err_set(e, ERR_MODEL,
                   "cannot ask %.80s: no key, no provider, no "
                   "server. To do: name one (--provider), set a key, start a "
                   "server, or use --offline",
                   model);
}

int
model_select(const struct config *c, const struct model_select_params *params,
             struct model_selection **out, struct err *e)
{
    CLEANUP(discovery_done) struct discovery d = {0};
    struct selector s = {.config = c, .params = params};
    const struct provider *p = NULL;
    struct model_selection *m;

    s.named = params->offline ? "offline" : named_provider(c, params);
    if (s.named && strcmp(s.named, "offline") == 0) {
        *out = NULL;
        return 0;
    }
    if (s.named) {
        p = provider_find(s.named);
        if (!p)
            return err_set(e, ERR_USAGE,
                           "unknown provider \"%.40s\"; providers are %s",
                           s.named, PROVIDER_LIST);
        discover_named(&s, p, &d);
    } else {
        p = provider_with_key();
        p = p ? p : provider_with_url();
    }
    if (!p) {
        discover_any(&s, &d);
        s.server = discovery_best(&d);
        s.cached = s.server && d.cached;
        p = s.server ? s.server->provider : NULL;
    }
    if (!p && params->model)
        return fail_no_provider(params->model, e);
    m = p ? new_selection(&s, p, e) : NULL;
    if (p && !m)
        return -1;
    *out = m;
    return 0;
}

void
model_selection_free(struct model_selection *m)
{
    if (!m)
        return;
    free(m->url);
    free(m->model);
    free(m->address);
    free(m->ca_file);
    api_key_free(m->more_headers);
    api_key_free(m->key);
    free(m);
}

static char *
copy_choice(const char *text)
{
    return text ? strdup(text) : NULL;
}

struct model_selection *
model_selection_copy(const struct model_selection *m, struct err *e)
{
    CLEANUP(model_selection_free_p)
    struct model_selection *copy = malloc(sizeof(*copy));

    if (copy) {
        *copy = *m;
        copy->url = strdup(m->url);
        copy->model = strdup(m->model);
        copy->address = strdup(m->address);
        copy->ca_file = copy_choice(m->ca_file);
        copy->more_headers = copy_choice(m->more_headers);
        copy->key = copy_choice(m->key);
    }
    if (!copy || !copy->url || !copy->model || !copy->address ||
        !copy->ca_file != !m->ca_file || !copy->key != !m->key ||
        !copy->more_headers != !m->more_headers) {
        err_sys(e, "model");
        return NULL;
    }
    return TAKE_PTR(copy);
}

const char *
model_selection_provider(const struct model_selection *m)
{
    return m->provider->name;
}

const char *
model_selection_title(const struct model_selection *m)
{
    return m->title;
}

const char *
model_selection_model(const struct model_selection *m)
{
    return m->model;
}

const char *
model_selection_url(const struct model_selection *m)
{
    return m->address;
}

bool
model_selection_is_local(const struct model_selection *m)
{
    return discovery_is_local(m->url);
}

bool
model_selection_needs_consent(const struct model_selection *m)
{
    return m->needs_consent;
}

const char *
model_selection_reason(const struct model_selection *m)
{
    return m->reason;
}

long
model_selection_server_uid(const struct model_selection *m)
{
    return m->uid == TCP_LISTENER_UID_UNKNOWN ? -1 : (long)m->uid;
}

int
model_selection_store_consent(struct model_selection *m, bool yes,
                              struct err *e)
{
    m->needs_consent = m->needs_consent && !yes;
    return server_consent_store(m->url, m->uid, yes, e);
}

bool
model_selection_is_cached(const struct model_selection *m)
{
    return m->cached;
}

void
model_selection_drop_cache(struct model_selection *m)
{
    m->cached = false;
    discovery_cache_drop();
}
