/* SPDX-License-Identifier: GPL-3.0-or-later */
/* args.c - the arguments of a request, one at a time. */
#include "plugins/lib/args.h"

#include <string.h>

static const struct json *
argument(const struct request *r, const char *name)
{
    const struct json *v = json_get(r->args, name);

    return v && json_type(v) != JSON_NULL ? v : NULL;
}

int
args_action(const struct request *r, const char *only, struct err *e)
{
    if (strcmp(r->action, only) == 0)
        return 0;
    return err_set(e, ERR_INVALID, "%s has one action, %s", r->tool, only);
}

int
args_path(const struct request *r, const char *name, const char **out,
          struct err *e)
{
    size_t n;
    const char *s = json_str(argument(r, name), &n);

    if (!s)
        return err_set(e, ERR_INVALID, "args.%s must be a string", name);
    if (n == 0 || strlen(s) != n)
        return err_set(e, ERR_INVALID, "args.%s %s", name,
                       n == 0 ? "is empty" : "contains a NUL character");
    *out = s;
    return 0;
}

int
args_bool(const struct request *r, const char *name, bool *out, struct err *e)
{
    const struct json *v = argument(r, name);

    if (v && !json_bool(v, out))
        return err_set(e, ERR_INVALID, "args.%s must be true or false", name);
    return 0;
}

int
args_encoding(const struct request *r, bool *base64, struct err *e)
{
    const struct json *v = argument(r, "encoding");
    size_t n;
    const char *name = json_str(v, &n);
    bool is_base64 = name && strcmp(name, "base64") == 0;

    if (v && (!name || strlen(name) != n ||
              (!is_base64 && strcmp(name, "utf-8") != 0)))
        return err_set(e, ERR_INVALID,
                       "args.encoding must be \"utf-8\" or \"base64\"");
    if (v)
        *base64 = is_base64;
    return 0;
}

int
args_int(const struct request *r, const char *name, int64_t min, int64_t max,
         int64_t *out, struct err *e)
{
    const struct json *v = argument(r, name);
    int64_t n;

    if (!v)
        return 0;
    if (!json_int(v, &n) || n < min || n > max)
        return err_set(e, ERR_INVALID,
                       "args.%s must be an integer from %lld to %lld", name,
                       (long long)min, (long long)max);
    *out = n;
    return 0;
}
