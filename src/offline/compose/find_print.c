/* SPDX-License-Identifier: GPL-3.0-or-later */
/* find_print.c - what find itself does with what it finds: -delete, -print0,
 * -printf. */
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

static void
read_delete(struct find *f)
{
    static const char *const rows[] = {
        "force delete", "delete", "get rid", "clean up", "prune", NULL,
    };
    struct compose_hit hit;

    for (const char *const *r = rows; *r; r++)
        if (find_sees(f, *r, &hit) && !compose_negated(f->q, hit.from)) {
            f->used |= hit.set;
            f->deletes = true;
            return;
        }
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
