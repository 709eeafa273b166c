/* SPDX-License-Identifier: GPL-3.0-or-later */
/* archive_format.c - archives and compressed files by the name's ending. */
#include "offline/compose/archive.h"

#include <string.h>
#include <strings.h>

static const struct archive_format formats[] = {
    {".tar.gz .tgz",
     "tgz tar.gz",
     {"tar -czf", "tar -xzf", "tar -tzf", NULL},
     false},
    {".tar.bz2 .tbz .tbz2",
     "tbz tbz2 tar.bz2",
     {"tar -cjf", "tar -xjf", "tar -tjf", NULL},
     false},
    {".tar.xz .txz",
     "txz tar.xz",
     {"tar -cJf", "tar -xJf", "tar -tJf", NULL},
     false},
    {".tar.zst",
     "tar.zst",
     {"tar --zstd -cf", "tar --zstd -xf", "tar --zstd -tf", NULL},
     false},
    {".tar",
     "tar untar tarball",
     {"tar -cf", "tar -xf", "tar -tf", NULL},
     false},
    {".zip .jar",
     "zip unzip zipped",
     {"zip -r", "unzip", "unzip -l", "unzip -p"},
     false},
    {".7z", "7z 7zip 7-zip", {"7z a", "7z x", "7z l", NULL}, false},
    {".rar", "rar unrar", {"rar a", "unrar x", "unrar l", NULL}, false},
    {".gz",
     "gzip gunzip gzipped gz",
     {"gzip", "gunzip", "gzip -l", "zcat"},
     true},
    {".bz2",
     "bzip2 bunzip2 bzip bz2",
     {"bzip2", "bunzip2", NULL, "bzcat"},
     true},
    {".xz", "xz unxz", {"xz", "unxz", "xz -l", "xzcat"}, true},
    {".zst", "zstd unzstd zst", {"zstd", "unzstd", NULL, "zstdcat"}, true},
};
#define FORMATS (sizeof(formats) / sizeof(formats[0]))

static bool
ends_so(const char *text, const char *endings)
{
    size_t n = strlen(text);

    while (*endings) {
        size_t len = strcspn(endings, " ");

        if (n >= len && !strncasecmp(text + n - len, endings, len))
            return true;
        endings += len;
        endings += strspn(endings, " ");
    }
    return false;
}

const struct archive_format *
archive_of_name(const char *text)
{
    for (size_t i = 0; i < FORMATS; i++)
        if (ends_so(text, formats[i].endings))
            return &formats[i];
    return NULL;
}

bool
archive_is_name(const char *text)
{
    return archive_of_name(text) && text[0] != '*';
}

/* "tar.gz" alone is a format and no name. */
const struct archive_format *
archive_of_literal(const struct literal *l)
{
    for (size_t i = 0; i < FORMATS; i++)
        if (!l->value->exists && strlen(l->value->text) + 1 < 9 &&
            literals_in(formats[i].words, l->value->text))
            return &formats[i];
    return NULL;
}

const struct archive_format *
archive_of_words(struct sketch *k)
{
    if (sketch_has(k, "tar tarball") && sketch_says(k, "gzip gzipped gz"))
        return &formats[0];
    if (sketch_has(k, "tar tarball") && sketch_says(k, "bzip2 bz2"))
        return &formats[1];
    if (sketch_has(k, "tar tarball") && sketch_says(k, "xz"))
        return &formats[2];
    if (sketch_has(k, "tar tarball archive") &&
        sketch_says(k, "compress compressed"))
        return &formats[0];
    for (size_t i = 0; i < FORMATS; i++)
        if (sketch_says(k, formats[i].words))
            return &formats[i];
    return NULL;
}

const struct archive_format *
archive_usual(bool single)
{
    return archive_of_name(single ? "x.gz" : "x.tar.gz");
}
