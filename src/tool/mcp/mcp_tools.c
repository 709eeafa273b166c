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
#include "json/write.h"

#define CURSOR_MAX 4096
#define FAULT_S    600 /* a broken server is not tried again so soon */
#define TEXT_MAX   (1u << 20)
#define PARAMS_MAX 8192

void
mcp_tools_init(struct mcp_tools *l)
{
    *l = (struct mcp_tools){.text = buf_of(MCP_LIST_BYTES)};
    buf_str(&l->text, "{\"tools\":[");
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

static void
put_era(struct json_writer *w, enum mcp_era era)
{
    if (mcp_era_word(era))
        json_member_str(w, "era", mcp_era_word(era));
}

int
mcp_tools_finish(struct mcp_tools *l, const char *version, enum mcp_era era,
                 size_t skipped, struct err *e)
{
    struct json_writer w = {.out = &l->text, .comma = true};
    char cut[MANIFEST_VERSION_MAX];

    snprintf(cut, sizeof(cut), "%s", version && version[0] ? version : "-");
    buf_ch(&l->text, ']');
    json_member_str(&w, "version", cut);
    put_era(&w, era);
    json_member_int(&w, "skipped", (int64_t)skipped);
    json_close_object(&w);
    buf_ch(&l->text, '\n');
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

static struct json *
read_cache_file(const char *path)
{
    CLEANUP_BUF struct buf text = buf_of(MCP_LIST_BYTES);
    bool there = false;

    if (!path ||
        config_file_read(path, CONFIG_FILE_ANYONE, &text, &there, NULL) < 0 ||
        !there)
        return NULL;
    return json_parse(text.p, text.len, JSON_UNIQUE, NULL);
}

enum mcp_era
mcp_tools_era(const struct json *list)
{
    return mcp_era_of_word(json_get_str(list, "era"));
}

enum mcp_era
mcp_tools_read_era(const struct seat *s, const char *hash)
{
    CLEANUP(free_p) char *path = tools_cache_path(s, hash);
    CLEANUP(json_free_p) struct json *list = read_cache_file(path);

    return mcp_tools_era(list);
}

struct json *
mcp_tools_read_cache(const struct seat *s, const char *hash, bool again,
                     struct err *e)
{
    CLEANUP(free_p) char *path = tools_cache_path(s, hash);
    CLEANUP(json_free_p) struct json *list = read_cache_file(path);
    const char *fault;

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
                      const struct err *why, enum mcp_era era)
{
    CLEANUP_BUF struct buf text = buf_of(4096);
    struct json_writer w;

    json_write_init(&w, &text);
    json_open_object(&w);
    json_member_str(&w, "fault", why->text);
    put_era(&w, era);
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
    return mcp_session_request(s, "tools/list", &params, false, e);
}

int
mcp_tools_request(struct mcp_tools *l, struct mcp_session *s, struct err *e)
{
    mcp_tools_done(l);
    mcp_tools_init(l);
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
    return mcp_tools_finish(l, mcp_session_version(s), mcp_session_era(s),
                            mcp_session_noise(s), e) < 0
               ? -1
               : 1;
}
