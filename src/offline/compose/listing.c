/* SPDX-License-Identifier: GPL-3.0-or-later */
/* listing.c - ls: the files of a directory. */
#include <string.h>

#include "offline/compose/archive.h"
#include "offline/compose/composers.h"
#include "offline/compose/sketch.h"

static const char verbs[] = "list show display print see view get what give "
                            "output enumerate which";
static const char objects[] = "file files directory directories folder "
                              "folders content contents item items entry "
                              "entries everything listing";
static const char refused[] =
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
is_unwanted(struct sketch *k, const char *row)
{
    size_t at = sketch_row_at(k, row);

    if (at == REQUEST_NONE || !compose_negated(k->l->q, at))
        return false;
    sketch_row(k, row);
    return true;
}

static void
put_letters(struct sketch *k)
{
    char letters[16] = "";

    if (sketch_has(k, "size sizes") &&
        sketch_row_at(k, "by size") == REQUEST_NONE &&
        sketch_find(k, ROLE_ANY, 1u << SLOT_SIZE) == NULL) {
        add_letter(letters, sizeof(letters), 'l');
        if (sketch_has(k, "readable human-readable"))
            add_letter(letters, sizeof(letters), 'h');
        sketch_says(k, "size sizes");
    }
    for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++)
        if (!is_unwanted(k, options[i].row) && sketch_row(k, options[i].row))
            for (const char *c = options[i].letters; *c; c++)
                add_letter(letters, sizeof(letters), *c);
    if (letters[0] == 'h' && !letters[1])
        add_letter(letters, sizeof(letters), 'l');
    if (!letters[0])
        return;
    buf_printf(&k->out, " -%s", letters);
    if (strpbrk(letters, "StXr"))
        sketch_says(k, "sort order first");
}

/* "directories", and of files nothing */
static bool
only_directories(struct sketch *k)
{
    const struct request *q = k->l->q;

    for (size_t i = 0; i + 1 < q->n; i++)
        if (literals_word_is(&q->words[i],
                             "all only just list show every top-level "
                             "immediate the top level") &&
            literals_word_is(&q->words[i + 1],
                             "directories folders subdirectories subfolders"))
            return !sketch_has(k, "file files");
    return false;
}

/* "files starting with b" */
static bool
put_beginning(struct sketch *k)
{
    size_t at = sketch_at(k, "start starting starts begin beginning begins");
    const struct literal *l;

    if (at == REQUEST_NONE)
        return false;
    l = sketch_find(k, 1u << ROLE_WITH | 1u << ROLE_BY, ~0u);
    if (!l || l->word < at || strpbrk(l->value->text, "*?["))
        return false;
    sketch_mark(k, at);
    sketch_mark(k, l->word);
    sketch_put(k, "");
    compose_path(&k->out, l->value->text);
    buf_ch(&k->out, '*');
    return true;
}

static bool
names_archive(const struct sketch *k)
{
    for (size_t i = 0; i < k->l->n; i++)
        if (archive_is_name(k->l->v[i].value->text))
            return true;
    return false;
}

/* By size, age or depth: find's. "by modification time" is an order. */
static bool
selects(const struct sketch *k)
{
    if (sketch_has_type(k, SLOT_AGE) || sketch_has_type(k, SLOT_SIZE) ||
        sketch_has(k, "older newer depth level owned subdirectories "
                      "subdirectory"))
        return true;
    return sketch_wants_find(k) &&
           !sketch_has(k, "sort order by first newest recent oldest");
}

static bool
applies(struct sketch *k)
{
    if (sketch_has(k, "ls"))
        return true;
    if (sketch_has(k, "line") && !sketch_has(k, "per separate own"))
        return false;
    if (selects(k) || sketch_has(k, refused) || names_archive(k) ||
        sketch_has(k, "find search locate"))
        return false;
    if (sketch_has(k, "content contents") &&
        !sketch_has(k, "directory folder directories folders"))
        return false;
    if (sketch_row_at(
            k, "content/contents of all/each/every/regular/file/files") !=
            REQUEST_NONE ||
        sketch_row_at(k, "content/contents of file/files") != REQUEST_NONE)
        return false;
    if (sketch_plain_at(k, "file") != REQUEST_NONE &&
        sketch_plain_at(k, "files directories folders contents content "
                           "listing newest latest oldest largest biggest "
                           "smallest recently recent long details") ==
            REQUEST_NONE)
        return false;
    return (sketch_has(k, verbs) || sketch_has(k, "count")) &&
           (sketch_has(k, objects) ||
            (sketch_plain_at(k, "list") == 0 &&
             (sketch_has_type(k, SLOT_GLOB) || sketch_has_type(k, SLOT_EXT))));
}

static double
fit_of(struct sketch *k, size_t operands)
{
    if (sketch_says(k, "ls"))
        return 1.0;
    if (sketch_has(k, "content contents") && !operands)
        return FIT_OTHER;
    if (sketch_row_at(k, "content/contents of file/files") != REQUEST_NONE)
        return 0;
    if (sketch_has(k, "long listing hidden"))
        return FIT_SURE;
    return sketch_says(k, "list") ? FIT_LIKELY : FIT_MAYBE;
}

/* One file, when the request asks for "the newest file" */
static bool
wants_one(struct sketch *k)
{
    static const char *const rows[] = {
        "newest/latest/oldest/largest/biggest/smallest file/directory/folder",
        "recent/recently file/directory/folder",
        "recently modified/changed/created/modify/change file",
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        size_t at = sketch_row_at(k, rows[i]);

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
ls_compose(const struct request *q, struct shortlist *s, struct err *e)
{
    struct literals l;
    CLEANUP_SKETCH struct sketch k;
    const unsigned parts = ROLE_ANY & ~(1u << ROLE_TO | 1u << ROLE_EXCEPT);
    size_t operands = 0;
    bool one, directories;
    double fit;
    long n;

    literals_read(q, &l);
    sketch_init(&k, &l, "ls");
    sketch_put(&k, "ls");
    if (!applies(&k))
        return 0;
    one = wants_one(&k);
    n = sketch_count(&k, "largest biggest smallest newest oldest latest "
                         "recent recently");
    directories = only_directories(&k);
    if (!one && (sketch_row_at(&k, "by size") != REQUEST_NONE))
        sketch_says(&k, "sort sorted order");
    put_letters(&k);
    if (directories)
        sketch_put(&k, "-d");
    if (!put_beginning(&k))
        operands = sketch_put_kind(&k) || sketch_files(&k, parts);
    else
        operands = 1;
    if (!operands)
        operands = sketch_places(&k);
    if (directories)
        buf_str(&k.out, operands ? "/*/" : " */");
    fit = fit_of(&k, operands);
    sketch_says(&k, verbs);
    sketch_says(&k, objects);
    if (fit == 0 || (n > 1 && sketch_has(&k, "largest biggest smallest") &&
                     sketch_has(&k, "files")))
        return 0; /* among "the ten largest files" is no directory */
    if (one || n > 0)
        buf_printf(&k.out, " | head -n %ld", one ? 1 : n);
    return sketch_add(&k, s, fit, "list files", e);
}
