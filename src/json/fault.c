/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fault.c - where in a value something is wrong, in words. */
#include <stdarg.h>
#include <string.h>

#include "base/utf8.h"
#include "json/rule.h"
#include "json/write.h"

#define PLACE_MAX  120  /* bytes of a place in a message; struct err has 256 */
#define SHOWN_MAX  48   /* bytes of a string in a message */
#define REASON_MAX 1024 /* before it is cut to what struct err has left */

static bool
is_plain_name(const char *name, size_t len)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-$";

    return len > 0 && strspn(name, plain) == len;
}

void
json_describe_string(struct buf *out, const char *s, size_t len)
{
    size_t shown = utf8_boundary(s, len, SHOWN_MAX);
    struct json_writer w;

    json_write_init(&w, out);
    json_put_strn(&w, s, shown);
    if (shown < len)
        buf_str(out, "…");
}

static void
add_place(struct buf *out, const struct json_place *at)
{
    const char *name;
    size_t len;

    if (!at)
        return;
    add_place(out, at->up);
    if (!at->member) {
        buf_printf(out, "[%zu]", at->index);
        return;
    }
    name = json_name(at->member, &len);
    if (is_plain_name(name, len)) {
        buf_str(out, out->len ? "." : "");
        buf_add(out, name, len);
        return;
    }
    buf_ch(out, '[');
    json_describe_string(out, name, len);
    buf_ch(out, ']');
}

static size_t
level_of(const struct json_place *at)
{
    size_t level = 0;

    for (; at; at = at->up)
        level++;
    return level;
}

int
json_fault(struct json_check *c, const struct json_place *at, const char *fmt,
           ...)
{
    CLEANUP_BUF struct buf place = buf_of(PLACE_MAX);
    CLEANUP_BUF struct buf reason = buf_of(REASON_MAX);
    size_t room = sizeof(c->e->text) - 1 - PLACE_MAX - strlen("…: ");
    va_list ap;

    add_place(&place, at);
    va_start(ap, fmt);
    buf_vprintf(&reason, fmt, ap);
    va_end(ap);
    room += PLACE_MAX - place.len;
    buf_cut(&reason, utf8_boundary(reason.p, reason.len, room));
    c->fault_level = level_of(at);
    return err_set(c->e, ERR_INVALID, "%s%s%s%s", place.p, place.bad ? "…" : "",
                   at ? ": " : "", reason.p);
}

void
json_describe(struct buf *out, const struct json *v)
{
    struct json_writer w;
    const char *s;
    size_t len;

    json_write_init(&w, out);
    if ((s = json_str(v, &len)) != NULL)
        json_describe_string(out, s, len);
    else if ((s = json_digits(v, &len)) != NULL)
        buf_printf(out, "%.*s%s", SHOWN_MAX, s, len > SHOWN_MAX ? "…" : "");
    else if (json_type(v) == JSON_OBJECT)
        buf_str(out, "an object");
    else if (json_type(v) == JSON_ARRAY)
        buf_str(out, "an array");
    else
        json_put_value(&w, v);
}
