/* SPDX-License-Identifier: GPL-3.0-or-later */
/* manifest_reader.c - reads a JSON object member by member, by a table. */
#include "tool/manifest_reader.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "config/nearest.h"

#define SENTENCE_MAX 200 /* bytes: it is shown in a line of a table */
#define PLACE_MAX    160

static void
write_place(const struct manifest_spot *at, struct buf *out)
{
    if (!at)
        return;
    write_place(at->up, out);
    if (at->name)
        buf_printf(out, "%s%.40s", out->len ? "." : "", at->name);
    else
        buf_printf(out, "[%zu]", at->index);
}

int
manifest_report(const struct manifest_spot *at, struct err *e, const char *fmt,
                ...)
{
    CLEANUP_BUF struct buf place = buf_of(PLACE_MAX);
    char text[160];
    va_list ap;

    write_place(at, &place);
    va_start(ap, fmt);
    vsnprintf(text, sizeof(text), fmt, ap);
    va_end(ap);
    return err_set(e, ERR_INVALID, "%s%s%s", place.p, place.len ? ": " : "",
                   text);
}

static const char *
type_name(const struct json *v)
{
    static const char *const kinds[] = {
        [JSON_NULL] = "null",       [JSON_BOOL] = "a boolean",
        [JSON_NUMBER] = "a number", [JSON_STRING] = "a string",
        [JSON_ARRAY] = "an array",  [JSON_OBJECT] = "an object",
    };

    return kinds[json_type(v)];
}

static bool
has_control_character(const char *s)
{
    for (; *s; s++)
        if ((unsigned char)*s < ' ' || *s == 0x7f)
            return true;
    return false;
}

const char *
manifest_read_string(const struct json *v, const struct manifest_spot *at,
                     size_t max, struct err *e)
{
    size_t n;
    const char *s = json_str(v, &n);

    if (!s)
        manifest_report(at, e, "must be a string, not %s", type_name(v));
    else if (n == 0)
        manifest_report(at, e, "must not be empty");
    else if (strlen(s) < n || has_control_character(s))
        manifest_report(at, e, "must not contain control characters");
    else if (n > max)
        manifest_report(at, e, "must have at most %zu bytes, not %zu", max, n);
    else
        return s;
    return NULL;
}

int
manifest_read_sentence(const struct json *v, const struct manifest_spot *at,
                       void *out, struct err *e)
{
    const char *s = manifest_read_string(v, at, SENTENCE_MAX, e);

    if (!s)
        return -1;
    *(const char **)out = s;
    return 0;
}

int
manifest_read_bool(const struct json *v, const struct manifest_spot *at,
                   void *out, struct err *e)
{
    if (json_bool(v, out))
        return 0;
    return manifest_report(at, e, "must be true or false, not %s",
                           type_name(v));
}

int
manifest_read_list(const struct json *v, const struct manifest_spot *at,
                   manifest_reader *one, const char **list, struct err *e)
{
    struct manifest_spot spot = {.up = at};

    if (json_type(v) != JSON_ARRAY)
        return manifest_report(at, e, "must be a list, not %s", type_name(v));
    if (json_count(v) > MANIFEST_LIST_MAX)
        return manifest_report(at, e, "must have at most %d elements",
                               MANIFEST_LIST_MAX);
    for (const struct json *c = json_first(v); c; c = json_next(c)) {
        if (one(c, &spot, &list[spot.index], e) < 0)
            return -1;
        spot.index++;
    }
    list[spot.index] = NULL;
    return 0;
}

static int
unknown_member(const struct json *member, const struct manifest_spot *at,
               const struct manifest_member *rows, struct err *e)
{
    const char *name = json_name(member, NULL);
    struct nearest near;

    nearest_init(&near, name);
    for (; rows->name; rows++)
        nearest_consider(&near, rows->name);
    if (near.best)
        return manifest_report(at, e,
                               "unknown member \"%.40s\"; did you mean \"%s\"?",
                               name, near.best);
    return manifest_report(at, e, "unknown member \"%.40s\"", name);
}

static const struct manifest_member *
find_row(const struct manifest_member *rows, const struct json *member)
{
    size_t n;
    const char *name = json_name(member, &n);

    for (; rows->name; rows++)
        if (strlen(rows->name) == n && memcmp(rows->name, name, n) == 0)
            return rows;
    return NULL;
}

int
manifest_read_members(const struct json *object, const struct manifest_spot *at,
                      const struct manifest_member *rows, void *out,
                      struct err *e)
{
    if (json_type(object) != JSON_OBJECT)
        return manifest_report(at, e, "must be an object, not %s",
                               type_name(object));
    for (const struct json *c = json_first(object); c; c = json_next(c)) {
        const struct manifest_member *row = find_row(rows, c);
        struct manifest_spot spot = {.up = at};

        if (!row)
            return unknown_member(c, at, rows, e);
        spot.name = row->name;
        if (row->read(c, &spot, (char *)out + row->offset, e) < 0)
            return -1;
    }
    for (; rows->name; rows++)
        if (rows->needed && !json_get(object, rows->name))
            return manifest_report(at, e, "missing \"%s\"", rows->name);
    return 0;
}
