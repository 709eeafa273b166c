/* SPDX-License-Identifier: GPL-3.0-or-later */
/* change.c - what an edit changed, as a unified diff. */
#include "plugins/fs.edit_file/change.h"

#include "base/cleanup.h"
#include "base/diff.h"

#define CONTEXT 3

static void
put_line(void *arg, char mark, const char *line, size_t n)
{
    struct buf *out = arg;
    size_t before = out->len;

    if (out->bad)
        return;
    if (mark == '@') {
        buf_str(out, "@@ ");
        buf_add(out, line, n);
        buf_str(out, " @@\n");
    } else if (mark == '\\') {
        buf_str(out, "\\ No newline at end of file\n");
    } else {
        buf_ch(out, mark);
        buf_add(out, line, n);
        buf_ch(out, '\n');
    }
    if (out->bad)
        buf_cut(out, before);
}

bool
change_show(const char *path, const struct buf *old, const struct buf *new,
            struct buf *out)
{
    CLEANUP(diff_done) struct diff d = {0};
    bool whole;

    if (!diff_is_text(old->p, old->len) || !diff_is_text(new->p, new->len) ||
        diff_make(old->p, old->len, new->p, new->len, &d, NULL) < 0)
        return false;
    if (d.removed == 0 && d.added == 0)
        return true;
    buf_printf(out, "--- %s\n+++ %s\n", path, path);
    diff_unified(&d, CONTEXT, put_line, out);
    whole = !out->bad;
    out->bad = false;
    return whole;
}
