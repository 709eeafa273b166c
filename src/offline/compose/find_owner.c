/* SPDX-License-Identifier: GPL-3.0-or-later */
/* find_owner.c - whose the files are, and what else their inodes say. */
#include "offline/compose/find.h"

#define BY "owned|belong|belonging|belongs"

/* Rows with an operand; those of more words first. */
static const struct owner {
    const char *row, *text;
} owners[] = {
    {BY " by|to group {}", " -group"},
    {"group id|gid {number}", " -gid"},
    {"gid {number}", " -gid"},
    {"user id|uid {number}", " -uid"},
    {"uid {number}", " -uid"},
    {"group owner|ownership ?is {}", " -group"},
    {BY " by|to ?user {user}", " -user"},
    {BY " by|to user {}", " -user"},
    {BY " by|to {}", " -user"},
    {"owner ?is {}", " -user"},
    {"whose group ?is {}", " -group"},
    {"group {group}", " -group"},
    {"group {name}", " -group"},
    {"user {user}", " -user"},
    {"{user} file|files", " -user"},
    {"inode ?number ?of {number}", " -inum"},
    {"{number} hard ?link|links", " -links"},
    {"{number} links", " -links"},
    {"hard ?link|links to|of ?file {path}", " -samefile"},
    {"same file|inode as ?file {path}", " -samefile"},
    {"link|links|symlink|symlinks|point|pointing|points to ?file|path {path}",
     " -lname"},
};

static const struct nobody {
    const char *row, *text;
} nobodies[] = {
    {"no|any ?known|valid|existing user|owner or|nor|and ?no|any ?valid group",
     " \\( -nouser -o -nogroup \\)"},
    {BY " ?by|to no|nonexistent|any ?known|valid|existing user|one|owner",
     " -nouser"},
    {"no|without|missing|nonexistent ?known|valid|existing user|owner",
     " -nouser"},
    {BY " ?by|to no|any|nonexistent ?known|valid|existing group", " -nogroup"},
    {"no|without ?known|valid|existing group", " -nogroup"},
};

static void
read_nobody(struct find *f)
{
    for (size_t i = 0; i < sizeof(nobodies) / sizeof(nobodies[0]); i++)
        if (find_says(f, nobodies[i].row)) {
            find_test(f, FIND_OWNER, "%s", nobodies[i].text);
            return;
        }
}

void
find_read_owner(struct find *f)
{
    struct compose_hit hit;

    read_nobody(f);
    for (size_t i = 0; i < sizeof(owners) / sizeof(owners[0]); i++)
        while (find_sees(f, owners[i].row, &hit)) {
            const struct request_value *v = request_value_of(f->q, hit.at);
            const char *more = "";

            if (!compose_is_name(f->q, hit.at))
                break;

            if (v && v->bound == BOUND_MORE)
                more = "+";
            f->used |= hit.set;
            find_test(f, FIND_OWNER, "%s%s %s",
                      compose_negated(f->q, hit.from) ? " !" : "",
                      owners[i].text, more);
            find_add_word(f, &f->part[FIND_OWNER], hit.at);
        }
}
