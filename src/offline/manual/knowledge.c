/* SPDX-License-Identifier: GPL-3.0-or-later */
/* knowledge.c - joins the manual page and the built-in table of a program. */
#include "offline/manual/knowledge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/message.h"
#include "base/path.h"
#include "offline/manual/page_load.h"

#include "src/offline/manual/tables.inc" /* made by make.awk */

/* Programs that use the table of another one. */
static const struct {
    const char *name, *table;
} aliases[] = {
    {"[", "test"},        {"[[", "test"},        {"egrep", "grep"},
    {"fgrep", "grep"},    {"zgrep", "grep"},     {"apt-get", "apt"},
    {"gawk", "awk"},      {"mawk", "awk"},       {"nawk", "awk"},
    {"dash", "sh"},       {"ash", "sh"},         {"zsh", "bash"},
    {"ksh", "bash"},      {"sftp", "scp"},       {"gunzip", "gzip"},
    {"podman", "docker"}, {"rbash", "bash"},     {"yum", "dnf"},
    {"pip3", "pip"},      {"python", "python3"}, {"more", "less"},
    {"bunzip2", "gzip"},  {"bzip2", "gzip"},     {"xz", "gzip"},
    {"cc", "gcc"},        {"g++", "gcc"},        {"c++", "gcc"},
    {"clang", "gcc"},     {"clang++", "gcc"},    {"ip6tables", "iptables"},
};

static struct page *
find_table(const char *name)
{
    static const char podman[] = "podman-";
    struct page *p = NULL;
    char other[64];

    if (strncmp(name, podman, sizeof(podman) - 1) == 0) {
        snprintf(other, sizeof(other), "docker-%s", name + sizeof(podman) - 1);
        name = other;
    }
    for (size_t i = 0; i < ARRAY_SIZE(aliases); i++)
        if (strcmp(aliases[i].name, name) == 0)
            name = aliases[i].table;
    for (size_t i = 0; !p && i < ARRAY_SIZE(tables); i++)
        if (strcmp(tables[i].name, name) == 0)
            p = page_new(strdup(tables[i].text), NULL);
    if (p)
        p->is_table = true;
    return p;
}

void
knowledge_done(struct knowledge *k)
{
    if (!k)
        return;
    for (size_t i = 0; i < k->n; i++) {
        free(k->v[i].name);
        page_free(k->v[i].page);
        page_free(k->v[i].table);
    }
    k->n = 0;
}

/* Builtins are described in bash(1). */
static struct page *
load_builtin(struct knowledge *k, const char *name)
{
    const struct known_program *bash = knowledge_get(k, "bash");

    return bash && bash->page ? page_builtin(bash->page, name) : NULL;
}

const struct known_program *
knowledge_get(struct knowledge *k, const char *name)
{
    const char *base = path_base(name);
    struct known_program *p;

    for (size_t i = 0; i < k->n; i++)
        if (strcmp(k->v[i].name, name) == 0)
            return &k->v[i];
    if (k->n == KNOWLEDGE_MAX)
        return NULL;
    p = &k->v[k->n];
    *p = (struct known_program){.name = strdup(name)};
    if (!p->name)
        return NULL;
    k->n++;
    p->is_file = base != name;
    p->table = find_table(base);
    if (p->table && k->person) {
        page_translate(p->table);
        p->table_first = true;
    }
    if (!program_is_builtin(p))
        p->page = page_load(k->seat, base);
    else
        p->page = load_builtin(k, name);
    return p;
}

bool
program_is_known(const struct known_program *p)
{
    return p && (p->page || p->table);
}

bool
program_is_builtin(const struct known_program *p)
{
    return !p->is_file && program_quirk(p, "builtin") != NULL;
}

const char *
program_summary(const struct known_program *p)
{
    if (p->page && *p->page->summary && !p->table_first)
        return p->page->summary;
    return p->table ? p->table->summary : "";
}

void
program_describe(const struct known_program *p, struct buf *out)
{
    if (p->table_first)
        buf_printf(out, _("our table for %s"), p->table->name);
    else if (program_is_builtin(p) && p->page)
        buf_printf(out, "%s in bash(1)", p->name);
    else if (program_is_builtin(p))
        buf_str(out, "bash builtin");
    else if (p->page)
        page_describe(p->page, out);
    else if (p->table)
        page_describe(p->table, out);
}

/* Whether the meaning in a page is of use; "one of the following:" is not. */
static bool
is_useful(const struct page_row *row)
{
    size_t n = strlen(row->field[2]);

    return n > 0 && row->field[2][n - 1] != ':';
}

const struct page_row *
program_option(const struct known_program *p, const char *name, size_t n,
               enum option_takes *takes)
{
    const struct page_row *row = NULL, *ours = NULL;
    enum option_takes ours_takes = TAKES_NOTHING;

    if (p->page)
        row = page_option(p->page, name, n, takes);
    if (p->table)
        ours = page_option(p->table, name, n, &ours_takes);
    /* bash(1) shows -c without its value */
    if (ours && (!row || *takes == TAKES_NOTHING))
        *takes = ours_takes;
    if (p->table_first && ours && is_useful(ours))
        return ours;
    return row && (is_useful(row) || !ours) ? row : ours;
}

/* The sign that a value begins with, or 0. */
static char
sign_of(char first)
{
    return first == '-' || first == '/' || first == '+' ? first : '\0';
}

const struct page_row *
program_option_signed(const struct known_program *p, const struct page_row *row,
                      const char *name, size_t n, char first)
{
    if (sign_of(*row->field[1]) == sign_of(first) || p->table_first)
        return row;
    for (size_t i = 0; p->page && i < p->page->n; i++) {
        const struct page_row *other = &p->page->rows[i];

        if (other->kind == 'O' && *other->field[1] && *other->field[2] &&
            sign_of(*other->field[1]) == sign_of(first) &&
            page_row_names(other, name, n))
            return other;
    }
    return row;
}

const struct page_row *
program_option_prefix(const struct known_program *p, const char *name, size_t n,
                      enum option_takes *takes)
{
    const struct page *pg = p->page ? p->page : p->table;

    return pg ? page_option_prefix(pg, name, n, takes) : NULL;
}

const struct page_row *
program_term(const struct known_program *p, const char *word, size_t n)
{
    const struct page_row *row = NULL;

    if (p->table_first)
        row = page_term(p->table, word, n);
    if (!row && p->page)
        row = page_term(p->page, word, n);
    if (!row && p->table)
        row = page_term(p->table, word, n);
    return row;
}

const char *
program_quirk(const struct known_program *p, const char *name)
{
    size_t n = strlen(name);

    for (size_t i = 0; p->table && i < p->table->n; i++) {
        const struct page_row *row = &p->table->rows[i];

        if (row->kind == 'Q' && strncmp(row->field[0], name, n) == 0 &&
            (row->field[0][n] == ' ' || row->field[0][n] == '\0'))
            return row->field[0] + n + (row->field[0][n] == ' ');
    }
    return NULL;
}
