/* SPDX-License-Identifier: GPL-3.0-or-later */
/* usage.c - du and df: how much room files take, how much is left. */
#include "offline/compose/composers.h"
#include "offline/compose/sketch.h"

static const char room[] = "space usage size sizes used big large consume "
                           "consuming usage disk take taken takes";
static const char systems[] = "filesystem filesystems partition partitions "
                              "mounted mount drive drives volume";
static const char refused[] = "memory cpu process processes swap image line "
                              "lines older newer package find delete remove "
                              "format password";

static bool
wants_df(const struct sketch *k)
{
    if (sketch_has(k, "du"))
        return false;
    if (sketch_has(k, "df"))
        return true;
    if (sketch_row_at(k, "inode/inodes usage/use") != REQUEST_NONE)
        return true;
    if (sketch_row_at(k, "file system/systems") != REQUEST_NONE ||
        sketch_has(k, systems))
        return (sketch_has(k, "space usage used size free available left full "
                              "inode inodes disk") &&
                sketch_plain_at(k, "drive drives") == REQUEST_NONE) ||
               sketch_has(k, "free available left full");
    return sketch_has(k, "disk disks space") &&
           sketch_has(k, "free available left remaining full unused");
}

static int
add_df(struct sketch *k, struct shortlist *s, struct err *e)
{
    const struct literal *type;
    bool said = sketch_says(k, "df");

    sketch_put(k, "df");
    if (sketch_row(k, "powers of 1000") || sketch_has(k, "1000"))
        sketch_put(k, "-H");
    else if (sketch_says(k, "kilobytes kb kilobyte"))
        sketch_put(k, "-k");
    else if (sketch_says(k, "megabytes mb megabyte"))
        sketch_put(k, "-m");
    else if (!sketch_says(k, "inode inodes"))
        sketch_put(k, "-h");
    else
        sketch_put(k, "-i");
    sketch_row(k, "human readable");
    sketch_says(k, "human-readable");
    sketch_option(k, "total totals", "--total");
    if (sketch_says(k, "type types")) {
        type = sketch_take(k, 1u << ROLE_OBJECT | 1u << ROLE_IN,
                           1u << SLOT_NAME | 1u << SLOT_TEXT);
        sketch_put(k, type && !type->value->exists ? "-t" : "-T");
        if (type)
            sketch_put_literal(k, type);
    }
    sketch_says(k, "free available left remaining");
    sketch_says(k, "space usage used");
    sketch_says(k, "disk");
    sketch_row(k, "file system/systems");
    sketch_says(k, systems);
    sketch_says(k, "show display list print report check see");
    if (!sketch_files(k, ROLE_ANY) && sketch_row(k, "current directory"))
        sketch_put(k, ".");
    return sketch_add(k, s, said ? 1.0 : FIT_SURE, "free space of file systems",
                      e);
}

static bool
wants_each(struct sketch *k)
{
    return sketch_says(k, "each every subdirectory subdirectories subfolders "
                          "subfolder folders directories files items "
                          "top-level") ||
           sketch_has(k, "sort sorted largest biggest top order");
}

static bool
wants_order(struct sketch *k)
{
    bool sorted = sketch_says(k, "sort sorted order sorts");
    bool largest = sketch_says(k, "largest biggest top heaviest most");

    sketch_row(k, "by size");
    return sorted || largest;
}

/* du's operands: each entry of a place, or the place. */
static void
put_places(struct sketch *k, bool each)
{
    if (!sketch_files(k, ROLE_ANY & ~(1u << ROLE_EXCEPT)) &&
        !sketch_places(k)) {
        if (each)
            sketch_put(k, "*");
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
add_du(struct sketch *k, struct shortlist *s, struct err *e)
{
    bool said = sketch_says(k, "du");
    bool each = wants_each(k);
    bool order = wants_order(k);
    bool ascending = sketch_has(k, "ascending smallest increasing") ||
                     sketch_row(k, "biggest/largest last") ||
                     sketch_row(k, "smallest first");
    const char *unit = "h";
    long depth = sketch_count(k, "depth level levels");
    long n = sketch_count(k, "largest biggest top first files directories "
                             "folders subdirectories file items");

    if (sketch_says(k, "kilobytes kilobyte kb kib"))
        unit = "k";
    else if (sketch_says(k, "megabytes megabyte mb mib"))
        unit = "m";
    else if (sketch_says(k, "bytes"))
        unit = "b";
    sketch_row(k, "human readable");
    sketch_says(k, "human-readable summary total summarize");
    buf_str(&k->out, "du -");
    if (depth >= 0)
        buf_printf(&k->out, "%s -d %ld", unit, depth);
    else
        buf_printf(&k->out, "s%s", unit);
    if (sketch_says(k, "grand"))
        sketch_put(k, "-c");
    put_places(k, each && depth < 0);
    sketch_says(k, "file files directory folder");
    sketch_says(k, "disk");
    sketch_says(k, room);
    sketch_says(k, "show display list print report check see");
    if (order)
        buf_printf(&k->out, " | sort -%s%s", unit[0] == 'h' ? "h" : "n",
                   ascending ? "" : "r");
    if (n > 0)
        buf_printf(&k->out, " | head -n %ld", n);
    return sketch_add_plain(k, s, said ? 1.0 : FIT_SURE, "room that files take",
                            e);
}

/* Directories, or room in words: not just "files larger than". */
static bool
wants_du(const struct sketch *k)
{
    if (sketch_has(k, "du"))
        return true;
    if (sketch_row_at(k, "disk usage/use/space") != REQUEST_NONE ||
        sketch_row_at(k, "space usage") != REQUEST_NONE ||
        sketch_row_at(k, "how much space/disk/room") != REQUEST_NONE)
        return true;
    if (sketch_plain_at(k, "space room") != REQUEST_NONE &&
        sketch_has(k, "take use consume occupy taking taken occupied") &&
        !sketch_has(k, "separated delimited character string replace"))
        return true;
    if (sketch_has(k, "largest biggest heaviest") &&
        sketch_has(k, "directories folders directory folder subdirectories") &&
        !sketch_has(k, "file files"))
        return true;
    if (sketch_row_at(k, "size of each/every directory/folder/subdirectory") !=
        REQUEST_NONE)
        return true;
    if (sketch_row_at(k, "how big/large") != REQUEST_NONE)
        return sketch_has(k, "file directory folder") || k->l->n;
    return sketch_has(k, "size sizes") &&
           sketch_has(k, "directory folder subdirectory total") &&
           (!sketch_has(k, "sort sorted order files file") ||
            (sketch_has(k, "all each every top-level") &&
             sketch_has(k, "directory folder")));
}

int
usage_compose(const struct request *q, struct shortlist *s, struct err *e)
{
    struct literals l;
    CLEANUP_SKETCH struct sketch k;

    literals_read(q, &l);
    sketch_init(&k, &l, "usage");
    if (sketch_has(&k, refused) ||
        sketch_find(&k, ROLE_ANY, 1u << SLOT_SIZE | 1u << SLOT_AGE))
        return 0;
    if (wants_df(&k))
        return add_df(&k, s, e);
    if (wants_du(&k))
        return add_du(&k, s, e);
    return 0;
}
