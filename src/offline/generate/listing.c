/* SPDX-License-Identifier: GPL-3.0-or-later */
/* listing.c - generates commands of ls. */
#include <string.h>

#include "base/array.h"
#include "offline/generate/archive.h"
#include "offline/generate/builder.h"
#include "offline/generate/generate.h"

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
