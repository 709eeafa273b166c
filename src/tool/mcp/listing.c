/* SPDX-License-Identifier: GPL-3.0-or-later */
/* listing.c - asking a server for its tools. */
#include "tool/mcp/listing.h"

#include <unistd.h>

#include "tool/mcp/program.h"
#include "tool/permit.h"

#define FETCH_MS   30000
#define PARAMS_MAX 8192

static int
ask_page(const struct mcp_list *l, struct mcp_session *s, struct err *e)
{
    CLEANUP_BUF struct buf params = buf_of(PARAMS_MAX);
    struct json_writer w;

    json_write_init(&w, &params);
    json_open_object(&w);
    if (l->cursor)
        json_member_str(&w, "cursor", l->cursor);
    json_close_object(&w);
    return mcp_session_ask(s, "tools/list", &params, e);
}

int
mcp_listing_begin(struct mcp_list *l, struct mcp_session *s, struct err *e)
{
    mcp_list_done(l);
    mcp_list_init(l, mcp_session_version(s));
    return ask_page(l, s, e);
}

int
mcp_listing_take(struct mcp_list *l, struct mcp_session *s,
                 const struct jsonrpc *m, struct err *e)
{
    if (m->kind == JSONRPC_ERROR)
        return err_set(e, ERR_PEER, "does not list its tools: %.160s",
                       m->message);
    if (mcp_list_add(l, m->result, e) < 0)
        return -1;
    if (l->cursor)
        return ask_page(l, s, e);
    return mcp_list_end(l, mcp_session_skipped(s), e) < 0 ? -1 : 1;
}

struct fetch {
    struct mcp_session *session;
    struct mcp_list list;
    bool over;
    struct err why; /* ERR_NONE: it went well */
};

static void
fetch_done(struct fetch *f)
{
    mcp_session_free(f->session);
    mcp_list_done(&f->list);
}

static void
on_ready(void *arg)
{
    struct fetch *f = arg;

    f->over = mcp_listing_begin(&f->list, f->session, &f->why) < 0;
}

static void
on_answer(void *arg, const struct jsonrpc *m)
{
    struct fetch *f = arg;

    f->over = mcp_listing_take(&f->list, f->session, m, &f->why) != 0;
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
run(struct fetch *f, struct loop *l, struct err *e)
{
    static const struct mcp_events events = {
        .ready = on_ready, .answer = on_answer, .gone = on_gone};
    struct watch *limit = loop_timer(l, FETCH_MS, on_limit, f, e);
    int rc = limit ? 0 : -1;

    mcp_session_attend(f->session, &events, f);
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
mcp_listing_fetch(const struct tool *t, const struct config *c, struct err *e)
{
    CLEANUP(free_p) char *cwd = getcwd(NULL, 0);
    CLEANUP(loop_free_p) struct loop *l = loop_new(e);
    CLEANUP(sandbox_setup_done) struct sandbox_setup site = {0};
    CLEANUP(launch_done) struct launch how = {0};
    CLEANUP(fetch_done) struct fetch f = {0};
    struct tool_setting set = {.sandbox = &site.spec, .config = c};

    if (!l || mcp_check_same(t->server, t->hash, e) < 0 ||
        permit_site(NULL, t, cwd, NULL, c, &site, e) < 0 ||
        mcp_launch(&how, t->server, &set, e) < 0 ||
        !(f.session = mcp_session_new(l, t->server, &how, NULL,
                                      site.spec.workspace, e)) ||
        run(&f, l, e) < 0)
        return -1;
    mcp_list_keep(t->hash, &f.list);
    return 0;
}
