/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_tools.c - lists an MCP server's tools, and caches the lists. */
#include "tool/mcp/mcp_tools.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/path.h"
#include "config/config_file.h"
#include "tool/confinement.h"
#include "tool/mcp/mcp_hash.h"
#include "json/write.h"

#define CURSOR_MAX 4096
#define FAULT_S    600 /* a broken server is not tried again so soon */
#define TEXT_MAX   (1u << 20)
#define FETCH_MS   30000
#define PARAMS_MAX 8192

void
mcp_tools_init(struct mcp_tools *l, const char *version)
{
    struct json_writer w;
    char cut[MANIFEST_VERSION_MAX];

    snprintf(cut, sizeof(cut), "%s", version && version[0] ? version : "-");
    *l = (struct mcp_tools){.text = buf_of(MCP_LIST_BYTES)};
    json_write_init(&w, &l->text);
    json_open_object(&w);
    json_member_str(&w, "version", cut);
    buf_str(&l->text, ",\"tools\":[");
}

void
mcp_tools_done(struct mcp_tools *l)
{
    if (!l)
        return;
    buf_done(&l->text);
    free(l->cursor);
    l->cursor = NULL;
}

static int
read_cursor(struct mcp_tools *l, const struct json *v, struct err *e)
{
    size_t n;
    const char *s = json_str(v, &n);
    CLEANUP(free_p) char *last = l->cursor;

    l->cursor = NULL;
    if (!v || json_type(v) == JSON_NULL)
        return 0;
    if (!s || strlen(s) < n || n > CURSOR_MAX)
        return err_set(e, ERR_PEER, "nextCursor is not a string");
    if (last && strcmp(last, s) == 0)
        return err_set(e, ERR_PEER, "its list of tools does not end");
    l->cursor = strdup(s);
    return l->cursor ? 0 : err_nomem(e);
}

int
mcp_tools_add_page(struct mcp_tools *l, const struct json *result,
                   struct err *e)
{
    const struct json *tools = json_get(result, "tools");

    if (json_type(tools) != JSON_ARRAY)
        return err_set(e, ERR_PEER, "its answer to tools/list has no tools");
    if (l->n + json_count(tools) > MCP_TOOLS_MAX || ++l->pages > MCP_PAGES_MAX)
        return err_set(e, ERR_PEER, "it offers more than %d tools",
                       MCP_TOOLS_MAX);
    for (const struct json *v = json_first(tools); v; v = json_next(v)) {
        struct json_writer w;

        if (l->n++ > 0)
            buf_ch(&l->text, ',');
        json_write_init(&w, &l->text);
        json_put_value(&w, v);
    }
    if (l->text.bad)
        return err_set(e, ERR_PEER, "its list of tools is over %u bytes",
                       MCP_LIST_BYTES);
    return read_cursor(l, json_get(result, "nextCursor"), e);
}

int
mcp_tools_finish(struct mcp_tools *l, size_t skipped, struct err *e)
{
    buf_printf(&l->text, "],\"skipped\":%zu}\n", skipped);
    return buf_ok(&l->text, "the list of tools", e);
}

static char *
tools_cache_path(const struct seat *s, const char *hash)
{
    CLEANUP(free_p) char *dir = seat_place(s, PATH_CACHE, "mcp", NULL);
    char name[80];

    snprintf(name, sizeof(name), "%.64s.json", hash);
    return dir ? path_join(dir, name) : NULL;
}

/* Whether the file is so new that the error in it still counts. */
static bool
is_young(const char *path)
{
    struct stat st;
    time_t now = time(NULL);

    return stat(path, &st) == 0 && st.st_mtime <= now &&
           now - st.st_mtime < FAULT_S;
}

struct json *
mcp_tools_read_cache(const struct seat *s, const char *hash, bool again,
                     struct err *e)
{
    const char *fault;

    CLEANUP(free_p) char *path = tools_cache_path(s, hash);
    CLEANUP_BUF struct buf text = buf_of(MCP_LIST_BYTES);
    CLEANUP(json_free_p) struct json *list = NULL;
    bool there = false;

    if (path &&
        config_file_read(path, CONFIG_FILE_ANYONE, &text, &there, NULL) == 0 &&
        there)
        list = json_parse(text.p, text.len, JSON_UNIQUE, NULL);
    if (list && json_type(json_get(list, "tools")) == JSON_ARRAY)
        return TAKE_PTR(list);
    fault = list ? json_get_str(list, "fault") : NULL;
    if (fault && !again && is_young(path)) {
        err_set(e, ERR_PEER, "%s (tried less than %d minutes ago)", fault,
                FAULT_S / 60);
        return NULL;
    }
    err_set(e, ERR_NOT_FOUND, "no list of its tools was saved");
    return NULL;
}

static void
write_cache(const struct seat *s, const char *hash, const struct buf *text)
{
    CLEANUP(free_p) char *dir = seat_place(s, PATH_CACHE, "mcp", NULL);
    CLEANUP(free_p) char *path = tools_cache_path(s, hash);
    CLEANUP_BUF struct buf old = buf_of(MCP_LIST_BYTES);
    bool there = false;

    if (!dir || !path)
        return;
    if (config_file_read(path, CONFIG_FILE_ANYONE, &old, &there, NULL) == 0 &&
        there && old.len == text->len && memcmp(old.p, text->p, old.len) == 0)
        return;
    if (seat_make_dirs(s, dir, 0700, NULL) == 0)
        (void)file_write(path, text->p, text->len, 0600, NULL);
}

void
mcp_tools_cache(const struct seat *s, const char *hash,
                const struct mcp_tools *l)
{
    write_cache(s, hash, &l->text);
}

void
mcp_tools_cache_error(const struct seat *s, const char *hash,
                      const struct err *why)
{
    CLEANUP_BUF struct buf text = buf_of(4096);
    struct json_writer w;

    json_write_init(&w, &text);
    json_open_object(&w);
    json_member_str(&w, "fault", why->text);
    json_close_object(&w);
    write_cache(s, hash, &text);
}

static int
request_page(const struct mcp_tools *l, struct mcp_session *s, struct err *e)
{
    CLEANUP_BUF struct buf params = buf_of(PARAMS_MAX);
    struct json_writer w;

    json_write_init(&w, &params);
    json_open_object(&w);
    if (l->cursor)
        json_member_str(&w, "cursor", l->cursor);
    json_close_object(&w);
    return mcp_session_request(s, "tools/list", &params, e);
}

int
mcp_tools_request(struct mcp_tools *l, struct mcp_session *s, struct err *e)
{
    mcp_tools_done(l);
    mcp_tools_init(l, mcp_session_version(s));
    return request_page(l, s, e);
}

int
mcp_tools_on_answer(struct mcp_tools *l, struct mcp_session *s,
                    const struct jsonrpc *m, struct err *e)
{
    if (m->kind == JSONRPC_ERROR)
        return err_set(e, ERR_PEER, "does not list its tools: %.160s",
                       m->message);
    if (mcp_tools_add_page(l, m->result, e) < 0)
        return -1;
    if (l->cursor)
        return request_page(l, s, e);
    return mcp_tools_finish(l, mcp_session_noise(s), e) < 0 ? -1 : 1;
}

struct fetch {
    struct mcp_session *session;
    struct mcp_tools list;
    bool over;
    struct err why; /* ERR_NONE: success */
};

static void
fetch_done(struct fetch *f)
{
    mcp_session_free(f->session);
    mcp_tools_done(&f->list);
}

static void
on_ready(void *arg)
{
    struct fetch *f = arg;

    f->over = mcp_tools_request(&f->list, f->session, &f->why) < 0;
}

static void
on_answer(void *arg, const struct jsonrpc *m)
{
    struct fetch *f = arg;

    f->over = mcp_tools_on_answer(&f->list, f->session, m, &f->why) != 0;
}

static void
on_gone(void *arg, struct err *why)
{
    struct fetch *f = arg;

    f->why = *why;
    f->over = true;
}

static void
on_limit(void *arg, unsigned events)
{
    struct fetch *f = arg;

    (void)events;
    err_set(&f->why, ERR_TIMEOUT, "did not list its tools within %d s",
            FETCH_MS / 1000);
    mcp_session_explain(f->session, &f->why);
    f->over = true;
}

static int
run_fetch(struct fetch *f, struct loop *l, struct err *e)
{
    static const struct mcp_session_events events = {
        .ready = on_ready, .answer = on_answer, .gone = on_gone};
    struct watch *limit = loop_timer(l, FETCH_MS, on_limit, f, e);
    int rc = limit ? 0 : -1;

    mcp_session_set_events(f->session, &events, f);
    while (rc == 0 && !f->over) {
        if (loop_turn(l, -1, e) < 0)
            rc = -1;
    }
    watch_free(limit);
    if (rc == 0 && f->why.code != ERR_NONE)
        rc = err_set(e, f->why.code, "%s", f->why.text);
    return rc;
}

int
mcp_tools_fetch(const struct tool *t, const struct config *c, struct err *e)
{
    const struct seat *s = t->server->seat;
    CLEANUP(loop_free_p) struct loop *l = loop_new(e);
    CLEANUP(confinement_done) struct confinement confined = {0};
    CLEANUP(spawn_done) struct spawn how = {0};
    CLEANUP(fetch_done) struct fetch f = {0};
    const struct confinement_params params = {
        .tool = t, .seat = s, .workspace = seat_dir(s), .config = c};

    if (!l || mcp_hash_check(t->server, t->hash, e) < 0 ||
        confinement_fill(&params, &confined, e) < 0 ||
        mcp_session_prepare(&how, t->server, &confined.setting, e) < 0 ||
        !(f.session = mcp_session_new(l, t->server, &how, NULL,
                                      confined.setup.spec.workspace, e)) ||
        run_fetch(&f, l, e) < 0)
        return -1;
    mcp_tools_cache(s, t->hash, &f.list);
    return 0;
}
