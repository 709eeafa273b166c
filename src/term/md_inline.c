/* SPDX-License-Identifier: GPL-3.0-or-later */
/* md_inline.c - spans and text inside a markdown block. */
#include "term/md_inline.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "term/escape.h"

/* What stands round a span: a style, or these where there is no colour. */
struct span {
    MD_SPANTYPE type;
    enum style style;
    const char *mark;
};

static const struct span spans[] = {
    {MD_SPAN_EM, STYLE_EMPHASIS, "*"},
    {MD_SPAN_STRONG, STYLE_STRONG, "**"},
    {MD_SPAN_CODE, STYLE_CODE, "`"},
    {MD_SPAN_DEL, STYLE_DIM, "~~"},
};

static const struct span *
find_span(MD_SPANTYPE type)
{
    for (size_t i = 0; i < sizeof(spans) / sizeof(spans[0]); i++) {
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

void
md_inline_begin_span(struct md_inline *in, MD_SPANTYPE type)
{
    const struct span *s = find_span(type);

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

void
md_inline_end_span(struct md_inline *in, MD_SPANTYPE type, const void *detail)
{
    const struct span *s = find_span(type);

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

/* The few that models write; another one is shown as it came. */
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

    for (size_t i = 0; i < sizeof(entities) / sizeof(entities[0]); i++) {
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

/* Prose has no tabs: they have no width of their own. */
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

void
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
