/* SPDX-License-Identifier: GPL-3.0-or-later */
/* doctor_servers.c - what agentsh doctor says of model servers found here. */
#include "door/cli/doctor_servers.h"

#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"

#define OTHERS_SHOWN 6 /* models besides the chosen one; -o json has all */

static const char *const said[] = {
    [AGREED_NOT_ASKED] = "not asked",
    [AGREED_YES] = "yes",
    [AGREED_NO] = "no",
};

bool
servers_is_good(const struct found_server *v)
{
    return v->model[0] && v->agreed == AGREED_YES;
}

/* What it has besides, and what of that can never be chosen. */
static void
say_others(const struct found_server *v, struct buf *out)
{
    size_t shown = 0, left = 0;

    for (size_t i = 0; i < v->models.n; i++) {
        const struct model_info *m = &v->models.v[i];
        const char *never = pick_never(m);

        if (strcmp(m->name, v->model) == 0)
            continue;
        if (shown == OTHERS_SHOWN) {
            left++;
            continue;
        }
        buf_printf(out, "%s%s", shown++ ? ", " : "; also ", m->name);
        if (never)
            buf_printf(out, " (%s)", never);
    }
    if (left > 0)
        buf_printf(out, " and %zu more", left);
}

static void
say_models(const struct found_server *v, struct buf *out)
{
    if (!v->answered) {
        buf_printf(out, ": no list of models within %d ms", FOUND_SEARCH_MS);
        return;
    }
    buf_printf(out, " (%lld ms): ", (long long)v->ms);
    if (!v->model[0])
        buf_str(out, "no usable model");
    else
        buf_printf(out, "%s%s%s%s", v->model, v->why[0] ? " (" : "", v->why,
                   v->why[0] ? ")" : "");
    say_others(v, out);
}

static void
say_agreement(const struct found_server *v, struct buf *out)
{
    CLEANUP(free_p) char *path = agreed_path(NULL);

    if (v->agreed == AGREED_NOT_ASKED && v->model[0])
        buf_str(out, ". You are asked before its first use");
    else if (v->agreed != AGREED_NOT_ASKED)
        buf_printf(out,
                   ". You said %s; to be asked again remove its line from %s",
                   v->agreed == AGREED_YES ? "yes" : "no",
                   path ? path : "the file of servers");
}

void
servers_say(const struct found_server *v, struct buf *out)
{
    buf_str(out, v->url);
    say_models(v, out);
    say_agreement(v, out);
}

static void
put_model(const struct model_info *m, struct json_writer *w)
{
    const char *never = pick_never(m);

    json_open_object(w);
    json_member_str(w, "name", m->name);
    if (m->billions > 0)
        json_member_int(w, "parameters", (int64_t)(m->billions * 1e9));
    if (m->bytes > 0)
        json_member_int(w, "bytes", m->bytes);
    json_member_bool(w, "loaded", m->loaded);
    if (never)
        json_member_str(w, "never", never);
    json_close_object(w);
}

static void
put_server(const struct found_server *v, struct json_writer *w)
{
    json_open_object(w);
    json_member_str(w, "title", v->title);
    json_member_str(w, "provider", found_provider(v));
    json_member_str(w, "url", v->url);
    if (v->uid != LISTEN_NOBODY)
        json_member_int(w, "uid", (int64_t)v->uid);
    json_member_str(w, "agreed", said[v->agreed]);
    json_member_bool(w, "answered", v->answered);
    if (v->answered)
        json_member_int(w, "ms", v->ms);
    if (v->model[0]) {
        json_member_str(w, "model", v->model);
        json_member_str(w, "why", v->why);
    }
    json_key(w, "models");
    json_open_array(w);
    for (size_t i = 0; i < v->models.n; i++)
        put_model(&v->models.v[i], w);
    json_close_array(w);
    json_close_object(w);
}

void
servers_put(const struct found *f, struct json_writer *w)
{
    char text[40];

    snprintf(text, sizeof(text), "%zu found on this machine", f->n);
    json_key(w, "model servers");
    json_open_object(w);
    json_member_bool(w, "ok", found_best(f) != NULL);
    json_member_str(w, "text", text);
    json_member_int(w, "ms", f->ms);
    json_key(w, "servers");
    json_open_array(w);
    for (size_t i = 0; i < f->n; i++)
        put_server(&f->v[i], w);
    json_close_array(w);
    json_close_object(w);
}
