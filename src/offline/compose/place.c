/* SPDX-License-Identifier: GPL-3.0-or-later */
/* place.c - where the work is done. */
#include <string.h>

#include "offline/compose/compose.h"

#define HERE "current|present|working|this|local"
#define DIR  "directory|folder|dir|path|location|tree"

/* Places that have no path of their own in the request. */
static const struct place {
    const char *row, *text;
} places[] = {
    {HERE " working " DIR, "."},
    {HERE " " DIR, "."},
    {HERE " level", "."},
    {"here", "."},
    {"parent " DIR, ".."},
    {"user home " DIR, "~"},
    {"home " DIR, "~"},
    {"in|under my|the|our home", "~"},
    {"in|under home", "~"},
    {"root " DIR, "/"},
    {"root file system|systems", "/"},
    {"root filesystem|partition", "/"},
    {"whole|entire|complete file system", "/"},
    {"whole|entire|complete filesystem|system|disk|machine|computer", "/"},
    {"file system", "/"},
    {"filesystem|everywhere|system-wide", "/"},
    {"in|on|across|from|through system|disk|machine|computer|root|server", "/"},
};

/* Words before a path that make it the place. */
#define SEARCH "search list traverse scan"
#define IN                                                                     \
    "in under inside within below from beneath at of on through across "       \
    "starting start recursively " /* "search recursively /etc" */              \
        SEARCH
#define KIND "directory|folder|dir|tree|hierarchy|path|directories|folders"
#define DIRS "directory folder dir tree hierarchy path directories folders"

/* Words before a path that make it something else. */
#define NOT_IN "to into than as named name called except excluding"

static void
add(struct buf *out, const char *text)
{
    if (out->len)
        buf_ch(out, ' ');
    compose_path(out, text);
}

static bool
looks_like_path(const char *text)
{
    return strchr("/~$", *text) || !strncmp(text, "./", 2) ||
           !strncmp(text, "..", 2) || !strcmp(text, ".") ||
           (*text && text[strlen(text) - 1] == '/');
}

/* Words that may stand between "in" and its place. */
#define BETWEEN "the a an my our your this that these those their its both"

/* Whether the value at word i stands where a place stands. */
static bool
is_place(const struct request *q, size_t i, const struct request_value *v)
{
    bool path = looks_like_path(v->text), kind = compose_is(q, i + 1, DIRS);

    if (!compose_may(v, SLOT_PATH) || v->negated ||
        (compose_is(q, i + 1, "file files") && !path))
        return false;
    for (size_t cue = i; cue-- > 0;) {
        if (compose_is(q, cue, NOT_IN))
            return false;
        if (compose_is(q, cue, IN) || compose_is(q, cue, DIRS))
            return true;
        if (!compose_is(q, cue, BETWEEN " and or"))
            break;
    }
    return (path && *v->text != '$') || v->is_dir || (kind && !v->quoted);
}

/* The words that made word i a place: "in the directory". */
static uint64_t
cues(const struct request *q, size_t i)
{
    uint64_t set = (uint64_t)1 << i;

    if (compose_is(q, i + 1, DIRS))
        set |= (uint64_t)1 << (i + 1);
    while (i-- > 0) {
        bool in = compose_is(q, i, IN) && !compose_is(q, i, SEARCH);

        if (in || compose_is(q, i, DIRS))
            set |= (uint64_t)1 << i;
        else if (!q->words[i].weak)
            break;
        if (in)
            break;
    }
    return set;
}

static void
add_paths(const struct request *q, uint64_t *used, struct buf *out)
{
    bool after_place = false;

    for (size_t i = 0; i < q->n; i++) {
        const struct request_value *v = request_value_of(q, i);

        if (!v) {
            after_place &= compose_is(q, i, BETWEEN " and or");
            continue;
        }
        after_place = !compose_used(*used, i) &&
                      (is_place(q, i, v) ||
                       (after_place && compose_may(v, SLOT_PATH)));
        if (after_place) {
            add(out, v->text);
            *used |= cues(q, i);
        }
    }
}

/* "in" one of these is no place. */
#define MANNERS                                                                \
    "git docker bash zsh vim vi emacs awk sed perl python tmux screen "        \
    "crontab "                                                                 \
    "cron background foreground reverse parallel byte kilobyte megabyte "      \
    "gigabyte second minute hour day octal hex hexadecimal binary decimal "    \
    "uppercase lowercase bytes kilobytes megabytes gigabytes seconds minutes " \
    "hours days color colour utc general total turn row ascending descending"

/* Whether the row's word is a name, of a directory that is called so or of
 * one that only stands where a place stands. */
static bool
is_bare_name(const struct request *q, const struct compose_hit *hit,
             bool called)
{
    const struct request_value *v = request_value_of(q, hit->at);

    if (v && !v->quoted && !v->exists &&
        (v->is == SLOT_AGE || v->is == SLOT_SIZE || v->is == SLOT_EXT ||
         v->is == SLOT_GLOB))
        return false;
    if (compose_is(q, hit->at,
                   "file files sub each every order size detail "
                   "name total reverse it them human " DIRS))
        return false;
    return called || compose_is_name(q, hit->at) ||
           (hit->to == hit->from + 2 && hit->to == q->n &&
            !compose_is(q, hit->at, MANNERS));
}

/* "in the kat folder", "folder kat": a word that is no path by its looks. */
static void
add_named(const struct request *q, uint64_t *used, struct buf *out)
{
    static const char *const rows[] = {
        "in|under|inside|within|below|from|beneath {} " KIND,
        "in|under|inside|within|below|from|beneath " KIND " {name}",
        "in|under|inside|within|below|from|beneath " KIND " {text}",
        KIND " {path}",
        "under|below|beneath|inside {}",
        "in {}",
        NULL,
    };
    CLEANUP_BUF struct buf room = buf_of(REQUEST_BYTES_MAX);
    struct compose_hit hit;

    for (const char *const *r = rows; *r && !out->len; r++)
        if (compose_match(q, *r, *used, 0, &hit) &&
            is_bare_name(q, &hit, r < rows + 2)) {
            add(out, compose_text(q, hit.at, &room));
            *used |= hit.set;
        }
}

bool
compose_places(const struct request *q, uint64_t *used, struct buf *out)
{
    CLEANUP_BUF struct buf found = buf_of(out->max);

    add_paths(q, used, &found);
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        size_t at = compose_claim(q, places[i].row, used);

        if (at != REQUEST_NONE && !found.len)
            add(&found, places[i].text);
    }
    add_named(q, used, &found);
    buf_str(out, found.len ? found.p : ".");
    return found.len != 0;
}
