/* SPDX-License-Identifier: GPL-3.0-or-later */
/* archive.c - archives and compressed files, by the name's ending. */
#include <stdio.h>
#include <string.h>

#include "offline/compose/archive.h"
#include "offline/compose/composers.h"
#include "offline/compose/sketch.h"

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
archive_literal(struct sketch *k, const struct archive_format **f)
{
    const struct archive_format *said = NULL;

    for (size_t i = 0; i < k->l->n; i++) {
        const struct literal *l = &k->l->v[i];
        const struct archive_format *only = archive_of_literal(l);

        if (only) {
            said = only;
            sketch_mark(k, l->word);
            continue;
        }
        *f = archive_of_name(l->value->text);
        if (*f)
            return l;
    }
    *f = said;
    return NULL;
}

static bool
read_deed(struct sketch *k, const struct literal *archive,
          const struct archive_format *f, enum archive_deed *deed)
{
    size_t extract = sketch_at(k, extracting);
    bool looks = extract != REQUEST_NONE &&
                 compose_negated(k->l->q, extract); /* "without unpacking it" */

    if (sketch_says(k, extracting)) {
        *deed = looks ? ARCHIVE_LIST : ARCHIVE_EXTRACT;
        return !looks || sketch_says(k, "list show what inside content in") ||
               archive;
    }
    if (archive && f && f->single && sketch_has(k, "show view print see") &&
        sketch_plain_at(k, creating) == REQUEST_NONE) {
        *deed = sketch_plain_at(k, "list") != REQUEST_NONE ? ARCHIVE_LIST
                                                           : ARCHIVE_VIEW;
        sketch_says(k, "show view print see content file");
        return true;
    }
    if (sketch_has(k, "list show display view print see what") && archive &&
        sketch_plain_at(k, creating) == REQUEST_NONE) {
        *deed = sketch_says(k, "content contents list inside file files")
                    ? ARCHIVE_LIST
                    : ARCHIVE_VIEW;
        sketch_says(k, "list show display view print see what");
        return true;
    }
    if (sketch_row_at(k, "list/show/view/see content/contents/file/files") !=
            REQUEST_NONE &&
        sketch_has(k, "archive tarball zip tar")) {
        *deed = ARCHIVE_LIST;
        return sketch_row(k, "list/show/view/see content/contents/file/files");
    }
    *deed = ARCHIVE_CREATE;
    return sketch_says_plain(k, creating);
}

/* tar's -f is the last of its letters: its value follows. */
static void
put_deed(struct sketch *k, const char *deed)
{
    size_t n = strlen(deed);

    if (strncmp(deed, "tar", 3) != 0 || !sketch_says(k, "verbose verbosely")) {
        sketch_put(k, deed);
        return;
    }
    buf_printf(&k->out, "%.*svf", (int)n - 1, deed);
}

static void
put_options(struct sketch *k, const struct archive_format *f,
            enum archive_deed deed)
{
    bool tar = !strncmp(f->deeds[0], "tar", 3);

    if (!tar && deed != ARCHIVE_LIST)
        sketch_option(k, "verbose verbosely", "-v");
    if (f->single) {
        if (sketch_says(k, "keep keeping") || sketch_row(k, "original file"))
            sketch_put(k, "-k");
        sketch_option(k, "recursive recursively", "-r");
        sketch_option(k, "force overwrite", "-f");
        if (sketch_row(k, "standard output") || sketch_says(k, "stdout"))
            sketch_put(k, "-c");
        if (deed == ARCHIVE_CREATE &&
            (sketch_says(k, "best maximum highest") || sketch_has(k, "-9")))
            sketch_put(k, "-9");
    }
    if (!strcmp(f->deeds[0], "zip -r")) {
        if (deed == ARCHIVE_CREATE)
            sketch_option(k, "password encrypt encrypted", "-e");
        else
            sketch_option(k, "overwrite", "-o");
    }
}

/* zip's patterns are of the whole path within the archive: a name as it is, and
 * below any directory. */
static void
put_name_left_out(struct sketch *k, const struct request_value *v)
{
    static const char *const heads[] = {"", "*/"};
    char pattern[CANDIDATE_BYTES];

    for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++) {
        snprintf(pattern, sizeof(pattern), "%s%.*s%s", heads[i],
                 (int)strcspn(v->text, "/"), v->text, v->is_dir ? "/*" : "");
        buf_ch(&k->out, ' ');
        compose_word(&k->out, pattern);
    }
}

static void
put_left_out(struct sketch *k)
{
    for (size_t i = 0; i < k->l->n; i++) {
        const struct literal *l = &k->l->v[i];
        const struct request_value *v = l->value;

        if (!sketch_is_free(k, l) || (l->role != ROLE_EXCEPT && !v->negated))
            continue;
        if (v->is == SLOT_EXT || v->is == SLOT_GLOB || strchr(v->text, '/')) {
            sketch_put_excluded(k, " -x ");
            continue;
        }
        sketch_mark(k, l->word);
        sketch_says(k, "exclude excluding except without skipping ignoring");
        buf_str(&k->out, " -x");
        put_name_left_out(k, v);
    }
}

static int
add_create(struct sketch *k, const struct archive_format *f,
           const struct literal *archive, struct shortlist *s, double fit,
           struct err *e)
{
    const unsigned parts = ROLE_ANY & ~(1u << ROLE_TO | 1u << ROLE_EXCEPT |
                                        1u << ROLE_NAMED);
    bool zip = !strcmp(f->deeds[0], "zip -r");

    if (archive)
        sketch_mark(k, archive->word);
    else if (!f->single)
        archive = sketch_take(k, 1u << ROLE_NAMED | 1u << ROLE_TO, ~0u);
    if (archive)
        sketch_put_literal(k, archive);
    else if (!f->single && !archive_put_own_name(k, f->endings, parts))
        sketch_open(k, zip ? "ARCHIVE.zip" : "ARCHIVE.tar.gz");
    if (!zip)
        sketch_put_excluded(k, " --exclude=");
    if (sketch_row(k, "all/every subdirectories/directories"))
        sketch_put(k, "*/");
    else if (sketch_put_kind(k))
        sketch_says(k, "file");
    else if (!sketch_files(k, parts) &&
             !sketch_files(k, ROLE_ANY & ~(1u << ROLE_EXCEPT))) {
        if (sketch_row(k, "current directory/folder"))
            sketch_put(k, f->single ? "*" : ".");
        else if (sketch_row(k, "all/every file/files"))
            sketch_put(k, "*");
        else if (sketch_put_word(k, "of directory folder"))
            ;
        else
            sketch_open(k, "FILE");
    }
    if (zip)
        put_left_out(k);
    sketch_says(k, "directory folder file");
    return sketch_add_plain(k, s, k->open ? fit * 0.85 : fit,
                            "pack files into an archive", e);
}

static int
add_extract(struct sketch *k, const struct archive_format *f,
            const struct literal *archive, struct shortlist *s, double fit,
            struct err *e)
{
    bool tar = !strncmp(f->deeds[0], "tar", 3);
    const struct literal *to;

    if (archive)
        sketch_put_literal(k, archive);
    else
        sketch_files_or(k, ROLE_ANY & ~(1u << ROLE_TO), "ARCHIVE");
    to = f->single ? NULL : sketch_find_file(k, 1u << ROLE_TO);
    if (!to && !f->single && archive)
        to = sketch_find_file(k, 1u << ROLE_IN);
    if (to && to != archive) {
        sketch_mark(k, to->word);
        sketch_put(k, tar ? "-C" : "-d");
        sketch_put_literal(k, to);
    }
    if (!f->single)
        sketch_files(k, 1u << ROLE_OBJECT);
    sketch_says(k, "content contents file files all");
    return sketch_add_plain(k, s, fit, "unpack an archive", e);
}

/* "compress x", "compress every file": no archive of them all. */
static bool
wants_single(const struct sketch *k)
{
    for (size_t i = 0; i < k->l->n; i++)
        if (k->l->v[i].value->is_dir)
            return false;
    return !sketch_has(k, "archive directory folder") ||
           (!sketch_has(k, "archive") &&
            (sketch_row_at(k, "every/each file/files") != REQUEST_NONE ||
             sketch_row_at(k, "keep original") != REQUEST_NONE));
}

/* "archive a to b", b no archive: rsync has a mode of that name. */
static bool
is_sync(const struct sketch *k, const struct literal *archive)
{
    return !archive && sketch_plain_at(k, "archive") == 0 &&
           sketch_find_file(k, 1u << ROLE_TO);
}

static int
add_all(struct sketch *k, struct shortlist *s, struct err *e)
{
    const struct archive_format *f = NULL;
    const struct literal *archive = archive_literal(k, &f);
    enum archive_deed deed;
    double fit = FIT_SURE;

    if (!archive && !sketch_has(k, archives) &&
        sketch_plain_at(k, "unzip untar gunzip bunzip2 unxz uncompress "
                           "decompress unrar") == REQUEST_NONE)
        return 0;
    if (!read_deed(k, archive, f, &deed))
        return 0;
    if (!f)
        f = archive_of_words(k);
    if (!f && sketch_has(k, "find search git commit rsync install"))
        return 0;
    if (!f) {
        fit = FIT_LIKELY;
        f = archive_usual(deed == ARCHIVE_CREATE && wants_single(k));
    }
    if (!f->deeds[deed])
        return 0;
    if (is_sync(k, archive))
        return 0;
    sketch_says(k, archives);
    put_deed(k, f->deeds[deed]);
    put_options(k, f, deed);
    if (deed == ARCHIVE_CREATE)
        return add_create(k, f, f->single ? NULL : archive, s, fit, e);
    if (deed == ARCHIVE_EXTRACT)
        return add_extract(k, f, archive, s, fit, e);
    if (archive)
        sketch_put_literal(k, archive);
    else
        sketch_files_or(k, ROLE_ANY, "ARCHIVE");
    return sketch_add(k, s, fit, "list an archive", e);
}

int
archive_compose(const struct request *q, struct shortlist *s, struct err *e)
{
    struct literals l;
    CLEANUP_SKETCH struct sketch k;

    literals_read(q, &l);
    sketch_init(&k, &l, "archive");
    if (sketch_plain_at(&k, "find locate below") != REQUEST_NONE)
        return 0;
    return add_all(&k, s, e);
}
