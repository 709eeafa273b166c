/* SPDX-License-Identifier: GPL-3.0-or-later */
/* literals.c - decides which part each value of a request has. */
#include "offline/generate/literals.h"

#include <ctype.h>
#include <string.h>

#include "base/array.h"
#include "offline/parse/synonyms.h"

/* Words between a literal and the word that decides its role, which are
 * ignored. */
#define LEAD_MAX 6

static const struct {
    enum role role;
    const char *words;
} roles[] = {
    {ROLE_IN, "in of on under inside within below at across throughout"},
    {ROLE_FROM, "from"},
    {ROLE_TO, "to into onto"},
    {ROLE_NAMED, "as named called name names"},
    {ROLE_WITH, "with"},
    {ROLE_BY, "by using use via through"},
    {ROLE_EXCEPT, "except excluding exclude without skipping skip ignoring"},
};

static const struct {
    enum noun noun;
    const char *words;
} nouns[] = {
    {NOUN_FILE, "file files document log script path paths filename"},
    {NOUN_DIRECTORY,
     "directory directories folder folders dir subdirectory subfolder"},
    {NOUN_TEXT, "pattern patterns word words string strings text regex regexp "
                "expression phrase substring keyword term character "
                "characters"},
    {NOUN_LINE, "line lines row rows"},
    {NOUN_FIELD, "field fields column columns key"},
    {NOUN_ARCHIVE, "archive tarball zip tar"},
    {NOUN_SUFFIX, "suffix extension ext"},
    {NOUN_OTHER, "user group owner mode permission permissions host port "
                 "server separator delimiter prefix"},
};

static const char passed[] =
    "all every each regular local remote existing new current compressed "
    "executable own content contents whole same single given following both "
    "matching is be sorted plain literal exact empty symbolic hard link";

/* Called for every word of every list: the first letter is compared first. */
bool
literals_in(const char *list, const char *text)
{
    size_t n = strlen(text);

    while (n && *list) {
        if (*list == *text && !strncmp(list, text, n) &&
            (list[n] == ' ' || !list[n]))
            return true;
        while (*list && *list != ' ')
            list++;
        while (*list == ' ')
            list++;
    }
    return false;
}

bool
literals_word_is(const struct request_word *w, const char *list)
{
    return w->value < 0 &&
           (literals_in(list, w->plain) || literals_in(list, w->stem));
}

static enum noun
noun_of(const struct request_word *w)
{
    for (size_t i = 0; i < ARRAY_SIZE(nouns); i++)
        if (literals_word_is(w, nouns[i].words))
            return nouns[i].noun;
    return NOUN_NONE;
}

static bool
role_of(const struct request_word *w, enum role *role)
{
    for (size_t i = 0; i < ARRAY_SIZE(roles); i++)
        if (w->value < 0 && literals_in(roles[i].words, w->plain)) {
            *role = roles[i].role;
            return true;
        }
    return false;
}

static bool
is_passed_over(const struct request_word *w)
{
    return w->weak || literals_word_is(w, "and or but also not nor") ||
           literals_word_is(w, passed);
}

static const struct literal *
literal_at(const struct literals *l, size_t word)
{
    for (size_t i = 0; i < l->n; i++)
        if (l->v[i].word == word)
            return &l->v[i];
    return NULL;
}

/* Reads the words before a literal, back to the one that decides its role. */
static void
look_back(const struct literals *l, struct literal *it)
{
    const struct request *q = l->q;
    size_t most = LEAD_MAX;

    it->role = ROLE_OBJECT;
    it->noun = NOUN_NONE;
    for (size_t i = it->word; i-- > 0 && most-- > 0;) {
        const struct request_word *w = &q->words[i];
        const struct literal *before = literal_at(l, i);
        enum noun noun = noun_of(w);

        if (before) {
            it->role = before->role;
            if (it->noun == NOUN_NONE)
                it->noun = before->noun;
            return;
        }
        if (w->value >= 0 || role_of(w, &it->role))
            return;
        if (noun == NOUN_NONE && !is_passed_over(w))
            return;
        if (it->noun == NOUN_NONE)
            it->noun = noun;
    }
}

/* "the x.txt file", "the lib directory" */
static void
look_ahead(const struct literals *l, struct literal *it)
{
    const struct request *q = l->q;
    enum noun noun;

    if (it->noun != NOUN_NONE || it->word + 1 >= q->n)
        return;
    noun = noun_of(&q->words[it->word + 1]);
    if (noun == NOUN_FILE || noun == NOUN_DIRECTORY || noun == NOUN_ARCHIVE ||
        noun == NOUN_FIELD)
        it->noun = noun;
}

/* Whether the word as written may be a name. */
static bool
looks_like_name(const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strchr("_./-0123456789~$", text[i]) ||
            (i > 0 && isupper((unsigned char)text[i])))
            return true;
    return false;
}

/* Words behind "directory" that name none. */
static const char no_directory[] =
    "structure tree listing size sizes name names path content contents "
    "permission permissions recursive recursively exist entry entries usage "
    "owner stack hierarchy level by sorted";

/* Whether only the end of a sentence follows. */
static bool
only_end_follows(const struct request *q, size_t i)
{
    const struct request_word *next = &q->words[i + 1];

    return i + 1 == q->n ||
           literals_word_is(next, "to into in from with without as and "
                                  "recursively recursive under named called "
                                  "verbosely forcefully");
}

/* Whether a name may follow that word, articles ignored. */
static bool
leads_to_name(const struct request *q, size_t i)
{
    enum role role;

    while (i-- > 0) {
        const struct request_word *w = &q->words[i];

        if (w->value >= 0)
            return false;
        if (role_of(w, &role) || noun_of(w) != NOUN_NONE ||
            literals_word_is(w, "search find grep replace look for change "
                                "delete remove create copy move rename show "
                                "make contain match or and extract compress "
                                "print cat between give user group let"))
            return true;
        if (!w->weak)
            return false;
    }
    return false;
}

/* "replace cat with dog": both may be any word. */
static bool
is_replaced(const struct request *q, size_t i)
{
    bool replaces = false;

    for (size_t at = 0; at < i; at++)
        replaces |= literals_word_is(&q->words[at], "replace substitute");
    return replaces && q->words[i - 1].value < 0 &&
           literals_in("replace substitute with by of word string text",
                       q->words[i - 1].plain) &&
           !literals_word_is(&q->words[i], "occurrence occurrences every each "
                                           "first instance instances file");
}

/* "the word temp", "look for errors" */
static bool
is_sought(const struct request *q, size_t i)
{
    const struct request_word *before = &q->words[i - 1];

    if (before->value >= 0 ||
        literals_word_is(&q->words[i],
                         "count counts file files directory directories "
                         "length frequency editor wrap contain match that "
                         "which where all any every line lines process"))
        return false;
    return literals_in("word string pattern phrase", before->plain) ||
           (i > 1 && literals_in("for", before->plain) &&
            q->words[i - 2].value < 0 &&
            literals_in("look search grep looking searching",
                        q->words[i - 2].plain));
}

/* "the downloads folder": what everybody has. */
static bool
is_known_folder(const struct request *q, size_t i)
{
    return i + 1 < q->n && q->words[i + 1].value < 0 &&
           literals_in("folder directory", q->words[i + 1].plain) &&
           literals_in("downloads documents pictures music videos desktop "
                       "photos movies projects",
                       q->words[i].plain);
}

/* Whether an ordinary word is a name: "create directory backup", "called
 * notes", "replace foo with bar". */
static bool
is_name_word(const struct request *q, size_t i)
{
    const struct request_word *w = &q->words[i];
    const struct request_word *before = i > 0 ? w - 1 : NULL;
    const char *text = q->text + w->from;
    enum role role;

    if (w->value >= 0 || w->weak || noun_of(w) != NOUN_NONE ||
        role_of(w, &role) || !before || w->to - w->from >= LITERAL_BARE_SIZE)
        return false;
    if ((before->value < 0 && literals_in("grep", before->plain)) ||
        literals_word_is(before, "named called") || is_sought(q, i) ||
        is_known_folder(q, i) || is_replaced(q, i))
        return true;
    if (before->value < 0 &&
        literals_in("file directory folder dir archive", before->plain) &&
        (i + 1 == q->n || looks_like_name(text, w->to - w->from)))
        return !literals_word_is(w, no_directory);
    if (before->value < 0 &&
        literals_in("directory folder dir", before->plain) &&
        only_end_follows(q, i))
        return !literals_word_is(w, no_directory);
    return !lexicon_is_common(w->stem) && !lexicon_is_common(w->plain) &&
           leads_to_name(q, i);
}

static const struct request_value *
bare_value(struct literals *l, const struct request_word *w)
{
    struct request_value *v = &l->bare[l->n_bare];
    char *text = l->bare_text[l->n_bare++];

    memcpy(text, l->q->text + w->from, w->to - w->from);
    text[w->to - w->from] = '\0';
    *v = (struct request_value){
        .types = 1u << SLOT_NAME | 1u << SLOT_PATH | 1u << SLOT_TEXT,
        .is = SLOT_NAME,
        .text = text,
    };
    return v;
}

/* Copies all literals; pointers into the one lead into the other. */
static void
copy_literal(const struct literals *from, struct literals *to)
{
    *to = *from;
    for (size_t i = 0; i < to->n_bare; i++)
        to->bare[i].text = to->bare_text[i];
    for (size_t i = 0; i < to->n; i++)
        if (to->v[i].bare)
            to->v[i].value = &to->bare[from->v[i].value - from->bare];
}

void
literals_read(const struct request *q, struct literals *out)
{
    if (q->literals) {
        copy_literal(q->literals, out);
        return;
    }
    out->q = q;
    out->n = out->n_bare = 0;
    for (size_t i = 0; i < q->n; i++) {
        struct literal it = {.word = i};

        if (q->words[i].value >= 0) {
            it.value = &q->values[q->words[i].value];
        } else if (out->n_bare < LITERALS_BARE && is_name_word(q, i)) {
            it.value = bare_value(out, &q->words[i]);
            it.bare = true;
        } else {
            continue;
        }
        look_back(out, &it);
        look_ahead(out, &it);
        out->v[out->n++] = it;
    }
}

bool
literal_is_surely_file(const struct literal *l)
{
    const struct request_value *v = l->value;

    if (l->noun == NOUN_TEXT || !*v->text ||
        (v->is == SLOT_NUMBER && !v->exists && !v->quoted &&
         l->noun == NOUN_DIRECTORY)) /* "two folders" */
        return false;
    return v->exists || v->is == SLOT_PATH || v->is == SLOT_GLOB ||
           v->is == SLOT_EXT || l->noun == NOUN_FILE ||
           l->noun == NOUN_DIRECTORY;
}

bool
literal_is_file(const struct literal *l)
{
    const uint32_t files = 1u << SLOT_PATH | 1u << SLOT_GLOB | 1u << SLOT_EXT;

    if (literal_is_surely_file(l))
        return true;
    if (l->noun == NOUN_TEXT || l->noun == NOUN_FIELD || !*l->value->text)
        return false;
    return l->value->types & files || l->value->quoted;
}
