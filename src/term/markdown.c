/* SPDX-License-Identifier: GPL-3.0-or-later */
/* markdown.c - shows a model's prose on a terminal while it streams: cuts it
 * into blocks and has each rendered (md_render.c). */
#include "term/markdown.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/ascii.h"
#include "base/utf8.h"
#include "term/escape.h"
#include "term/md_live.h"
#include "term/md_render.h"

/* A line is added to its block with a newline. */
#define BUFFER_MAX (MARKDOWN_BLOCK_MAX + 1)
/* Code and prose need some room, however narrow the terminal is. */
#define COLUMNS_MIN 20
/* A block is rendered anew for each of its words: a longer one waits for its
 * end, which bounds the time. No paragraph that a person reads is longer. */
#define LIVE_MAX  (16u << 10)
#define WHOLE_MAX (2u << 20) /* a block has 64 KiB; an escape is ten bytes */
#define SHOWN_MAX (8u * LIVE_MAX) /* each byte may be escaped, with a style */

/* Where a block ends, line by line (CommonMark 0.30, 4 and 5). Only the
 * outermost blocks matter: md4c looks inside list items and quotations. */

/* What a line means for the block so far. */
#define MD_CUT_BEFORE 1u /* the block ended before this line */
#define MD_CUT_AFTER  2u /* and the one with this line ends with it */
#define MD_FENCE      4u /* it opens a code block of its own */
#define MD_GAP        8u /* it is empty */

struct md_fence {
    char mark;     /* '`' or '~'; 0: none is open */
    size_t length; /* of the run of marks */
    size_t indent; /* columns in front of it */
};

struct md_split {
    bool open;             /* lines were added since the last cut */
    bool list;             /* the block is a list item */
    bool blank;            /* its last line was empty */
    bool text;             /* its last line may go on as a paragraph */
    size_t inside;         /* columns that a line of the item is indented by */
    struct md_fence fence; /* open inside the item, or by itself */
};

/* More blanks than this in front, and the line is code or goes on. */
#define INDENT_MAX 3

enum md_line_kind { BLANK, TEXT, FENCE, HEADING, RULE, UNDERLINE, QUOTE, ITEM };

struct md_line {
    enum md_line_kind kind;
    size_t indent;
    size_t inside;         /* ITEM: where its content begins */
    bool interrupts;       /* ITEM: may follow a paragraph at once */
    struct md_fence fence; /* FENCE */
};

/* The columns of the indent, with a tab stop at every fourth column; *bytes is
 * its length. */
static size_t
indent_columns(const char *line, size_t n, size_t *bytes)
{
    size_t columns = 0, i = 0;

    for (; i < n && (line[i] == ' ' || line[i] == '\t'); i++)
        columns += line[i] == ' ' ? 1 : 4 - columns % 4;
    *bytes = i;
    return columns;
}

static size_t
run_length(const char *p, size_t n, char c)
{
    size_t i = 0;

    while (i < n && p[i] == c)
        i++;
    return i;
}

static bool
is_blank_from(const char *p, size_t n, size_t at)
{
    for (; at < n; at++) {
        if (p[at] != ' ' && p[at] != '\t')
            return false;
    }
    return true;
}

static bool
is_fence(const char *p, size_t n, struct md_fence *f)
{
    size_t run = run_length(p, n, p[0]);

    if ((p[0] != '`' && p[0] != '~') || run < 3)
        return false;
    if (p[0] == '`' && memchr(p + run, '`', n - run))
        return false; /* code inside a line */
    f->mark = p[0];
    f->length = run;
    return true;
}

static bool
is_heading(const char *p, size_t n)
{
    size_t run = run_length(p, n, '#');

    return run >= 1 && run <= 6 &&
           (run == n || p[run] == ' ' || p[run] == '\t');
}

/* Three or more of * - _ with blanks between. */
static bool
is_rule(const char *p, size_t n)
{
    size_t marks = 0;

    for (size_t i = 0; i < n; i++) {
        if (p[i] == ' ' || p[i] == '\t')
            continue;
        if (p[i] != p[0])
            return false;
        marks++;
    }
    return marks >= 3 && strchr("*-_", p[0]);
}

/* All = or all -: the line before it is a heading. */
static bool
is_underline(const char *p, size_t n)
{
    size_t run = run_length(p, n, p[0]);

    return (p[0] == '=' || p[0] == '-') && is_blank_from(p, n, run);
}

static bool
is_list_item(const char *p, size_t n, struct md_line *l)
{
    size_t digits = 0, mark, bytes, blanks;

    while (digits < n && digits < 10 && ascii_is_digit(p[digits]))
        digits++;
    if (digits > 9 || digits == n)
        return false;
    if (digits == 0 ? !strchr("-+*", p[0])
                    : p[digits] != '.' && p[digits] != ')')
        return false;
    mark = digits + 1;
    blanks = indent_columns(p + mark, n - mark, &bytes);
    if (mark < n && blanks == 0)
        return false;
    l->interrupts = mark + bytes < n &&
                    (digits == 0 || (digits == 1 && p[0] == '1'));
    /* five or more blanks: one, and code in the item */
    if (blanks > 4 || mark + bytes == n)
        blanks = 1;
    l->inside = l->indent + mark + blanks;
    return true;
}

static struct md_line
classify_block(const char *p, size_t n)
{
    struct md_line l = {.kind = TEXT};
    size_t bytes;

    l.indent = indent_columns(p, n, &bytes);
    p += bytes;
    n -= bytes;
    if (n == 0)
        l.kind = BLANK;
    else if (is_fence(p, n, &l.fence))
        l.kind = FENCE;
    else if (is_heading(p, n))
        l.kind = HEADING;
    else if (is_underline(p, n))
        l.kind = UNDERLINE;
    else if (is_rule(p, n))
        l.kind = RULE;
    else if (*p == '>')
        l.kind = QUOTE;
    else if (is_list_item(p, n, &l))
        l.kind = ITEM;
    l.fence.indent = l.indent;
    return l;
}

/* The line ends the fenced code block. */
static bool
md_fence_ends(const struct md_fence *f, const char *line, size_t n)
{
    size_t bytes, run;
    size_t indent = indent_columns(line, n, &bytes);

    run = run_length(line + bytes, n - bytes, f->mark);
    return indent <= f->indent + INDENT_MAX && run >= f->length &&
           is_blank_from(line, n, bytes + run);
}

/* The line belongs to the open list item. */
static unsigned
add_to_item(struct md_split *s, const struct md_line *l, const char *p,
            size_t n)
{
    s->blank = false;
    if (s->fence.mark) {
        if (md_fence_ends(&s->fence, p, n))
            s->fence.mark = 0;
    } else if (l->kind == FENCE) {
        s->fence = l->fence;
    }
    s->text = l->kind == TEXT || l->kind == ITEM;
    return 0;
}

/* Begins a block with a line that does not continue the one before. */
static unsigned
begin_block(struct md_split *s, const struct md_line *l, const char *p,
            size_t n)
{
    unsigned cut = s->open ? MD_CUT_BEFORE : 0;

    *s = (struct md_split){.open = true, .text = l->kind != RULE};
    if (l->kind == FENCE) {
        s->fence = l->fence;
        return cut | MD_FENCE;
    }
    if (l->kind == ITEM) {
        size_t bytes;

        s->list = true;
        s->inside = l->inside;
        (void)indent_columns(p, n, &bytes);
        if (l->inside - l->indent + bytes < n)
            (void)is_fence(p + bytes + (l->inside - l->indent),
                           n - bytes - (l->inside - l->indent), &s->fence);
        s->fence.indent = s->inside;
    }
    if (l->kind == HEADING || l->kind == RULE) {
        s->open = false;
        return cut | MD_CUT_AFTER;
    }
    return cut;
}

static unsigned
add_blank_line(struct md_split *s)
{
    if (s->list) {
        s->blank = true;
        s->text = false;
        return MD_GAP;
    }
    s->open = false;
    return MD_GAP | MD_CUT_AFTER;
}

/* Whether the line continues the open block. */
static bool
goes_on(const struct md_split *s, const struct md_line *l)
{
    if (s->list && s->blank)
        return false;
    switch (l->kind) {
    case TEXT:
        return true;
    case UNDERLINE:
        return s->text && !s->list;
    case ITEM:
        return s->text && !s->list && !l->interrupts;
    case QUOTE:
        return s->text && !s->list;
    default:
        return l->indent > INDENT_MAX;
    }
}

/* Classifies a line (without its newline) and updates s. Returns MD_ flags. */
static unsigned
md_split_line(struct md_split *s, const char *line, size_t n)
{
    struct md_line l = classify_block(line, n);

    if (l.kind == BLANK)
        return s->list && s->fence.mark ? 0 : add_blank_line(s);
    if (s->open && s->list && l.indent >= s->inside)
        return add_to_item(s, &l, line, n);
    if (l.kind != TEXT && l.indent > INDENT_MAX)
        l.kind = TEXT;
    if (s->fence.mark || !s->open || !goes_on(s, &l)) {
        if (l.kind == UNDERLINE)
            l.kind = is_rule(line + l.indent, n - l.indent) ? RULE : TEXT;
        return begin_block(s, &l, line, n);
    }
    if (l.kind == UNDERLINE) {
        s->open = false;
        return MD_CUT_AFTER;
    }
    return 0;
}

struct markdown {
    const struct term *t;
    size_t indent;
    struct md_library *lib; /* NULL until the first block */
    bool plain;             /* text passes as it came, but escaped */
    struct buf line;        /* an incomplete line */
    struct buf block;       /* whole lines of the block that is open */
    struct md_split split;
    bool code;        /* inside a fenced block: its lines are shown at once */
    bool gap;         /* an empty line stood behind the last block */
    bool started;     /* something was shown */
    bool live;        /* an open block is shown as it comes */
    struct buf shown; /* what stands on the screen of the open block */
    size_t examined;  /* bytes of it that were rendered for that */
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
    buf_init(&m->shown, SHOWN_MAX);
    return m;
}

void
markdown_set_live(struct markdown *m)
{
    m->live = m->t->tty && m->t->moves;
}

void
markdown_free(struct markdown *m)
{
    if (!m)
        return;
    md_library_close(m->lib);
    buf_done(&m->line);
    buf_done(&m->block);
    buf_done(&m->shown);
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
add_escaped(const struct markdown *m, const char *p, size_t n, struct buf *out)
{
    const struct term *t = m->t->tty ? m->t : NULL;

    escape_text(out, t, p, n, ESCAPE_PROSE);
}

/* Writes the empty line between this block and the one before. */
static void
write_block_gap(struct markdown *m, struct buf *out)
{
    if (m->gap && m->started)
        buf_ch(out, '\n');
    m->gap = false;
    m->started = true;
}

/* Renders n bytes of a block, and appends that to out. */
static void
render(struct markdown *m, const char *p, size_t n, struct buf *out)
{
    struct md_page page = page_of(m);

    if (!m->lib)
        m->lib = md_library_open();
    m->plain = !m->lib; /* from here on; md4c is not tried again */
    if (!m->lib || md_render(m->lib, &page, p, n, out) < 0)
        add_escaped(m, p, n, out);
}

static bool
has_beginning(const struct buf *b, const struct buf *beginning)
{
    return b->len >= beginning->len &&
           memcmp(b->p, beginning->p, beginning->len) == 0;
}

/* Goes back to where the open block begins, and erases it: it became something
 * else than was shown. Rows that left the screen stay as they are. */
static void
erase_shown(const struct markdown *m, struct buf *out)
{
    size_t rows = 0, most = m->t->rows > 1 ? (size_t)m->t->rows - 1 : 0;

    for (size_t i = 0; i < m->shown.len; i++)
        rows += m->shown.p[i] == '\n';
    if (rows > most)
        rows = most;
    buf_ch(out, '\r');
    if (rows > 0)
        buf_printf(out, "\033[%zuA", rows);
    buf_str(out, "\033[J");
}

/* Writes the rendered block, or what of it is not on the screen yet. */
static void
put_rendered(struct markdown *m, const struct buf *whole, struct buf *out)
{
    size_t skip = 0;

    if (has_beginning(whole, &m->shown))
        skip = m->shown.len;
    else
        erase_shown(m, out);
    buf_add(out, whole->p + skip, whole->len - skip);
}

/* Shows more of the open block, n bytes of which are there. What is shown
 * stays: where the rendering of more text begins otherwise, that waits for the
 * end of the block. */
static void
show_more(struct markdown *m, const char *p, size_t n, struct buf *out)
{
    CLEANUP_BUF struct buf now = buf_of(SHOWN_MAX);
    size_t length = md_live_length(p, n);

    if (length <= m->examined)
        return;
    m->examined = length;
    render(m, p, length, &now);
    if (now.len > 0)
        buf_cut(&now, now.len - 1); /* the newline: the line may go on */
    if (now.bad || m->plain || now.len <= m->shown.len ||
        !has_beginning(&now, &m->shown))
        return;
    if (m->shown.len == 0)
        write_block_gap(m, out);
    buf_add(out, now.p + m->shown.len, now.len - m->shown.len);
    buf_clear(&m->shown);
    buf_add(&m->shown, now.p, now.len);
}

/* Renders the block, which is complete. */
static void
show_block(struct markdown *m, struct buf *out)
{
    CLEANUP_BUF struct buf whole = buf_of(WHOLE_MAX);
    bool trailing = false;

    while (m->block.len > 1 && m->block.p[m->block.len - 2] == '\n') {
        buf_cut(&m->block, m->block.len - 1);
        trailing = true;
    }
    if (m->block.len > 0) {
        if (m->shown.len == 0)
            write_block_gap(m, out);
        render(m, m->block.p, m->block.len, &whole);
        put_rendered(m, &whole, out);
        out->bad |= whole.bad;
    }
    m->gap |= trailing;
    m->examined = 0;
    buf_clear(&m->shown);
    buf_clear(&m->block);
}

/* Shows what can be shown of the block that is open, and of the incomplete line
 * where that belongs to it, or begins a block of its own by its first words. */
static void
show_live(struct markdown *m, struct buf *out)
{
    CLEANUP_BUF struct buf text = buf_of(LIVE_MAX);
    struct md_split split = m->split;
    unsigned cut = 0;

    if (!m->live || m->plain || m->code ||
        m->block.len + m->line.len > LIVE_MAX)
        return;
    if (m->line.len > 0)
        cut = md_split_line(&split, m->line.p, m->line.len);
    if (cut == MD_CUT_BEFORE && md_live_length(m->line.p, m->line.len) > 0) {
        show_block(m, out);
        m->split = (struct md_split){0};
        cut = 0;
    }
    buf_add(&text, m->block.p, m->block.len);
    if (cut == 0)
        buf_add(&text, m->line.p, m->line.len);
    if (!text.bad)
        show_more(m, text.p, text.len, out);
}

/* Shows a line of a fenced code block, without the indent of the fence. */
static void
show_code_line(struct markdown *m, const char *p, size_t n, struct buf *out)
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
add_markdown_line(struct markdown *m, const char *p, size_t n, struct buf *out)
{
    unsigned cut;

    if (m->code) {
        show_code_line(m, p, n, out);
        return;
    }
    cut = md_split_line(&m->split, p, n);
    if (cut & MD_GAP)
        n = 0;
    if (cut & MD_CUT_BEFORE || m->block.len + n + 1 > MARKDOWN_BLOCK_MAX)
        show_block(m, out);
    if (cut & MD_FENCE) {
        write_block_gap(m, out);
        m->code = true;
        return;
    }
    if (!(cut & MD_GAP) || m->split.list) {
        buf_add(&m->block, p, n);
        buf_ch(&m->block, '\n');
    }
    if (cut & MD_CUT_AFTER)
        show_block(m, out);
    if (cut & MD_GAP && !m->split.list)
        m->gap = true;
}

static void
end_markdown_line(struct markdown *m, struct buf *out)
{
    if (m->line.len > 0 && m->line.p[m->line.len - 1] == '\r')
        buf_cut(&m->line, m->line.len - 1);
    if (m->plain) {
        add_escaped(m, m->line.p, m->line.len, out);
        buf_ch(out, '\n');
    } else {
        add_markdown_line(m, m->line.p, m->line.len, out);
    }
    buf_clear(&m->line);
}

/* Shows a part of a line that is longer than a block may be. */
static void
break_line(struct markdown *m, struct buf *out)
{
    size_t keep = utf8_incomplete_tail(m->line.p, m->line.len);
    char tail[4];

    memcpy(tail, m->line.p + m->line.len - keep, keep);
    buf_cut(&m->line, m->line.len - keep);
    if (m->plain)
        add_escaped(m, m->line.p, m->line.len, out);
    else
        add_markdown_line(m, m->line.p, m->line.len, out);
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
            end_markdown_line(m, out);
        else if (m->line.len == MARKDOWN_BLOCK_MAX)
            break_line(m, out);
        p += take + (newline != NULL);
        n -= take + (newline != NULL);
    }
    show_live(m, out);
    return out->bad || m->line.bad || m->block.bad ? -1 : 0;
}

int
markdown_end(struct markdown *m, struct buf *out)
{
    bool bad;

    if (m->line.len > 0)
        end_markdown_line(m, out);
    show_block(m, out);
    bad = out->bad || m->line.bad || m->block.bad;
    buf_clear(&m->line);
    buf_clear(&m->block);
    m->split = (struct md_split){0};
    m->code = m->gap = m->started = false;
    return bad ? -1 : 0;
}
