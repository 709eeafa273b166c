/* SPDX-License-Identifier: GPL-3.0-or-later */
/* select.c - selects the provider and the model that answer. */
#include "model/select.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "config/provider_names.h"
#include "model/api_key.h"
#include "model/discovery_cache.h"
#include "model/model_memory.h"
#include "model/provider/default_models.h"
#include "model/provider/host_features.h"
#include "model/provider/provider_table.h"
#include "model/quirk_cache.h"
#include "model/selection.h"

#define HEADERS_MAX (12u << 10) /* what a request has room for, beside ours */
#define CA_FILE_MAX (4u << 20)  /* the bundle of all authorities has 250 KiB */

struct model_search {
    struct loop *loop;
    const struct seat *seat;
    const struct config *config;
    struct model_select_params params;
    struct model_search_events ev;
    void *arg;
    struct watch *begin;
    struct discovery_search *discovery; /* NULL: none runs */
    struct discovery servers;
    struct api_key_search *key;                  /* NULL: none runs */
    const struct discovery_server *server;       /* the discovered one; NULL */
    const struct discovery_server *named_server; /* of a named provider */
    struct model_selection *selection; /* as far as it is known; NULL */
};

static const char *
variable_of(const struct model_search *s, const char *name)
{
    const char *value = seat_variable(s->seat, name);

    return value && *value ? value : NULL;
}

static const char *
named_provider(const struct model_search *s)
{
    const struct config *c = s->config;
    const char *name = s->params.offline ? "offline" : s->params.provider;

    if (!name)
        name = variable_of(s, "AGENTSH_PROVIDER");
    if (!name)
        name = config_text(c, CONFIG_MODEL_PROVIDER);
    /* a URL or key without a provider: most servers speak OpenAI's API */
    if (!name && (config_text(c, CONFIG_MODEL_BASE_URL) ||
                  config_text(c, CONFIG_MODEL_API_KEY_FILE) ||
                  config_text(c, CONFIG_MODEL_API_KEY_COMMAND)))
        name = "openai";
    return name;
}

bool
model_is_declined(const struct seat *seat, const struct config *c)
{
    const struct model_search s = {.seat = seat, .config = c};
    const char *name = named_provider(&s);

    return name && strcmp(name, "offline") == 0;
}

static const struct provider *
provider_with_key(const struct model_search *s)
{
    const struct provider *p;

    for (size_t i = 0; (p = provider_at(i)) != NULL; i++) {
        if (api_key_in_variables(s->seat, p))
            return p;
    }
    return NULL;
}

/* An address alone names a provider too. A server on this machine, which
 * OLLAMA_HOST may tell programs to listen at, is left to the discovery, which
 * asks about it. */
static const struct provider *
provider_with_url(const struct model_search *s)
{
    const struct provider *p;

    for (size_t i = 0; (p = provider_at(i)) != NULL; i++) {
        const char *text = variable_of(s, p->url_var);
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
set_url(const struct model_search *s, struct model_selection *m, struct err *e)
{
    const struct provider *p = m->provider;
    const char *text = variable_of(s, p->url_var);

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
named_model(const struct model_search *s, const struct provider *p)
{
    const char *own = config_text(s->config, CONFIG_MODEL_PROVIDER);
    const char *name = s->params.model;

    if (!name)
        name = variable_of(s, "AGENTSH_MODEL");
    if (!name && (!own || (p && strcmp(own, p->name) == 0)))
        name = config_text(s->config, CONFIG_MODEL_MODEL);
    return name;
}

/* The provider's default, or the model that answered when that was gone. */
static const char *
default_model(const struct model_selection *m, char text[MODEL_NAME_SIZE])
{
    const char *first = default_models_at(m->provider, 0);

    return model_memory_load(&m->dirs, m->address, first, text) == 0 ? text
                                                                     : first;
}

static int
set_model(const struct model_search *s, struct model_selection *m,
          struct err *e)
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
set_ca_file(const struct model_search *s, struct model_selection *m,
            struct err *e)
{
    const char *name = config_text(s->config, CONFIG_MODEL_CA_FILE);
    CLEANUP_BUF struct buf text = buf_of(CA_FILE_MAX);
    CLEANUP(free_p) char *path = name ? seat_expand_home(s->seat, name) : NULL;
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
set_connection(const struct model_search *s, struct model_selection *m,
               struct err *e)
{
    if (s->server || !is_configured(s->config, m->provider))
        return 0;
    if (set_more_headers(s->config, m, e) < 0)
        return -1;
    return set_ca_file(s, m, e);
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

/* The last that is done with s: the callback may free it. m is handed over. */
static void
report_selection(struct model_search *s, struct model_selection *m)
{
    s->ev.found(s->arg, m);
}

static void
report_no_selection(struct model_search *s, const struct err *why)
{
    s->ev.failed(s->arg, why);
}

static int
check_key(const struct model_selection *m, struct err *e)
{
    const struct provider *p = m->provider;
    bool own_server = strcmp(m->url, p->url) != 0;

    if (m->key || (own_server && p->own_needs_no_key))
        return 0;
    return err_set(e, ERR_MODEL,
                   "%s needs a key. To do: set %s, or api_key_file in "
                   "[model] of the configuration, or use --offline",
                   p->title, p->key_vars[0]);
}

static bool
takes_images(const struct config *c, const struct model_selection *m)
{
    const char *word = config_text(c, CONFIG_MODEL_IMAGES);

    if (strcmp(word, "auto") != 0)
        return strcmp(word, "yes") == 0;
    return host_features(m->provider->name, m->url) & HOST_IMAGES;
}

/* The key is there, or none is needed. */
static void
end_selection(struct model_search *s)
{
    struct model_selection *m = s->selection;
    struct err e = {0};

    if (set_connection(s, m, &e) < 0) {
        report_no_selection(s, &e);
        return;
    }
    m->takes_images = takes_images(s->config, m);
    m->quirks = quirk_cache_load(&m->dirs, m->address, m->model);
    s->selection = NULL;
    report_selection(s, m);
}

static void
on_key(void *arg, char *key, const char *name)
{
    struct model_search *s = arg;
    struct err e = {0};

    s->selection->key = key;
    s->selection->key_name = name;
    if (check_key(s->selection, &e) < 0)
        report_no_selection(s, &e);
    else
        end_selection(s);
}

static void
on_no_key(void *arg, const struct err *why)
{
    report_no_selection(arg, why);
}

/* A key that somebody typed, to be tried. */
static void
use_typed_key(struct model_search *s)
{
    static const char name[] = "the key that you typed";
    struct err e = {0};
    char *key = NULL;

    if (api_key_parse(s->params.key, name, &key, &e) < 0)
        report_no_selection(s, &e);
    else
        on_key(s, key, name);
}

static int
begin_key(struct model_search *s, struct err *e)
{
    static const struct api_key_events events = {on_key, on_no_key};
    const struct provider *p = s->selection->provider;
    const struct api_key_params params = {
        .config = s->config,
        .seat = s->seat,
        .provider = p,
        .configured = is_configured(s->config, p),
        .on_terminal = s->params.on_terminal};

    s->key = api_key_search_start(s->loop, &params, &events, s, e);
    return s->key ? 0 : -1;
}

static struct model_selection *
new_selection(const struct model_search *s, const struct provider *p,
              struct err *e)
{
    struct model_selection *m = calloc(1, sizeof(*m));

    if (!m) {
        err_sys(e, "model");
        return NULL;
    }
    m->provider = p;
    m->title = s->server ? s->server->title : p->title;
    m->needs_consent = s->server &&
                       s->server->consent == SERVER_CONSENT_NOT_ASKED;
    m->cached = s->server && s->servers.cached;
    m->uid = s->server ? s->server->uid : TCP_LISTENER_UID_UNKNOWN;
    model_dirs_init(&m->dirs, s->seat);
    set_limits(s->config, &m->limits);
    return m;
}

/* The provider is known. A discovered server is sent no key. */
static void
begin_selection(struct model_search *s, const struct provider *p)
{
    bool needs_key = !s->server && p->key_header;
    bool is_typed = needs_key && s->params.key;
    struct err e = {0};
    struct model_selection *m = new_selection(s, p, &e);

    s->selection = m;
    if (!m || set_url(s, m, &e) < 0 || set_model(s, m, &e) < 0 ||
        (needs_key && !is_typed && begin_key(s, &e) < 0)) {
        report_no_selection(s, &e);
    } else if (is_typed) {
        use_typed_key(s);
    } else if (!needs_key) {
        end_selection(s);
    }
}

/* The servers of a named local provider, which may have a model that nobody
 * named: our default may never have been installed there. */
static void
on_named_servers(void *arg, struct discovery *d,
                 const struct discovery_missing *missing)
{
    struct model_search *s = arg;
    const struct provider *p = provider_find(named_provider(s));

    (void)missing;
    s->servers = *d;
    for (size_t i = 0; i < s->servers.n; i++) {
        const struct discovery_server *v = &s->servers.v[i];

        if (v->provider == p && v->model[0] && !s->named_server)
            s->named_server = v;
    }
    begin_selection(s, p);
}

/* The servers of this machine, where nobody named a provider. */
static void
on_servers(void *arg, struct discovery *d,
           const struct discovery_missing *missing)
{
    struct model_search *s = arg;
    struct err e = {0};

    s->servers = *d;
    if (s->params.missing)
        *s->params.missing = *missing;
    s->server = discovery_best(&s->servers);
    if (s->server) {
        begin_selection(s, s->server->provider);
    } else if (s->params.model) {
        fail_no_provider(s->params.model, &e);
        report_no_selection(s, &e);
    } else {
        report_selection(s, NULL);
    }
}

static int
begin_discovery(struct model_search *s, bool named, struct err *e)
{
    const struct discovery_params p = {
        .model = named ? NULL : named_model(s, NULL),
        .can_ask = named || s->params.can_ask,
        .wait = !named && s->params.missing,
        .limit_ms = config_int(s->config, CONFIG_MODEL_DISCOVERY_TIMEOUT_MS)};

    s->discovery = discovery_start(s->loop, s->seat, &p,
                                   named ? on_named_servers : on_servers, s, e);
    return s->discovery ? 0 : -1;
}

/* Somebody named the provider. */
static int
begin_named(struct model_search *s, const char *name, struct err *e)
{
    const struct provider *p = provider_find(name);

    if (!p)
        return err_set(e, ERR_USAGE,
                       "unknown provider \"%.40s\"; providers are %s", name,
                       PROVIDER_LIST);
    if (strcmp(p->name, "ollama") == 0 && !named_model(s, p))
        return begin_discovery(s, true, e);
    begin_selection(s, p);
    return 0;
}

static void
on_begin(void *arg, unsigned events)
{
    struct model_search *s = arg;
    const char *name = named_provider(s);
    const struct provider *p = NULL;
    struct err e = {0};
    int rc = 0;

    (void)events;
    if (name && strcmp(name, "offline") == 0) {
        report_selection(s, NULL);
        return;
    }
    if (!name && !(p = provider_with_key(s)))
        p = provider_with_url(s);
    if (name)
        rc = begin_named(s, name, &e);
    else if (p)
        begin_selection(s, p);
    else
        rc = begin_discovery(s, false, &e);
    if (rc < 0)
        report_no_selection(s, &e);
}

struct model_search *
model_search_start(struct loop *l, const struct seat *seat,
                   const struct config *c, const struct model_select_params *p,
                   const struct model_search_events *ev, void *arg,
                   struct err *e)
{
    struct model_search *s = calloc(1, sizeof(*s));

    if (!s) {
        err_nomem(e);
        return NULL;
    }
    *s = (struct model_search){.loop = l,
                               .seat = seat,
                               .config = c,
                               .params = *p,
                               .ev = *ev,
                               .arg = arg};
    if (!(s->begin = loop_soon(l, on_begin, s, e))) {
        model_search_free(s);
        return NULL;
    }
    return s;
}

void
model_search_free(struct model_search *s)
{
    if (!s)
        return;
    watch_free(s->begin);
    discovery_search_free(s->discovery);
    api_key_search_free(s->key);
    discovery_done(&s->servers);
    model_selection_free(s->selection);
    free(s);
}
