/* SPDX-License-Identifier: GPL-3.0-or-later */
/* undo_record.c - what the steps of a run changed by tools, in its store. */
#include "action/undo_record.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/file.h"

#define RECORD_NAME 32
#define RECORD_TEMP "record.new"

static void
record_name(size_t k, const char *what, char name[RECORD_NAME])
{
    snprintf(name, RECORD_NAME, "%zu.%s", k, what);
}

/* Whole or not at all, and on the disk. */
static int
write_record_file(const struct undo_store *u, const char *name,
                  struct buf *text, struct err *e)
{
    int dir = undo_store_dir(u);
    CLEANUP(fd_close_p) int fd = -1;

    if (buf_ok(text, "what is needed to go back", e) < 0)
        return -1;
    fd = openat(dir, RECORD_TEMP,
                O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        return err_sys(e, "what is needed to go back");
    if (fd_write_all(fd, text->p, text->len, -1, e) < 0)
        return -1;
    if (fdatasync(fd) < 0 || renameat(dir, RECORD_TEMP, dir, name) < 0 ||
        fsync(dir) < 0)
        return err_sys(e, "what is needed to go back");
    return 0;
}

static void
put_record_head(struct json_writer *w, const char *tool, const char *command,
                const char *of)
{
    json_member_str(w, "tool", tool);
    json_member_str(w, "command", command);
    json_key(w, "of");
    json_put_raw(w, of, strlen(of));
}

int
undo_record_keep(struct undo_store *u, size_t k, const struct undo_call *c,
                 const char *command, const struct json *state, struct err *e)
{
    CLEANUP_BUF struct buf text = buf_of(UNDO_CALL_TEXT_MAX);
    char name[RECORD_NAME];
    struct json_writer w;

    if (json_type(state) != JSON_OBJECT)
        return err_set(e, ERR_TOOL, "%s does not tell how it is", c->tool);
    json_write_init(&w, &text);
    json_open_object(&w);
    put_record_head(&w, c->tool, command, c->of);
    json_key(&w, "state");
    json_put_value(&w, state);
    json_close_object(&w);
    record_name(k, "state", name);
    return write_record_file(u, name, &text, e);
}

static void
put_record_change(struct json_writer *w, const char *name, const char *before,
                  const char *after)
{
    json_open_object(w);
    json_member_str(w, "name", name);
    json_member_str(w, "before", before);
    json_member_str(w, "after", after);
    json_close_object(w);
}

/* The member of that name: mostly it is the next one. */
static const struct json *
find_record_member(const struct json *object, const struct json **next,
                   const char *name)
{
    const struct json *v = *next;

    if (!v || strcmp(json_name(v, NULL), name) != 0)
        v = json_get(object, name);
    if (v)
        *next = json_next(v);
    return v;
}

void
undo_record_put_changes(struct json_writer *w, const struct json *before,
                        const struct json *after)
{
    const struct json *next = json_first(after);

    json_open_array(w);
    for (const struct json *v = json_first(before); v; v = json_next(v)) {
        const char *name = json_name(v, NULL);
        const char *was = json_str(v, NULL);
        const char *is = json_str(find_record_member(after, &next, name), NULL);

        if (was && (!is || strcmp(was, is) != 0))
            put_record_change(w, name, was, is);
    }
    next = json_first(before);
    for (const struct json *v = json_first(after); v; v = json_next(v)) {
        const char *name = json_name(v, NULL);

        if (!find_record_member(before, &next, name) && json_str(v, NULL))
            put_record_change(w, name, NULL, json_str(v, NULL));
    }
    json_close_array(w);
}

static int
read_record_file(const struct undo_store *u, const char *name,
                 struct json **out, struct err *e)
{
    CLEANUP_BUF struct buf text = buf_of(UNDO_CALL_TEXT_MAX);
    CLEANUP(fd_close_p)
    int fd = openat(undo_store_dir(u), name,
                    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

    if (fd < 0)
        return errno == ENOENT ? err_set(e, ERR_NOT_FOUND, "no such record")
                               : err_sys(e, "what is needed to go back");
    if (file_read_fd(fd, &text, e) < 0)
        return -1;
    *out = json_parse(text.p, text.len, JSON_UNIQUE, e);
    return *out ? 0 : -1;
}

static bool
has_record_file(const struct undo_store *u, size_t k, const char *what)
{
    char name[RECORD_NAME];

    record_name(k, what, name);
    return faccessat(undo_store_dir(u), name, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

size_t
undo_record_count(const struct undo_store *u)
{
    size_t n = 0;

    while (has_record_file(u, n, "changes") || has_record_file(u, n, "state"))
        n++;
    return n;
}

int
undo_record_read(const struct undo_store *u, size_t k, struct undo_record *out,
                 struct err *e)
{
    char name[RECORD_NAME];
    struct err why = {0};
    struct json *root = NULL;

    record_name(k, "changes", name);
    if (read_record_file(u, name, &root, &why) < 0) {
        if (why.code != ERR_NOT_FOUND)
            return err_set(e, why.code, "%s", why.text);
        record_name(k, "state", name);
        if (read_record_file(u, name, &root, e) < 0)
            return -1;
    }
    *out = (struct undo_record){.tool = json_get_str(root, "tool"),
                                .command = json_get_str(root, "command"),
                                .of = json_get(root, "of"),
                                .changes = json_get(root, "changes"),
                                .state = json_get(root, "state"),
                                .root = root};
    if (out->tool && out->command && json_type(out->of) == JSON_OBJECT &&
        (out->changes ? json_type(out->changes) == JSON_ARRAY
                      : json_type(out->state) == JSON_OBJECT))
        return 0;
    undo_record_done(out);
    return err_set(e, ERR_PARSE, "what is needed to go back is damaged");
}

void
undo_record_done(struct undo_record *r)
{
    if (!r)
        return;
    json_free(r->root);
    *r = (struct undo_record){0};
}

int
undo_record_note(struct undo_store *u, size_t k, const struct json *after,
                 struct err *e)
{
    CLEANUP(undo_record_done) struct undo_record r = {0};
    CLEANUP_BUF struct buf text = buf_of(UNDO_CALL_TEXT_MAX);
    char name[RECORD_NAME];
    struct json_writer w;

    if (undo_record_read(u, k, &r, e) < 0)
        return -1;
    if (!r.state)
        return err_set(e, ERR_INVALID, "what it changed is noted already");
    json_write_init(&w, &text);
    json_open_object(&w);
    json_member_str(&w, "tool", r.tool);
    json_member_str(&w, "command", r.command);
    json_key(&w, "of");
    json_put_value(&w, r.of);
    json_key(&w, "changes");
    undo_record_put_changes(&w, r.state, after);
    json_close_object(&w);
    record_name(k, "changes", name);
    if (write_record_file(u, name, &text, e) < 0)
        return -1;
    record_name(k, "state", name);
    (void)unlinkat(undo_store_dir(u), name, 0);
    return 0;
}
