/* SPDX-License-Identifier: GPL-3.0-or-later */
/* acp_client.c - reads what an editor declares in `initialize`. */
#include "server/acp/acp_client.h"

#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "json/write.h"

#define SIMPLE_VERSION "1.0" /* the only one that has been published */
#define PUBLIC_VERSION 1
#define SETUP_METHOD   "setup"
#define DRAFT_VERSION  2

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

static int
read_dialect(const struct json *params, bool draft, enum acp_dialect *d,
             struct err *e)
{
    const struct json *version = json_get(params, "protocolVersion");
    const char *number = json_digits(version, NULL);
    int64_t value = 0;

    if (json_str(version, NULL))
        *d = ACP_SIMPLE;
    else if (draft && json_int(version, &value) && value == DRAFT_VERSION)
        *d = ACP_DRAFT;
    else if (number && !strpbrk(number, ".eE")) /* of any size */
        *d = ACP_V1;
    else
        return err_set(e, ERR_INVALID,
                       "protocolVersion: must be an integer, or a string for "
                       "the older dialect");
    return 0;
}

static void
copy_client_info(const struct json *info, struct acp_client *c)
{
    copy_client_text(info, "name", c->name, sizeof(c->name));
    copy_client_text(info, "version", c->version, sizeof(c->version));
}

/* Version 2 has no files of the editor, and every client may be sent notices.
 */
static int
read_draft_client(const struct json *params, struct acp_client *c,
                  struct err *e)
{
    const struct json *info = json_get(params, "info");
    const struct json *can = json_get(params, "capabilities");

    if (!json_get_str(info, "name") || !json_get_str(info, "version"))
        return err_set(e, ERR_INVALID,
                       "info: must have the strings name and version");
    c->takes_notices = true;
    c->fills_forms = declares(json_get(can, "elicitation"), "form");
    c->runs_setup = declares(json_get(can, "auth"), "terminal");
    copy_client_info(info, c);
    return 0;
}

int
acp_client_read(const struct json *params, bool draft, struct acp_client *c,
                struct err *e)
{
    const struct json *can = json_get(params, "clientCapabilities");
    const struct json *files = json_get(can, "fs");
    struct acp_client read = {0};

    if (read_dialect(params, draft, &read.dialect, e) < 0)
        return -1;
    *c = read;
    if (c->dialect == ACP_DRAFT)
        return read_draft_client(params, c, e);
    c->reads_files = is_declared_true(files, "readTextFile");
    c->writes_files = is_declared_true(files, "writeTextFile");
    c->takes_notices = declares(json_get(can, "session"), "notices");
    c->fills_forms = declares(json_get(can, "elicitation"), "form");
    c->runs_setup = is_declared_true(json_get(can, "auth"), "terminal");
    copy_client_info(json_get(params, "clientInfo"), c);
    return 0;
}

#define SIMPLE (1u << ACP_SIMPLE)
#define V1     (1u << ACP_V1)
#define DRAFT  (1u << ACP_DRAFT)

/* The methods that not all dialects have. */
static const struct {
    const char *name;
    unsigned dialects;
} some_have[] = {
    {"authenticate", V1},
    {"logout", V1},
    {"auth/login", DRAFT},
    {"auth/logout", DRAFT},
    {"session/load", SIMPLE | V1},
    {"session/resume", V1 | DRAFT},
    {"session/list", V1 | DRAFT},
    {"session/close", V1 | DRAFT},
    {"session/delete", V1 | DRAFT},
    {"session/set_mode", V1},
    {"session/set_config_option", V1 | DRAFT},
};

bool
acp_client_has_method(const struct acp_client *c, const char *name)
{
    for (size_t i = 0; i < ARRAY_SIZE(some_have); i++) {
        if (strcmp(some_have[i].name, name) == 0)
            return c->dialect == ACP_NOT_INITIALIZED ||
                   (some_have[i].dialects & (1u << c->dialect));
    }
    return true;
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
put_capabilities(bool images, struct json_writer *w)
{
    static const char *const session[] = {
        "list", "delete", "resume", "close", "additionalDirectories", NULL};

    json_key(w, "agentCapabilities");
    json_open_object(w);
    json_member_bool(w, "loadSession", true);
    json_key(w, "promptCapabilities");
    json_open_object(w);
    json_member_bool(w, "image", images);
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
put_empty(struct json_writer *w, const char *name)
{
    json_key(w, name);
    json_open_object(w);
    json_close_object(w);
}

static void
put_draft_capabilities(bool images, struct json_writer *w)
{
    json_key(w, "capabilities");
    json_open_object(w);
    json_key(w, "session");
    json_open_object(w);
    json_key(w, "prompt");
    json_open_object(w);
    put_empty(w, "embeddedContext");
    if (images)
        put_empty(w, "image");
    json_close_object(w);
    json_key(w, "mcp");
    json_open_object(w);
    put_empty(w, "stdio");
    put_empty(w, "http");
    json_close_object(w);
    put_empty(w, "delete");
    put_empty(w, "additionalDirectories");
    json_close_object(w);
    json_close_object(w);
}

/* type NULL: the one that has no name in version 1. */
static void
put_auth_method(struct json_writer *w, bool draft, const char *type,
                const char *id, const char *name, const char *description)
{
    json_open_object(w);
    if (draft || type)
        json_member_str(w, "type", type ? type : "agent");
    json_member_str(w, draft ? "methodId" : "id", id);
    json_member_str(w, "name", name);
    json_member_str(w, "description", description);
}

static void
put_auth_methods(struct json_writer *w, const struct acp_client *c, bool ready)
{
    bool draft = c->dialect == ACP_DRAFT;

    json_key(w, "authMethods");
    json_open_array(w);
    if (ready) {
        put_auth_method(w, draft, NULL, ACP_AGENT_METHOD, "As configured",
                        "The provider that agentsh is configured for, or the "
                        "offline engine.");
        json_close_object(w);
    }
    if (c->runs_setup) {
        put_auth_method(w, draft, "terminal", SETUP_METHOD, "Set up a provider",
                        "Asks for a provider and a key in a terminal.");
        json_key(w, "args");
        json_open_array(w);
        json_put_str(w, "setup");
        json_close_array(w);
        json_close_object(w);
    }
    json_close_array(w);
}

void
acp_client_answer(const struct acp_client *c, bool ready, bool images,
                  struct buf *out)
{
    struct json_writer w;

    json_write_init(&w, out);
    json_open_object(&w);
    if (c->dialect == ACP_SIMPLE) {
        answer_simple(&w);
    } else if (c->dialect == ACP_DRAFT) {
        json_member_int(&w, "protocolVersion", DRAFT_VERSION);
        put_agent(&w, "info", true);
        put_draft_capabilities(images, &w);
        put_auth_methods(&w, c, ready);
    } else {
        json_member_int(&w, "protocolVersion", PUBLIC_VERSION);
        put_agent(&w, "agentInfo", true);
        put_capabilities(images, &w);
        put_auth_methods(&w, c, ready);
    }
    json_close_object(&w);
}

bool
acp_client_has_login(const struct acp_client *c, const char *id)
{
    return strcmp(id, ACP_AGENT_METHOD) == 0 ||
           (c->runs_setup && strcmp(id, SETUP_METHOD) == 0);
}
