/* SPDX-License-Identifier: GPL-3.0-or-later */
/* phrase_match.c - matches rows of words in a request, and finds directories.
 */
#include <string.h>

#include "base/array.h"
#include "offline/generate/generate.h"
#include "offline/parse/lexicon.h"

static bool
is_sep(char c)
{
    return c == ' ' || c == '|';
}

/* Whether the word is in list[0..n), which is separated by blanks or |. Some
 * thousand words are compared per request, so that this goes byte by byte. */
static bool
in_list(const char *word, const char *list, size_t n)
{
    const char *end = list + n;

    while (*word && list < end) {
        const char *w = word;

        for (; list < end && *w && *list == *w; list++)
            w++;
        if (!*w && (list == end || is_sep(*list)))
            return true;
        while (list < end && !is_sep(*list))
            list++;
        list++;
    }
    return false;
}

static bool
word_matches(const struct request *q, size_t i, const char *list, size_t n)
{
    const struct request_value *v = request_value_of(q, i);
    const struct request_word *w = &q->words[i];

    if (v && v->quoted)
        return false;
    return in_list(w->plain, list, n) ||
           (strcmp(w->plain, w->stem) && in_list(w->stem, list, n));
}

bool
generate_is(const struct request *q, size_t i, const char *list)
{
    return i < q->n && word_matches(q, i, list, strlen(list));
}

static uint64_t
word_bit(size_t i)
{
    return (uint64_t)1 << i;
}

/* Whether word i stands for "{type}", "{}". */
static bool
fills_slot(const struct request *q, size_t i, const char *slot, size_t n)
{
    const struct request_value *v = request_value_of(q, i);

    if (n == 2)
        return v || !q->words[i].weak;
    return generate_may(v, (enum slot_type)slot_find(slot + 1, n - 2));
}

static bool
fits_part(const struct request *q, size_t i, uint64_t used, const char *part,
          size_t n)
{
    if (i >= q->n || generate_used(used, i))
        return false;
    return *part == '{' ? fills_slot(q, i, part, n)
                        : word_matches(q, i, part, n);
}

/* Whether the row stands at word i. */
static bool
phrase_row_at(const struct request *q, size_t i, const char *row, uint64_t used,
              struct generate_hit *hit)
{
    *hit = (struct generate_hit){.from = i, .to = i, .at = REQUEST_NONE};
    for (size_t n; *row; row += n, row += strspn(row, " ")) {
        size_t at = hit->to;
        bool may_miss = *row == '?';

        row += may_miss;
        n = strcspn(row, " ");
        while (hit->set && at < q->n && q->words[at].weak &&
               !fits_part(q, at, used, row, n))
            at++;
        if (!fits_part(q, at, used, row, n)) {
            if (may_miss)
                continue;
            return false;
        }
        if (*row == '{')
            hit->at = at;
        hit->set |= word_bit(at);
        hit->to = at + 1;
    }
    return hit->set != 0;
}

bool
generate_match(const struct request *q, const char *row, uint64_t used,
               size_t from, struct generate_hit *hit)
{
    for (size_t i = from; i < q->n; i++)
        if (phrase_row_at(q, i, row, used, hit))
            return true;
    return false;
}

size_t
generate_claim(const struct request *q, const char *row, uint64_t *used)
{
    struct generate_hit hit;

    if (!generate_match(q, row, *used, 0, &hit))
        return REQUEST_NONE;
    *used |= hit.set;
    return hit.from;
}

bool
generate_claims(const struct request *q, const char *const *rows,
                uint64_t *used)
{
    bool any = false;

    for (; *rows; rows++)
        any |= generate_claim(q, *rows, used) != REQUEST_NONE;
    return any;
}

size_t
generate_before(const struct request *q, size_t i)
{
    while (i-- > 0)
        if (!q->words[i].weak)
            return i;
    return REQUEST_NONE;
}

bool
generate_may(const struct request_value *v, enum slot_type type)
{
    return v && (v->types >> type & 1);
}

const char *
generate_text(const struct request *q, size_t i, struct buf *room)
{
    const struct request_value *v = request_value_of(q, i);
    const struct request_word *w = &q->words[i];

    if (v)
        return v->text;
    buf_clear(room);
    buf_add(room, q->text + w->from, w->to - w->from);
    return room->p;
}

/* How many words before a name a "not" counts: "that are not in any way
 * named". */
#define NOT_HEARD 3

bool
generate_negated(const struct request *q, size_t i)
{
    const struct request_value *v = request_value_of(q, i);

    if (v && v->negated)
        return true;
    for (size_t n = 0; n < NOT_HEARD && i-- > 0; n++) {
        if (generate_is(q, i, "not no except without other ignore skip avoid"))
            return true;
        if (request_value_of(q, i))
            return false;
    }
    return false;
}

/* The word as written: a name may resemble a typing error. */
bool
generate_is_name(const struct request *q, size_t i)
{
    char word[REQUEST_STEM_MAX];
    const struct request_word *w;

    if (i >= q->n || request_value_of(q, i))
        return i < q->n;
    w = &q->words[i];
    if (w->to - w->from >= sizeof(word))
        return true;
    memcpy(word, q->text + w->from, w->to - w->from);
    word[w->to - w->from] = '\0';
    return !lexicon_known(word);
}

/* Directories to work in. */

#define HERE "current|present|working|this|local"
#define DIR  "directory|folder|dir|path|location|tree"

/* Directories that a request names without a path. */
static const struct named_place {
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

/* Words before a path that make it no directory to work in. */
#define NOT_IN "to into than as named name called except excluding"

static void
add_place_path(struct buf *out, const char *text)
{
    if (out->len)
        buf_ch(out, ' ');
    generate_path(out, text);
}

static bool
looks_like_path(const char *text)
{
    return strchr("/~$", *text) || !strncmp(text, "./", 2) ||
           !strncmp(text, "..", 2) || !strcmp(text, ".") ||
           (*text && text[strlen(text) - 1] == '/');
}

/* Words that may be between "in" and the directory. */
#define BETWEEN "the a an my our your this that these those their its both"

/* Whether the value at word i is in the position of a directory. */
static bool
is_place_value(const struct request *q, size_t i, const struct request_value *v)
{
    bool path = looks_like_path(v->text), kind = generate_is(q, i + 1, DIRS);

    if (!generate_may(v, SLOT_PATH) || v->negated ||
        (generate_is(q, i + 1, "file files") && !path))
        return false;
    for (size_t cue = i; cue-- > 0;) {
        if (generate_is(q, cue, NOT_IN))
            return false;
        if (generate_is(q, cue, IN) || generate_is(q, cue, DIRS))
            return true;
        if (!generate_is(q, cue, BETWEEN " and or"))
            break;
    }
    return (path && *v->text != '$') || v->is_dir || (kind && !v->quoted);
}

/* The words that make word i a directory: "in the directory". */
static uint64_t
place_cues(const struct request *q, size_t i)
{
    uint64_t set = (uint64_t)1 << i;

    if (generate_is(q, i + 1, DIRS))
        set |= (uint64_t)1 << (i + 1);
    while (i-- > 0) {
        bool in = generate_is(q, i, IN) && !generate_is(q, i, SEARCH);

        if (in || generate_is(q, i, DIRS))
            set |= (uint64_t)1 << i;
        else if (!q->words[i].weak)
            break;
        if (in)
            break;
    }
    return set;
}

static void
add_place_paths(const struct request *q, uint64_t *used, struct buf *out)
{
    bool after_place = false;

    for (size_t i = 0; i < q->n; i++) {
        const struct request_value *v = request_value_of(q, i);

        if (!v) {
            after_place &= generate_is(q, i, BETWEEN " and or");
            continue;
        }
        after_place = !generate_used(*used, i) &&
                      (is_place_value(q, i, v) ||
                       (after_place && generate_may(v, SLOT_PATH)));
        if (after_place) {
            add_place_path(out, v->text);
            *used |= place_cues(q, i);
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

/* Whether a plain word names a directory, by a noun or by its position. */
static bool
is_bare_name(const struct request *q, const struct generate_hit *hit,
             bool called)
{
    const struct request_value *v = request_value_of(q, hit->at);

    if (v && !v->quoted && !v->exists &&
        (v->is == SLOT_AGE || v->is == SLOT_SIZE || v->is == SLOT_EXT ||
         v->is == SLOT_GLOB))
        return false;
    if (generate_is(q, hit->at,
                    "file files sub each every order size detail "
                    "name total reverse it them human " DIRS))
        return false;
    return called || generate_is_name(q, hit->at) ||
           (hit->to == hit->from + 2 && hit->to == q->n &&
            !generate_is(q, hit->at, MANNERS));
}

/* "in the kat folder", "folder kat": a word that has not the form of a path. */
static void
add_named_folders(const struct request *q, uint64_t *used, struct buf *out)
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
    struct generate_hit hit;

    for (const char *const *r = rows; *r && !out->len; r++)
        if (generate_match(q, *r, *used, 0, &hit) &&
            is_bare_name(q, &hit, r < rows + 2)) {
            add_place_path(out, generate_text(q, hit.at, &room));
            *used |= hit.set;
        }
}

bool
generate_places(const struct request *q, uint64_t *used, struct buf *out)
{
    CLEANUP_BUF struct buf found = buf_of(out->max);

    add_place_paths(q, used, &found);
    for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
        size_t at = generate_claim(q, places[i].row, used);

        if (at != REQUEST_NONE && !found.len)
            add_place_path(&found, places[i].text);
    }
    add_named_folders(q, used, &found);
    buf_str(out, found.len ? found.p : ".");
    return found.len != 0;
}
