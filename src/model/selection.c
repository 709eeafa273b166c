/* SPDX-License-Identifier: GPL-3.0-or-later */
/* selection.c - what is known of the provider and the model that answer. */
#include "model/selection.h"

#include <stdlib.h>
#include <string.h>

#include "model/api_key.h"
#include "model/discovery_cache.h"

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
    model_dirs_done(&m->dirs);
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
        model_dirs_copy(&copy->dirs, &m->dirs);
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

bool
model_selection_takes_images(const struct model_selection *m)
{
    return m->takes_images;
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
    return server_consent_store(&m->dirs, m->url, m->uid, yes, e);
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
    discovery_cache_drop(&m->dirs);
}
