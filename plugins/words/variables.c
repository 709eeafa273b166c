/* SPDX-License-Identifier: GPL-3.0-or-later */
/* variables.c - from arguments in JSON to variables, and what cannot be one. */
#include "plugins/words/variables.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "json/write.h"

#define PREFIX     "AGENTSH_ARG_"
#define NAME_BYTES 256
#define VALUE_MAX  (100u << 10) /* Linux takes 128 KiB a variable, with name */

static int
name_of(const struct json *member, struct buf *out, struct err *e)
{
    size_t n;
    const char *name = json_name(member, &n);

    buf_str(out, PREFIX);
    for (size_t i = 0; i < n; i++) {
        int c = toupper((unsigned char)name[i]);

        buf_ch(out, (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ? (char)c
                                                                     : '_');
    }
    return buf_ok(out, "an argument's name", e);
}

static int
add_text(const struct json *v, struct buf *out, bool in_list, struct err *e)
{
    size_t n;
    const char *s = json_str(v, &n);

    if (memchr(s, '\0', n))
        return err_set(e, ERR_INVALID, "contains a NUL character");
    if (in_list && memchr(s, '\n', n))
        return err_set(e, ERR_INVALID, "an element contains a newline");
    buf_add(out, s, n);
    return 0;
}

static int
add_value(const struct json *v, struct buf *out, bool in_list, struct err *e)
{
    struct json_writer w;

    if (json_type(v) == JSON_STRING)
        return add_text(v, out, in_list, e);
    json_write_init(&w, out);
    json_put_value(&w, v);
    return 0;
}

static bool
is_flat(const struct json *list)
{
    for (const struct json *v = json_first(list); v; v = json_next(v)) {
        if (json_type(v) == JSON_ARRAY || json_type(v) == JSON_OBJECT)
            return false;
    }
    return true;
}

static int
value_of(const struct json *v, struct buf *out, struct err *e)
{
    if (json_type(v) != JSON_ARRAY || !is_flat(v))
        return add_value(v, out, false, e);
    for (const struct json *c = json_first(v); c; c = json_next(c)) {
        if (add_value(c, out, true, e) < 0)
            return -1;
        buf_ch(out, '\n');
    }
    return 0;
}

static int
set_one(const struct json *member, struct err *e)
{
    CLEANUP_BUF struct buf name = buf_of(NAME_BYTES);
    CLEANUP_BUF struct buf value = buf_of(VALUE_MAX);

    if (json_type(member) == JSON_NULL)
        return 0;
    if (name_of(member, &name, e) < 0)
        return -1;
    if (value_of(member, &value, e) < 0)
        return err_wrap(e, "args.%.64s", json_name(member, NULL));
    if (value.bad)
        return err_set(e, ERR_INVALID,
                       "args.%.64s: is over %u bytes, which a plugin of words "
                       "cannot be given",
                       json_name(member, NULL), VALUE_MAX);
    return setenv(name.p, value.p, 1) < 0 ? err_nomem(e) : 0;
}

int
variables_set(const struct json *args, struct err *e)
{
    for (const struct json *v = json_first(args); v; v = json_next(v)) {
        if (set_one(v, e) < 0)
            return -1;
    }
    return 0;
}

void
variables_clear(const struct json *args)
{
    for (const struct json *v = json_first(args); v; v = json_next(v)) {
        CLEANUP_BUF struct buf name = buf_of(NAME_BYTES);

        if (name_of(v, &name, NULL) == 0)
            (void)unsetenv(name.p);
    }
}
