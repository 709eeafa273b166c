/* SPDX-License-Identifier: GPL-3.0-or-later */
/* page.c - reads the text form of a page and finds options in it. */
#include "offline/manual/page.h"

#include <stdlib.h>
#include <string.h>

#include "base/message.h"

/* Splits the line at its tabs; the last field takes the rest. */
static struct page_row
read_page_row(char *line)
{
    struct page_row row = {.kind = *line, .field = {"", "", ""}};
    char *p = *line ? line + 1 : line;

    for (size_t i = 0; i < 3 && *p == '\t'; i++) {
        *p++ = '\0';
        row.field[i] = p;
        p += strcspn(p, "\t");
    }
    *p = '\0';
    return row;
}

static size_t
count_page_lines(const char *s)
{
    size_t n = 1;

    for (; (s = strchr(s, '\n')) != NULL; s++)
        n++;
    return n < PAGE_ROWS_MAX ? n : PAGE_ROWS_MAX;
}

static void
read_page_rows(struct page *p, size_t max)
{
    char *save = NULL;
    bool builtins = false;
    char *line = strtok_r(p->bytes, "\n", &save);

    for (; line && p->n_all < max; line = strtok_r(NULL, "\n", &save)) {
        struct page_row row = read_page_row(line);

        if (row.kind == 'N' && !p->name) {
            p->name = row.field[0];
            p->section = row.field[1];
            p->summary = row.field[2];
        } else if (row.kind && strchr("SOTPQDVB", row.kind)) {
            builtins = builtins || row.kind == 'B';
            p->rows[p->n_all++] = row;
            p->n += !builtins;
        }
    }
}

struct page *
page_new(char *bytes, struct err *e)
{
    CLEANUP(page_free_p) struct page *p = calloc(1, sizeof(*p));
    size_t max = bytes ? count_page_lines(bytes) : 0;

    if (!p || !bytes) {
        free(bytes);
        err_set(e, ERR_NOMEM, "out of memory for a page");
        return NULL;
    }
    p->bytes = bytes;
    p->rows = calloc(max, sizeof(*p->rows));
    if (!p->rows) {
        err_set(e, ERR_NOMEM, "out of memory for a page");
        return NULL;
    }
    read_page_rows(p, max);
    if (!p->name || !*p->name) {
        err_set(e, ERR_PARSE, "a page without a name");
        return NULL;
    }
    return TAKE_PTR(p);
}

void
page_free(struct page *p)
{
    if (!p)
        return;
    free(p->rows);
    free(p->bytes);
    free(p);
}

static void
add_page_row(const struct page_row *row, struct buf *out)
{
    if (row->kind == 'B') /* another line of its synopsis */
        buf_printf(out, "S\t%s\n", row->field[1]);
    else
        buf_printf(out, "%c\t%s\t%s\t%s\n", row->kind, row->field[0],
                   row->field[1], row->field[2]);
}

struct page *
page_builtin(const struct page *bash, const char *name)
{
    CLEANUP_BUF struct buf text = buf_of(PAGE_BYTES_MAX);
    bool ours = false;

    for (size_t i = bash->n; i < bash->n_all; i++) {
        const struct page_row *row = &bash->rows[i];

        if (row->kind == 'B')
            ours = strcmp(row->field[0], name) == 0;
        if (ours && text.len == 0)
            buf_printf(&text, "N\t%s\t%s\t%s\n", name, bash->section,
                       row->field[2]);
        if (ours)
            add_page_row(row, &text);
    }
    if (text.len == 0)
        return NULL;
    return page_new(buf_take(&text), NULL);
}

/* Searches a list of spellings, "-f: --file:", for the whole name or for a
 * spelling that begins with it. */
static bool
has_spelling(const char *list, const char *name, size_t n, bool whole,
             enum option_takes *takes)
{
    while (*list) {
        size_t all = strcspn(list, " "), len = all;

        while (len > 1 && list[len - 1] == ':')
            len--;
        if (len >= n && (!whole || len == n) && memcmp(list, name, n) == 0) {
            *takes = all - len == 0   ? TAKES_NOTHING
                     : all - len == 1 ? TAKES_VALUE
                                      : TAKES_MAYBE;
            return true;
        }
        list += all;
        list += strspn(list, " ");
    }
    return false;
}

bool
page_row_names(const struct page_row *row, const char *name, size_t n)
{
    enum option_takes takes;

    return has_spelling(row->field[0], name, n, true, &takes);
}

static const struct page_row *
find_option(const struct page *p, const char *name, size_t n,
            enum option_takes *takes)
{
    const struct page_row *found = NULL;

    for (size_t i = 0; n > 0 && i < p->n; i++) {
        const struct page_row *row = &p->rows[i];
        enum option_takes t;

        if (row->kind != 'O' || !has_spelling(row->field[0], name, n, true, &t))
            continue;
        if (!found || !*found->field[2]) {
            found = row;
            *takes = t;
        }
        if (*row->field[2])
            break;
    }
    return found;
}

/* Finds the group of a synopsis line that has the option, "[-s,
 * --show-parents]". Returns its length, 0 when there is none. */
static size_t
find_option_group(const char *line, const char *name, size_t n,
                  const char **group)
{
    for (const char *s = strpbrk(line, "[{"); s; s = strpbrk(s + 1, "[{")) {
        size_t len = strcspn(s + 1, "]}[{");
        const char *at = memmem(s + 1, len, name, n);

        if (at && strchr("[{ |,", at[-1]) && strchr("]} |,", at[n])) {
            *group = s + 1;
            return len;
        }
    }
    return 0;
}

/* Finds an option that the page spells so only in its synopsis, by another
 * spelling of the same group. */
static const struct page_row *
find_by_synopsis(const struct page *p, const char *name, size_t n,
                 enum option_takes *takes)
{
    const struct page_row *found = NULL;

    for (size_t i = 0; !found && n > 1 && i < p->n; i++) {
        struct spelling s[SPELLINGS_MAX];
        const char *group;
        char text[256];
        size_t len = 0, k;

        if (p->rows[i].kind == 'S')
            len = find_option_group(p->rows[i].field[0], name, n, &group);
        if (len == 0 || len >= sizeof(text))
            continue;
        memcpy(text, group, len);
        text[len] = '\0';
        k = spelling_read(text, false, s);
        while (!found && k-- > 0)
            found = find_option(p, s[k].name, strlen(s[k].name), takes);
    }
    return found;
}

const struct page_row *
page_builtin_option(const struct page *bash, const char *name, size_t n,
                    const char **builtin)
{
    for (size_t i = bash->n; n > 0 && i < bash->n_all; i++) {
        const struct page_row *row = &bash->rows[i];

        if (row->kind == 'B')
            *builtin = row->field[0];
        else if (row->kind == 'O' && page_row_names(row, name, n))
            return row;
    }
    return NULL;
}

/* Finds an option of the builtin set: bash itself takes them too. */
static const struct page_row *
find_of_set(const struct page *p, const char *name, size_t n,
            enum option_takes *takes)
{
    bool in_set = false;

    for (size_t i = p->n; i < p->n_all; i++) {
        const struct page_row *row = &p->rows[i];

        if (row->kind == 'B')
            in_set = strcmp(row->field[0], "set") == 0;
        else if (in_set && row->kind == 'O' && n > 0 &&
                 has_spelling(row->field[0], name, n, true, takes))
            return row;
    }
    return NULL;
}

const struct page_row *
page_option(const struct page *p, const char *name, size_t n,
            enum option_takes *takes)
{
    const struct page_row *row = find_option(p, name, n, takes);

    if (!row)
        row = find_of_set(p, name, n, takes);
    return row ? row : find_by_synopsis(p, name, n, takes);
}

const struct page_row *
page_option_prefix(const struct page *p, const char *name, size_t n,
                   enum option_takes *takes)
{
    const struct page_row *found = NULL;

    for (size_t i = 0; n > 2 && i < p->n; i++) {
        const struct page_row *row = &p->rows[i];
        enum option_takes t;

        if (row->kind != 'O' ||
            !has_spelling(row->field[0], name, n, false, &t))
            continue;
        if (found && strcmp(found->field[0], row->field[0]) != 0)
            return NULL;
        found = row;
        *takes = t;
    }
    return found;
}

const struct page_row *
page_term(const struct page *p, const char *word, size_t n)
{
    for (size_t i = 0; n > 0 && i < p->n; i++) {
        const struct page_row *row = &p->rows[i];
        enum option_takes t;

        if (row->kind == 'T' && has_spelling(row->field[0], word, n, true, &t))
            return row;
    }
    return NULL;
}

void
page_translate(struct page *p)
{
    p->summary = _(p->summary);
    for (size_t i = 0; i < p->n_all; i++) {
        struct page_row *row = &p->rows[i];

        if (strchr("OPTV", row->kind))
            row->field[2] = _(row->field[2]);
        else if (row->kind == 'D')
            row->field[0] = _(row->field[0]);
    }
}

void
page_describe(const struct page *p, struct buf *out)
{
    if (p->is_table)
        buf_printf(out, "our table for %s", p->name);
    else
        buf_printf(out, "%s(%s)", p->name, p->section);
}
