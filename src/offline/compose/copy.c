/* SPDX-License-Identifier: GPL-3.0-or-later */
/* copy.c - cp and mv: files from one place to another. */
#include <stdio.h>
#include <string.h>

#include "guard/path/path_table.h"
#include "offline/compose/composers.h"
#include "offline/compose/sketch.h"

static const char copying[] = "copy copies copying copied cp duplicate clone";
static const char moving[] = "move mv rename relocate";
static const char kinds[] = "pictures photos images videos movies songs "
                            "documents screenshots scripts logs";
static const char refused[] =
    "under below find locate search remote ssh server host rsync scp clipboard "
    "container "
    "trash docker git branch database table stdin input window session column "
    "process package duplicates line lines text link symlink";

/* "copy the owner of a to b": not the files. */
#define ATTRIBUTES                                                             \
    "owner/ownership/group/permission/permissions/mode/rights/timestamp/"      \
    "timestamps/acl"

static const struct {
    const char *row, *copy, *move;
} options[] = {
    {"preserve/preserving/keep/keeping/retain attribute/permission/"
     "permissions/attributes/ownership/everything/timestamps/timestamp/time/"
     "modification/metadata/date",
     "-p", ""},
    {"archive mode", "-a", ""},
    {"verbose/verbosely", "-v", "-v"},
    {"newer", "-u", "-u"},
    {"not overwrite/overwriting", "-n", "-n"},
    {"without overwrite/overwriting", "-n", "-n"},
    {"no/never overwrite/clobber", "-n", "-n"},
    {"overwrite/overwriting without", "-f", "-f"},
    {"force/forcibly/forcefully", "-f", "-f"},
    {"prompt/interactive/interactively/ask/asking/confirmation", "-i", "-i"},
    {"keep/with/keeping backup/backups", "--backup", "--backup"},
    {"hard link/links", "-l", ""},
    {"follow/following/dereference/dereferencing", "-L", ""},
    {"parent directories/directory", "--parents", ""},
    {"full/directory/relative structure/path", "--parents", ""},
};

static void
put_options(struct sketch *k, bool move)
{
    const char *last = "";

    for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
        const char *option = move ? options[i].move : options[i].copy;

        if (!option[0] || !strcmp(option, last) ||
            (i > 5 && (!strcmp(last, "-n") || !strcmp(last, "-f")) && i < 9) ||
            !sketch_row(k, options[i].row))
            continue;
        sketch_put_option(k, option);
        last = option;
    }
}

/* "the current directory", "my home", "one directory up" */
static const char *
place_in_words(struct sketch *k, const char *before)
{
    static const struct {
        const char *row, *path;
    } rows[] = {
        {"current/this/present/working directory/folder", "."},
        {"current working directory", "."},
        {"here", "."},
        {"home directory/folder", "~"},
        {"home", "~"},
        {"parent/previous/upper directory/folder", ".."},
        {"directory/folder above", ".."},
        {"one directory/folder/level up", ".."},
        {"up one directory/folder/level", ".."},
    };
    char row[128];

    if (sketch_plain_at(k, "up") != REQUEST_NONE &&
        sketch_says(k, "directory level folder")) {
        sketch_says(k, "up");
        return "..";
    }

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        snprintf(row, sizeof(row), "%s %s", before, rows[i].row);
        if (sketch_row(k, row))
            return rows[i].path;
    }
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        snprintf(row, sizeof(row), "%s user %s", before, rows[i].row);
        if (sketch_row(k, row))
            return rows[i].path;
    }
    return NULL;
}

/* The files that are copied or moved; how many. */
static size_t
put_sources(struct sketch *k)
{
    const unsigned from = 1u << ROLE_FROM | 1u << ROLE_IN;
    const struct literal *object = sketch_find_file(k, 1u << ROLE_OBJECT);
    const struct literal *named = sketch_find(k, 1u << ROLE_NAMED, ~0u);
    const struct literal *dir = sketch_find_file(k, from);
    bool all = sketch_has(k, "all every everything content contents");
    const char *place;

    if (!object && named && dir)
        object = named;
    if (dir && object && object->value->is != SLOT_NUMBER &&
        !strchr(object->value->text, '/')) {
        sketch_put_within(k, dir, object);
        return 1;
    }
    if (object)
        return sketch_files(k, 1u << ROLE_OBJECT);
    if (dir && sketch_plain_at(k, kinds) != REQUEST_NONE)
        return 0; /* of those in there that are pictures */
    if (dir && (all || sketch_has(k, "files"))) {
        sketch_put_within(k, dir, NULL);
        sketch_says(k, "all every everything content contents");
        sketch_says(k, "file files");
        return 1;
    }
    if (dir)
        return sketch_files(k, from);
    place = place_in_words(k, "in/from/of");
    if (!all && !place)
        return 0;
    if (!sketch_says(k, "all every everything content contents") ||
        !sketch_has(k, "file files everything content contents"))
        return 0;
    sketch_says(k, "file files");
    sketch_put(k, !place || !strcmp(place, ".") ? "*" : place);
    if (place && strcmp(place, "."))
        buf_str(&k->out, "/*");
    return 1;
}

static const struct literal *
destination(const struct sketch *k)
{
    const struct literal *to = sketch_find_file(k, 1u << ROLE_TO);
    const struct literal *last = NULL;

    if (!to)
        to = sketch_find(k, 1u << ROLE_TO, ~0u);
    if (!to)
        to = sketch_find(k, 1u << ROLE_NAMED, ~0u);
    if (to)
        return to;
    for (size_t i = 0; i < k->l->n; i++)
        if (sketch_is_free(k, &k->l->v[i]) && k->l->v[i].role == ROLE_IN &&
            literal_is_file(&k->l->v[i]))
            last = &k->l->v[i];
    return sketch_find_file(k, 1u << ROLE_OBJECT | 1u << ROLE_FROM) ? last
                                                                    : NULL;
}

static bool
is_recursive(struct sketch *k)
{
    if (sketch_says(k, "recursive recursively entire whole"))
        return true;
    for (size_t i = 0; i < k->l->n; i++)
        if (k->l->v[i].role == ROLE_OBJECT &&
            (k->l->v[i].value->is == SLOT_GLOB ||
             k->l->v[i].value->is == SLOT_EXT))
            return false;
    for (size_t i = 0; i < k->l->n; i++) {
        const struct literal *l = &k->l->v[i];
        size_t n = strlen(l->value->text);

        if (l->role == ROLE_TO || l->role == ROLE_NAMED || l->role == ROLE_IN)
            continue;
        if (l->value->is_dir || l->noun == NOUN_DIRECTORY ||
            (n && l->value->text[n - 1] == '/'))
            return !sketch_has(k, "files");
    }
    return sketch_has(k, "subdirectories subfolders") ||
           sketch_row_at(k, "copy/copying everything") != REQUEST_NONE;
}

/* cp cannot leave files out; rsync does. */
static int
add_rsync(struct sketch *k, const struct literal *to, struct shortlist *s,
          struct err *e)
{
    buf_clear(&k->out);
    sketch_put(k, "rsync -av");
    sketch_put_excluded(k, " --exclude=");
    sketch_mark(k, to->word);
    if (!sketch_files(k, 1u << ROLE_OBJECT | 1u << ROLE_FROM | 1u << ROLE_IN))
        sketch_put(k, "./");
    sketch_put_literal(k, to);
    return sketch_add_plain(k, s, FIT_LIKELY, "copy all but some files", e);
}

static bool
leaves_out(const struct sketch *k)
{
    for (size_t i = 0; i < k->l->n; i++)
        if (k->l->v[i].role == ROLE_EXCEPT ||
            (k->l->v[i].value->negated && k->l->v[i].role != ROLE_TO &&
             sketch_has(k, "except but excluding")))
            return true;
    return false;
}

/* Where to: a literal, or a place in words. */
static bool
put_destination(struct sketch *k, const struct literal *to, const char *place)
{
    if (to)
        sketch_put_literal(k, to);
    else if (place)
        sketch_put(k, place);
    else
        return sketch_put_word(k, "to into as");
    return true;
}

/* "make a backup copy of x": x.bak, of the one source that was put there. */
static void
put_backup(struct sketch *k, size_t source)
{
    CLEANUP_BUF struct buf copy = buf_of(SKETCH_BYTES);

    buf_str(&copy, k->out.p + source);
    if (copy.len && copy.p[copy.len - 1] == '/')
        buf_cut(&copy, copy.len - 1);
    buf_printf(&k->out, "%s.bak", copy.len ? copy.p : " FILE");
    sketch_says(k, "backup");
}

/* On another machine, or a device: not for cp, mv. */
static bool
is_elsewhere(const struct literal *l)
{
    const char *text = l->value->text;

    return (l->value->is == SLOT_HOST && !l->value->exists) ||
           request_is_remote_path(text) || path_is(text, PATH_IS_DEVICE);
}

static bool
goes_elsewhere(const struct sketch *k)
{
    for (size_t i = 0; i < k->l->n; i++)
        if (is_elsewhere(&k->l->v[i]))
            return true;
    return false;
}

static bool
is_kind(const struct literal *l)
{
    return l->value->is == SLOT_EXT || l->value->is == SLOT_GLOB;
}

/* "rename the txt files to md" is nothing that one mv can do. */
static bool
renames_kind(const struct sketch *k)
{
    if (sketch_plain_at(k, "rename renaming renames") == REQUEST_NONE)
        return false;
    if (sketch_has(k, "all every each") && !k->l->n)
        return true;
    for (size_t i = 0; i < k->l->n; i++)
        if (is_kind(&k->l->v[i]))
            return true;
    return false;
}

/* "example.com", "bob@box:/srv": cp does not go there. */
static bool
names_machine(const struct sketch *k)
{
    for (size_t i = 0; i < k->l->n; i++) {
        const char *at = strchr(k->l->v[i].value->text, '@');

        if (k->l->v[i].value->is == SLOT_HOST || (at && strchr(at, ':')))
            return true;
    }
    return false;
}

static int
add_all(struct sketch *k, bool move, struct shortlist *s, struct err *e)
{
    const struct literal *to = destination(k);
    const char *place = to ? NULL : place_in_words(k, "to/into/in/onto");
    double fit = names_machine(k) ? FIT_MAYBE : FIT_SURE;
    size_t n, source;

    if ((to && is_kind(to)) || (move && renames_kind(k)))
        return 0;
    sketch_says(k, move ? moving : copying);
    if (to && leaves_out(k))
        return move ? 0 : add_rsync(k, to, s, e);
    if (!move && is_recursive(k))
        sketch_put_option(k, "-r");
    put_options(k, move);
    if (to)
        sketch_mark(k, to->word);
    source = k->out.len;
    n = put_sources(k);
    if (!n && !to && !place)
        return 0;
    if (!n) {
        fit = FIT_MAYBE;
        sketch_open(k, "FILE");
    }
    if (!to && !place && sketch_row(k, "to/into backup")) {
        buf_str(&k->out, " backup/"); /* a directory, or nothing is copied */
    } else if (!to && !place && n == 1 && sketch_has(k, "backup")) {
        put_backup(k, source);
    } else if (!put_destination(k, to, place)) {
        if (n < 2)
            sketch_open(k, "DESTINATION");
        fit = FIT_LIKELY;
    }
    sketch_says(k, "file files directory folder");
    return sketch_add_plain(k, s, fit, move ? "move files" : "copy files", e);
}

/* "duplicate" is a verb in front alone: "duplicate lines" are not copied. */
static bool
is_copied(const struct sketch *k)
{
    size_t at = sketch_plain_at(k, copying);

    return at != REQUEST_NONE && (at < 2 || k->l->q->words[at].plain[0] != 'd');
}

int
copy_compose(const struct request *q, struct shortlist *s, struct err *e)
{
    struct literals l;
    CLEANUP_SKETCH struct sketch k;
    bool move;

    literals_read(q, &l);
    sketch_init(&k, &l, "copy");
    move = sketch_has(&k, moving);
    if ((!move && !is_copied(&k)) || sketch_has(&k, refused) ||
        sketch_wants_find(&k) || goes_elsewhere(&k) ||
        sketch_row_at(&k, "copy " ATTRIBUTES) != REQUEST_NONE)
        return 0;
    sketch_put(&k, move ? "mv" : "cp");
    return add_all(&k, move, s, e);
}
