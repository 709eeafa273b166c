/* SPDX-License-Identifier: GPL-3.0-or-later */
/* md_render.c - renders one markdown block for the terminal, by md4c. */
#include "term/md_render.h"

#include <dlfcn.h>
#include <md4c.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/utf8.h"
#include "term/escape.h"
#include "term/md_table.h"
#include "term/style.h"
#include "term/width.h"

#define PREFIX_MAX   1024       /* bytes: 16 levels and the caller's indent */
#define TEXT_MAX     (1u << 20) /* a block has 64 KiB; an escape is ten bytes */
#define MD_LINKS_MAX 8 /* a link holds no link; an image may hold images */

/* Text as it will be shown: escaped, styled, not yet wrapped. */
struct md_inline {
    const struct term *t;
    struct buf text;
    enum style around; /* of the whole block; restarted when a span ends */
    size_t links;      /* open; from[] is where the text of each begins */
    size_t from[MD_LINKS_MAX];
};

/* A span's style, and the marks round it where there is no colour. */
struct md_span {
    MD_SPANTYPE type;
    enum style style;
    const char *mark;
};

static const struct md_span spans[] = {
    {MD_SPAN_EM, STYLE_EMPHASIS, "*"},
    {MD_SPAN_STRONG, STYLE_STRONG, "**"},
    {MD_SPAN_CODE, STYLE_CODE, "`"},
    {MD_SPAN_DEL, STYLE_DIM, "~~"},
};

static const struct md_span *
find_span(MD_SPANTYPE type)
{
    for (size_t i = 0; i < ARRAY_SIZE(spans); i++) {
        if (spans[i].type == type)
            return &spans[i];
    }
    return NULL;
}

static bool
is_link(MD_SPANTYPE type)
{
    return type == MD_SPAN_A || type == MD_SPAN_IMG;
}

static void
md_inline_begin_span(struct md_inline *in, MD_SPANTYPE type)
{
    const struct md_span *s = find_span(type);

    if (is_link(type)) {
        if (in->links < MD_LINKS_MAX)
            in->from[in->links] = in->text.len;
        in->links++;
    }
    if (s)
        buf_str(&in->text, in->t->color ? style_on(in->t, s->style) : s->mark);
}

/* " (address)", unless the text is the address. */
static void
end_link(struct md_inline *in, const MD_ATTRIBUTE *to)
{
    size_t from = 0, shown = in->text.len;
    bool same = false;

    in->links--;
    if (in->links < MD_LINKS_MAX)
        from = in->from[in->links];
    if (in->text.bad || from > shown || to->size == 0)
        return;
    buf_str(&in->text, " (");
    buf_str(&in->text, style_on(in->t, STYLE_LINK));
    escape_text(&in->text, in->t, to->text, to->size, ESCAPE_LINES);
    buf_str(&in->text, style_off(in->t, STYLE_LINK));
    buf_ch(&in->text, ')');
    same = shown - from == to->size && !in->text.bad &&
           memcmp(in->text.p + from, to->text, to->size) == 0;
    if (same)
        buf_cut(&in->text, shown);
}

static void
md_inline_end_span(struct md_inline *in, MD_SPANTYPE type, const void *detail)
{
    const struct md_span *s = find_span(type);

    if (s) {
        buf_str(&in->text, in->t->color ? style_off(in->t, s->style) : s->mark);
        /* strong text in a heading ended the heading's style as well */
        buf_str(&in->text, style_on(in->t, in->around));
    }
    if (type == MD_SPAN_A)
        end_link(in, &((const MD_SPAN_A_DETAIL *)detail)->href);
    else if (type == MD_SPAN_IMG)
        end_link(in, &((const MD_SPAN_IMG_DETAIL *)detail)->src);
}

/* The few entities that models write; others are shown unchanged. */
static const struct {
    const char *name, *text;
} entities[] = {
    {"&amp;", "&"},   {"&lt;", "<"},   {"&gt;", ">"},     {"&quot;", "\""},
    {"&apos;", "'"},  {"&nbsp;", " "}, {"&hellip;", "…"}, {"&ndash;", "–"},
    {"&mdash;", "—"}, {"&copy;", "©"}, {"&rarr;", "→"},   {"&times;", "×"},
};

static void
add_entity(struct md_inline *in, const char *p, size_t n)
{
    char one[5];
    struct buf number;

    for (size_t i = 0; i < ARRAY_SIZE(entities); i++) {
        if (strlen(entities[i].name) == n &&
            memcmp(entities[i].name, p, n) == 0) {
            buf_str(&in->text, entities[i].text);
            return;
        }
    }
    if (n < 4 || p[1] != '#') {
        escape_text(&in->text, in->t, p, n, 0);
        return;
    }
    /* md4c lets at most seven digits through (CommonMark 0.30, 6.2) */
    buf_init(&number, sizeof(one));
    utf8_encode(&number, (uint32_t)(p[2] == 'x' || p[2] == 'X'
                                        ? strtoul(p + 3, NULL, 16)
                                        : strtoul(p + 2, NULL, 10)));
    escape_text(&in->text, in->t, number.p, number.len, ESCAPE_LINES);
    buf_done(&number);
}

/* Appends prose with blanks instead of tabs, which have no fixed width. */
static void
add_prose(struct md_inline *in, const char *p, size_t n)
{
    while (n > 0) {
        const char *tab = memchr(p, '\t', n);
        size_t take = tab ? (size_t)(tab - p) : n;

        escape_text(&in->text, in->t, p, take, ESCAPE_PROSE);
        if (tab)
            buf_ch(&in->text, ' ');
        p += take + (tab != NULL);
        n -= take + (tab != NULL);
    }
}

static void
md_inline_text(struct md_inline *in, MD_TEXTTYPE type, const char *p, size_t n)
{
    switch (type) {
    case MD_TEXT_BR:
        buf_ch(&in->text, '\n');
        break;
    case MD_TEXT_SOFTBR:
        buf_ch(&in->text, ' ');
        break;
    case MD_TEXT_NULLCHAR:
        escape_text(&in->text, in->t, "", 1, 0);
        break;
    case MD_TEXT_ENTITY:
        add_entity(in, p, n);
        break;
    case MD_TEXT_CODE:
        escape_text(&in->text, in->t, p, n, 0);
        break;
    default:
        add_prose(in, p, n);
        break;
    }
}

/* Blocks inside quotations and lists. */

#define MD_LEVELS_MAX 16 /* what is deeper is shown at this depth */

enum md_level_type { MD_QUOTE, MD_LIST, MD_ITEM };

struct md_level {
    enum md_level_type type;
    bool began;      /* something of it was shown */
    bool loose;      /* list: empty lines stand between what is in it */
    char delimiter;  /* list: behind its numbers; 0: it has none */
    unsigned number; /* list: of its next item */
    char task;       /* item: the mark in its box; 0: it has none */
    bool marked;     /* item: its bullet was shown */
    size_t column;   /* item: where its text begins, once marked */
};

struct md_layout {
    const struct md_page *page;
    struct buf *out;
    struct md_level levels[MD_LEVELS_MAX];
    size_t depth;
    bool began; /* something was shown: an empty line may be due */
};

static struct md_level *
level_at(struct md_layout *l, size_t depth)
{
    return &l->levels[depth < MD_LEVELS_MAX ? depth : MD_LEVELS_MAX - 1];
}

static void
md_layout_push(struct md_layout *l, const struct md_level *level)
{
    *level_at(l, l->depth++) = *level;
}

static void
md_layout_pop(struct md_layout *l)
{
    if (l->depth > 0)
        l->depth--;
}

/* Appends the box, number or bullet of the item at depth, and advances its
 * list's number. */
static void
add_mark(struct md_layout *l, size_t depth, struct buf *out)
{
    struct md_level *item = level_at(l, depth);
    struct md_level *list = depth > 0 ? level_at(l, depth - 1) : item;

    if (item->task && l->page->t->plain)
        buf_str(out, item->task == ' ' ? "to do: " : "done: ");
    else if (item->task)
        buf_printf(out, "[%c] ", item->task);
    else if (list->delimiter)
        buf_printf(out, "%u%c ", list->number++, list->delimiter);
    else
        buf_printf(out, "%s ", style_symbol(l->page->t, SYMBOL_BULLET));
    item->marked = true;
    item->column = width_str(out->p);
}

static void
fill_to(struct buf *out, size_t column)
{
    for (size_t at = width_str(out->p); at < column; at++)
        buf_ch(out, ' ');
}

/* Appends the prefix of a line: for each level a bar, a bullet once, or blanks
 * as wide as the bullet. */
static void
add_prefix(struct md_layout *l, struct buf *out)
{
    const struct term *t = l->page->t;

    fill_to(out, l->page->indent);
    for (size_t i = 0; i < l->depth && i < MD_LEVELS_MAX; i++) {
        struct md_level *level = &l->levels[i];

        if (level->type == MD_QUOTE) {
            style_str(out, t, STYLE_DIM, style_symbol(t, SYMBOL_BAR));
            buf_ch(out, ' ');
        } else if (level->type == MD_ITEM && !level->marked) {
            add_mark(l, i, out);
        } else if (level->type == MD_ITEM) {
            fill_to(out, level->column);
        }
    }
}

/* Writes an empty line between blocks, unless their list is a tight one. Before
 * a list its parent decides. */
static void
open_block_gap(struct md_layout *l)
{
    bool loose = true;

    for (size_t i = 0; i < l->depth; i++) {
        struct md_level *level = level_at(l, i);

        if (level->type == MD_LIST && level->began)
            loose = level->loose;
        level->began = true;
    }
    if (loose && l->began)
        buf_ch(l->out, '\n');
    l->began = true;
}

/* Text with its styles, which is wrapped; may hold newlines. */
static void
md_layout_text(struct md_layout *l, const char *p, size_t n)
{
    struct width_wrap w = {.columns = l->page->columns,
                           .joins = l->page->t->joins};
    CLEANUP_BUF struct buf first = buf_of(PREFIX_MAX);
    CLEANUP_BUF struct buf rest = buf_of(PREFIX_MAX);

    open_block_gap(l);
    add_prefix(l, &first);
    add_prefix(l, &rest);
    w.start = width_str(first.p);
    w.prefix = rest.p;
    buf_add(l->out, first.p, first.len);
    width_wrap(l->out, p, n, &w);
    buf_ch(l->out, '\n');
}

/* Lines as they came. */
static void
md_layout_code(struct md_layout *l, const char *p, size_t n)
{
    open_block_gap(l);
    while (n > 0) {
        const char *newline = memchr(p, '\n', n);
        size_t take = newline ? (size_t)(newline - p) : n;
        CLEANUP_BUF struct buf prefix = buf_of(PREFIX_MAX);

        add_prefix(l, &prefix);
        md_render_code(l->page->t, prefix.p, p, take, l->out);
        p += take + (newline != NULL);
        n -= take + (newline != NULL);
    }
}

static void
md_layout_rule(struct md_layout *l)
{
    const struct term *t = l->page->t;
    CLEANUP_BUF struct buf prefix = buf_of(PREFIX_MAX);

    open_block_gap(l);
    add_prefix(l, &prefix);
    buf_add(l->out, prefix.p, prefix.len);
    buf_str(l->out, style_on(t, STYLE_DIM));
    for (size_t i = width_str(prefix.p); i < l->page->columns; i++)
        buf_str(l->out, style_symbol(t, SYMBOL_RULE));
    buf_str(l->out, style_off(t, STYLE_DIM));
    buf_ch(l->out, '\n');
}

static void
md_layout_table(struct md_layout *l, const struct md_table *tb)
{
    CLEANUP_BUF struct buf first = buf_of(PREFIX_MAX);
    CLEANUP_BUF struct buf rest = buf_of(PREFIX_MAX);
    size_t taken;

    open_block_gap(l);
    add_prefix(l, &first);
    add_prefix(l, &rest);
    if (strcmp(first.p, rest.p) != 0) { /* a bullet has a line of its own */
        buf_add(l->out, first.p, first.len);
        buf_ch(l->out, '\n');
    }
    taken = width_str(rest.p);
    md_table_draw(tb, l->page->t,
                  l->page->columns > taken ? l->page->columns - taken : 1,
                  rest.p, l->out);
}

/* The pass over a block, by md4c. */

typedef int md_parse_fn(const MD_CHAR *text, MD_SIZE size,
                        const MD_PARSER *parser, void *arg);

struct md_library {
    void *handle;
    md_parse_fn *parse;
};

/* One pass over one block. */
struct render {
    struct md_layout layout;
    struct md_inline in; /* the text gathered so far */
    struct md_table table;
    bool code;        /* the text is a code block's */
    struct term bare; /* for tables: the same without colour */
};

struct md_library *
md_library_open(void)
{
    struct md_library *lib = calloc(1, sizeof(*lib));

    if (!lib)
        return NULL;
    lib->handle = dlopen("libmd4c.so.0", RTLD_NOW | RTLD_LOCAL);
    if (lib->handle)
        *(void **)&lib->parse = dlsym(lib->handle, "md_parse");
    if (!lib->parse) {
        md_library_close(lib);
        return NULL;
    }
    return lib;
}

void
md_library_close(struct md_library *lib)
{
    if (!lib)
        return;
    if (lib->handle)
        dlclose(lib->handle);
    free(lib);
}

void
md_render_code(const struct term *t, const char *prefix, const char *line,
               size_t n, struct buf *out)
{
    buf_str(out, prefix);
    if (n > 0) {
        buf_str(out, "    ");
        buf_str(out, style_on(t, STYLE_CODE));
        escape_text(out, t, line, n, 0);
        buf_str(out, style_off(t, STYLE_CODE));
        buf_ch(out, '\n');
    } else {
        md_end_line(out);
    }
}

/* Shows the text gathered so far, if any. */
static void
show_gathered_text(struct render *r)
{
    if (r->in.text.len > 0)
        md_layout_text(&r->layout, r->in.text.p, r->in.text.len);
    r->layout.out->bad |= r->in.text.bad;
    buf_clear(&r->in.text);
}

static void
begin_list(struct render *r, MD_BLOCKTYPE type, const void *detail)
{
    const MD_BLOCK_UL_DETAIL *ul = detail;
    const MD_BLOCK_OL_DETAIL *ol = detail;
    struct md_level level = {.type = MD_LIST};

    if (type == MD_BLOCK_OL) {
        level.delimiter = ol->mark_delimiter;
        level.number = ol->start;
        level.loose = !ol->is_tight;
    } else {
        level.loose = !ul->is_tight;
    }
    md_layout_push(&r->layout, &level);
}

static void
begin_item(struct render *r, const MD_BLOCK_LI_DETAIL *detail)
{
    struct md_level level = {.type = MD_ITEM};

    if (detail->is_task)
        level.task = detail->task_mark == ' ' ? ' ' : 'x';
    md_layout_push(&r->layout, &level);
}

/* Where there is no colour a heading keeps its marks. */
static void
begin_heading(struct render *r, const MD_BLOCK_H_DETAIL *detail)
{
    r->in.around = STYLE_HEADING;
    buf_str(&r->in.text, style_on(r->in.t, STYLE_HEADING));
    for (unsigned i = 0; i < detail->level && !r->in.t->color; i++)
        buf_str(&r->in.text, i + 1 < detail->level ? "#" : "# ");
}

static int
enter_block(MD_BLOCKTYPE type, void *detail, void *arg)
{
    struct render *r = arg;

    if (type != MD_BLOCK_TH && type != MD_BLOCK_TD)
        show_gathered_text(r); /* an item's own, before what is in it */
    switch (type) {
    case MD_BLOCK_QUOTE:
        md_layout_push(&r->layout, &(struct md_level){.type = MD_QUOTE});
        break;
    case MD_BLOCK_UL:
    case MD_BLOCK_OL:
        begin_list(r, type, detail);
        break;
    case MD_BLOCK_LI:
        begin_item(r, detail);
        break;
    case MD_BLOCK_H:
        begin_heading(r, detail);
        break;
    case MD_BLOCK_CODE:
        r->code = true;
        break;
    case MD_BLOCK_TABLE:
        md_table_init(&r->table,
                      ((const MD_BLOCK_TABLE_DETAIL *)detail)->col_count);
        r->in.t = &r->bare; /* styles would run through the columns */
        break;
    default:
        break;
    }
    return r->layout.out->bad;
}

static void
end_heading(struct render *r)
{
    r->in.around = STYLE_PLAIN;
    buf_str(&r->in.text, style_off(r->in.t, STYLE_HEADING));
    show_gathered_text(r);
}

static void
end_cell(struct render *r, const MD_BLOCK_TD_DETAIL *detail)
{
    static const enum md_align align[] = {
        [MD_ALIGN_DEFAULT] = MD_TABLE_LEFT,
        [MD_ALIGN_LEFT] = MD_TABLE_LEFT,
        [MD_ALIGN_CENTER] = MD_TABLE_CENTER,
        [MD_ALIGN_RIGHT] = MD_TABLE_RIGHT,
    };

    md_table_cell(&r->table, r->in.text.p, r->in.text.len,
                  align[detail->align]);
    buf_clear(&r->in.text);
}

static void
end_table(struct render *r)
{
    md_layout_table(&r->layout, &r->table);
    md_table_done(&r->table);
    r->in.t = r->layout.page->t;
}

static void
end_code(struct render *r)
{
    md_layout_code(&r->layout, r->in.text.p, r->in.text.len);
    buf_clear(&r->in.text);
    r->code = false;
}

static int
leave_block(MD_BLOCKTYPE type, void *detail, void *arg)
{
    struct render *r = arg;

    switch (type) {
    case MD_BLOCK_QUOTE:
    case MD_BLOCK_UL:
    case MD_BLOCK_OL:
    case MD_BLOCK_LI:
        show_gathered_text(r);
        md_layout_pop(&r->layout);
        break;
    case MD_BLOCK_H:
        end_heading(r);
        break;
    case MD_BLOCK_CODE:
        end_code(r);
        break;
    case MD_BLOCK_HR:
        md_layout_rule(&r->layout);
        break;
    case MD_BLOCK_TH:
    case MD_BLOCK_TD:
        end_cell(r, detail);
        break;
    case MD_BLOCK_TR:
        md_table_end_row(&r->table);
        break;
    case MD_BLOCK_TABLE:
        end_table(r);
        break;
    default:
        show_gathered_text(r);
        break;
    }
    return r->layout.out->bad;
}

static int
enter_span(MD_SPANTYPE type, void *detail, void *arg)
{
    struct render *r = arg;

    (void)detail;
    md_inline_begin_span(&r->in, type);
    return 0;
}

static int
leave_span(MD_SPANTYPE type, void *detail, void *arg)
{
    struct render *r = arg;

    md_inline_end_span(&r->in, type, detail);
    return 0;
}

static int
on_text(MD_TEXTTYPE type, const MD_CHAR *text, MD_SIZE n, void *arg)
{
    struct render *r = arg;

    if (!r->code)
        md_inline_text(&r->in, type, text, n);
    else if (type == MD_TEXT_NULLCHAR)
        buf_ch(&r->in.text, '\0');
    else
        buf_add(&r->in.text, text, n);
    return r->in.text.bad;
}

int
md_render(const struct md_library *lib, const struct md_page *page,
          const char *text, size_t n, struct buf *out)
{
    static const MD_PARSER parser = {
        .flags = MD_FLAG_TABLES | MD_FLAG_STRIKETHROUGH | MD_FLAG_TASKLISTS |
                 MD_FLAG_NOHTML,
        .enter_block = enter_block,
        .leave_block = leave_block,
        .enter_span = enter_span,
        .leave_span = leave_span,
        .text = on_text,
    };
    struct render r = {.layout = {.page = page, .out = out},
                       .in = {.t = page->t},
                       .bare = *page->t};
    size_t before = out->len;
    int rc;

    r.bare.color = false;
    buf_init(&r.in.text, TEXT_MAX);
    md_table_init(&r.table, 0);
    rc = lib->parse(text, (MD_SIZE)n, &parser, &r);
    buf_done(&r.in.text);
    md_table_done(&r.table);
    if (rc != 0 || out->bad)
        buf_cut(out, before);
    return rc != 0 || out->bad ? -1 : 0;
}
