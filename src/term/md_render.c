/* SPDX-License-Identifier: GPL-3.0-or-later */
/* md_render.c - one markdown block for the terminal, by md4c. */
#include "term/md_render.h"

#include <dlfcn.h>
#include <string.h>

#include "base/cleanup.h"
#include "term/escape.h"
#include "term/md_inline.h"
#include "term/md_layout.h"

#define TEXT_MAX (1u << 20) /* a block has 64 KiB; an escape is ten bytes */

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
md_end_line(struct buf *out)
{
    size_t len = out->len;

    while (len > 0 && out->p[len - 1] == ' ')
        len--;
    buf_cut(out, len);
    buf_ch(out, '\n');
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
show_text(struct render *r)
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
        show_text(r); /* an item's own, before what is in it */
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
    show_text(r);
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
        show_text(r);
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
        show_text(r);
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
