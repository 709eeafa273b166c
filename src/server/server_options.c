/* SPDX-License-Identifier: GPL-3.0-or-later */
/* server_options.c - the options that all servers have in common. */
#include "server/server_options.h"

#include "base/array.h"
#include "server/server_token.h"

#define AT(field) offsetof(struct options, field)

/* What goes with --listen. */
static const struct listen_option {
    const char *name;
    size_t at;  /* of its text in struct options */
    bool token; /* see token_without_listen */
} listen_options[] = {
    {"--token-file", AT(token_file), true},
    {"--tls-cert", AT(tls_cert), false},
    {"--tls-key", AT(tls_key), false},
    {"--allow-origin", AT(allow_origin), false},
    {"--authorization-server", AT(authorization_server), false},
    {"--max-connections", AT(max_connections), false},
};

static const char *
listen_option_text(const struct options *o, size_t at)
{
    return *(const char *const *)((const char *)o + at);
}

static int
check_listen_options(const struct options *o,
                     const struct server_options_defaults *d, struct err *e)
{
    for (size_t i = 0; i < ARRAY_SIZE(listen_options); i++) {
        const struct listen_option *row = &listen_options[i];

        if (listen_option_text(o, row->at) &&
            !(row->token && d->token_without_listen))
            return err_set(e, ERR_USAGE, "%s goes with --listen", row->name);
    }
    return 0;
}

int
server_options_read(struct server_options *out, const struct options *o,
                    const struct seat *s,
                    const struct server_options_defaults *d, struct err *e)
{
    *out = (struct server_options){.origins = o->allow_origin,
                                   .tls_cert = o->tls_cert,
                                   .tls_key = o->tls_key,
                                   .max_connections = d->max_connections};
    out->token = buf_of_secret(SERVER_TOKEN_MAX);
    server_listen_choose(&out->listen, s, o->listen);
    if (out->listen.n == 0 && d->listen)
        server_listen_choose(&out->listen, s, d->listen);
    if (out->listen.n == 0 && check_listen_options(o, d, e) < 0)
        return -1;
    if (!o->tls_cert != !o->tls_key)
        return err_set(e, ERR_USAGE, "--tls-cert and --tls-key go together");
    if (server_listen_connections(o->max_connections, &out->max_connections,
                                  e) < 0)
        return -1;
    return server_token_read(o->token_file, &out->token, &out->token_seen, e);
}

void
server_options_done(struct server_options *o)
{
    if (o)
        buf_done(&o->token);
}

const char *
server_options_token(const struct server_options *o)
{
    return o->token.len > 0 ? o->token.p : NULL;
}

void
server_options_fill_http(const struct server_options *o,
                         struct server_http_setup *set)
{
    set->listen = o->listen.at;
    set->token = server_options_token(o);
    set->token_seen = o->token_seen;
    set->origins = o->origins;
    set->tls_cert = o->tls_cert;
    set->tls_key = o->tls_key;
    set->max_connections = o->max_connections;
}
