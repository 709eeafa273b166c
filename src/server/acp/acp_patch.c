/* SPDX-License-Identifier: GPL-3.0-or-later */
/* acp_patch.c - writes the change of a file as a patch that git would write.
 *
 * The patch has one hunk: from the first line that differs to the last one,
 * with up to three equal lines around them. */
#include "server/acp/acp_patch.h"

#include <string.h>

#define CONTEXT_LINES 3

/* Bytes of the line at p, with its newline. */
static size_t
line_len(const char *p)
{
    const char *end = strchr(p, '\n');

    return end ? (size_t)(end - p) + 1 : strlen(p);
}

static size_t
count_lines(const char *p)
{
    size_t n = 0;

    for (; *p; p += line_len(p))
        n++;
    return n;
}

/* The byte where line i (from 0) begins. */
static const char *
find_line(const char *p, size_t i)
{
    while (i-- > 0)
        p += line_len(p);
    return p;
}

/* How many lines at the front are the same. */
static size_t
equal_front(const char *a, const char *b)
{
    size_t n = 0;

    while (*a && *b) {
        size_t len = line_len(a);

        if (len != line_len(b) || memcmp(a, b, len) != 0)
            break;
        a += len;
        b += len;
        n++;
    }
    return n;
}

/* The start of the line that ends before `end`, which is behind `start`. */
static const char *
line_before(const char *start, const char *end)
{
    const char *p = end - 1;

    while (p > start && p[-1] != '\n')
        p--;
    return p;
}

/* How many lines at the end of two texts are the same. */
static size_t
equal_back(const char *a, const char *b)
{
    const char *a_end = a + strlen(a), *b_end = b + strlen(b);
    size_t n = 0;

    while (a_end > a && b_end > b) {
        const char *p = line_before(a, a_end), *q = line_before(b, b_end);

        if (a_end - p != b_end - q || memcmp(p, q, (size_t)(a_end - p)) != 0)
            break;
        a_end = p;
        b_end = q;
        n++;
    }
    return n;
}

static void
put_lines(struct buf *out, char sign, const char *text, size_t from, size_t n)
{
    const char *p = find_line(text, from);

    for (; n > 0; n--) {
        size_t len = line_len(p);

        buf_ch(out, sign);
        buf_add(out, p, len);
        if (p[len - 1] != '\n')
            buf_str(out, "\n\\ No newline at end of file\n");
        p += len;
    }
}

static void
put_hunk(struct buf *out, const char *old, const char *new)
{
    size_t front = equal_front(old, new);
    size_t back = equal_back(find_line(old, front), find_line(new, front));
    size_t removed = count_lines(old) - front - back;
    size_t added = count_lines(new) - front - back;
    size_t before = front < CONTEXT_LINES ? front : CONTEXT_LINES;
    size_t after = back < CONTEXT_LINES ? back : CONTEXT_LINES;
    size_t from = front - before;
    size_t n_old = before + removed + after, n_new = before + added + after;

    buf_printf(out, "@@ -%zu,%zu +%zu,%zu @@\n", from + (n_old > 0), n_old,
               from + (n_new > 0), n_new);
    put_lines(out, ' ', old, from, before);
    put_lines(out, '-', old, front, removed);
    put_lines(out, '+', new, front, added);
    put_lines(out, ' ', old, front + removed, after);
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

static void
put_patch(struct buf *out, const char *path, const char *old, const char *new)
{
    buf_str(out, "diff --git ");
    put_path(out, path);
    buf_ch(out, ' ');
    put_path(out, path);
    buf_str(out, old ? "\n" : "\nnew file mode 100644\n");
    if (!old && !new[0])
        return; /* there is no line */
    put_side(out, "--- ", old ? path : "/dev/null");
    put_side(out, "+++ ", path);
    put_hunk(out, old ? old : "", new);
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
    if (old ? strcmp(old, new) != 0 : !exists)
        put_patch(&patch, path, old, new);
    if (patch.len > 0 && !patch.bad) {
        json_key(w, "patch");
        json_open_object(w);
        json_member_str(w, "format", "git_patch");
        json_member_str(w, "text", patch.p);
        json_close_object(w);
    }
    json_close_object(w);
}
