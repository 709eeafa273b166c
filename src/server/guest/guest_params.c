/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guest_params.c - reads the params of a request, by name or by position. */
#include "server/guest/guest_params.h"

#include <inttypes.h>

static const char *const type_names[] = {
    [JSON_NULL] = "null",       [JSON_BOOL] = "a boolean",
    [JSON_NUMBER] = "a number", [JSON_STRING] = "a string",
    [JSON_ARRAY] = "an array",  [JSON_OBJECT] = "an object",
};

static int
read_param(const struct guest_param *p, const struct json *v,
           const struct json **out, struct err *e)
{
    if (p->optional && v && json_type(v) == JSON_NULL)
        v = NULL;
    if (!v && !p->optional)
        return err_set(e, ERR_INVALID, "invalid params: %s is missing",
                       p->name);
    if (v && json_type(v) != p->type)
        return err_set(e, ERR_INVALID, "invalid params: %s must be %s", p->name,
                       type_names[p->type]);
    *out = v;
    return 0;
}

int
guest_params_read(const struct guest_param *list, const struct json *params,
                  const struct json *values[GUEST_PARAMS_MAX], struct err *e)
{
    bool by_position = params && json_type(params) == JSON_ARRAY;
    const struct json *at = by_position ? json_first(params) : NULL;
    size_t n = 0;

    for (const struct guest_param *p = list; p->name; p++, n++) {
        const struct json *v = by_position ? at : json_get(params, p->name);

        if (read_param(p, v, &values[n], e) < 0)
            return -1;
        at = at ? json_next(at) : NULL;
    }
    if (at)
        return err_set(e, ERR_INVALID,
                       "invalid params: more than %zu values in the array", n);
    return 0;
}

int
guest_params_int(const struct json *v, const char *name, int64_t least,
                 int64_t most, int64_t *out, struct err *e)
{
    int64_t value;

    if (!v || json_type(v) == JSON_NULL)
        return 0;
    if (!json_int(v, &value) || value < least || value > most)
        return err_set(e, ERR_INVALID,
                       "invalid params: %s must be an integer from %" PRId64
                       " to %" PRId64,
                       name, least, most);
    *out = value;
    return 0;
}
