/* SPDX-License-Identifier: GPL-3.0-or-later */
/* peer_files.c - files that a peer reads and writes for us. */
#include "tool/peer_files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/path.h"
#include "base/utf8.h"
#include "json/json.h"
#include "json/write.h"

#define READ_MAX 102400 /* bytes, unless max_bytes is given: the plugin's */
#define META_MAX 256

struct peer_call {
    const struct peer_files *files;
    const struct tool_events *ev;
    void *arg;
    void *handle; /* of the peer's answer; NULL: it came */
    bool reads;
    int64_t most; /* bytes of what is read */
    int64_t written;
    int64_t from_ms;
};

void
peer_call_free(struct peer_call *c)
{
    if (!c)
        return;
    if (c->handle)
        c->files->cancel(c->handle);
    free(c);
}

static bool
is_reading_tool(const struct tool *t)
{
    return strcmp(t->name, "fs.read_file") == 0;
}

/* Whether all arguments are among these: others ask for what a peer cannot do.
 */
static bool
has_only(const struct json *args, const char *const *names)
{
    for (const struct json *m = json_first(args); m; m = json_next(m)) {
        size_t i = 0;

        while (names[i] && strcmp(names[i], json_name(m, &(size_t){0})) != 0)
            i++;
        if (!names[i] && json_type(m) != JSON_NULL)
            return false;
    }
    return true;
}

/* Whether a clean path lies in a directory of the seat. */
static bool
is_in_seat(const struct seat *s, const char *path)
{
    const char *const *roots = seat_roots(s);

    if (path_is_below(path, seat_dir(s)))
        return true;
    for (size_t i = 0; roots && roots[i]; i++) {
        if (path_is_below(path, roots[i]))
            return true;
    }
    return false;
}

/* Whether a clean path is a file of that name, or the name of none: no symbolic
 * link, be it to nothing. */
static bool
is_name_itself(const char *path)
{
    CLEANUP(free_p) char *real = realpath(path, NULL);
    struct stat st;

    if (real)
        return strcmp(real, path) == 0;
    return lstat(path, &st) < 0 && errno == ENOENT;
}

/* The path that is asked about; NULL: the plugin has to answer. A file that is
 * not there yet is looked at by its directory. */
static char *
peer_path(const struct seat *s, const struct tool_request *rq)
{
    CLEANUP(free_p)
    char *path = seat_resolve(s, json_get_str(rq->args, "path"));
    CLEANUP(free_p) char *dir = NULL;
    CLEANUP(free_p) char *real_dir = NULL;

    if (!path)
        return NULL;
    path_clean(path);
    dir = path_join(path, "..");
    if (dir)
        path_clean(dir);
    real_dir = dir ? realpath(dir, NULL) : NULL;
    if (!real_dir || strcmp(dir, real_dir) != 0 || !is_name_itself(path) ||
        !is_in_seat(s, path))
        return NULL;
    return TAKE_PTR(path);
}

bool
peer_call_takes(const struct peer_files *files, const struct seat *s,
                const struct tool *t, const struct tool_request *rq)
{
    static const char *const read[] = {"path", "max_bytes", "line", "lines",
                                       NULL};
    static const char *const write[] = {"path", "content", "backup", NULL};
    CLEANUP(free_p) char *path = NULL;

    if (!files || t->source != TOOL_BUILTIN || !seat_dir(s) ||
        !json_get_str(rq->args, "path"))
        return false;
    if (is_reading_tool(t) ? !files->read || !has_only(rq->args, read)
                           : strcmp(t->name, "fs.write_file") != 0 ||
                                 !files->write || !has_only(rq->args, write))
        return false;
    path = peer_path(s, rq);
    return path != NULL;
}

static void
put_meta(const struct peer_call *c, size_t n, bool truncated, struct buf *out)
{
    struct json_writer w;

    json_write_init(&w, out);
    json_open_object(&w);
    json_member_int(&w, c->reads ? "bytes_read" : "bytes_written",
                    c->reads ? (int64_t)n : c->written);
    if (c->reads)
        json_member_bool(&w, "truncated", truncated);
    json_close_object(&w);
}

static void
on_peer_answer(void *arg, const char *text, size_t n, const struct err *why)
{
    struct peer_call *c = arg;
    CLEANUP_BUF struct buf meta = buf_of(META_MAX);
    CLEANUP(json_free_p) struct json *v = NULL;
    size_t kept;

    c->handle = NULL;
    if (why) {
        c->ev->failed(c->arg, why);
        return;
    }
    kept = (int64_t)n > c->most ? utf8_boundary(text, n, (size_t)c->most) : n;
    put_meta(c, kept, kept < n, &meta);
    v = json_parse(meta.p, meta.len, 0, NULL);
    c->ev->done(c->arg,
                &(struct tool_result){.ok = true,
                                      .out = text,
                                      .out_len = c->reads ? kept : 0,
                                      .err = "",
                                      .truncated = kept < n,
                                      .duration_ms = clock_ms() - c->from_ms,
                                      .meta = v});
}

static int64_t
int_argument(const struct tool_request *rq, const char *name, int64_t otherwise)
{
    int64_t v = otherwise;

    (void)json_int(json_get(rq->args, name), &v);
    return v;
}

static void *
ask_peer(struct peer_call *c, const char *path, const struct tool_request *rq,
         struct err *e)
{
    const struct peer_files *f = c->files;
    const char *text;
    size_t n = 0;

    if (c->reads)
        return f->read(f->owner, path, int_argument(rq, "line", 0),
                       int_argument(rq, "lines", 0), on_peer_answer, c, e);
    text = json_str(json_get(rq->args, "content"), &n);
    c->written = (int64_t)n;
    return f->write(f->owner, path, text, n, on_peer_answer, c, e);
}

struct peer_call *
peer_call_start(const struct peer_files *files, const struct seat *s,
                const struct tool *t, const struct tool_request *rq,
                const struct tool_events *ev, void *arg, struct err *e)
{
    CLEANUP(peer_call_free_p) struct peer_call *c = calloc(1, sizeof(*c));
    CLEANUP(free_p) char *path = peer_path(s, rq);

    if (!c || !path) {
        err_nomem(e);
        return NULL;
    }
    *c = (struct peer_call){.files = files,
                            .ev = ev,
                            .arg = arg,
                            .reads = is_reading_tool(t),
                            .most = int_argument(rq, "max_bytes", READ_MAX),
                            .from_ms = clock_ms()};
    c->handle = ask_peer(c, path, rq, e);
    return c->handle ? TAKE_PTR(c) : NULL;
}
