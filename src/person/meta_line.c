/* SPDX-License-Identifier: GPL-3.0-or-later */
/* meta_line.c - what a tool says beside its output, for a person. */
#include "person/meta_line.h"

#include <string.h>

#include "json/write.h"

/* What a person sees elsewhere. */
static const char *const elsewhere[] = {"duration_ms", "exit_code",
                                        "stdout_bytes", "stderr_bytes"};

static bool
is_elsewhere(const struct json *member)
{
    size_t n;
    const char *name = json_name(member, &n);

    for (size_t i = 0; i < sizeof(elsewhere) / sizeof(*elsewhere); i++) {
        if (strlen(elsewhere[i]) == n && memcmp(elsewhere[i], name, n) == 0)
            return true;
    }
    return false;
}

static bool
says_nothing(const struct json *v)
{
    bool yes = false;
    size_t n = 0;

    switch (json_type(v)) {
    case JSON_NULL:
        return true;
    case JSON_BOOL:
        return !json_bool(v, &yes) || !yes;
    case JSON_STRING:
        return !json_str(v, &n) || n == 0;
    case JSON_ARRAY:
    case JSON_OBJECT:
        return json_count(v) == 0;
    default:
        return false;
    }
}

static void
put_name(struct buf *out, const struct json *member)
{
    size_t n;
    const char *name = json_name(member, &n);

    for (size_t i = 0; i < n; i++)
        buf_ch(out, name[i] == '_' ? ' ' : name[i]);
    buf_str(out, ": ");
}

static void
put_value(struct buf *out, const struct json *v)
{
    struct json_writer w;
    size_t n;
    const char *text = json_str(v, &n);

    if (text) {
        buf_add(out, text, n);
    } else if (json_type(v) == JSON_BOOL) {
        buf_str(out, "yes");
    } else {
        json_write_init(&w, out);
        json_put_value(&w, v);
    }
}

void
meta_line(struct buf *out, const struct json *meta)
{
    const char *between = "";

    for (const struct json *v = json_first(meta); v; v = json_next(v)) {
        if (is_elsewhere(v) || says_nothing(v))
            continue;
        buf_str(out, between);
        put_name(out, v);
        put_value(out, v);
        between = "; ";
    }
}
