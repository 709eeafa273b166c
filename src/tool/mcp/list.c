/* SPDX-License-Identifier: GPL-3.0-or-later */
/* list.c - what a server says it offers, page by page, and kept. */
#include "tool/mcp/list.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/file.h"
#include "base/path.h"
#include "config/config_file.h"
#include "json/write.h"

#define CURSOR_MAX  4096
#define VERSION_MAX 64
#define FAULT_S     600 /* nobody waits for a broken server at each start */

void
mcp_list_init(struct mcp_list *l, const char *version)
{
    struct json_writer w;
    char cut[VERSION_MAX];

    snprintf(cut, sizeof(cut), "%s", version && version[0] ? version : "-");
    *l = (struct mcp_list){.text = buf_of(MCP_LIST_BYTES)};
    json_write_init(&w, &l->text);
    json_open_object(&w);
    json_member_str(&w, "version", cut);
    buf_str(&l->text, ",\"tools\":[");
}

void
mcp_list_done(struct mcp_list *l)
{
    if (!l)
        return;
    buf_done(&l->text);
    free(l->cursor);
    l->cursor = NULL;
}

static int
take_cursor(struct mcp_list *l, const struct json *v, struct err *e)
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
mcp_list_add(struct mcp_list *l, const struct json *result, struct err *e)
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
    return take_cursor(l, json_get(result, "nextCursor"), e);
}

int
mcp_list_end(struct mcp_list *l, size_t skipped, struct err *e)
{
    buf_printf(&l->text, "],\"skipped\":%zu}\n", skipped);
    return buf_ok(&l->text, "the list of tools", e);
}

static char *
kept_at(const char *hash)
{
    CLEANUP(free_p) char *dir = path_of(PATH_CACHE, "mcp", NULL);
    char name[80];

    snprintf(name, sizeof(name), "%.64s.json", hash);
    return dir ? path_join(dir, name) : NULL;
}

/* Whether the file is so young that its fault still counts. */
static bool
is_young(const char *path)
{
    struct stat st;
    time_t now = time(NULL);

    return stat(path, &st) == 0 && st.st_mtime <= now &&
           now - st.st_mtime < FAULT_S;
}

struct json *
mcp_list_read(const char *hash, bool again, struct err *e)
{
    const char *fault;

    CLEANUP(free_p) char *path = kept_at(hash);
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
keep(const char *hash, const struct buf *text)
{
    CLEANUP(free_p) char *dir = path_of(PATH_CACHE, "mcp", NULL);
    CLEANUP(free_p) char *path = kept_at(hash);
    CLEANUP_BUF struct buf old = buf_of(MCP_LIST_BYTES);
    bool there = false;

    if (!dir || !path)
        return;
    if (config_file_read(path, CONFIG_FILE_ANYONE, &old, &there, NULL) == 0 &&
        there && old.len == text->len && memcmp(old.p, text->p, old.len) == 0)
        return;
    if (path_make_dirs(dir, 0700, NULL) == 0)
        (void)file_write(path, text->p, text->len, 0600, NULL);
}

void
mcp_list_keep(const char *hash, const struct mcp_list *l)
{
    keep(hash, &l->text);
}

void
mcp_list_keep_fault(const char *hash, const struct err *why)
{
    CLEANUP_BUF struct buf text = buf_of(4096);
    struct json_writer w;

    json_write_init(&w, &text);
    json_open_object(&w);
    json_member_str(&w, "fault", why->text);
    json_close_object(&w);
    keep(hash, &text);
}
