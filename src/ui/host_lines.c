/* SPDX-License-Identifier: GPL-3.0-or-later */
/* host_lines.c - makes lines of what several hosts write at the same time. */
#include "ui/host_lines.h"

#include <stdlib.h>

#define PIECE_MAX 4096 /* bytes of a line that are kept */

/* What a host has written of a line. */
struct open_line {
    struct buf text;
    bool returned; /* a carriage return came, which may be of a CR LF */
};

struct host_lines {
    const struct host_list *hosts;
    host_lines_cb *cb;
    void *arg;
    struct open_line (*open)[2]; /* a host: of both streams */
};

struct host_lines *
host_lines_new(const struct host_list *hosts, host_lines_cb *cb, void *arg,
               struct err *e)
{
    struct host_lines *l = calloc(1, sizeof(*l));

    if (!l) {
        err_nomem(e);
        return NULL;
    }
    *l = (struct host_lines){.hosts = hosts, .cb = cb, .arg = arg};
    if (!(l->open = calloc(hosts->n, sizeof(*l->open)))) {
        free(l);
        err_nomem(e);
        return NULL;
    }
    for (size_t i = 0; i < hosts->n; i++)
        for (int k = 0; k < 2; k++)
            buf_init(&l->open[i][k].text, PIECE_MAX);
    return l;
}

void
host_lines_free(struct host_lines *l)
{
    if (!l)
        return;
    for (size_t i = 0; i < l->hosts->n; i++)
        for (int k = 0; k < 2; k++)
            buf_done(&l->open[i][k].text);
    free(l->open);
    free(l);
}

static void
give_host_line(struct host_lines *l, size_t host, bool err)
{
    struct open_line *open = &l->open[host][err];
    CLEANUP_BUF
    struct buf line = buf_of(PIECE_MAX + HOST_LIST_NAME_MAX + 3);

    buf_printf(&line, "%s: ", l->hosts->names[host]);
    buf_add(&line, open->text.p, open->text.len);
    buf_ch(&line, '\n');
    buf_clear(&open->text);
    l->cb(l->arg, err, line.p, line.len);
}

/* A carriage return alone would write over the name: it ends the line. */
void
host_lines_add(struct host_lines *l, const char *host, bool err,
               const char *bytes, size_t n)
{
    size_t at = host_list_index(l->hosts, host);
    struct open_line *open = &l->open[at][err];

    for (size_t i = 0; i < n; i++) {
        bool second = bytes[i] == '\n' && open->returned;

        open->returned = bytes[i] == '\r';
        if (second)
            continue;
        if (bytes[i] != '\n' && bytes[i] != '\r')
            buf_ch(&open->text, bytes[i]);
        if (bytes[i] == '\n' || bytes[i] == '\r' || open->text.len == PIECE_MAX)
            give_host_line(l, at, err);
    }
}

void
host_lines_end(struct host_lines *l, const char *host)
{
    size_t at = host_list_index(l->hosts, host);

    for (int k = 0; k < 2; k++) {
        if (l->open[at][k].text.len > 0)
            give_host_line(l, at, k == 1);
        l->open[at][k].returned = false;
    }
}
