/* SPDX-License-Identifier: GPL-3.0-or-later */
/* disk_usage.c - generates commands of du and df. */

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
