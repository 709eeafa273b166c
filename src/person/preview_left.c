/* SPDX-License-Identifier: GPL-3.0-or-later */
/* preview_left.c - the previews that nobody has decided about yet. */
#include "person/preview.h"
#include "term/escape.h"

int
preview_list(struct app *a, struct buf *out, struct err *e)
{
    CLEANUP(beneath_paths_done) struct beneath_paths ids = {0};

    if (view_list(&ids, e) < 0)
        return -1;
    for (size_t i = 0; i < ids.n; i++) {
        struct err why = {0};
        CLEANUP(view_free_p) struct view *v = view_open(ids.v[i], &why);

        buf_printf(out, "%s  ", ids.v[i]);
        if (!v || v->broken.code != ERR_NONE) {
            escape_str(out, &a->result, v ? v->broken.text : why.text,
                       ESCAPE_PROSE | ESCAPE_LINES);
        } else {
            escape_str(out, &a->result, v->workspace, ESCAPE_LINES);
            buf_str(out, "  ");
            escape_str(out, &a->result, v->command, ESCAPE_LINES);
        }
        buf_ch(out, '\n');
    }
    return buf_ok(out, "the list", e);
}
