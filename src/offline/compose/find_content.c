/* SPDX-License-Identifier: GPL-3.0-or-later */
/* find_content.c - files by what stands in them. */
#include "offline/compose/find.h"

#define TEXT                                                                   \
    "text|string|word|phrase|pattern|keyword|line|lines|term|expression|regex"
#define CONTAIN                                                                \
    "contain|contains|containing|include|includes|have|has|having|mention|"    \
    "mentioning|with"
#define LOOK "search|find|grep|look|searching|searches"

static const char *const rows[] = {
    CONTAIN " ?" TEXT
            " {text} in ?file name|names|path|paths|filename", /* no */
    CONTAIN " " TEXT " {}",
    CONTAIN " {text}",
    LOOK " ?for " TEXT " {} in|inside|within|through",
    LOOK " ?for {text} in|inside|within|through",
    LOOK " ?for occurrences|instances|lines ?of {}",
    "for ?" TEXT " {text}",
    "grep ?for {}",
    NULL,
};

void
find_read_content(struct find *f)
{
    struct compose_hit hit;

    if (find_sees(f, rows[0], &hit))
        return;
    for (const char *const *r = rows + 1; *r; r++) {
        const struct request_value *v;

        if (!find_sees(f, *r, &hit))
            continue;
        v = request_value_of(f->q, hit.at);
        if (v && !v->quoted &&
            (v->is == SLOT_EXT || v->is == SLOT_GLOB || v->is == SLOT_PATH))
            continue;
        f->used |= hit.set;
        buf_printf(&f->run, "grep -%s%s ",
                   request_has(f->q, "insensitive case-insensitive") ? "i" : "",
                   compose_negated(f->q, hit.from) ? "L" : "l");
        find_add_word(f, &f->run, hit.at);
        buf_str(&f->run, " {}");
        return;
    }
}
