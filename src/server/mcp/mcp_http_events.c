/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_http_events.c - the last events of a session, for who comes back. */
#include "server/mcp/mcp_http_events.h"

#include <stdlib.h>
#include <string.h>

#define DIGITS_MAX 18 /* of a number in an id */

static void
drop_oldest_event(struct mcp_http_events *l)
{
    struct mcp_http_event *ev = l->first;

    l->first = ev->next;
    if (!l->first)
        l->last = NULL;
    l->n--;
    l->bytes -= ev->text.len;
    buf_done(&ev->text);
    free(ev);
}

void
mcp_http_events_done(struct mcp_http_events *l)
{
    while (l && l->first)
        drop_oldest_event(l);
}

void
mcp_http_events_keep(struct mcp_http_events *l, uint64_t stream,
                     uint64_t number, const struct buf *text)
{
    struct mcp_http_event *ev;

    if (text->len > MCP_HTTP_EVENTS_BYTES || !(ev = calloc(1, sizeof(*ev))))
        return;
    ev->stream = stream;
    ev->number = number;
    buf_init(&ev->text, text->len);
    if (buf_add(&ev->text, text->p, text->len) < 0) {
        buf_done(&ev->text);
        free(ev);
        return;
    }
    *(l->last ? &l->last->next : &l->first) = ev;
    l->last = ev;
    l->n++;
    l->bytes += text->len;
    while (l->n > MCP_HTTP_EVENTS_MAX || l->bytes > MCP_HTTP_EVENTS_BYTES)
        drop_oldest_event(l);
}

bool
mcp_http_events_have(const struct mcp_http_events *l, uint64_t stream)
{
    for (const struct mcp_http_event *ev = l->first; ev; ev = ev->next)
        if (ev->stream == stream)
            return true;
    return false;
}

/* A number in digits; moves *text behind it. */
static bool
read_event_number(const char **text, uint64_t *out)
{
    size_t n = strspn(*text, "0123456789");

    if (n == 0 || n > DIGITS_MAX)
        return false;
    *out = strtoull(*text, NULL, 10);
    *text += n;
    return true;
}

bool
mcp_http_events_read_id(const char *text, uint64_t *stream, uint64_t *number)
{
    return read_event_number(&text, stream) && *text++ == '-' &&
           read_event_number(&text, number) && !*text;
}
