/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_param_headers.c - arguments of a tool that its server wants as headers.
 */
#include "tool/mcp/mcp_param_headers.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/str.h"

/* Members of a schema that hold values, not schemas. */
static const char *const data_members[] = {"const", "default", "enum",
                                           "examples"};

struct header_marks {
    const char *names[MCP_PARAM_HEADERS_MAX];
    size_t n;
};

static bool
is_token(const char *s)
{
    static const char marks[] = "!#$%&'*+-.^_`|~0123456789"
                                "abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

    return *s && strspn(s, marks) == strlen(s);
}

static bool
is_markable(const struct json *schema)
{
    const char *type = json_get_str(schema, "type");

    return type &&
           (strcmp(type, "string") == 0 || strcmp(type, "integer") == 0 ||
            strcmp(type, "boolean") == 0);
}

static int
check_mark(const struct json *schema, bool reachable, struct header_marks *m,
           struct err *e)
{
    const char *name = json_get_str(schema, MCP_PARAM_HEADERS_MARK);

    if (!name || !is_token(name))
        return err_set(e, ERR_INVALID,
                       "not used: an " MCP_PARAM_HEADERS_MARK
                       " of its schema is no name of a header");
    if (!reachable || !is_markable(schema))
        return err_set(e, ERR_INVALID,
                       "not used: the " MCP_PARAM_HEADERS_MARK
                       " %.60s of its schema is where none may be",
                       name);
    for (size_t i = 0; i < m->n; i++)
        if (strcasecmp(m->names[i], name) == 0)
            return err_set(
                e, ERR_INVALID,
                "not used: its schema has the " MCP_PARAM_HEADERS_MARK
                " %.60s twice",
                name);
    if (m->n == MCP_PARAM_HEADERS_MAX)
        return err_set(e, ERR_INVALID,
                       "not used: its schema has more than %d "
                       "of " MCP_PARAM_HEADERS_MARK,
                       MCP_PARAM_HEADERS_MAX);
    m->names[m->n++] = name;
    return 0;
}

/* reachable: by `properties` alone, from the root. */
static int
check_marks_below(const struct json *schema, bool root, bool reachable,
                  struct header_marks *m, struct err *e)
{
    bool object = json_type(schema) == JSON_OBJECT;

    if (object && json_get(schema, MCP_PARAM_HEADERS_MARK) &&
        check_mark(schema, reachable && !root, m, e) < 0)
        return -1;
    if (!object && json_type(schema) != JSON_ARRAY)
        return 0;
    for (const struct json *v = json_first(schema); v; v = json_next(v)) {
        const char *name = object ? json_name(v, &(size_t){0}) : "";

        if (object && str_in_list(name, data_members,
                                  sizeof(data_members) / sizeof(char *)))
            continue;
        if (strcmp(name, "properties") != 0) {
            if (check_marks_below(v, false, false, m, e) < 0)
                return -1;
            continue;
        }
        for (const struct json *p = json_first(v); p; p = json_next(p))
            if (check_marks_below(p, false, reachable, m, e) < 0)
                return -1;
    }
    return 0;
}

int
mcp_param_headers_check(const struct json *schema, struct err *e)
{
    struct header_marks m = {.n = 0};

    return check_marks_below(schema, true, true, &m, e);
}

static void
give_value(const char *name, const struct json *v, mcp_param_headers_cb *cb,
           void *arg)
{
    char text[24];
    size_t n = 0;
    int64_t i;
    bool on;
    const char *s = json_str(v, &n);

    if (!s && json_bool(v, &on)) {
        s = on ? "true" : "false";
        n = strlen(s);
    } else if (!s && json_int(v, &i)) {
        n = (size_t)snprintf(text, sizeof(text), "%lld", (long long)i);
        s = text;
    } else if (!s) {
        s = json_digits(v, &n);
    }
    if (s)
        cb(arg, name, s, n);
}

void
mcp_param_headers_each(const struct json *schema, const struct json *args,
                       mcp_param_headers_cb *cb, void *arg)
{
    const struct json *p = json_first(json_get(schema, "properties"));

    for (; p && json_type(args) == JSON_OBJECT; p = json_next(p)) {
        const struct json *v = json_member_like(args, p);
        const char *name = json_get_str(p, MCP_PARAM_HEADERS_MARK);

        if (v && name)
            give_value(name, v, cb, arg);
        if (v)
            mcp_param_headers_each(p, v, cb, arg);
    }
}
