/* SPDX-License-Identifier: GPL-3.0-or-later */
/* request_behind.c - what a word is by those behind it, and by the rest. */
#include <ctype.h>
#include <string.h>

#include "base/cleanup.h"
#include "offline/request/request_in.h"
#include "offline/request/words.h"

#define KINDS_OF_FILES                                                         \
    "file files document documents image images photo photos picture "         \
    "pictures video videos script scripts song songs"

/* Endings that are words as well: "old files" are not *.old. */
#define WORDS_TOO                                                              \
    "old log service class key dot lock diff patch dump c h o r go pid bin "   \
    "tmp bak zip tar deb rpm db env vim bash awk img"

/* What the files of a language or program end in. */
static const struct kind {
    const char *word, *ext;
} kinds[] = {
    {"text", "txt"},   {"python", "py"},     {"ruby", "rb"},
    {"perl", "pl"},    {"shell", "sh"},      {"bash", "sh"},
    {"rust", "rs"},    {"javascript", "js"}, {"typescript", "ts"},
    {"log", "log"},    {"markdown", "md"},   {"c", "c"},
    {"go", "go"},      {"haskell", "hs"},    {"zip", "zip"},
    {"header", "h"},   {"c++", "cpp"},       {"object", "o"},
    {"excel", "xlsx"}, {"tar", "tar"},       {"latex", "tex"},
};

/* A word may be that, but counts as the word that it is. */
static int
give_soft(struct request *q, size_t i, enum slot_type is, uint32_t types,
          const char *text, struct err *e)
{
    struct request_value *v = request_give(q, i, text, strlen(text), e);

    if (!v)
        return -1;
    v->types = types | 1u << is;
    v->is = is;
    return 0;
}

static bool
is_listed_ext(const char *plain)
{
    return request_is_ext(plain, strlen(plain)) &&
           !words_listed(plain, WORDS_TOO);
}

/* Word i becomes an ending, in lower case; 1: it is none. */
static int
name_ext(struct request *q, size_t i, struct err *e)
{
    struct request_word *w = &q->words[i];
    const struct request_value *v = request_value_of(q, i);

    if (!is_listed_ext(w->plain) || (v && v->is != SLOT_NAME))
        return 1;
    if (!v && !request_give(q, i, w->plain, strlen(w->plain), e))
        return -1;
    return request_become(q, i, SLOT_EXT, TYPE(TEXT) | TYPE(NAME), e);
}

/* "jpg files"; "jpg, png and gif images", from the last one back */
static int
apply_ext(struct request *q, size_t i, struct err *e)
{
    int done;

    if (!words_listed(request_plain(q, i + 1), KINDS_OF_FILES))
        return 0;
    while ((done = name_ext(q, i, e)) == 0 && i > 0) {
        i--;
        if (i > 0 && words_listed(request_plain(q, i), "and or"))
            i--;
    }
    return done < 0 ? -1 : 0;
}

/* "convert a.png to jpg", "rename all jpeg files to jpg" */
static int
apply_new_ext(struct request *q, size_t i, struct err *e)
{
    bool old = false;

    if (!words_listed(request_plain(q, i), "to into as"))
        return 0;
    for (size_t k = 0; k < i; k++) {
        const struct request_value *v = request_value_of(q, k);

        old |= v && !v->quoted &&
               (v->is == SLOT_EXT || v->is == SLOT_GLOB || v->is == SLOT_PATH);
    }
    i++;
    while (words_listed(request_plain(q, i), "a an the"))
        i++;
    if (!old || i >= q->n ||
        !request_has(q, "convert rename change turn export transcode"))
        return 0;
    if (q->words[i].value >= 0 || !is_listed_ext(q->words[i].plain))
        return 0;
    return give_soft(q, i, SLOT_EXT, TYPE(TEXT) | TYPE(NAME), q->words[i].plain,
                     e);
}

/* "text files", "python scripts": many of them, so their names matter. */
static int
apply_kind(struct request *q, size_t i, struct err *e)
{
    const char *plain = request_plain(q, i);

    if (!words_listed(request_plain(q, i + 1),
                      "files documents scripts sources programs"))
        return 0;
    for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++)
        if (strcmp(kinds[k].word, plain) == 0)
            return give_soft(q, i, SLOT_EXT, 0, kinds[k].ext, e);
    return 0;
}

/* What stands before the word that says what it is: "the nginx service". */
static const struct behind {
    const char *words;
    enum slot_type is;
    uint32_t types;
} behinds[] = {
    {"file directory folder dir directories folders", SLOT_PATH,
     TYPE(PATH) | TYPE(NAME) | TYPE(TEXT) | TYPE(GLOB)},
    {"user account", SLOT_USER, TYPE(USER) | TYPE(NAME)},
    {"group", SLOT_GROUP, TYPE(GROUP) | TYPE(NAME)},
    {"host server machine", SLOT_HOST, TYPE(HOST) | TYPE(NAME)},
    {"package service process processes program variable branch container "
     "daemon unit alias command interface session",
     SLOT_NAME, TYPE(NAME) | TYPE(TEXT)},
    {"port", SLOT_PORT, TYPE(PORT)},
};

/* ".gz" in quotes is no file of that name, before "files". */
static bool
is_ext_text(const struct request_value *v)
{
    return v && v->types & TYPE(EXT) && v->text[0] == '.' &&
           !strchr(v->text + 1, '.');
}

static bool
is_before(const struct request *q, size_t i, enum slot_type is)
{
    const struct request_value *v = request_value_of(q, i);

    if (!v)
        return is != SLOT_PATH && is != SLOT_PORT && request_is_foreign(q, i);
    if (is == SLOT_PORT)
        return v->is == SLOT_NUMBER && v->types & TYPE(PORT);
    return v->is == SLOT_NAME ||
           (v->quoted && v->is == SLOT_TEXT && !strchr(v->text, ' '));
}

static int
apply_behind(struct request *q, size_t i, struct err *e)
{
    const char *next = request_plain(q, i + 1);

    for (size_t k = 0; k < sizeof(behinds) / sizeof(behinds[0]); k++)
        if (words_listed(next, behinds[k].words) &&
            is_before(q, i, behinds[k].is))
            return request_become(q, i, behinds[k].is, behinds[k].types, e);
    if (is_ext_text(request_value_of(q, i)) &&
        words_listed(next, KINDS_OF_FILES " extension extensions"))
        return request_become(q, i, SLOT_EXT, TYPE(TEXT), e);
    return 0;
}

/* The alice of "add alice to the group staff" */
static int
apply_member(struct request *q, size_t i, struct err *e)
{
    size_t at = i + 2;

    if (!words_listed(request_plain(q, i + 1), "to from in into") ||
        !request_is_foreign(q, i))
        return 0;
    at += words_listed(request_plain(q, at), "the");
    if (!words_listed(request_plain(q, at), "group groups"))
        return 0;
    return request_become(q, i, SLOT_USER, TYPE(NAME), e);
}

/* PATH, TMPDIR: in a wish that is not written in capitals throughout */
static int
apply_capitals(struct request *q, size_t i, struct err *e)
{
    const struct request_word *w = &q->words[i];
    char name[REQUEST_STEM_MAX];
    bool others = false;

    if (!request_is_foreign(q, i) || w->to - w->from < 3)
        return 0;
    for (size_t k = w->from; k < w->to; k++)
        if (!isupper((unsigned char)q->text[k]))
            return 0;
    for (const char *p = q->text; *p && !others; p++)
        others = islower((unsigned char)*p);
    if (!others || w->to - w->from >= sizeof(name))
        return 0;
    memcpy(name, q->text + w->from, w->to - w->from);
    name[w->to - w->from] = '\0';
    return give_soft(q, i, SLOT_NAME, TYPE(TEXT), name, e);
}

/* 755 is a mode where permissions are spoken of. */
static void
apply_mode(struct request *q, size_t i)
{
    const struct request_value *v = request_value_of(q, i);

    if (v && v->is == SLOT_NUMBER && v->types & TYPE(MODE) &&
        request_has(q, "permission chmod umask"))
        (void)request_become(q, i, SLOT_MODE, TYPE(MODE), NULL);
}

int
request_behind(struct request *q, size_t i, struct err *e)
{
    apply_mode(q, i);
    if (apply_ext(q, i, e) < 0 || apply_new_ext(q, i, e) < 0 ||
        apply_kind(q, i, e) < 0 || apply_behind(q, i, e) < 0 ||
        apply_member(q, i, e) < 0)
        return -1;
    return apply_capitals(q, i, e);
}

/* Words behind which a plain word may well be a file that is there. */
#define PLACES "in under from into inside within to"
/* Words behind which it may be a directory: a verb that works on one. */
#define WORKS                                                                  \
    "of at and compress archive backup copy move zip tar sync link symlink "   \
    "open list synchronize mirror pack"
#define FOLDERS "directory folder dir"

enum lead { LEAD_NONE, LEAD_DIRECTORY, LEAD_ANY };

static bool
is_common(const char *plain)
{
    return words_listed(plain, "home root current parent place order general "
                               "directory folder file files size name disk");
}

/* What the words around it let a plain word be, when it is there. */
static enum lead
lead_of(const struct request *q, size_t i)
{
    const struct request_word *w = &q->words[i];
    size_t before = i;

    if (w->value >= 0 || is_common(w->plain) ||
        (words_is_weak(w->plain) && i + 1 < q->n)) /* "move it to done" */
        return LEAD_NONE;
    if (isupper((unsigned char)q->text[w->from]) && i > 0)
        return LEAD_ANY;
    if (words_listed(request_plain(q, i + 1), FOLDERS))
        return LEAD_DIRECTORY;
    while (before > 0 && words_listed(request_plain(q, before - 1),
                                      "the my directory folder file dir a"))
        before--;
    if (before > 0 && words_listed(request_plain(q, before - 1), PLACES))
        return LEAD_ANY;
    if (i > 0 &&
        words_listed(request_plain(q, i - 1), FOLDERS " directories folders"))
        return LEAD_DIRECTORY;
    if (i > 1 && words_listed(request_plain(q, i - 1), "and or") &&
        request_value_of(q, i - 2) && request_value_of(q, i - 2)->is_dir)
        return LEAD_DIRECTORY; /* "docs and web" */
    return before > 0 && words_listed(request_plain(q, before - 1), WORKS)
               ? LEAD_DIRECTORY
               : LEAD_NONE;
}

static int
give_path(struct request_reader *r, size_t i, enum lead lead, struct err *e)
{
    struct request *q = r->q;
    char name[REQUEST_STEM_MAX];
    size_t n = q->words[i].to - q->words[i].from;
    bool is_dir = false;
    struct request_value *v;

    if (n >= sizeof(name))
        return 0;
    memcpy(name, q->text + q->words[i].from, n);
    name[n] = '\0';
    if (!request_looks(r, name, &is_dir) || (lead == LEAD_DIRECTORY && !is_dir))
        return 0;
    if (give_soft(q, i, SLOT_PATH, TYPE(NAME) | TYPE(TEXT), name, e) < 0)
        return -1;
    v = &q->values[q->words[i].value];
    v->exists = true;
    v->is_dir = is_dir;
    q->words[i].weak = false;
    return 0;
}

int
request_paths(struct request_reader *r, struct err *e)
{
    for (size_t i = 0; i < r->q->n; i++) {
        enum lead lead = lead_of(r->q, i);

        if (lead != LEAD_NONE && give_path(r, i, lead, e) < 0)
            return -1;
    }
    return 0;
}
