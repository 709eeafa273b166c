/* SPDX-License-Identifier: GPL-3.0-or-later */
/* find_type.c - files, directories, links and what else there is. */
#include "offline/compose/find.h"

#define FILES "file|files"
#define DIRS  "directory|directories|folder|folders|dir|dirs"

static const struct type {
    const char *row, *text;
} types[] = {
    {"broken|dangling|dead ?symbolic|soft link|links|symlink|symlinks",
     " -xtype l"},
    {FILES " and|or|and/or " DIRS, ""},
    {DIRS " and|or|and/or " FILES, ""},
    {"files/directories|files/folders|directories/files", ""},
    {"regular|normal|ordinary|plain|regular/normal|normal/regular " FILES,
     " -type f"},
    {"regular|normal regular|normal " FILES, " -type f"},
    {"only|just " FILES, " -type f"},
    {FILES " only", " -type f"},
    {"only|just " DIRS, " -type d"},
    {"symbolic|soft link|links ?" FILES, " -type l"},
    {"symlink|symlinks", " -type l"},
    {"socket|sockets ?" FILES, " -type s"},
    {"named pipe|pipes", " -type p"},
    {"fifo|fifos", " -type p"},
    {"pipe|pipes file|files", " -type p"},
    {"block ?special|device|devices " FILES, " -type b"},
    {"block device|devices", " -type b"},
    {"character|char device|devices ?" FILES, " -type c"},
};

/* Nouns that are left when places are read: what is looked for. */
static void
read_nouns(struct find *f)
{
    bool dirs = find_says(f, "?sub " DIRS);
    bool files = find_says(f, FILES);

    dirs |= find_says(f, "subdirectory|subdirectories|sub-directory|"
                         "sub-directories|subfolder|subfolders|sub-folders");
    if (dirs && !files)
        find_test(f, FIND_TYPE, " -type d");
    f->plain |= files && !dirs;
}

void
find_read_type(struct find *f)
{
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
        if (find_says(f, types[i].row)) {
            if (*types[i].text)
                find_test(f, FIND_TYPE, "%s", types[i].text);
            find_says(f, FILES);
            return;
        }
    read_nouns(f);
}
