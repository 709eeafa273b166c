/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_progress.c - what a client hears of a call while it runs. */
#include "server/mcp/mcp_progress.h"

#include <string.h>

#include "base/clock.h"
#include "base/utf8.h"
#include "tool/protocol.h"
#include "wire/rpc_carrier.h"

#define PARAMS_MAX (64u << 10) /* a token, and a line */

void
mcp_progress_init(struct mcp_progress *p, struct rpc_request **rq)
{
    *p = (struct mcp_progress){.rq = rq};
    buf_init(&p->texts.out, PROTOCOL_TEXT_MAX);
    buf_init(&p->texts.err, PROTOCOL_TEXT_MAX);
}

void
mcp_progress_done(struct mcp_progress *p)
{
    buf_done(&p->texts.out);
    buf_done(&p->texts.err);
}

void
mcp_progress_start(struct mcp_progress *p, const struct json *token)
{
    p->from_ms = p->last_ms = clock_ms();
    p->last = -1; /* a server may count from 0 */
    p->token = token;
}

static void
send_progress(struct mcp_progress *p, double done, double total,
              const char *text, size_t n)
{
    CLEANUP_BUF struct buf b = buf_of(PARAMS_MAX);
    struct json_writer w;

    json_write_init(&w, &b);
    json_open_object(&w);
    json_key(&w, "progressToken");
    json_put_value(&w, p->token);
    json_key(&w, "progress");
    json_put_num(&w, done);
    if (total >= 0) {
        json_key(&w, "total");
        json_put_num(&w, total);
    }
    if (n > 0) {
        json_key(&w, "message");
        json_put_strn(&w, text, n);
    }
    json_close_object(&w);
    p->last = done;
    p->last_ms = clock_ms();
    p->fresh = false;
    (void)rpc_notify_about(*p->rq, "notifications/progress", &b, NULL);
}

static void
send_elapsed(struct mcp_progress *p)
{
    double seconds = (double)(clock_ms() - p->from_ms) / 1000;

    if (p->token && *p->rq && !p->counted && seconds > p->last)
        send_progress(p, seconds, -1, p->line, p->n_line);
}

/* Keeps the last line that has something in it. */
static void
keep_last_line(struct mcp_progress *p, const char *bytes, size_t n)
{
    size_t from;

    while (n > 0 && (bytes[n - 1] == '\n' || bytes[n - 1] == '\r'))
        n--;
    for (from = n;
         from > 0 && bytes[from - 1] != '\n' && bytes[from - 1] != '\r';)
        from--;
    if (from == n)
        return;
    p->n_line = utf8_boundary(bytes + from, n - from, sizeof(p->line));
    memcpy(p->line, bytes + from, p->n_line);
    p->fresh = true;
}

static void
collect_text(struct mcp_progress *p, struct buf *to, const char *bytes,
             size_t n)
{
    size_t room = to->max - to->len;

    if (n > room) {
        p->texts.truncated = true;
        n = utf8_boundary(bytes, n, room);
    }
    buf_add(to, bytes, n);
}

void
mcp_progress_output(struct mcp_progress *p, const char *stream,
                    const char *bytes, size_t n)
{
    bool is_err = strcmp(stream, "stderr") == 0;

    collect_text(p, is_err ? &p->texts.err : &p->texts.out, bytes, n);
    keep_last_line(p, bytes, n);
    if (clock_ms() - p->last_ms >= MCP_PROGRESS_SOON_MS)
        send_elapsed(p);
}

void
mcp_progress_count(struct mcp_progress *p, double done, double total,
                   const char *text)
{
    if (!p->token || !*p->rq || done <= p->last)
        return;
    p->counted = true;
    send_progress(p, done, total, text ? text : "", text ? strlen(text) : 0);
}

void
mcp_progress_tick(struct mcp_progress *p)
{
    int64_t since = clock_ms() - p->last_ms;

    if (since >= MCP_PROGRESS_MS || (p->fresh && since >= MCP_PROGRESS_SOON_MS))
        send_elapsed(p);
}
