/* SPDX-License-Identifier: GPL-3.0-or-later */
/* make.c - mkdir, touch, mktemp: files and directories that are new. */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "offline/compose/archive.h"
#include "offline/compose/composers.h"
#include "offline/compose/sketch.h"

static const char making[] = "create make mkdir touch generate build";
static const char directories[] = "directory directories folder folders dir "
                                  "dirs subdirectory subdirectories mkdir";
static const char refused[] =
    "archive tar zip link symlink symbolic compress copy user partition "
    "branch database disk system raid volume swap key alias "
    "random executable list size split filesystem iso checksum find cron "
    "delete remove move rename go enter backup thumbnail thumbnails git "
    "docker podman container";

/* Where the digits begin that a name ends with; 0: it has none, or is more
 * than letters before them. */
static size_t
digits_of(const char *name)
{
    size_t n = strspn(name, "abcdefghijklmnopqrstuvwxyz"
                            "ABCDEFGHIJKLMNOPQRSTUVWXYZ_-");
    size_t digits = strspn(name + n, "0123456789");

    return digits > 0 && digits < 6 && !name[n + digits] && *name != '-' ? n
                                                                         : 0;
}

/* "day1 to day10", "a1 through a5": day{1..10}. */
static bool
put_series(struct sketch *k)
{
    const struct literals *l = k->l;

    for (size_t i = 0; i + 1 < l->n; i++) {
        const struct literal *from = &l->v[i], *to = from + 1;
        size_t n = digits_of(from->value->text);

        if (n == 0 || to->word != from->word + 2 ||
            !literals_word_is(&l->q->words[from->word + 1],
                              "to through until - till") ||
            digits_of(to->value->text) != n ||
            strncmp(from->value->text, to->value->text, n) != 0)
            continue;
        sketch_mark(k, from->word);
        sketch_mark(k, from->word + 1);
        sketch_mark(k, to->word);
        sketch_take(k, ROLE_ANY, 1u << SLOT_NUMBER); /* how many there are */
        sketch_says(k, "named called from name");
        buf_printf(&k->out, " %.*s{%s..%s}", (int)n, from->value->text,
                   from->value->text + n, to->value->text + n);
        return true;
    }
    return false;
}

/* "3 directories named a b c": how many there are, of so many names. */
static void
take_count(struct sketch *k, size_t names)
{
    const struct literal *l = sketch_find(k, ROLE_ANY, 1u << SLOT_NUMBER);

    if (l && sketch_is_free(k, l) && l->value->amount == (long)names)
        sketch_mark(k, l->word);
}

/* Literals that become files; one place that they are made in. */
static size_t
put_names(struct sketch *k)
{
    const unsigned names = 1u << ROLE_OBJECT | 1u << ROLE_NAMED;
    const struct literal *in = sketch_find_file(k,
                                                1u << ROLE_IN | 1u << ROLE_TO);
    size_t n = 0;

    if (put_series(k))
        return 1;
    for (size_t i = 0; i < k->l->n; i++) {
        const struct literal *l = &k->l->v[i];
        size_t len;

        if (!sketch_is_free(k, l) || !(names >> l->role & 1) ||
            l->value->is == SLOT_MODE || l->value->is == SLOT_DATE ||
            (l->value->is == SLOT_NUMBER && l->role != ROLE_NAMED))
            continue;
        n++;
        if (!in || strchr(l->value->text, '/')) {
            sketch_put_literal(k, l);
            continue;
        }
        sketch_put_literal(k, in);
        len = k->out.len;
        if (k->out.p[len - 1] != '/')
            buf_ch(&k->out, '/');
        compose_word(&k->out, l->value->text);
        sketch_mark(k, l->word);
    }
    take_count(k, n);
    return n ? n : sketch_files(k, 1u << ROLE_IN | 1u << ROLE_TO);
}

static bool
is_there(const struct sketch *k)
{
    for (size_t i = 0; i < k->l->n; i++)
        if (k->l->v[i].value->exists && k->l->v[i].role == ROLE_OBJECT)
            return true;
    return false;
}

/* "make a/b/c" where a/b is not there yet. */
static bool
lacks_parent(const struct sketch *k)
{
    char parent[PATH_MAX];

    for (size_t i = 0; i < k->l->n; i++) {
        const char *name = k->l->v[i].value ? k->l->v[i].value->text : "";
        const char *slash = strrchr(name, '/');

        if (!slash || slash == name || !slash[1] || *name == '~')
            continue;
        snprintf(parent, sizeof(parent), "%.*s", (int)(slash - name), name);
        if (access(parent, F_OK) != 0)
            return true;
    }
    return false;
}

static int
add_mkdir(struct sketch *k, struct shortlist *s, struct err *e)
{
    const struct literal *mode = sketch_has(
                                     k, "mode permission permissions rights")
                                     ? sketch_take(k, ROLE_ANY, 1u << SLOT_MODE)
                                     : NULL;
    bool said = sketch_says(k, "mkdir");

    sketch_put(k, "mkdir");
    if (sketch_says(k, "parent parents intermediate needed necessary missing "
                       "nested ancestors required") ||
        sketch_row(k, "directories in/of path") || sketch_row(k, "not exist") ||
        sketch_row(k, "already exist/exists") || lacks_parent(k))
        sketch_put_option(k, "-p");
    sketch_option(k, "verbose verbosely", "-v");
    if (mode) {
        sketch_put_option(k, "-m");
        sketch_put_literal(k, mode);
    }
    sketch_says(k, directories);
    sketch_says(k, making);
    if (!put_names(k)) {
        if (!said && !sketch_has(k, "directory folder"))
            return 0;
        sketch_open(k, "DIRECTORY");
        return sketch_add_plain(k, s, FIT_MAYBE, "make a directory", e);
    }
    return sketch_add_plain(k, s, FIT_SURE, "make a directory", e);
}

static void
put_times(struct sketch *k)
{
    const struct literal *as;
    const struct literal *date;

    if (sketch_has(k, "access") && !sketch_has(k, "modification modify"))
        sketch_option(k, "access", "-a");
    else if (sketch_has(k, "modification") && !sketch_has(k, "access"))
        sketch_option(k, "modification", "-m");
    if (sketch_row(k, "not create/creating") ||
        sketch_row(k, "without create/creating"))
        sketch_put_option(k, "-c");
    date = sketch_take(k, ROLE_ANY, 1u << SLOT_DATE);
    if (date) {
        sketch_put_option(k, "-d");
        sketch_put_quoted(k, date->value->text);
    }
    as = sketch_row_at(k, "same as") != REQUEST_NONE ||
                 sketch_has(k, "reference match")
             ? sketch_take(k, 1u << ROLE_NAMED | 1u << ROLE_TO, ~0u)
             : NULL;
    if (as) {
        sketch_put_option(k, "-r");
        sketch_put_literal(k, as);
    }
}

static bool
wants_touch(const struct sketch *k)
{
    if (sketch_has(k, "touch"))
        return true;
    if (sketch_has(k, "timestamp timestamps") ||
        sketch_row_at(k, "modification/access/modify time/date") !=
            REQUEST_NONE)
        return sketch_has(k, "update set change touch bump");
    return sketch_has(k, making) && sketch_has(k, "file files") &&
           !sketch_has(k, directories);
}

static int
add_touch(struct sketch *k, struct shortlist *s, struct err *e)
{
    bool said = sketch_says(k, "touch");

    sketch_put(k, "touch");
    put_times(k);
    sketch_says(k, "empty blank");
    sketch_says(k, "file files");
    sketch_says(k, making);
    sketch_says(k, "update set change timestamp timestamps");
    if (!put_names(k) && !sketch_files(k, ROLE_ANY)) {
        if (!said && !sketch_has(k, "empty"))
            return 0;
        sketch_open(k, "FILE");
    }
    return sketch_add_plain(k, s, k->open ? FIT_MAYBE : FIT_SURE,
                            "make files, or make them new", e);
}

static int
add_mktemp(struct sketch *k, struct shortlist *s, struct err *e)
{
    const struct literal *in;

    sketch_put(k, "mktemp");
    sketch_says(k, "temporary temp");
    sketch_says(k, making);
    if (sketch_says(k, directories))
        sketch_put_option(k, "-d");
    sketch_says(k, "file");
    in = sketch_find_file(k, 1u << ROLE_IN);
    if (in) {
        sketch_put(k, "-p");
        sketch_put_literal(k, in);
    } else if (sketch_row(k, "current directory/folder")) {
        sketch_put(k, "-p .");
    }
    in = sketch_find(k, 1u << ROLE_NAMED | 1u << ROLE_OBJECT, ~0u);
    if (in && strstr(in->value->text, "XX"))
        sketch_put_literal(k, in);
    return sketch_add_plain(k, s, FIT_SURE, "make a temporary file", e);
}

static bool
names_archive(const struct sketch *k)
{
    for (size_t i = 0; i < k->l->n; i++)
        if (archive_is_name(k->l->v[i].value->text))
            return true;
    return false;
}

int
make_compose(const struct request *q, struct shortlist *s, struct err *e)
{
    struct literals l;
    CLEANUP_SKETCH struct sketch k;

    literals_read(q, &l);
    sketch_init(&k, &l, "make");
    if (sketch_has(&k, "temporary temp") && sketch_has(&k, making) &&
        (sketch_has(&k, "file") || sketch_has(&k, directories)))
        return add_mktemp(&k, s, e);
    if (sketch_has(&k, refused) || names_archive(&k))
        return 0;
    if (wants_touch(&k))
        return add_touch(&k, s, e);
    if (sketch_has(&k, making) && sketch_has(&k, directories) && !is_there(&k))
        return add_mkdir(&k, s, e);
    return 0;
}
