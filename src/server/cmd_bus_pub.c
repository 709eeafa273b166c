/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_bus_pub.c - agentsh bus pub: publish one message on a bus. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "server/bus/bus_client.h"
#include "server/server_commands.h"
#include "server/server_token.h"

struct bus_pub {
    struct app *app;
    struct bus_client *client;
    struct buf params, result;
    struct err why;
};

static void
bus_pub_done(struct bus_pub *p)
{
    bus_client_free(p->client);
    buf_done(&p->params);
    buf_done(&p->result);
}

static void
on_pub_answered(void *arg, const struct jsonrpc *m)
{
    struct bus_pub *p = arg;
    struct json_writer w;

    if (m->kind == JSONRPC_ERROR) {
        err_set(&p->why, ERR_TOOL, "%.200s (%lld)", m->message,
                (long long)m->code);
    } else {
        json_write_init(&w, &p->result);
        json_put_value(&w, m->result);
        buf_ch(&p->result, '\n');
    }
    bus_client_close(p->client);
}

static void
on_pub_ended(void *arg, const struct err *why)
{
    struct bus_pub *p = arg;

    if (why && p->why.code == ERR_NONE)
        p->why = *why;
    loop_stop(p->app->loop);
}

/* The params of the request. json: an object. */
static int
put_pub_params(struct bus_pub *p, const char *topic, const char *json,
               struct err *e)
{
    CLEANUP(json_free_p)
    struct json *payload = json_parse(json, strlen(json), JSON_UNIQUE, e);
    struct json_writer w;

    if (!payload) {
        e->code = ERR_USAGE;
        return err_wrap(e, "JSON");
    }
    if (json_type(payload) != JSON_OBJECT)
        return err_set(e, ERR_USAGE, "JSON: a message is an object");
    json_write_init(&w, &p->params);
    json_open_object(&w);
    json_member_str(&w, "topic", topic);
    json_key(&w, "payload");
    json_put_value(&w, payload);
    json_close_object(&w);
    return buf_ok(&p->params, "the message", e);
}

static int
publish_once(struct bus_pub *p, const struct command_args *c, const char *token,
             struct err *e)
{
    char name[32];
    const struct bus_client_setup set = {.loop = p->app->loop,
                                         .url = c->options.url ? c->options.url
                                                               : BUS_CLIENT_URL,
                                         .token = token,
                                         .name = name,
                                         .answered = on_pub_answered,
                                         .ended = on_pub_ended,
                                         .arg = p};

    snprintf(name, sizeof(name), "pub-%ld", (long)getpid());
    if (c->n != 2)
        return err_set(e, ERR_USAGE, "agentsh bus pub TOPIC JSON");
    if (put_pub_params(p, c->words[0], c->words[1], e) < 0 ||
        !(p->client = bus_client_new(&set, e)) ||
        bus_client_ask(p->client, "sendMessage", &p->params, e) < 0 ||
        loop_run(p->app->loop, e) < 0)
        return -1;
    if (p->why.code != ERR_NONE) {
        *e = p->why;
        return -1;
    }
    return 0;
}

int
cmd_run_bus_pub(struct command_args *c)
{
    CLEANUP(bus_pub_done) struct bus_pub pub = {.app = c->app};
    CLEANUP_BUF struct buf token = buf_of_secret(SERVER_TOKEN_MAX);
    struct err e = {0};

    buf_init(&pub.params, BUS_CLIENT_BYTES);
    buf_init(&pub.result, BUS_CLIENT_BYTES);
    if (server_token_read(c->options.token_file, &token, NULL, &e) < 0)
        return app_fail(c->app, &e);
    server_token_show_process(&token);
    if (publish_once(&pub, c, token.len > 0 ? token.p : NULL, &e) < 0)
        return app_fail(c->app, &e);
    app_put_result(c->app, &pub.result);
    return 0;
}
