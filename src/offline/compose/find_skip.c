/* SPDX-License-Identifier: GPL-3.0-or-later */
/* find_skip.c - directories that are passed over with what is below them. */
#include <string.h>

#include "offline/compose/find.h"

#define SKIP                                                                   \
    "except|excluding|exclude|excludes|skip|skipping|ignore|ignoring|omit|"    \
    "omitting|without|avoid|avoiding|prune|pruning"
#define DIRS                                                                   \
    "directory|directories|folder|folders|dir|dirs|tree|path|paths|"           \
    "subdirectory"
#define NOT "not|dont|don't"

static const char *const skips[] = {
    SKIP " ?descending|searching|looking ?everything|anything|any|those|that|"
         "found|present|inside|under|hidden|file|files ?in|under|inside " DIRS
         " {}",
    SKIP " ?everything|anything|any|those|that|found ?in|under|inside {} " DIRS,
    SKIP
    " descending|descend|going|entering|searching|recursing ?into|in|to {}",
    "but not ?in|under {path}",
    NOT " ?to descend|descending|search|go|look|recurse|enter "
        "?in|into|inside|under ?" DIRS " {}",
    NOT " in|under|inside|within|below ?" DIRS " {}",
    NOT " in|under|inside|within|below {} " DIRS,
    SKIP " ?everything|anything|those|found|that|files ?in|under|inside {path}",
    NULL,
};

/* Names that are a directory's, whatever is said of them. */
static bool
is_known(const char *text)
{
    static const char *const names[] = {
        ".git",   ".svn",        ".hg",    "CVS",  "node_modules", ".snapshot",
        "vendor", "__pycache__", ".cache", "proc", "venv",         ".venv",
    };

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (!strcmp(text, names[i]))
            return true;
    return false;
}

static bool
is_directory(const struct find *f, size_t i, const struct compose_hit *hit)
{
    CLEANUP_BUF struct buf room = buf_of(REQUEST_BYTES_MAX);
    const struct request_value *v = request_value_of(f->q, i);
    const char *text = compose_text(f->q, i, &room);

    if (v && (v->is_dir || is_known(text) || strchr(text, '/')))
        return true;
    for (size_t k = hit->from; k < hit->to + 1; k++)
        if (k != i && compose_is(f->q, k,
                                 "directory directories folder folders dir "
                                 "tree path paths descend descending into"))
            return !v || v->is != SLOT_EXT;
    return is_known(text);
}

static void
add_skip(struct find *f, size_t i)
{
    CLEANUP_BUF struct buf room = buf_of(REQUEST_BYTES_MAX);
    CLEANUP_BUF struct buf text = buf_of(REQUEST_BYTES_MAX);
    const char *said = compose_text(f->q, i, &room);
    bool path = strchr(said, '/') != NULL;

    buf_str(&text, said);
    while (text.len > 1 &&
           (text.p[text.len - 1] == '/' || text.p[text.len - 1] == '*'))
        buf_cut(&text, text.len - 1);
    if (f->part[FIND_PRUNE].len)
        buf_str(&f->part[FIND_PRUNE], " -o");
    find_test(f, FIND_PRUNE, path ? " -path " : " -name ");
    if (path && !strchr("/.~$*", *text.p))
        buf_str(&f->part[FIND_PRUNE], "./");
    compose_word(&f->part[FIND_PRUNE], text.p);
    f->skips++;
    find_use(f, i);
}

/* The names that follow the first: ".git, .svn and node_modules" */
static void
add_more(struct find *f, size_t i)
{
    for (i++; i < f->q->n; i++) {
        const struct request_value *v = request_value_of(f->q, i);

        if (v && !compose_used(f->used, i) &&
            (compose_may(v, SLOT_PATH) || compose_may(v, SLOT_NAME)))
            add_skip(f, i);
        else if (!compose_is(f->q, i, "and or nor"))
            return;
    }
}

void
find_read_skip(struct find *f)
{
    struct compose_hit hit;

    for (const char *const *r = skips; *r; r++)
        while (find_sees(f, *r, &hit) && is_directory(f, hit.at, &hit)) {
            f->used |= hit.set & ~((uint64_t)1 << hit.at);
            add_skip(f, hit.at);
            add_more(f, hit.at);
        }
}
