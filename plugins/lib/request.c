/* SPDX-License-Identifier: GPL-3.0-or-later */
/* request.c - reads a request line of the Plugin Tool API. */
#include "plugins/lib/request.h"

#include <string.h>

#include "base/clock.h"

/* null is as if the member were not there. */
static const struct json *
member(const struct json *object, const char *name)
{
    const struct json *v = json_get(object, name);

    return v && json_type(v) != JSON_NULL ? v : NULL;
}

static int
parse_id(struct request *r, struct err *e)
{
    const struct json *id = member(r->root, "id");
    size_t n;
    const char *digits = json_digits(id, &n);

    if (id && !json_str(id, NULL) &&
        (!digits || strspn(digits, "-0123456789") != n))
        return err_set(e, ERR_INVALID, "id must be an integer or a string");
    r->id = id;
    return 0;
}

static int
parse_timeout(struct request *r, struct err *e)
{
    const struct json *v = member(r->root, "timeout_ms");

    r->timeout_ms = -1;
    if (v && (!json_int(v, &r->timeout_ms) || r->timeout_ms < 1))
        return err_set(e, ERR_INVALID, "timeout_ms must be an integer above 0");
    if (r->timeout_ms > REQUEST_TIMEOUT_MAX_MS)
        r->timeout_ms = REQUEST_TIMEOUT_MAX_MS;
    return 0;
}

static int
parse_paths(const struct json *roots, const char *name, const struct json **out,
            struct err *e)
{
    const struct json *list = member(roots, name);

    if (list && json_type(list) != JSON_ARRAY)
        return err_set(e, ERR_INVALID, "roots.%s must be an array", name);
    for (const struct json *v = json_first(list); v; v = json_next(v)) {
        size_t n;
        const char *path = json_str(v, &n);

        if (!path || path[0] != '/' || strlen(path) != n)
            return err_set(e, ERR_INVALID,
                           "roots.%s must contain absolute paths", name);
    }
    *out = list;
    return 0;
}

static int
parse_roots(struct request *r, struct err *e)
{
    const struct json *roots = member(r->root, "roots");

    if (roots && json_type(roots) != JSON_OBJECT)
        return err_set(e, ERR_INVALID, "roots must be an object");
    if (parse_paths(roots, "read", &r->read_roots, e) < 0)
        return -1;
    return parse_paths(roots, "write", &r->write_roots, e);
}

/* What the front says to cmd.run beside its arguments. */
static int
parse_run(struct request *r, struct err *e)
{
    size_t n;

    r->argv = member(r->root, "argv");
    r->input = member(r->root, "input");
    if (r->input && !json_str(r->input, &n))
        return err_set(e, ERR_INVALID, "input must be a string");
    if (r->argv && (json_type(r->argv) != JSON_ARRAY || !json_first(r->argv)))
        return err_set(e, ERR_INVALID, "argv must be an array of strings");
    for (const struct json *v = json_first(r->argv); v; v = json_next(v)) {
        const char *word = json_str(v, &n);

        if (!word || strlen(word) != n)
            return err_set(e, ERR_INVALID, "argv must contain strings");
    }
    return 0;
}

static int
parse_members(struct request *r, struct err *e)
{
    if (json_type(r->root) != JSON_OBJECT)
        return err_set(e, ERR_INVALID, "a request must be an object");
    if (parse_id(r, e) < 0)
        return -1;
    r->tool = json_get_str(r->root, "tool");
    r->action = json_get_str(r->root, "action");
    r->step_id = json_get_str(r->root, "step_id");
    if (!r->tool || !r->action)
        return err_set(e, ERR_INVALID, "%s must be a string",
                       r->tool ? "action" : "tool");
    r->args = member(r->root, "args");
    if (r->args && json_type(r->args) != JSON_OBJECT)
        return err_set(e, ERR_INVALID, "args must be an object");
    (void)json_bool(json_get(r->root, "stream"), &r->stream);
    if (parse_timeout(r, e) < 0 || parse_run(r, e) < 0)
        return -1;
    return parse_roots(r, e);
}

int
request_parse(const char *line, size_t n, struct request *r, struct err *e)
{
    *r = (struct request){.timeout_ms = -1, .began_ms = clock_ms()};
    r->root = json_parse(line, n, JSON_UNIQUE, e);
    if (!r->root)
        return -1;
    return parse_members(r, e);
}

void
request_done(struct request *r)
{
    json_free(r->root);
    *r = (struct request){0};
}
