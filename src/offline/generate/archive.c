/* SPDX-License-Identifier: GPL-3.0-or-later */
/* archive.c - generates commands for archives and compressed files. */
#include "offline/generate/archive.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "offline/generate/builder.h"
#include "offline/generate/generate.h"

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
#define FORMATS ARRAY_SIZE(formats)

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

/* The format of a name, by its ending; NULL. */
static const struct archive_format *
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

bool
archive_is_named(const struct builder *k)
{
    for (size_t i = 0; i < k->l->n; i++)
        if (archive_is_name(k->l->v[i].value->text))
            return true;
    return false;
}

/* "tar.gz" alone is a format and no name. */
static const struct archive_format *
archive_of_literal(const struct literal *l)
{
    for (size_t i = 0; i < FORMATS; i++)
        if (!l->value->exists && strlen(l->value->text) + 1 < 9 &&
            literals_in(formats[i].words, l->value->text))
            return &formats[i];
    return NULL;
}

/* The format that words of the request name, which are marked; or NULL. */
static const struct archive_format *
archive_of_words(struct builder *k)
{
    if (builder_has(k, "tar tarball") && builder_says(k, "gzip gzipped gz"))
        return &formats[0];
    if (builder_has(k, "tar tarball") && builder_says(k, "bzip2 bz2"))
        return &formats[1];
    if (builder_has(k, "tar tarball") && builder_says(k, "xz"))
        return &formats[2];
    if (builder_has(k, "tar tarball archive") &&
        builder_says(k, "compress compressed"))
        return &formats[0];
    for (size_t i = 0; i < FORMATS; i++)
        if (builder_says(k, formats[i].words))
            return &formats[i];
    return NULL;
}

/* The usual format for one file, or for several. */
static const struct archive_format *
archive_usual(bool single)
{
    return archive_of_name(single ? "x.gz" : "x.tar.gz");
}

/* A name for an archive that the request does not name. */

static void
put_named(struct builder *k, const char *base, size_t n, const char *endings)
{
    CLEANUP_BUF struct buf name = buf_of(BUILDER_BYTES);

    buf_add(&name, base, n);
    buf_add(&name, endings, strcspn(endings, " "));
    buf_ch(&k->out, ' ');
    generate_path(&k->out, name.p);
}

/* Appends a name for an archive without one: docs.tar.gz for docs/. */
static bool
archive_put_own_name(struct builder *k, const char *endings, unsigned parts)
{
    const struct literal *only = NULL;
    const char *base;
    size_t n;

    for (size_t i = 0; i < k->l->n; i++) {
        const struct literal *l = &k->l->v[i];

        if (!builder_is_free(k, l) || !(parts >> l->role & 1) ||
            !literal_is_file(l))
            continue;
        if (only)
            return false;
        only = l;
    }
    if (!only || only->value->is == SLOT_EXT || only->value->is == SLOT_GLOB)
        return false;
    n = strlen(only->value->text);
    while (n > 0 && only->value->text[n - 1] == '/')
        n--;
    base = memrchr(only->value->text, '/', n);
    base = base ? base + 1 : only->value->text;
    n -= (size_t)(base - only->value->text);
    if (n == 0 || strchr("~$.", base[0]))
        return false;
    put_named(k, base, n, endings);
    return true;
}

static const char creating[] =
    "create creates creating make makes compress compresses compressing "
    "archive archives archiving pack packs tar tars zip zips zipping gzip "
    "gzips bzip2 backup bundle xz zstd generate build put";
static const char extracting[] =
    "extract unpack uncompress decompress unzip untar gunzip bunzip2 unxz "
    "unrar expand inflate decompresses";
static const char archives[] = "archive tarball compressed compress zip tar "
                               "gzip gzipped zipped bzip2 xz archives";

static const struct literal *
archive_literal(struct builder *k, const struct archive_format **f)
{
    const struct archive_format *named = NULL;

    for (size_t i = 0; i < k->l->n; i++) {
        const struct literal *l = &k->l->v[i];
        const struct archive_format *only = archive_of_literal(l);

        if (only) {
            named = only;
            builder_mark(k, l->word);
            continue;
        }
        *f = archive_of_name(l->value->text);
        if (*f)
            return l;
    }
    *f = named;
    return NULL;
}

static bool
read_archive_action(struct builder *k, const struct literal *archive,
                    const struct archive_format *f, enum archive_action *action)
{
    size_t extract = builder_at(k, extracting);
    bool negated = extract != REQUEST_NONE &&
                   generate_negated(k->l->q,
                                    extract); /* "without unpacking it" */

    if (builder_says(k, extracting)) {
        *action = negated ? ARCHIVE_LIST : ARCHIVE_EXTRACT;
        return !negated ||
               builder_says(k, "list show what inside content in") || archive;
    }
    if (archive && f && f->single && builder_has(k, "show view print see") &&
        builder_plain_at(k, creating) == REQUEST_NONE) {
        *action = builder_plain_at(k, "list") != REQUEST_NONE ? ARCHIVE_LIST
                                                              : ARCHIVE_VIEW;
        builder_says(k, "show view print see content file");
        return true;
    }
    if (builder_has(k, "list show display view print see what") && archive &&
        builder_plain_at(k, creating) == REQUEST_NONE) {
        *action = builder_says(k, "content contents list inside file files")
                      ? ARCHIVE_LIST
                      : ARCHIVE_VIEW;
        builder_says(k, "list show display view print see what");
        return true;
    }
    if (builder_row_at(k, "list/show/view/see content/contents/file/files") !=
            REQUEST_NONE &&
        builder_has(k, "archive tarball zip tar")) {
        *action = ARCHIVE_LIST;
        return builder_row(k, "list/show/view/see content/contents/file/files");
    }
    *action = ARCHIVE_CREATE;
    return builder_says_plain(k, creating);
}

/* -f is the last option letter of tar, since its value follows. */
static void
put_archive_action(struct builder *k, const char *action)
{
    size_t n = strlen(action);

    if (strncmp(action, "tar", 3) != 0 ||
        !builder_says(k, "verbose verbosely")) {
        builder_put(k, action);
        return;
    }
    buf_printf(&k->out, "%.*svf", (int)n - 1, action);
}

static void
put_archive_options(struct builder *k, const struct archive_format *f,
                    enum archive_action action)
{
    bool tar = !strncmp(f->actions[0], "tar", 3);

    if (!tar && action != ARCHIVE_LIST)
        builder_option(k, "verbose verbosely", "-v");
    if (f->single) {
        if (builder_says(k, "keep keeping") || builder_row(k, "original file"))
            builder_put(k, "-k");
        builder_option(k, "recursive recursively", "-r");
        builder_option(k, "force overwrite", "-f");
        if (builder_row(k, "standard output") || builder_says(k, "stdout"))
            builder_put(k, "-c");
        if (action == ARCHIVE_CREATE &&
            (builder_says(k, "best maximum highest") || builder_has(k, "-9")))
            builder_put(k, "-9");
    }
    if (!strcmp(f->actions[0], "zip -r")) {
        if (action == ARCHIVE_CREATE)
            builder_option(k, "password encrypt encrypted", "-e");
        else
            builder_option(k, "overwrite", "-o");
    }
}

/* Appends an exclusion for zip, whose patterns match the whole path in the
 * archive: the name itself, and the name below any directory. */
static void
put_name_left_out(struct builder *k, const struct request_value *v)
{
    static const char *const heads[] = {"", "*/"};
    char pattern[CANDIDATE_BYTES];

    for (size_t i = 0; i < ARRAY_SIZE(heads); i++) {
        snprintf(pattern, sizeof(pattern), "%s%.*s%s", heads[i],
                 (int)strcspn(v->text, "/"), v->text, v->is_dir ? "/*" : "");
        buf_ch(&k->out, ' ');
        generate_word(&k->out, pattern);
    }
}

static void
put_left_out(struct builder *k)
{
    for (size_t i = 0; i < k->l->n; i++) {
        const struct literal *l = &k->l->v[i];
        const struct request_value *v = l->value;

        if (!builder_is_free(k, l) || (l->role != ROLE_EXCEPT && !v->negated))
            continue;
        if (v->is == SLOT_EXT || v->is == SLOT_GLOB || strchr(v->text, '/')) {
            builder_put_excluded(k, " -x ");
            continue;
        }
        builder_mark(k, l->word);
        builder_says(k, "exclude excluding except without skipping ignoring");
        buf_str(&k->out, " -x");
        put_name_left_out(k, v);
    }
}

static int
add_create(struct builder *k, const struct archive_format *f,
           const struct literal *archive, struct shortlist *s, double fit,
           struct err *e)
{
    const unsigned parts = ROLE_ANY & ~(1u << ROLE_TO | 1u << ROLE_EXCEPT |
                                        1u << ROLE_NAMED);
    bool zip = !strcmp(f->actions[0], "zip -r");

    if (archive)
        builder_mark(k, archive->word);
    else if (!f->single)
        archive = builder_take(k, 1u << ROLE_NAMED | 1u << ROLE_TO, ~0u);
    if (archive)
        builder_put_literal(k, archive);
    else if (!f->single && !archive_put_own_name(k, f->endings, parts))
        builder_open(k, zip ? "ARCHIVE.zip" : "ARCHIVE.tar.gz");
    if (!zip)
        builder_put_excluded(k, " --exclude=");
    if (builder_row(k, "all/every subdirectories/directories"))
        builder_put(k, "*/");
    else if (builder_put_kind(k))
        builder_says(k, "file");
    else if (!builder_files(k, parts) &&
             !builder_files(k, ROLE_ANY & ~(1u << ROLE_EXCEPT))) {
        if (builder_row(k, "current directory/folder"))
            builder_put(k, f->single ? "*" : ".");
        else if (builder_row(k, "all/every file/files"))
            builder_put(k, "*");
        else if (builder_put_word(k, "of directory folder"))
            ;
        else
            builder_open(k, "FILE");
    }
    if (zip)
        put_left_out(k);
    builder_says(k, "directory folder file");
    return builder_add_plain(k, s, k->open ? fit * 0.85 : fit,
                             "pack files into an archive", e);
}

static int
add_extract(struct builder *k, const struct archive_format *f,
            const struct literal *archive, struct shortlist *s, double fit,
            struct err *e)
{
    bool tar = !strncmp(f->actions[0], "tar", 3);
    const struct literal *to;

    if (archive)
        builder_put_literal(k, archive);
    else
        builder_files_or(k, ROLE_ANY & ~(1u << ROLE_TO), "ARCHIVE");
    to = f->single ? NULL : builder_find_file(k, 1u << ROLE_TO);
    if (!to && !f->single && archive)
        to = builder_find_file(k, 1u << ROLE_IN);
    if (to && to != archive) {
        builder_mark(k, to->word);
        builder_put(k, tar ? "-C" : "-d");
        builder_put_literal(k, to);
    }
    if (!f->single)
        builder_files(k, 1u << ROLE_OBJECT);
    builder_says(k, "content contents file files all");
    return builder_add_plain(k, s, fit, "unpack an archive", e);
}

/* "compress x", "compress every file": no archive of them all. */
static bool
wants_single(const struct builder *k)
{
    for (size_t i = 0; i < k->l->n; i++)
        if (k->l->v[i].value->is_dir)
            return false;
    return !builder_has(k, "archive directory folder") ||
           (!builder_has(k, "archive") &&
            (builder_row_at(k, "every/each file/files") != REQUEST_NONE ||
             builder_row_at(k, "keep original") != REQUEST_NONE));
}

/* "archive a to b", b no archive: rsync has a mode of that name. */
static bool
is_sync(const struct builder *k, const struct literal *archive)
{
    return !archive && builder_plain_at(k, "archive") == 0 &&
           builder_find_file(k, 1u << ROLE_TO);
}

static int
add_archive_command(struct builder *k, struct shortlist *s, struct err *e)
{
    const struct archive_format *f = NULL;
    const struct literal *archive = archive_literal(k, &f);
    enum archive_action action;
    double fit = FIT_SURE;

    if (!archive && !builder_has(k, archives) &&
        builder_plain_at(k, "unzip untar gunzip bunzip2 unxz uncompress "
                            "decompress unrar") == REQUEST_NONE)
        return 0;
    if (!read_archive_action(k, archive, f, &action))
        return 0;
    if (!f)
        f = archive_of_words(k);
    if (!f && builder_has(k, "find search git commit rsync install"))
        return 0;
    if (!f) {
        fit = FIT_LIKELY;
        f = archive_usual(action == ARCHIVE_CREATE && wants_single(k));
    }
    if (!f->actions[action])
        return 0;
    if (is_sync(k, archive))
        return 0;
    builder_says(k, archives);
    put_archive_action(k, f->actions[action]);
    put_archive_options(k, f, action);
    if (action == ARCHIVE_CREATE)
        return add_create(k, f, f->single ? NULL : archive, s, fit, e);
    if (action == ARCHIVE_EXTRACT)
        return add_extract(k, f, archive, s, fit, e);
    if (archive)
        builder_put_literal(k, archive);
    else
        builder_files_or(k, ROLE_ANY, "ARCHIVE");
    return builder_add(k, s, fit, "list an archive", e);
}

int
generate_archive(const struct request *q, struct shortlist *s, struct err *e)
{
    struct literals l;
    CLEANUP_BUILDER struct builder k;

    literals_read(q, &l);
    builder_init(&k, &l, "archive");
    if (builder_plain_at(&k, "find locate below") != REQUEST_NONE)
        return 0;
    return add_archive_command(&k, s, e);
}
