/* SPDX-License-Identifier: GPL-3.0-or-later */
/* find_title.c - what a command of find does, in a few words. */
#include <stdio.h>
#include <string.h>

#include "offline/compose/find.h"

static const char *
things(const struct find *f)
{
    static const struct {
        const char *test, *things;
    } kinds[] = {
        {"-xtype l", "broken links"},  {"-type d", "directories"},
        {"-type l", "symbolic links"}, {"-type s", "sockets"},
        {"-type p", "pipes"},          {"-type b", "devices"},
        {"-type c", "devices"},
    };

    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        if (strstr(f->part[FIND_TYPE].p, kinds[i].test))
            return kinds[i].things;
    return "files";
}

/* "by name, size and age", of the tests that there are. */
static void
add_tests(const struct find *f, struct buf *out)
{
    static const struct {
        enum find_part part;
        const char *what;
    } tests[] = {
        {FIND_NAME, "name"},        {FIND_SIZE, "size"},   {FIND_TIME, "age"},
        {FIND_PERM, "permissions"}, {FIND_OWNER, "owner"},
    };
    const char *said[sizeof(tests) / sizeof(tests[0])];
    size_t n = 0;

    for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++)
        if (f->part[tests[i].part].len)
            said[n++] = tests[i].what;
    for (size_t i = 0; i < n; i++)
        buf_printf(out, "%s%s",
                   i == 0       ? " by "
                   : i + 1 == n ? " and "
                                : ", ",
                   said[i]);
}

/* What becomes of them. */
static void
add_action(const struct find *f, struct buf *out)
{
    const char *pipe = f->part[FIND_PIPE].p;
    const char *program = f->run.p;

    if (f->deletes)
        buf_str(out, ", and delete them");
    else if (!strncmp(program, "grep", 4))
        buf_str(out, ", and search in them");
    else if (!strncmp(program, "mv ", 3))
        buf_str(out, ", and move them");
    else if (!strncmp(program, "cp ", 3))
        buf_str(out, ", and copy them");
    else if (f->run.len)
        buf_printf(out, ", and run %.*s on them", (int)strcspn(program, " "),
                   program);
    else if (strstr(f->part[FIND_ACTION].p, "-ls"))
        buf_str(out, ", with details");
    if (strstr(pipe, "| wc -l"))
        buf_str(out, ", and count them");
    else if (strstr(pipe, "| sort"))
        buf_str(out, ", in order");
    if (strstr(pipe, " > "))
        buf_str(out, ", into a file");
}

void
find_title(const struct find *f, char *title, size_t size)
{
    CLEANUP_BUF struct buf out = buf_of(size);

    buf_printf(&out, "find %s", things(f));
    add_tests(f, &out);
    add_action(f, &out);
    snprintf(title, size, "%s", out.p);
}
