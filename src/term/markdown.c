/* SPDX-License-Identifier: GPL-3.0-or-later */
/* markdown.c - a model's prose on a terminal, while it streams. */
#include "term/markdown.h"

#include <string.h>

#include "base/utf8.h"
#include "term/escape.h"
#include "term/md_render.h"
#include "term/md_split.h"

/* A line is added to its block with a newline. */
#define BUFFER_MAX (MARKDOWN_BLOCK_MAX + 1)
/* Code and prose need some room, however narrow the terminal is. */
#define COLUMNS_MIN 20

struct markdown {
    const struct term *t;
    size_t indent;
    struct md_library *lib; /* NULL until the first block */
    bool plain;             /* text passes as it came, but escaped */
    struct buf line;        /* begun, not yet ended */
    struct buf block;       /* whole lines of the block that is open */
    struct md_split split;
    bool code;    /* inside a fenced block: its lines are shown at once */
    bool gap;     /* an empty line stood behind the last block */
    bool started; /* something was shown */
};

struct markdown *
markdown_new(const struct term *t, size_t indent, struct err *e)
{
    struct markdown *m = calloc(1, sizeof(*m));

    if (!m) {
        err_sys(e, "markdown");
        return NULL;
    }
    m->t = t;
    m->indent = indent;
    m->plain = !t->tty;
    buf_init(&m->line, BUFFER_MAX);
    buf_init(&m->block, 2 * (size_t)BUFFER_MAX);
    return m;
}

void
markdown_free(struct markdown *m)
{
    if (!m)
        return;
    md_library_close(m->lib);
    buf_done(&m->line);
    buf_done(&m->block);
    free(m);
}

static struct md_page
page_of(const struct markdown *m)
{
    size_t columns = (size_t)m->t->columns;
    size_t min = m->indent + COLUMNS_MIN;

    return (struct md_page){m->t, columns > min ? columns : min, m->indent};
}

static void
add_plain(const struct markdown *m, const char *p, size_t n, struct buf *out)
{
    const struct term *t = m->t->tty ? m->t : NULL;

    escape_text(out, t, p, n, ESCAPE_PROSE);
}

/* The empty line between this block and the one before it. */
static void
open_gap(struct markdown *m, struct buf *out)
{
    if (m->gap && m->started)
        buf_ch(out, '\n');
    m->gap = false;
    m->started = true;
}

/* Shows the block that is complete. */
static void
flush(struct markdown *m, struct buf *out)
{
    struct md_page page = page_of(m);
    bool trailing = false;

    while (m->block.len > 1 && m->block.p[m->block.len - 2] == '\n') {
        buf_cut(&m->block, m->block.len - 1);
        trailing = true;
    }
    if (m->block.len > 0) {
        open_gap(m, out);
        if (!m->lib)
            m->lib = md_library_open();
        m->plain = !m->lib; /* from here on, without another try */
        if (!m->lib ||
            md_render(m->lib, &page, m->block.p, m->block.len, out) < 0)
            add_plain(m, m->block.p, m->block.len, out);
    }
    m->gap |= trailing;
    buf_clear(&m->block);
}

/* A line between ``` and ```: as it is, but for the fence's own indent. */
static void
code_line(struct markdown *m, const char *p, size_t n, struct buf *out)
{
    CLEANUP_BUF struct buf prefix = buf_of(m->indent);
    size_t strip = 0;

    if (md_fence_ends(&m->split.fence, p, n)) {
        m->code = false;
        m->split = (struct md_split){0};
        return;
    }
    while (strip < m->split.fence.indent && strip < n && p[strip] == ' ')
        strip++;
    for (size_t i = 0; i < m->indent; i++)
        buf_ch(&prefix, ' ');
    md_render_code(m->t, prefix.p, p + strip, n - strip, out);
}

static void
whole_line(struct markdown *m, const char *p, size_t n, struct buf *out)
{
    unsigned cut;

    if (m->code) {
        code_line(m, p, n, out);
        return;
    }
    cut = md_split_line(&m->split, p, n);
    if (cut & MD_GAP)
        n = 0;
    if (cut & MD_CUT_BEFORE || m->block.len + n + 1 > MARKDOWN_BLOCK_MAX)
        flush(m, out);
    if (cut & MD_FENCE) {
        open_gap(m, out);
        m->code = true;
        return;
    }
    if (!(cut & MD_GAP) || m->split.list) {
        buf_add(&m->block, p, n);
        buf_ch(&m->block, '\n');
    }
    if (cut & MD_CUT_AFTER)
        flush(m, out);
    if (cut & MD_GAP && !m->split.list)
        m->gap = true;
}

static void
end_line(struct markdown *m, struct buf *out)
{
    if (m->line.len > 0 && m->line.p[m->line.len - 1] == '\r')
        buf_cut(&m->line, m->line.len - 1);
    if (m->plain) {
        add_plain(m, m->line.p, m->line.len, out);
        buf_ch(out, '\n');
    } else {
        whole_line(m, m->line.p, m->line.len, out);
    }
    buf_clear(&m->line);
}

/* A line that is longer than any bound is shown in parts. */
static void
break_line(struct markdown *m, struct buf *out)
{
    size_t keep = utf8_partial(m->line.p, m->line.len);
    char tail[4];

    memcpy(tail, m->line.p + m->line.len - keep, keep);
    buf_cut(&m->line, m->line.len - keep);
    if (m->plain)
        add_plain(m, m->line.p, m->line.len, out);
    else
        whole_line(m, m->line.p, m->line.len, out);
    buf_clear(&m->line);
    buf_add(&m->line, tail, keep);
}

int
markdown_add(struct markdown *m, const void *bytes, size_t n, struct buf *out)
{
    const char *p = bytes;

    while (n > 0) {
        size_t room = MARKDOWN_BLOCK_MAX - m->line.len;
        size_t take = n < room ? n : room;
        const char *newline = memchr(p, '\n', take);

        if (newline)
            take = (size_t)(newline - p);
        buf_add(&m->line, p, take);
        if (newline)
            end_line(m, out);
        else if (m->line.len == MARKDOWN_BLOCK_MAX)
            break_line(m, out);
        p += take + (newline != NULL);
        n -= take + (newline != NULL);
    }
    return out->bad || m->line.bad || m->block.bad ? -1 : 0;
}

int
markdown_end(struct markdown *m, struct buf *out)
{
    bool bad;

    if (m->line.len > 0)
        end_line(m, out);
    flush(m, out);
    bad = out->bad || m->line.bad || m->block.bad;
    buf_clear(&m->line);
    buf_clear(&m->block);
    m->split = (struct md_split){0};
    m->code = m->gap = m->started = false;
    return bad ? -1 : 0;
}
