/* SPDX-License-Identifier: GPL-3.0-or-later */
/* find_print.c - what find itself does with what it finds: -delete, -print0,
 * -printf. */
#include <string.h>

#include "offline/compose/find.h"

#define WITH "with|and|along|together|show|list|their|its|only|just"

static const struct print {
    const char *row, *text;
} prints[] = {
    {"null|nul|zero ?terminated|separated|delimited ?character|byte|delimiter",
     " -print0"},
    {"print0", " -print0"},
    {"white|whitespace ?space safe|safety|safely ?in|of ?their "
     "?path|paths|name",
     " -print0"},
    {"stop|quit|exit after first ?match", " -print -quit"},
    {"first match ?only", " -print -quit"},
    {"only first match|one", " -print -quit"},
    {"and|then quit|stop", " -print -quit"},
    {WITH " ?their inode|inodes numbers", " -printf '%i %p\\n'"},
    {"directory|folder name|names only", " -printf '%h\\n'"},
    {"name|names without path|directory|extension", " -printf '%f\\n'"},
    {"only|just file|base ?name|names", " -printf '%f\\n'"},
    {WITH " ?their size|sizes", " -printf '%s %p\\n'"},
    {WITH " ?their ?modification timestamp|timestamps|date|dates|time|times",
     " -printf '%T+ %p\\n'"},
    {WITH " ?their owner|owners", " -printf '%u %p\\n'"},
    {"print|list|show permission|permissions", " -printf '%m %p\\n'"},
    {"parent directory|directories", " -printf '%h\\n'"},
};

/* Whether a comma stands before word i. */
static bool
behind_comma(const struct request *q, size_t i)
{
    size_t at = q->words[i].from;

    while (at > 0 && q->text[at - 1] == ' ')
        at--;
    return at > 0 && strchr(",;", q->text[at - 1]);
}

/* Whether the word asks for it: the first verb of the wish, or one right
 * behind "and". "to be deleted", "wants to delete" ask for something else. */
static bool
is_order(const struct request *q, size_t i)
{
    static const char how[] = "recursive recursively force safely permanently "
                              "please also just";
    const char *word = q->words[i].plain;
    size_t n = strlen(word);
    bool next = true; /* nothing stands between it and "and" */

    if ((n > 2 && !strcmp(word + n - 2, "ed")) ||
        compose_is(q, i, "deletion removal"))
        return false;
    for (;; i--) {
        if (next && behind_comma(q, i))
            return true;
        if (i == 0)
            return true;
        if (next && compose_is(q, i - 1, "and then"))
            return true;
        if (compose_is(q, i - 1, how))
            continue;
        if (!q->words[i - 1].weak || compose_is(q, i - 1, "which what"))
            return false;
        next = false;
    }
}

/* "get rid of the spaces in file names", "delete foo from all names" */
static bool
is_of_names(const struct request *q, size_t i)
{
    for (i++; i < q->n; i++) {
        const struct request_value *v = request_value_of(q, i);

        if (compose_is(q, i, "file directory symlink link folder everything") ||
            compose_may(v, SLOT_GLOB) || compose_may(v, SLOT_EXT))
            return false;
        if (!compose_is(q, i, "in from"))
            continue;
        do
            i++;
        while (i < q->n && (q->words[i].weak || compose_is(q, i, "file")));
        return compose_is(q, i, "name names filename filenames");
    }
    return false;
}

static void
read_delete(struct find *f)
{
    struct compose_hit hit = {.to = 0};
    bool other = false;

    while (compose_match(f->q, "?force delete", f->used, hit.to, &hit)) {
        size_t at = hit.to - 1;

        if (!compose_is(f->q, at, "delete") || compose_negated(f->q, hit.from))
            continue;
        if (is_order(f->q, at) && !is_of_names(f->q, at)) {
            f->used |= hit.set;
            f->deletes = true;
            return;
        }
        other = true;
    }
    f->none |= other;
}

void
find_read_action(struct find *f)
{
    if (!f->run.len)
        find_read_run(f);
    if (!f->run.len)
        read_delete(f);
    if (f->run.len || f->deletes || f->part[FIND_ACTION].len)
        return;
    for (size_t i = 0; i < sizeof(prints) / sizeof(prints[0]); i++)
        if (find_says(f, prints[i].row)) {
            buf_str(&f->part[FIND_ACTION], prints[i].text);
            return;
        }
}
