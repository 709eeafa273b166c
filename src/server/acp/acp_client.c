/* SPDX-License-Identifier: GPL-3.0-or-later */
/* acp_client.c - what an editor says of itself in `initialize`. */
#include "server/acp/acp_client.h"

#include <stdio.h>
#include <string.h>

#include "json/write.h"

#define SIMPLE_VERSION "1.0" /* the only one that has been published */
#define PUBLIC_VERSION 1
#define AGENT_METHOD   "agent"
#define SETUP_METHOD   "setup"

static bool
is_declared_true(const struct json *object, const char *name)
{
    bool yes = false;

    return json_bool(json_get(object, name), &yes) && yes;
}

/* A capability is an object: {} declares it. */
static bool
declares(const struct json *object, const char *name)
{
    const struct json *v = json_get(object, name);

    return v && json_type(v) == JSON_OBJECT;
}

static void
copy_client_text(const struct json *object, const char *name, char *out,
                 size_t size)
{
    const char *text = json_get_str(object, name);

    snprintf(out, size, "%s", text ? text : "");
}

int
acp_client_read(const struct json *params, struct acp_client *c, struct err *e)
{
    const struct json *version = json_get(params, "protocolVersion");
    const struct json *info = json_get(params, "clientInfo");
    const struct json *can = json_get(params, "clientCapabilities");
    const struct json *files = json_get(can, "fs");
    const char *number = json_digits(version, NULL);

    *c = (struct acp_client){0};
    if (json_str(version, NULL))
        c->dialect = ACP_SIMPLE;
    else if (number && !strpbrk(number, ".eE")) /* of any size */
        c->dialect = ACP_V1;
    else
        return err_set(e, ERR_INVALID,
                       "protocolVersion: must be an integer, or the string "
                       "\"" SIMPLE_VERSION "\"");
    c->reads_files = is_declared_true(files, "readTextFile");
    c->writes_files = is_declared_true(files, "writeTextFile");
    c->takes_notices = declares(json_get(can, "session"), "notices");
    c->fills_forms = declares(json_get(can, "elicitation"), "form");
    c->runs_setup = is_declared_true(json_get(can, "auth"), "terminal");
    copy_client_text(info, "name", c->name, sizeof(c->name));
    copy_client_text(info, "version", c->version, sizeof(c->version));
    return 0;
}

static void
put_agent(struct json_writer *w, const char *member, bool title)
{
    json_key(w, member);
    json_open_object(w);
    json_member_str(w, "name", "agentsh");
    if (title)
        json_member_str(w, "title", "agentsh");
    json_member_str(w, "version", PACKAGE_VERSION);
    json_close_object(w);
}

static void
answer_simple(struct json_writer *w)
{
    json_member_str(w, "protocolVersion", SIMPLE_VERSION);
    put_agent(w, "serverInfo", false);
    json_key(w, "capabilities");
    json_open_object(w);
    json_member_bool(w, "streaming", true);
    json_member_bool(w, "sessionResumption", true);
    json_close_object(w);
}

static void
put_capabilities(struct json_writer *w)
{
    static const char *const session[] = {
        "list", "delete", "resume", "close", "additionalDirectories", NULL};

    json_key(w, "agentCapabilities");
    json_open_object(w);
    json_member_bool(w, "loadSession", true);
    json_key(w, "promptCapabilities");
    json_open_object(w);
    json_member_bool(w, "image", false);
    json_member_bool(w, "audio", false);
    json_member_bool(w, "embeddedContext", true);
    json_close_object(w);
    json_key(w, "mcpCapabilities");
    json_open_object(w);
    json_member_bool(w, "http", true);
    json_member_bool(w, "sse", false);
    json_close_object(w);
    json_key(w, "sessionCapabilities");
    json_open_object(w);
    for (size_t i = 0; session[i]; i++) {
        json_key(w, session[i]);
        json_open_object(w);
        json_close_object(w);
    }
    json_close_object(w);
    json_key(w, "auth");
    json_open_object(w);
    json_key(w, "logout");
    json_open_object(w);
    json_close_object(w);
    json_close_object(w);
    json_close_object(w);
}

static void
put_auth_method(struct json_writer *w, const char *id, const char *name,
                const char *description)
{
    json_open_object(w);
    json_member_str(w, "id", id);
    json_member_str(w, "name", name);
    json_member_str(w, "description", description);
}

static void
put_auth_methods(struct json_writer *w, const struct acp_client *c, bool ready)
{
    json_key(w, "authMethods");
    json_open_array(w);
    if (ready) {
        put_auth_method(w, AGENT_METHOD, "As configured",
                        "The provider that agentsh is configured for, or the "
                        "offline engine.");
        json_close_object(w);
    }
    if (c->runs_setup) {
        put_auth_method(w, SETUP_METHOD, "Set up a provider",
                        "Asks for a provider and a key in a terminal.");
        json_member_str(w, "type", "terminal");
        json_key(w, "args");
        json_open_array(w);
        json_put_str(w, "setup");
        json_close_array(w);
        json_close_object(w);
    }
    json_close_array(w);
}

void
acp_client_answer(const struct acp_client *c, bool ready, struct buf *out)
{
    struct json_writer w;

    json_write_init(&w, out);
    json_open_object(&w);
    if (c->dialect == ACP_SIMPLE) {
        answer_simple(&w);
    } else {
        json_member_int(&w, "protocolVersion", PUBLIC_VERSION);
        put_agent(&w, "agentInfo", true);
        put_capabilities(&w);
        put_auth_methods(&w, c, ready);
    }
    json_close_object(&w);
}

bool
acp_client_has_method(const struct acp_client *c, const char *id)
{
    return strcmp(id, AGENT_METHOD) == 0 ||
           (c->runs_setup && strcmp(id, SETUP_METHOD) == 0);
}
