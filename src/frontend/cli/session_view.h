/* SPDX-License-Identifier: GPL-3.0-or-later */
/* session_view.h - writes lists and contents of sessions, as text or JSON.
 *
 * What a session holds is untrusted: on a terminal every byte of it is made
 * visible (term/escape.h). */
#ifndef FRONTEND_CLI_SESSION_VIEW_H
#define FRONTEND_CLI_SESSION_VIEW_H

#include "record/session_store.h"
#include "ui/app.h"

/* What is written, and where; the caller fills in the first three. */
struct session_view {
    struct app *app;
    struct buf *out;
    const char *current; /* the id of this shell's session; "": none */
    struct json_writer w;
};

/* A list: begin, a row for each session, end. Without a row it is empty, but in
 * JSON. */
void session_view_begin_list(struct session_view *v);
void session_view_put_row(struct session_view *v,
                          const struct session_info *info);
void session_view_end_list(struct session_view *v);

/* One session: begin, its items, end. */
void session_view_begin_items(struct session_view *v,
                              const struct session_info *info);
void session_view_put_item(struct session_view *v, const char *kind,
                           const char *text, size_t n);
void session_view_end_items(struct session_view *v);

#endif
