/* SPDX-License-Identifier: GPL-3.0-or-later */
/* listing.c - generates commands of ls, du and df. */
#include <string.h>

#include "base/array.h"
#include "offline/generate/archive.h"
#include "offline/generate/builder.h"
#include "offline/generate/generate.h"

static const char room[] = "space usage size sizes used big large consume "
                           "consuming usage disk take taken takes";
static const char systems[] = "filesystem filesystems partition partitions "
                              "mounted mount drive drives volume";
static const char usage_refused[] =
    "memory cpu process processes swap image line "
    "lines older newer package find delete remove "
    "format password";

static bool
wants_df(const struct builder *k)
{
    if (builder_has(k, "du"))
        return false;
    if (builder_has(k, "df"))
        return true;
    if (builder_row_at(k, "inode/inodes usage/use") != REQUEST_NONE)
        return true;
    if (builder_row_at(k, "file system/systems") != REQUEST_NONE ||
        builder_has(k, systems))
        return (builder_has(k, "space usage used size free available left full "
                               "inode inodes disk") &&
                builder_plain_at(k, "drive drives") == REQUEST_NONE) ||
               builder_has(k, "free available left full");
    return builder_has(k, "disk disks space") &&
           builder_has(k, "free available left remaining full unused");
}

static int
add_df(struct builder *k, struct shortlist *s, struct err *e)
{
    const struct literal *type;
    bool named = builder_says(k, "df");

    builder_put(k, "df");
    if (builder_row(k, "powers of 1000") || builder_has(k, "1000"))
        builder_put(k, "-H");
    else if (builder_says(k, "kilobytes kb kilobyte"))
        builder_put(k, "-k");
    else if (builder_says(k, "megabytes mb megabyte"))
        builder_put(k, "-m");
    else if (!builder_says(k, "inode inodes"))
        builder_put(k, "-h");
    else
        builder_put(k, "-i");
    builder_row(k, "human readable");
    builder_says(k, "human-readable");
    builder_option(k, "total totals", "--total");
    if (builder_says(k, "type types")) {
        type = builder_take(k, 1u << ROLE_OBJECT | 1u << ROLE_IN,
                            1u << SLOT_NAME | 1u << SLOT_TEXT);
        builder_put(k, type && !type->value->exists ? "-t" : "-T");
        if (type)
            builder_put_literal(k, type);
    }
    builder_says(k, "free available left remaining");
    builder_says(k, "space usage used");
    builder_says(k, "disk");
    builder_row(k, "file system/systems");
    builder_says(k, systems);
    builder_says(k, "show display list print report check see");
    if (!builder_files(k, ROLE_ANY) && builder_row(k, "current directory"))
        builder_put(k, ".");
    return builder_add(k, s, named ? 1.0 : FIT_SURE,
                       "free space of file systems", e);
}

static bool
wants_each(struct builder *k)
{
    return builder_says(k, "each every subdirectory subdirectories subfolders "
                           "subfolder folders directories files items "
                           "top-level") ||
           builder_has(k, "sort sorted largest biggest top order");
}

static bool
wants_order(struct builder *k)
{
    bool sorted = builder_says(k, "sort sorted order sorts");
    bool largest = builder_says(k, "largest biggest top heaviest most");

    builder_row(k, "by size");
    return sorted || largest;
}

/* du's operands: each entry of a place, or the place. */
static void
put_du_places(struct builder *k, bool each)
{
    if (!builder_files(k, ROLE_ANY & ~(1u << ROLE_EXCEPT)) &&
        !builder_places(k)) {
        if (each)
            builder_put(k, "*");
        return;
    }
    if (!each)
        return;
    if (k->out.p[k->out.len - 1] == '.' && k->out.p[k->out.len - 2] == ' ')
        buf_cut(&k->out, k->out.len - 1);
    else if (k->out.p[k->out.len - 1] != '/')
        buf_ch(&k->out, '/');
    buf_ch(&k->out, '*');
}

static int
add_du(struct builder *k, struct shortlist *s, struct err *e)
{
    bool named = builder_says(k, "du");
    bool each = wants_each(k);
    bool order = wants_order(k);
    bool ascending = builder_has(k, "ascending smallest increasing") ||
                     builder_row(k, "biggest/largest last") ||
                     builder_row(k, "smallest first");
    const char *unit = "h";
    long depth = builder_count(k, "depth level levels");
    long n = builder_count(k, "largest biggest top first files directories "
                              "folders subdirectories file items");

    if (builder_says(k, "kilobytes kilobyte kb kib"))
        unit = "k";
    else if (builder_says(k, "megabytes megabyte mb mib"))
        unit = "m";
    else if (builder_says(k, "bytes"))
        unit = "b";
    builder_row(k, "human readable");
    builder_says(k, "human-readable summary total summarize");
    buf_str(&k->out, "du -");
    if (depth >= 0)
        buf_printf(&k->out, "%s -d %ld", unit, depth);
    else
        buf_printf(&k->out, "s%s", unit);
    if (builder_says(k, "grand"))
        builder_put(k, "-c");
    put_du_places(k, each && depth < 0);
    builder_says(k, "file files directory folder");
    builder_says(k, "disk");
    builder_says(k, room);
    builder_says(k, "show display list print report check see");
    if (order)
        buf_printf(&k->out, " | sort -%s%s", unit[0] == 'h' ? "h" : "n",
                   ascending ? "" : "r");
    if (n > 0)
        buf_printf(&k->out, " | head -n %ld", n);
    return builder_add_plain(k, s, named ? 1.0 : FIT_SURE,
                             "room that files take", e);
}

/* Directories, or room in words: not just "files larger than". */
static bool
wants_du(const struct builder *k)
{
    if (builder_has(k, "du"))
        return true;
    if (builder_row_at(k, "disk usage/use/space") != REQUEST_NONE ||
        builder_row_at(k, "space usage") != REQUEST_NONE ||
        builder_row_at(k, "how much space/disk/room") != REQUEST_NONE)
        return true;
    if (builder_plain_at(k, "space room") != REQUEST_NONE &&
        builder_has(k, "take use consume occupy taking taken occupied") &&
        !builder_has(k, "separated delimited character string replace"))
        return true;
    if (builder_has(k, "largest biggest heaviest") &&
        builder_has(k, "directories folders directory folder subdirectories") &&
        !builder_has(k, "file files"))
        return true;
    if (builder_row_at(k, "size of each/every directory/folder/subdirectory") !=
        REQUEST_NONE)
        return true;
    if (builder_row_at(k, "how big/large") != REQUEST_NONE)
        return builder_has(k, "file directory folder") || k->l->n;
    return builder_has(k, "size sizes") &&
           builder_has(k, "directory folder subdirectory total") &&
           (!builder_has(k, "sort sorted order files file") ||
            (builder_has(k, "all each every top-level") &&
             builder_has(k, "directory folder")));
}

int
generate_usage(const struct request *q, struct shortlist *s, struct err *e)
{
    struct literals l;
    CLEANUP_BUILDER struct builder k;

    literals_read(q, &l);
    builder_init(&k, &l, "usage");
    if (builder_has(&k, usage_refused) ||
        builder_find(&k, ROLE_ANY, 1u << SLOT_SIZE | 1u << SLOT_AGE))
        return 0;
    if (wants_df(&k))
        return add_df(&k, s, e);
    if (wants_du(&k))
        return add_du(&k, s, e);
    return 0;
}

/* ls. */

static const char verbs[] = "list show display print see view get what give "
                            "output enumerate which";
static const char objects[] = "file files directory directories folder "
                              "folders content contents item items entry "
                              "entries everything listing";
static const char ls_refused[] =
    "archive tar zip text process user group disk usage space "
    "service branch commit package difference compare replace word words "
    "column field copy move delete remove rename running empty variable "
    "variables environment job jobs port mount mounted partition device "
    "each every history cron crontab type duplicate checksum md5 owner "
    "permission "
    "contain containing containing execute";

static const struct {
    const char *row, *letters;
} options[] = {
    {"long list/listing/format", "l"},
    {"long", "l"},
    {"detail/details/detailed/permissions/owner", "l"},
    {"hidden", "a"},
    {"dot file/files", "a"},
    {"almost all", "A"},
    {"human/human-readable readable", "h"},
    {"human-readable/human", "h"},
    {"inode/inodes", "i"},
    {"sort/sorted/order/ordered by size", "S"},
    {"largest/biggest first", "S"},
    {"by size", "S"},
    {"largest/biggest", "S"},
    {"smallest", "Sr"},
    {"sort/sorted/order/ordered by time/date/modification/age", "t"},
    {"by time/date/modification/age", "t"},
    {"newest/recent/recently/latest", "t"},
    {"oldest", "tr"},
    {"reverse/reversed/ascending", "r"},
    {"recursive/recursively", "R"},
    {"per line", "1"},
    {"own/separate line", "1"},
    {"single column", "1"},
    {"extension", "X"},
};

static void
add_letter(char *letters, size_t size, char c)
{
    size_t n = strlen(letters);

    if (n + 1 < size && !strchr(letters, c)) {
        letters[n] = c;
        letters[n + 1] = '\0';
    }
}

/* "don't show hidden files": ls leaves out by itself what is not wanted. */
static bool
is_unwanted(struct builder *k, const char *row)
{
    size_t at = builder_row_at(k, row);

    if (at == REQUEST_NONE || !generate_negated(k->l->q, at))
        return false;
    builder_row(k, row);
    return true;
}

static void
put_letters(struct builder *k)
{
    char letters[16] = "";

    if (builder_has(k, "size sizes") &&
        builder_row_at(k, "by size") == REQUEST_NONE &&
        builder_find(k, ROLE_ANY, 1u << SLOT_SIZE) == NULL) {
        add_letter(letters, sizeof(letters), 'l');
        if (builder_has(k, "readable human-readable"))
            add_letter(letters, sizeof(letters), 'h');
        builder_says(k, "size sizes");
    }
    for (size_t i = 0; i < ARRAY_SIZE(options); i++)
        if (!is_unwanted(k, options[i].row) && builder_row(k, options[i].row))
            for (const char *c = options[i].letters; *c; c++)
                add_letter(letters, sizeof(letters), *c);
    if (letters[0] == 'h' && !letters[1])
        add_letter(letters, sizeof(letters), 'l');
    if (!letters[0])
        return;
    buf_printf(&k->out, " -%s", letters);
    if (strpbrk(letters, "StXr"))
        builder_says(k, "sort order first");
}

/* "directories", and of files nothing */
static bool
only_directories(struct builder *k)
{
    const struct request *q = k->l->q;

    for (size_t i = 0; i + 1 < q->n; i++)
        if (literals_word_is(&q->words[i],
                             "all only just list show every top-level "
                             "immediate the top level") &&
            literals_word_is(&q->words[i + 1],
                             "directories folders subdirectories subfolders"))
            return !builder_has(k, "file files");
    return false;
}

/* "files starting with b" */
static bool
put_beginning(struct builder *k)
{
    size_t at = builder_at(k, "start starting starts begin beginning begins");
    const struct literal *l;

    if (at == REQUEST_NONE)
        return false;
    l = builder_find(k, 1u << ROLE_WITH | 1u << ROLE_BY, ~0u);
    if (!l || l->word < at || strpbrk(l->value->text, "*?["))
        return false;
    builder_mark(k, at);
    builder_mark(k, l->word);
    builder_put(k, "");
    generate_path(&k->out, l->value->text);
    buf_ch(&k->out, '*');
    return true;
}

/* By size, age or depth: find's. "by modification time" is an order. */
static bool
selects_files(const struct builder *k)
{
    if (builder_has_type(k, SLOT_AGE) || builder_has_type(k, SLOT_SIZE) ||
        builder_has(k, "older newer depth level owned subdirectories "
                       "subdirectory"))
        return true;
    return builder_wants_find(k) &&
           !builder_has(k, "sort order by first newest recent oldest");
}

static bool
ls_applies(struct builder *k)
{
    if (builder_has(k, "ls"))
        return true;
    if (builder_has(k, "line") && !builder_has(k, "per separate own"))
        return false;
    if (selects_files(k) || builder_has(k, ls_refused) || archive_is_named(k) ||
        builder_has(k, "find search locate"))
        return false;
    if (builder_has(k, "content contents") &&
        !builder_has(k, "directory folder directories folders"))
        return false;
    if (builder_row_at(
            k, "content/contents of all/each/every/regular/file/files") !=
            REQUEST_NONE ||
        builder_row_at(k, "content/contents of file/files") != REQUEST_NONE)
        return false;
    if (builder_plain_at(k, "file") != REQUEST_NONE &&
        builder_plain_at(k, "files directories folders contents content "
                            "listing newest latest oldest largest biggest "
                            "smallest recently recent long details") ==
            REQUEST_NONE)
        return false;
    return (builder_has(k, verbs) || builder_has(k, "count")) &&
           (builder_has(k, objects) || (builder_plain_at(k, "list") == 0 &&
                                        (builder_has_type(k, SLOT_GLOB) ||
                                         builder_has_type(k, SLOT_EXT))));
}

static double
listing_fit(struct builder *k, size_t operands)
{
    if (builder_says(k, "ls"))
        return 1.0;
    if (builder_has(k, "content contents") && !operands)
        return FIT_OTHER;
    if (builder_row_at(k, "content/contents of file/files") != REQUEST_NONE)
        return 0;
    if (builder_has(k, "long listing hidden"))
        return FIT_SURE;
    return builder_says(k, "list") ? FIT_LIKELY : FIT_MAYBE;
}

/* One file, when the request asks for "the newest file" */
static bool
wants_one(struct builder *k)
{
    static const char *const rows[] = {
        "newest/latest/oldest/largest/biggest/smallest file/directory/folder",
        "recent/recently file/directory/folder",
        "recently modified/changed/created/modify/change file",
    };

    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        size_t at = builder_row_at(k, rows[i]);

        while (at != REQUEST_NONE && at < k->l->q->n &&
               k->l->q->words[at].value < 0) {
            size_t to = k->l->q->words[at].to;

            if (literals_word_is(&k->l->q->words[at], "file"))
                return k->l->q->text[to - 1] != 's';
            at++;
        }
    }
    return false;
}

int
generate_ls(const struct request *q, struct shortlist *s, struct err *e)
{
    struct literals l;
    CLEANUP_BUILDER struct builder k;
    const unsigned parts = ROLE_ANY & ~(1u << ROLE_TO | 1u << ROLE_EXCEPT);
    size_t operands = 0;
    bool one, directories;
    double fit;
    long n;

    literals_read(q, &l);
    builder_init(&k, &l, "ls");
    builder_put(&k, "ls");
    if (!ls_applies(&k))
        return 0;
    one = wants_one(&k);
    n = builder_count(&k, "largest biggest smallest newest oldest latest "
                          "recent recently");
    directories = only_directories(&k);
    if (!one && (builder_row_at(&k, "by size") != REQUEST_NONE))
        builder_says(&k, "sort sorted order");
    put_letters(&k);
    if (directories)
        builder_put(&k, "-d");
    if (!put_beginning(&k))
        operands = builder_put_kind(&k) || builder_files(&k, parts);
    else
        operands = 1;
    if (!operands)
        operands = builder_places(&k);
    if (directories)
        buf_str(&k.out, operands ? "/*/" : " */");
    fit = listing_fit(&k, operands);
    builder_says(&k, verbs);
    builder_says(&k, objects);
    if (fit == 0 || (n > 1 && builder_has(&k, "largest biggest smallest") &&
                     builder_has(&k, "files")))
        return 0; /* among "the ten largest files" is no directory */
    if (one || n > 0)
        buf_printf(&k.out, " | head -n %ld", one ? 1 : n);
    return builder_add(&k, s, fit, "list files", e);
}
