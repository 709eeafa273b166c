/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_term_markdown.c - a model's prose, as it streams. */
#include "tests/unit/unit.h"

#include <stdio.h>
#include <string.h>

#include "term/markdown.h"

static const struct term plain = {.columns = 30, .tty = true, .unicode = true};
static const struct term color = {
    .columns = 30, .tty = true, .unicode = true, .color = true};
static const struct term ascii = {.columns = 30, .tty = true};
static const struct term piped = {.columns = 30};

static const struct {
    const char *name;
    const struct term *t;
    size_t indent;
    const char *in, *out;
} rows[] = {
    {"paragraphs are wrapped", &plain, 0,
     "one two three four five six\nseven eight\n\nnine\n",
     "one two three four five six\nseven eight\n\nnine\n"},
    {"an indent narrows the lines", &plain, 2,
     "one two three four five six\nseven\n",
     "  one two three four five six\n  seven\n"},
    {"a break in a line stays", &plain, 0, "a  \nb\\\nc\n", "a\nb\nc\n"},
    {"headings keep their marks without colour", &plain, 0,
     "# One\n## Two\nThree\n=====\n", "# One\n## Two\n# Three\n"},
    {"headings are styled with it", &color, 0, "# One **x** y\n",
     "\033[1;4mOne \033[1mx\033[22m\033[1;4m y\033[22;24m\n"},
    {"spans keep their marks without colour", &plain, 0,
     "*a* **b** `c` ~~d~~\n", "*a* **b** `c` ~~d~~\n"},
    {"spans are styled with it", &color, 0, "*a* `c`\n",
     "\033[3ma\033[23m \033[36mc\033[39m\n"},
    {"links show their address", &plain, 0, "[t](http://x/?a&b) ![i](s.png)\n",
     "t (http://x/?a&b) i (s.png)\n"},
    {"an address is shown once", &plain, 0, "<http://x/>\n", "http://x/\n"},
    {"entities are characters", &plain, 0, "&lt;&#65;&#x42;&amp;&what;\n",
     "<AB&&what;\n"},
    {"an entity cannot be hostile", &plain, 0, "&#x1b;&#x202e;\n",
     "\\x1b\\u202e\n"},
    {"bullets", &plain, 0, "- a\n- b\n  more\n* c\n", "• a\n• b more\n• c\n"},
    {"bullets in ASCII", &ascii, 0, "- a\n", "* a\n"},
    {"wrapped items", &plain, 0, "- one two three four five six seven\n",
     "• one two three four five six\n  seven\n"},
    {"numbers", &plain, 0, "9. a\n10. b\n", "9. a\n10. b\n"},
    {"nested items", &plain, 0, "1. a\n   - b\n     - c\n   - d\n2. e\n",
     "1. a\n   • b\n     • c\n   • d\n2. e\n"},
    {"items apart", &plain, 0, "- a\n\n- b\n\n  c\n", "• a\n\n• b\n\n  c\n"},
    {"tasks", &plain, 0, "- [ ] a\n- [x] b\n", "[ ] a\n[x] b\n"},
    {"a list and a paragraph", &plain, 0, "- a\nb\n\nc\n", "• a b\n\nc\n"},
    {"code is not touched", &plain, 0,
     "```sh\nls   -l '*'  <a> &amp; ------------------------\n\tx\n\n```\ny\n",
     "    ls   -l '*'  <a> &amp; ------------------------\n"
     "    \tx\n\ny\n"},
    {"code has its style", &color, 1, "```\na\n```\n",
     "     \033[36ma\033[39m\n"},
    {"code loses its fence's indent", &plain, 0, "  ```\n  a\n   b\n  ```\n",
     "    a\n     b\n"},
    {"fences of other lengths are code", &plain, 0,
     "~~~~\n```\n~~~\n~~~~~\nx\n", "    ```\n    ~~~\nx\n"},
    {"code that is never closed", &plain, 0, "```\na\nb", "    a\n    b\n"},
    {"code in an item", &plain, 0,
     "1. a\n\n   ```\n   x\n\n   - y\n   ```\n2. b\n",
     "1. a\n\n       x\n\n       - y\n2. b\n"},
    {"an item that is code", &plain, 0, "- ```\n  x\n  ```\n- b\n",
     "•     x\n• b\n"},
    {"indented code", &plain, 0, "a\n\n    x  y\n", "a\n\n    x  y\n"},
    {"a code span holds no newline", &plain, 0, "`a\nb`\n", "`a b`\n"},
    {"quotations", &plain, 0, "> one two three four five six seven\n> - x\n",
     "│ one two three four five six\n│ seven\n\n│ • x\n"},
    {"rules", &ascii, 0, "a\n\n***\nb\n",
     "a\n\n------------------------------\nb\n"},
    {"tables", &plain, 0, "|a|bb|\n|---|--:|\n|`x`|1|\n|long|22|\n\nz\n",
     "a     bb\n────  ──\n`x`    1\nlong  22\n\nz\n"},
    {"wide tables are wrapped", &plain, 0,
     "|option|what it does|\n|---|---|\n|-x|takes the files out of it|\n",
     "option  what it does\n──────  ──────────────────────\n"
     "-x      takes the files out of\n        it\n"},
    {"markup of other kinds is text", &plain, 0, "a <b>c</b>\n<div>\n",
     "a <b>c</b> <div>\n"},
    {"hostile bytes are shown", &plain, 0,
     "a\033[2Jb \xE2\x80\xAE \xFF\n```\n\033]0;t\007\n```\n",
     "a\\x1b[2Jb \\u202e \\xff\n    \\x1b]0;t\\x07\n"},
    {"hostile addresses are shown", &plain, 0, "[a](http://x\xE2\x80\xAEy)\n",
     "a (http://x\\u202ey)\n"},
    {"CR LF is a newline", &plain, 0, "a\r\n\r\n```\r\nx\r\n```\r\n",
     "a\n\n    x\n"},
    {"emoji stay", &plain, 0, "\u26A0\uFE0F *x*\n", "\u26A0\uFE0F *x*\n"},
    {"a pipe gets the source", &piped, 4, "# a\n\n- *b*  \n\n\n```\nc\n```",
     "# a\n\n- *b*  \n\n\n```\nc\n```\n"},
    {"a pipe gets no hostile bytes", &piped, 0, "a\033[31m\r\nb\rc\n",
     "a\\x1b[31m\nb\\x0dc\n"},
    {"nothing is nothing", &plain, 2, "", ""},
    {"blanks are nothing", &plain, 2, "\n \n\n", ""},
};

static void
render(size_t row, size_t piece, struct buf *out)
{
    CLEANUP(markdown_free_p)
    struct markdown *m = markdown_new(rows[row].t, rows[row].indent, NULL);
    const char *p = rows[row].in;
    size_t n = strlen(p);

    assert_non_null(m);
    for (size_t at = 0; at < n; at += piece)
        assert_int_equal(
            markdown_add(m, p + at, n - at < piece ? n - at : piece, out), 0);
    assert_int_equal(markdown_end(m, out), 0);
}

static void
what_is_shown(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        for (size_t piece = 1; piece < 200; piece = piece * 3 + 1) {
            struct buf out;

            buf_init(&out, 1 << 16);
            render(i, piece, &out);
            if (strcmp(out.p, rows[i].out) != 0)
                print_error("%s, in pieces of %zu\n", rows[i].name, piece);
            assert_string_equal(out.p, rows[i].out);
            buf_done(&out);
        }
    }
}

/* Each part of the text, and what is shown once it is there. */
static const struct {
    const char *in, *out;
} stream[] = {
    {"A paragraph", ""},
    {" of\ntwo lines.\n", ""},
    {"\n", "A paragraph of two lines.\n"},
    {"## Head\n", "\n## Head\n"},
    {"- one\n", ""},
    {"- two\n", "• one\n"},
    {"\n```", ""},
    {"sh\nls", "• two\n\n"},
    {" -l\n", "    ls -l\n"},
    {"df\n``", "    df\n"},
    {"`\nend", ""},
};

static void
a_block_is_shown_as_soon_as_it_is_whole(void **state)
{
    CLEANUP(markdown_free_p)
    struct markdown *m = markdown_new(&plain, 0, NULL);

    (void)state;
    for (size_t i = 0; i < N_OF(stream); i++) {
        struct buf out;

        buf_init(&out, 4096);
        markdown_add(m, stream[i].in, strlen(stream[i].in), &out);
        assert_string_equal(out.p, stream[i].out);
        buf_done(&out);
    }
}

static void
it_is_new_again_after_the_end(void **state)
{
    CLEANUP(markdown_free_p)
    struct markdown *m = markdown_new(&plain, 0, NULL);

    (void)state;
    for (int i = 0; i < 2; i++) {
        struct buf out;

        buf_init(&out, 4096);
        markdown_add(m, "a\n\n```\nb", 8, &out);
        markdown_end(m, &out);
        assert_string_equal(out.p, "a\n\n    b\n");
        buf_done(&out);
    }
}

static int
show_all(const struct term *t, const char *p, size_t n, struct buf *out)
{
    CLEANUP(markdown_free_p) struct markdown *m = markdown_new(t, 0, NULL);
    int added = markdown_add(m, p, n, out);

    return markdown_end(m, out) < 0 ? -1 : added;
}

static void
a_block_without_end_is_shown_in_parts(void **state)
{
    static char text[3 * MARKDOWN_BLOCK_MAX];
    const struct term *terms[] = {&plain, &piped};

    (void)state;
    for (size_t i = 0; i < sizeof(text); i += 3)
        memcpy(text + i, "\u20AC", 3);
    for (size_t i = 0; i < N_OF(terms); i++) {
        struct buf out;
        size_t euros = 0;

        buf_init(&out, 1 << 22);
        assert_int_equal(show_all(terms[i], text, sizeof(text), &out), 0);
        for (size_t at = 0; at < out.len; at++)
            euros += out.p[at] == (char)0xE2;
        assert_int_equal(euros, sizeof(text) / 3);
        assert_null(strchr(out.p, '\\'));
        buf_done(&out);
    }
}

static void
a_full_buffer_is_an_error(void **state)
{
    struct buf out;

    (void)state;
    buf_init(&out, 4);
    assert_int_equal(show_all(&plain, "a b c d\n", 8, &out), -1);
    assert_true(out.bad);
    buf_done(&out);
}

/* What a screen shows after out: text, and going back to erase it. Whether it
 * had to go back is added to *erased. */
static void
draw(const struct buf *out, struct buf *screen, int *erased)
{
    unsigned up;
    int used;

    buf_clear(screen);
    for (size_t i = 0; i < out->len; i++) {
        up = 0;
        used = 0;
        if (out->p[i] != '\r') {
            buf_ch(screen, out->p[i]);
            continue;
        }
        if (sscanf(out->p + i, "\r\033[%uA%n", &up, &used) == 1)
            i += (size_t)used - 1;
        for (up++; up > 0 && screen->len > 0;) {
            up -= screen->p[screen->len - 1] == '\n';
            if (up > 0)
                buf_cut(screen, screen->len - 1);
        }
        assert_int_equal(strncmp(out->p + i + 1, "\033[J", 3), 0);
        i += 3;
        ++*erased;
    }
}

static void
what_appears_word_by_word_ends_as_if_it_came_at_once(void **state)
{
    int erased = 0;

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        CLEANUP_BUF struct buf out = buf_of(1 << 20);
        CLEANUP_BUF struct buf screen = buf_of(1 << 20);
        struct term t = *rows[i].t;
        struct markdown *m;

        t.moves = true;
        t.rows = 24;
        m = markdown_new(&t, rows[i].indent, NULL);
        markdown_set_live(m);
        for (const char *p = rows[i].in; *p; p++)
            assert_int_equal(markdown_add(m, p, 1, &out), 0);
        assert_int_equal(markdown_end(m, &out), 0);
        markdown_free(m);
        draw(&out, &screen, &erased);
        if (strcmp(screen.p, rows[i].out) != 0)
            print_error("# %s\n", rows[i].name);
        assert_string_equal(screen.p, rows[i].out);
    }
    /* a heading by its underline can be known by nobody before */
    assert_true(erased <= 3);
}

static const struct {
    const char *name, *in, *out; /* out: before the block's end */
} live_rows[] = {
    {"whole words", "one two thr", "one two"},
    {"wrapped words", "one two three four five six seven eight",
     "one two three four five six\nseven"},
    {"two lines of one paragraph", "one\ntwo three", "one two"},
    {"emphasis when it is closed", "a *b c", "a"},
    {"and not before", "a *b c* d", "a *b c*"},
    {"a name with underscores", "an a_b_c d", "an a_b_c"},
    {"a star alone", "2 * 3 is", "2 * 3"},
    {"code when it is closed", "see `ls -l", "see"},
    {"and not before", "see `ls -l` now", "see `ls -l`"},
    {"a link when it is closed", "see [t](http://x/ now", "see"},
    {"and not before", "see [t](http://x/) now", "see t (http://x/)"},
    {"brackets that are no link", "a[1] is", "a[1]"},
    {"a row of a table waits", "a | b | c", "a"},
    {"items", "- one\n- two three", "• one\n• two"},
    {"an item's first words", "1. one two", "1. one"},
    {"a heading waits", "# one two", ""},
    {"code has its own way", "```\none two", ""},
    {"a script without blanks", "\xe6\x89\x8b\xe6\x9c\xba\xe6\x98\xaf",
     "\xe6\x89\x8b\xe6\x9c\xba"},
};

static void
words_appear_before_the_end_of_their_block(void **state)
{
    int erased = 0;

    (void)state;
    for (size_t i = 0; i < sizeof(live_rows) / sizeof(*live_rows); i++) {
        CLEANUP_BUF struct buf out = buf_of(1 << 20);
        CLEANUP_BUF struct buf screen = buf_of(1 << 20);
        struct term t = plain;
        struct markdown *m;

        t.moves = true;
        t.rows = 24;
        m = markdown_new(&t, 0, NULL);
        markdown_set_live(m);
        for (const char *p = live_rows[i].in; *p; p++)
            assert_int_equal(markdown_add(m, p, 1, &out), 0);
        markdown_free(m);
        draw(&out, &screen, &erased);
        if (strcmp(screen.p, live_rows[i].out) != 0)
            print_error("# %s\n", live_rows[i].name);
        assert_string_equal(screen.p, live_rows[i].out);
    }
    assert_int_equal(erased, 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_shown),
        cmocka_unit_test(a_block_is_shown_as_soon_as_it_is_whole),
        cmocka_unit_test(it_is_new_again_after_the_end),
        cmocka_unit_test(a_block_without_end_is_shown_in_parts),
        cmocka_unit_test(a_full_buffer_is_an_error),
        cmocka_unit_test(what_appears_word_by_word_ends_as_if_it_came_at_once),
        cmocka_unit_test(words_appear_before_the_end_of_their_block),
    };

    return cmocka_run_group_tests_name("term/markdown", tests, NULL, NULL);
}
