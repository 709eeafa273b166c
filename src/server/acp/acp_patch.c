/* SPDX-License-Identifier: GPL-3.0-or-later */
/* acp_patch.c - writes the change of a file as a patch of git. */
#include "server/acp/acp_patch.h"

#include <string.h>

#include "base/diff.h"

#define CONTEXT_LINES 3
#define NO_FILE       "/dev/null" /* as git names the missing side */

static void
put_patch_line(void *arg, char mark, const char *line, size_t n)
{
    struct buf *out = arg;

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
}

/* False: the texts are too long to be compared. */
static bool
put_hunks(struct buf *out, const char *old, const char *new)
{
    CLEANUP(diff_done) struct diff d = {0};

    if (diff_make(old, strlen(old), new, strlen(new), &d, NULL) < 0)
        return false;
    diff_unified(&d, CONTEXT_LINES, put_patch_line, out);
    return true;
}

/* As git quotes a path that has other bytes than plain ones. */
static void
put_quoted_path(struct buf *out, const char *path)
{
    static const char escaped[] = "\a\b\t\n\v\f\r\"\\";
    static const char letters[] = "abtnvfr\"\\";

    buf_ch(out, '"');
    for (; *path; path++) {
        unsigned char c = (unsigned char)*path;
        const char *e = strchr(escaped, c);

        if (e)
            buf_printf(out, "\\%c", letters[e - escaped]);
        else if (c < ' ' || c >= 0x7f)
            buf_printf(out, "\\%03o", c);
        else
            buf_ch(out, *path);
    }
    buf_ch(out, '"');
}

static void
put_path(struct buf *out, const char *path)
{
    const char *p = path;

    while (*p >= ' ' && *p < 0x7f && *p != '"' && *p != '\\')
        p++;
    if (*p)
        put_quoted_path(out, path);
    else
        buf_str(out, path);
}

/* A path with a blank has a tab behind it, so that its end is seen. */
static void
put_side(struct buf *out, const char *mark, const char *path)
{
    buf_str(out, mark);
    put_path(out, path);
    buf_str(out, strchr(path, ' ') ? "\t\n" : "\n");
}

/* False: there is none. */
static bool
put_patch(struct buf *out, const char *path, const char *old, const char *new)
{
    buf_str(out, "diff --git ");
    put_path(out, path);
    buf_ch(out, ' ');
    put_path(out, path);
    buf_str(out, old ? "\n" : "\nnew file mode 100644\n");
    if (!old && !new[0])
        return true; /* there is no line */
    put_side(out, "--- ", old ? path : NO_FILE);
    put_side(out, "+++ ", path);
    return put_hunks(out, old ? old : "", new);
}

void
acp_patch_put(struct json_writer *w, const char *path, const char *old,
              const char *new, bool exists)
{
    CLEANUP_BUF struct buf patch = buf_of(ACP_PATCH_MAX);

    json_open_object(w);
    json_member_str(w, "type", "diff");
    json_key(w, "changes");
    json_open_array(w);
    json_open_object(w);
    json_member_str(w, "operation", old || exists ? "modify" : "add");
    json_member_str(w, "path", path);
    json_member_str(w, "fileType", "text");
    json_close_object(w);
    json_close_array(w);
    if ((old ? strcmp(old, new) != 0 : !exists) &&
        put_patch(&patch, path, old, new) && !patch.bad) {
        json_key(w, "patch");
        json_open_object(w);
        json_member_str(w, "format", "git_patch");
        json_member_str(w, "text", patch.p);
        json_close_object(w);
    }
    json_close_object(w);
}
