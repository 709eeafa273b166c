/* SPDX-License-Identifier: GPL-3.0-or-later */
/* file_ops.c - generates mkdir, touch, mktemp, ln, rm and rmdir commands. */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/message.h"
#include "offline/generate/archive.h"
#include "offline/generate/builder.h"
#include "offline/generate/generate.h"

static const char make_verbs[] = "create make mkdir touch generate build";
static const char directories[] = "directory directories folder folders dir "
                                  "dirs subdirectory subdirectories mkdir";
static const char make_refused[] =
    "archive tar zip link symlink symbolic compress copy user partition "
    "branch database disk system raid volume swap key alias "
    "random executable list size split filesystem iso checksum find cron "
    "delete remove move rename go enter backup thumbnail thumbnails git "
    "docker podman container";

/* The offset of the digits at the end of a name; 0 when there are none, or when
 * there is more than letters before them. */
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
put_series(struct builder *k)
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
        builder_mark(k, from->word);
        builder_mark(k, from->word + 1);
        builder_mark(k, to->word);
        builder_take(k, ROLE_ANY, 1u << SLOT_NUMBER); /* how many there are */
        builder_says(k, "named called from name");
        buf_printf(&k->out, " %.*s{%s..%s}", (int)n, from->value->text,
                   from->value->text + n, to->value->text + n);
        return true;
    }
    return false;
}

/* "3 directories named a b c": how many there are, of so many names. */
static void
take_count(struct builder *k, size_t names)
{
    const struct literal *l = builder_find(k, ROLE_ANY, 1u << SLOT_NUMBER);

    if (l && builder_is_free(k, l) && l->value->amount == (long)names)
        builder_mark(k, l->word);
}

/* Appends the names of new files, inside the one directory that is named. */
static size_t
put_new_names(struct builder *k)
{
    const unsigned names = 1u << ROLE_OBJECT | 1u << ROLE_NAMED;
    const struct literal *in = builder_find_file(k,
                                                 1u << ROLE_IN | 1u << ROLE_TO);
    size_t n = 0;

    if (put_series(k))
        return 1;
    for (size_t i = 0; i < k->l->n; i++) {
        const struct literal *l = &k->l->v[i];
        size_t len;

        if (!builder_is_free(k, l) || !(names >> l->role & 1) ||
            l->value->is == SLOT_MODE || l->value->is == SLOT_DATE ||
            (l->value->is == SLOT_NUMBER && l->role != ROLE_NAMED))
            continue;
        n++;
        if (!in || strchr(l->value->text, '/')) {
            builder_put_literal(k, l);
            continue;
        }
        builder_put_literal(k, in);
        len = k->out.len;
        if (k->out.p[len - 1] != '/')
            buf_ch(&k->out, '/');
        generate_word(&k->out, l->value->text);
        builder_mark(k, l->word);
    }
    take_count(k, n);
    return n ? n : builder_files(k, 1u << ROLE_IN | 1u << ROLE_TO);
}

static bool
has_existing_object(const struct builder *k)
{
    for (size_t i = 0; i < k->l->n; i++)
        if (k->l->v[i].value->exists && k->l->v[i].role == ROLE_OBJECT)
            return true;
    return false;
}

/* "make a/b/c" where a/b is not there yet. */
static bool
lacks_parent(const struct builder *k)
{
    char parent[PATH_MAX];

    for (size_t i = 0; i < k->l->n; i++) {
        const char *name = k->l->v[i].value ? k->l->v[i].value->text : "";
        const char *slash = strrchr(name, '/');

        if (!slash || slash == name || !slash[1] || *name == '~')
            continue;
        snprintf(parent, sizeof(parent), "%.*s", (int)(slash - name), name);
        if (!seat_has(k->l->q->seat, parent))
            return true;
    }
    return false;
}

static int
add_mkdir(struct builder *k, struct shortlist *s, struct err *e)
{
    const struct literal *mode = builder_has(
                                     k, "mode permission permissions rights")
                                     ? builder_take(k, ROLE_ANY,
                                                    1u << SLOT_MODE)
                                     : NULL;
    bool named = builder_says(k, "mkdir");

    builder_put(k, "mkdir");
    if (builder_says(k, "parent parents intermediate needed necessary missing "
                        "nested ancestors required") ||
        builder_row(k, "directories in/of path") ||
        builder_row(k, "not exist") || builder_row(k, "already exist/exists") ||
        lacks_parent(k))
        builder_put_option(k, "-p");
    builder_option(k, "verbose verbosely", "-v");
    if (mode) {
        builder_put_option(k, "-m");
        builder_put_literal(k, mode);
    }
    builder_says(k, directories);
    builder_says(k, make_verbs);
    if (!put_new_names(k)) {
        if (!named && !builder_has(k, "directory folder"))
            return 0;
        builder_open(k, "DIRECTORY");
        return builder_add_plain(k, s, FIT_MAYBE, "make a directory", e);
    }
    return builder_add_plain(k, s, FIT_SURE, "make a directory", e);
}

static void
put_times(struct builder *k)
{
    const struct literal *as;
    const struct literal *date;

    if (builder_has(k, "access") && !builder_has(k, "modification modify"))
        builder_option(k, "access", "-a");
    else if (builder_has(k, "modification") && !builder_has(k, "access"))
        builder_option(k, "modification", "-m");
    if (builder_row(k, "not create/creating") ||
        builder_row(k, "without create/creating"))
        builder_put_option(k, "-c");
    date = builder_take(k, ROLE_ANY, 1u << SLOT_DATE);
    if (date) {
        builder_put_option(k, "-d");
        builder_put_quoted(k, date->value->text);
    }
    as = builder_row_at(k, "same as") != REQUEST_NONE ||
                 builder_has(k, "reference match")
             ? builder_take(k, 1u << ROLE_NAMED | 1u << ROLE_TO, ~0u)
             : NULL;
    if (as) {
        builder_put_option(k, "-r");
        builder_put_literal(k, as);
    }
}

static bool
wants_touch(const struct builder *k)
{
    if (builder_has(k, "touch"))
        return true;
    if (builder_has(k, "timestamp timestamps") ||
        builder_row_at(k, "modification/access/modify time/date") !=
            REQUEST_NONE)
        return builder_has(k, "update set change touch bump");
    return builder_has(k, make_verbs) && builder_has(k, "file files") &&
           !builder_has(k, directories);
}

static int
add_touch(struct builder *k, struct shortlist *s, struct err *e)
{
    bool named = builder_says(k, "touch");

    builder_put(k, "touch");
    put_times(k);
    builder_says(k, "empty blank");
    builder_says(k, "file files");
    builder_says(k, make_verbs);
    builder_says(k, "update set change timestamp timestamps");
    if (!put_new_names(k) && !builder_files(k, ROLE_ANY)) {
        if (!named && !builder_has(k, "empty"))
            return 0;
        builder_open(k, "FILE");
    }
    return builder_add_plain(k, s, k->open ? FIT_MAYBE : FIT_SURE,
                             "make files, or make them new", e);
}

static int
add_mktemp(struct builder *k, struct shortlist *s, struct err *e)
{
    const struct literal *in;

    builder_put(k, "mktemp");
    builder_says(k, "temporary temp");
    builder_says(k, make_verbs);
    if (builder_says(k, directories))
        builder_put_option(k, "-d");
    builder_says(k, "file");
    in = builder_find_file(k, 1u << ROLE_IN);
    if (in) {
        builder_put(k, "-p");
        builder_put_literal(k, in);
    } else if (builder_row(k, "current directory/folder")) {
        builder_put(k, "-p .");
    }
    in = builder_find(k, 1u << ROLE_NAMED | 1u << ROLE_OBJECT, ~0u);
    if (in && strstr(in->value->text, "XX"))
        builder_put_literal(k, in);
    return builder_add_plain(k, s, FIT_SURE, "make a temporary file", e);
}

int
generate_make(const struct request *q, struct shortlist *s, struct err *e)
{
    struct literals l;
    CLEANUP_BUILDER struct builder k;

    literals_read(q, &l);
    builder_init(&k, &l, "make");
    if (builder_has(&k, "temporary temp") && builder_has(&k, make_verbs) &&
        (builder_has(&k, "file") || builder_has(&k, directories)))
        return add_mktemp(&k, s, e);
    if (builder_has(&k, make_refused) || archive_is_named(&k))
        return 0;
    if (wants_touch(&k))
        return add_touch(&k, s, e);
    if (builder_has(&k, make_verbs) && builder_has(&k, directories) &&
        !has_existing_object(&k))
        return add_mkdir(&k, s, e);
    return 0;
}

/* ln. */

static const char linking[] = "link symlink links symlinks ln softlink "
                              "hardlink shortcut";
static const char link_verbs[] = "create make add set link symlink point build "
                                 "put establish ln new update force replace";
static const char link_refused[] =
    "find list show remove delete broken dangling "
    "follow count display print copy search url "
    "download dereference resolve read where";

/* Reads what exists, and the name that it gets. */
struct ends {
    const struct literal *target, *name;
};

/* "link a to b": a has to be there. "a link a to b": it is the new name. */
static bool
link_is_verb(const struct builder *k)
{
    size_t at = builder_at(k, linking);
    size_t make = builder_at(k, "create make add set put establish build new");

    return make == REQUEST_NONE || make > at;
}

static void
read_source_and_name(struct builder *k, struct ends *it)
{
    const struct literal *object;

    it->name = builder_take(k, 1u << ROLE_NAMED, ~0u);
    it->target = builder_find_file(k, 1u << ROLE_TO);
    object = builder_take(k, 1u << ROLE_OBJECT | 1u << ROLE_FROM, ~0u);
    if (it->target)
        builder_mark(k, it->target->word);
    if (it->name) { /* "a link named x to y", "link y as x" */
        if (!it->target)
            it->target = object;
        else if (object) { /* "link y to z as x" */
            it->name = it->target;
            it->target = object;
        }
    } else if (object && it->target &&
               (link_is_verb(k) || object->role == ROLE_FROM ||
                (object->value->exists && !it->target->value->exists))) {
        it->name = it->target;
        it->target = object;
    } else if (it->target) {
        it->name = object;
    } else {
        it->target = object;
        it->name = builder_take(k, 1u << ROLE_OBJECT, ~0u);
    }
    if (!it->target)
        it->target = builder_take(k, 1u << ROLE_IN | 1u << ROLE_WITH, ~0u);
}

static void
put_link_options(struct builder *k, bool symbolic)
{
    if (symbolic)
        builder_put_option(k, "-s");
    builder_option(k,
                   "force overwrite overwriting replace replacing update "
                   "existing",
                   "-f");
    builder_option(k, "relative", "-r");
    builder_option(k, "verbose verbosely", "-v");
    if (builder_row(k, "without dereferencing/dereference") ||
        builder_row(k, "no dereference"))
        builder_put_option(k, "-n");
}

/* Appends the target of a link. A symbolic link in another directory needs an
 * absolute target. */
static void
put_target(struct builder *k, const struct ends *it, const struct literal *in,
           bool symbolic, bool desktop)
{
    const char *text = it->target->value->text;
    bool away = desktop || in ||
                (it->name && strchr(it->name->value->text, '/'));

    if (!symbolic || !away || !it->target->value->exists ||
        strchr("/~$", text[0])) {
        builder_put_literal(k, it->target);
        return;
    }
    builder_mark(k, it->target->word);
    buf_str(&k->out, " \"$PWD\"/");
    generate_path(&k->out, text);
}

int
generate_link(const struct request *q, struct shortlist *s, struct err *e)
{
    struct literals l;
    CLEANUP_BUILDER struct builder k;
    struct ends it;
    const struct literal *in;
    bool hard, desktop;
    size_t n;

    literals_read(q, &l);
    builder_init(&k, &l, "link");
    builder_put(&k, "ln");
    if (!builder_has(&k, linking) || builder_has(&k, link_refused) ||
        !builder_has(&k, link_verbs))
        return 0;
    hard = builder_says(&k, "hard hardlink");
    builder_says(&k, "symbolic soft sym");
    put_link_options(&k, !hard);
    builder_says(&k, linking);
    read_source_and_name(&k, &it);
    if (!it.name && !builder_has(&k, "create make add link symlink ln in"))
        return 0;
    builder_says(&k, link_verbs);
    in = it.target ? builder_find_file(&k, 1u << ROLE_IN) : NULL;
    desktop = builder_row(&k, "on/to/in my/the desktop") ||
              builder_row(&k, "on/to/in desktop");
    if (!it.target)
        builder_open(&k, "TARGET");
    else
        put_target(&k, &it, in, !hard, desktop);
    n = k.out.len;
    in = builder_find_file(&k, 1u << ROLE_IN);
    if (in) {
        builder_put_literal(&k, in);
        if (it.name && k.out.p[k.out.len - 1] != '/')
            buf_ch(&k.out, '/');
    } else if (desktop && !it.name) {
        builder_put(&k, "~/Desktop");
    } else if (builder_row(&k, "current directory/folder") && !it.name) {
        builder_put(&k, ".");
    }
    if (it.name) {
        if (in)
            generate_word(&k.out, it.name->value->text);
        else
            builder_put_literal(&k, it.name);
    }
    if (k.out.len == n && k.open)
        builder_open(&k, "NAME");
    return builder_add_plain(
        &k, s, k.open ? FIT_LIKELY : FIT_SURE,
        hard ? N_("make a hard link") : N_("make a symbolic link"), e);
}

/* rm and rmdir, for files that the request names. */

static const char removing[] =
    "remove delete rm erase rmdir unlink trash throw rid";
static const char remove_refused[] =
    "line lines column columns field word words character characters space "
    "spaces package user group branch container process duplicate "
    "duplicates blank prefix suffix extension string text occurrence find "
    "search comma newline variable alias commit tag rule route cron crontab "
    "key entry service job database table from first last except broken "
    "whose name names begin start starting contain containing match "
    "matching tree sync synchronize rsync mirror copy move permission "
    "attribute digits "
    "quotes whitespace member array listed mistake accident accidentally "
    "recover restore undelete undo docker";

static void
put_remove_options(struct builder *k, bool deep)
{
    if (deep)
        builder_put_option(k, "-r");
    if (builder_says(k, "force forcibly forcefully") ||
        builder_row(k, "without prompt/prompting/confirmation/asking/ask") ||
        builder_row(k, "not ask/prompt"))
        builder_put_option(k, "-f");
    else if (builder_says(k, "interactive interactively prompt prompting "
                             "confirm confirmation ask asking"))
        builder_put_option(k, "-i");
    builder_option(k, "verbose verbosely", "-v");
}

static bool
is_below_named(struct builder *k)
{
    /* "the file x in y": y is only where it lies */
    bool inside = builder_find_file(k, 1u << ROLE_IN) &&
                  builder_find_file(k, 1u << ROLE_OBJECT | 1u << ROLE_NAMED);

    if (builder_says(k, "recursive recursively"))
        return true;
    if (builder_has(k, "files") && !builder_has(k, "subdirectories"))
        return false;
    for (size_t i = 0; i < k->l->n; i++) {
        const struct literal *l = &k->l->v[i];
        size_t n = strlen(l->value->text);

        if (inside && l->role == ROLE_IN)
            continue;
        if (l->value->is_dir || l->noun == NOUN_DIRECTORY ||
            (n && l->value->text[n - 1] == '/'))
            return true;
    }
    return false;
}

/* What holds no other file: "in names.txt" */
static bool
is_plain_file(const struct literal *l)
{
    const char *slash = strrchr(l->value->text, '/');
    const char *base = slash ? slash + 1 : l->value->text;

    if (l->value->exists)
        return !l->value->is_dir;
    return l->noun != NOUN_DIRECTORY && *base && strchr(base + 1, '.');
}

/* "all files in x": x/ and then a star. */
static size_t
put_file_operands(struct builder *k)
{
    const struct literal *in = builder_find_file(k, 1u << ROLE_IN);
    const struct literal *object = builder_find_file(k, 1u << ROLE_OBJECT |
                                                            1u << ROLE_NAMED);
    bool all = builder_has(k, "all every everything content contents files");
    size_t n;

    if (in && (object || all)) {
        if (is_plain_file(in))
            return 0;
        builder_put_literal(k, in);
        if (k->out.p[k->out.len - 1] != '/')
            buf_ch(&k->out, '/');
        if (!object) {
            buf_ch(&k->out, '*');
            return 1;
        }
        n = k->out.len;
        builder_put_literal(k, object);
        memmove(k->out.p + n, k->out.p + n + 1, k->out.len - n);
        k->out.len--;
        return 1;
    }
    if (in && in->value->within) /* what is in there was not understood */
        return 0;
    n = builder_files(k, ROLE_ANY & ~(1u << ROLE_EXCEPT));
    if (!n && all && builder_row(k, "current directory/folder")) {
        builder_put(k, "*");
        n = 1;
    }
    return n;
}

/* "empty it but do not delete it" */
static bool
forbids_removing(const struct request *q)
{
    for (size_t i = 0; i < q->n; i++)
        if (generate_is(q, i, removing) && generate_negated(q, i))
            return true;
    return false;
}

/* "everything but a.txt" */
static bool
keeps_some(const struct builder *k)
{
    for (size_t i = 0; i < k->l->n; i++)
        if (k->l->v[i].value->negated)
            return true;
    return false;
}

/* "all .pyc files and __pycache__ folders": below here, and that is find's. */
static bool
wants_both(const struct builder *k)
{
    return builder_plain_at(k, "files") != REQUEST_NONE &&
           builder_plain_at(k, "folders directories") != REQUEST_NONE;
}

/* "delete the image x", where that is no file's name: docker's. */
static bool
is_image(const struct builder *k)
{
    for (size_t i = 0; i < k->l->n; i++) {
        const struct request_value *v = k->l->v[i].value;

        if (v->exists || strchr(v->text, '.'))
            return false;
    }
    return builder_has(k, "image");
}

int
generate_remove(const struct request *q, struct shortlist *s, struct err *e)
{
    struct literals l;
    CLEANUP_BUILDER struct builder k;
    bool empty;
    bool many, deep = false;

    literals_read(q, &l);
    builder_init(&k, &l, "remove");
    if (!builder_has(&k, removing) || builder_has(&k, remove_refused) ||
        is_image(&k) || builder_wants_find(&k) ||
        builder_has(&k, "under below") || forbids_removing(q) ||
        keeps_some(&k) || wants_both(&k))
        return 0;
    builder_says(&k, removing);
    empty = builder_says(&k, "empty");
    if (empty && !builder_has(&k, "directory folder"))
        return 0;
    builder_put(&k, empty ? "rmdir" : "rm");
    if (!empty) {
        deep = is_below_named(&k);
        put_remove_options(&k, deep);
    }
    many = builder_has(&k, "all every");
    if (!put_file_operands(&k))
        return 0;
    builder_says(&k, "file files directory folder image picture photo");
    builder_says(&k, "all every");
    return builder_add_plain(&k, s, many ? FIT_MAYBE : FIT_SURE,
                             deep    ? N_("remove with all that is in there")
                             : empty ? N_("remove empty directories")
                                     : N_("remove files"),
                             e);
}
