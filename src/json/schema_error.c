/* SPDX-License-Identifier: GPL-3.0-or-later */
/* schema_error.c - says where in a value something is wrong, and what. */
#include <stdarg.h>
#include <string.h>

#include "base/utf8.h"
#include "json/schema_rule.h"
#include "json/write.h"

#define PLACE_MAX  120  /* bytes of a place in a message; struct err has 256 */
#define REASON_MAX 1024 /* before it is cut to the room in struct err */

static bool
is_plain_name(const char *name, size_t len)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-$";

    return len > 0 && strspn(name, plain) == len;
}

static void
add_schema_place(struct buf *out, const struct schema_path *at)
{
    const char *name;
    size_t len;

    if (!at)
        return;
    add_schema_place(out, at->up);
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
level_of(const struct schema_path *at)
{
    size_t level = 0;

    for (; at; at = at->up)
        level++;
    return level;
}

int
schema_error(struct schema_check *c, const struct schema_path *at,
             const char *fmt, ...)
{
    CLEANUP_BUF struct buf place = buf_of(PLACE_MAX);
    CLEANUP_BUF struct buf reason = buf_of(REASON_MAX);
    size_t room = sizeof(c->e->text) - 1 - PLACE_MAX - strlen("…: ");
    va_list ap;

    add_schema_place(&place, at);
    va_start(ap, fmt);
    buf_vprintf(&reason, fmt, ap);
    va_end(ap);
    room += PLACE_MAX - place.len;
    buf_cut(&reason, utf8_boundary(reason.p, reason.len, room));
    c->fault_level = level_of(at);
    return err_set(c->e, ERR_INVALID, "%s%s%s%s", place.p, place.bad ? "…" : "",
                   at ? ": " : "", reason.p);
}
