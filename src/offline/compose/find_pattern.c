/* SPDX-License-Identifier: GPL-3.0-or-later */
/* find_pattern.c - names as patterns, and lists of them. */
#include <ctype.h>
#include <string.h>

#include "offline/compose/find.h"

/* Words that may be said again before each name of a list. */
#define LIST_WORDS                                                             \
    "extension extensions name names named end ends ending start starts "      \
    "starting begin begins beginning in with the"

/* Words that are no names though they stand where one could. */
#define NO_NAME                                                                \
    "file files directory directories folder folders contain contains "        \
    "containing start starts begin begins end ends ending match matches "      \
    "matching pattern path extension only case insensitive sort sorted "       \
    "modified changed not text string word regular without newline space "     \
    "spaces created accessed read found located stored present exactly pipe"

bool
find_is_name(const struct find *f, size_t i)
{
    const struct request_value *v = request_value_of(f->q, i);

    if (!v)
        return !compose_is(f->q, i, NO_NAME);
    if (v->quoted)
        return true;
    if (v->is == SLOT_PATH && strchr("/~", *v->text))
        return false;
    return v->is != SLOT_SIZE && v->is != SLOT_AGE && v->is != SLOT_DATE &&
           v->is != SLOT_NUMBER &&
           !compose_is(f->q, i, "read accessed created pipe");
}

bool
find_ignores_case(const struct find *f)
{
    return request_has(f->q, "insensitive case-insensitive insensitively "
                             "case-insensitively caseless") ||
           request_find_row(f->q, "ignore case") != REQUEST_NONE;
}

static void
add_form(struct buf *out, const char *form, const char *text)
{
    const char *at = strstr(form, "%s");

    buf_add(out, form, (size_t)(at - form));
    if (out->len && out->p[out->len - 1] == '.' && *text == '.')
        text++;
    buf_str(out, text);
    if (at[2] == '*' && *text && text[strlen(text) - 1] == '*')
        return;
    buf_str(out, at + 2);
}

/* A pattern as said: "*.c" of the extension c. */
static void
add_pattern(const struct find *f, size_t i, const char *form, struct buf *out)
{
    const struct request_value *v = request_value_of(f->q, i);
    CLEANUP_BUF struct buf room = buf_of(REQUEST_BYTES_MAX);
    const char *text = compose_text(f->q, i, &room);
    bool is_ext = v && !v->quoted && v->is == SLOT_EXT;

    if (is_ext && isupper((unsigned char)*text)) { /* "PDF files" */
        buf_clear(&room);
        for (const char *s = v->text; *s; s++)
            buf_ch(&room, (char)tolower((unsigned char)*s));
        text = room.p;
    }

    if (v && v->is == SLOT_GLOB && strpbrk(text, "*?["))
        form = "%s";
    else if (is_ext && !strcmp(form, "%s"))
        form = "*.%s";
    else if (is_ext && !strcmp(form, "*%s"))
        form = "*.%s";
    add_form(out, form, text);
}

/* The test for word i: "-name '*.c'". */
static void
add_test(struct find *f, struct buf *out, size_t i, const char *form,
         const char *test)
{
    CLEANUP_BUF struct buf pattern = buf_of(REQUEST_BYTES_MAX);
    bool fold = find_ignores_case(f);

    add_pattern(f, i, form, &pattern);
    f->none |= pattern.bad;
    if (!test)
        test = strchr(pattern.p, '/') ? "-path" : "-name";
    buf_printf(out, "-%s%s ", fold ? "i" : "", test + 1);
    if (strpbrk(pattern.p, "*?[\\"))
        compose_quoted(out, pattern.p);
    else
        compose_word(out, pattern.p);
}

/* The next of a list after word i: "a.txt, b.txt and c.txt", "ending in .c or
 * ending in .h"; REQUEST_NONE. */
static size_t
next_of(const struct find *f, size_t i)
{
    bool joined = false;

    for (i++; i < f->q->n; i++) {
        const struct request_value *v = request_value_of(f->q, i);

        if (v && !compose_used(f->used, i))
            return find_is_name(f, i) && (joined || v->is == SLOT_GLOB ||
                                          v->is == SLOT_EXT || v->quoted)
                       ? i
                       : REQUEST_NONE;
        if (joined && compose_is_name(f->q, i) && !compose_used(f->used, i))
            return i;
        if (compose_is(f->q, i, "or and nor"))
            joined = true;
        else if (!joined || !compose_is(f->q, i, LIST_WORDS))
            return REQUEST_NONE;
    }
    return REQUEST_NONE;
}

void
find_add_kind(struct find *f, const char *tests)
{
    if (strstr(f->kinds.p, tests))
        return;
    if (f->n_kinds++)
        buf_str(&f->kinds, " -o ");
    buf_str(&f->kinds, tests);
    f->tests++;
}

void
find_join_kinds(struct find *f)
{
    bool many = strstr(f->kinds.p, " -o ") != NULL;

    if (f->kinds.len)
        buf_printf(&f->part[FIND_NAME], "%s %s%s", many ? " \\(" : "",
                   f->kinds.p, many ? " \\)" : "");
}

void
find_add_list(struct find *f, size_t i, const char *form, const char *test)
{
    CLEANUP_BUF struct buf all = buf_of(FIND_PART_BYTES);
    bool no = compose_negated(f->q, i), kind = !test && !strcmp(form, "%s");
    unsigned n = 0;

    for (; i != REQUEST_NONE; i = next_of(f, i)) {
        if (n++)
            buf_str(&all, " -o ");
        find_use(f, i);
        add_test(f, &all, i, form, test);
    }
    f->none |= all.bad;
    if (kind && !no) {
        find_add_kind(f, all.p);
        return;
    }
    find_test(f, FIND_NAME, n > 1 ? "%s \\( %s \\)" : "%s %s", no ? " !" : "",
              all.p);
}
