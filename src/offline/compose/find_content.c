/* SPDX-License-Identifier: GPL-3.0-or-later */
/* find_content.c - files by what stands in them. */
#include <string.h>

#include "offline/compose/find.h"

#define TEXT                                                                   \
    "text|string|word|phrase|pattern|keyword|line|lines|term|expression|regex"
#define CONTAIN                                                                \
    "contain|contains|containing|include|have|has|with|mention|mentioning"
#define LOOK "search|find|grep|look|searching|searches"

/* Rows that ask which files. */
static const char *const contents[] = {
    CONTAIN " ?regular " TEXT " {}",
    "contain|contains|containing|mention|mentioning {text}",
    "list|output ?file name|names of|where|that match|matching {text}",
    NULL,
};
/* Rows that ask for the lines too. */
static const char *const looks[] = {
    LOOK " ?for ?regular " TEXT " {} in|inside|within|through",
    LOOK " ?for {text} in|inside|within|through",
    LOOK " ?for occurrence|instance|line ?of|with {}",
    "for ?regular ?" TEXT " {text}",
    "grep ?for {}",
    NULL,
};

/* Whether word i is no text but names files. */
static bool
names_files(const struct find *f, size_t i)
{
    const struct request_value *v = request_value_of(f->q, i);

    if (!v)
        return compose_is(f->q, i,
                          "file files directory directories folder "
                          "folders name names in");
    return !v->quoted &&
           (v->is == SLOT_AGE || v->is == SLOT_SIZE || v->is == SLOT_DATE ||
            v->is == SLOT_NUMBER || v->is == SLOT_EXT || v->is == SLOT_GLOB ||
            v->is == SLOT_PATH);
}

/* With something else to do for those files, grep only chooses them. */
static void
add_grep(struct find *f, bool lines, const struct compose_hit *hit)
{
    CLEANUP_BUF struct buf room = buf_of(REQUEST_BYTES_MAX);
    const char *fold = request_has(f->q, "insensitive case-insensitive") ? "i"
                                                                         : "";
    bool no = compose_negated(f->q, hit->from);
    bool chooses = f->run.len || f->deletes;
    struct buf *out = chooses ? &f->part[FIND_OWNER] : &f->run;

    if (chooses)
        buf_printf(out, "%s -exec grep -%sq ", no ? " !" : "", fold);
    else if (lines && !no)
        buf_printf(out, "grep -%sH ", fold);
    else
        buf_printf(out, "grep -%s%s ", fold, no ? "L" : "l");
    if (*compose_text(f->q, hit->at, &room) == '-')
        buf_str(out, "-e "); /* a text, and no option */
    find_add_word(f, out, hit->at);
    buf_str(out, chooses ? " {} \\;" : " {}");
    f->tests++;
}

static void
read_rows(struct find *f, const char *const *rows, bool lines)
{
    struct compose_hit hit;

    for (; *rows; rows++)
        if (find_sees(f, *rows, &hit) && !names_files(f, hit.at)) {
            f->used |= hit.set;
            add_grep(f, lines, &hit);
            return;
        }
}

void
find_read_look(struct find *f)
{
    read_rows(f, looks, true);
}

void
find_read_content(struct find *f)
{
    if (!f->run.len || strncmp(f->run.p, "grep", 4))
        read_rows(f, contents, false);
}
