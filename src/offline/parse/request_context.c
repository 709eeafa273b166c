/* SPDX-License-Identifier: GPL-3.0-or-later */
/* request_context.c - decides what a word is by the words around it. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "offline/parse/lexicon.h"
#include "offline/parse/request_parser.h"

#define ANYTHING                                                               \
    (TYPE(NAME) | TYPE(TEXT) | TYPE(GLOB) | TYPE(PATH) | TYPE(USER) |          \
     TYPE(GROUP) | TYPE(HOST))

/* What may stand between the word and the name. */
#define ARTICLES "is are as by the a an of with to called named either"

/* Behind one of these words stands what it names. */
static const struct naming_word {
    const char *words, *skip;
    enum slot_type is;
    uint32_t types;
    bool any; /* even a word of the language: "a file named list" */
} namings[] = {
    {"named called titled entitled",
     ARTICLES " like name word string text pattern", SLOT_NAME, ANYTHING, true},
    {"user username account login", "is as named called name", SLOT_USER,
     TYPE(USER) | TYPE(NAME), false},
    {"group groups", "is named called name", SLOT_GROUP,
     TYPE(GROUP) | TYPE(NAME), false},
    {"port ports", "is number numbers", SLOT_PORT, TYPE(PORT) | TYPE(NUMBER),
     false},
    {"host server hostname domain machine ping ssh traceroute nslookup dig",
     "is named called name to into the of", SLOT_HOST, TYPE(HOST) | TYPE(NAME),
     false},
    {"extension extensions ext", ARTICLES " in", SLOT_EXT,
     TYPE(EXT) | TYPE(TEXT), false},
    {"word string text pattern phrase regex keyword substring prefix suffix "
     "expression containing contains contain matching matches",
     ARTICLES " like in word string text pattern", SLOT_TEXT,
     TYPE(TEXT) | TYPE(NAME), false},
    {"name names",
     "is like containing contains matching matches starting "
     "starts beginning ending ends with the word",
     SLOT_NAME, TYPE(NAME) | TYPE(TEXT) | TYPE(GLOB) | TYPE(PATH), false},
    {"package service process program variable branch container daemon unit "
     "image module tag remote session interface job alias function command "
     "volume database network device application app signal script repository "
     "repo install uninstall",
     "is named called", SLOT_NAME, TYPE(NAME) | TYPE(TEXT), false},
    {"file directory folder dir", "is", SLOT_PATH,
     TYPE(PATH) | TYPE(NAME) | TYPE(TEXT) | TYPE(GLOB), false},
};

/* A word that no dictionary of ours has: it may be a name. */
static bool
request_is_foreign(const struct request *q, size_t i)
{
    const struct request_word *w = &q->words[i < q->n ? i : 0];

    return i < q->n && w->value < 0 && !w->weak &&
           isalnum((unsigned char)w->plain[0]) && !lexicon_known(w->plain);
}

bool
request_is_name(const struct request *q, size_t i)
{
    char word[REQUEST_STEM_MAX];
    size_t n = i < q->n ? q->words[i].to - q->words[i].from : 0;

    if (n == 0 || n >= sizeof(word))
        return n > 0;
    memcpy(word, q->text + q->words[i].from, n);
    word[n] = '\0';
    return !lexicon_known(word) || strcmp(word, "root") == 0;
}

/* "" */
static const char *
request_plain(const struct request *q, size_t i)
{
    return i < q->n && q->words[i].value < 0 ? q->words[i].plain : "";
}

/* Word i, plain or a literal, is what its neighbours say that it is. */
static int
request_become(struct request *q, size_t i, enum slot_type is, uint32_t types,
               struct err *e)
{
    struct request_word *w = &q->words[i];

    if (w->value < 0 &&
        !request_give(q, i, q->text + w->from, w->to - w->from, e))
        return -1;
    q->values[w->value].types |= types | 1u << is;
    q->values[w->value].is = is;
    snprintf(w->stem, sizeof(w->stem), "{%s}", slot_name(is));
    w->weak = false;
    return 0;
}

/* What a literal that has a shape of its own may still become. */
static bool
may_become(const struct request_value *v, enum slot_type is)
{
    bool text = v->is == SLOT_TEXT;

    switch (is) {
    case SLOT_PORT:
        return v->types & TYPE(NUMBER);
    case SLOT_EXT:
        return v->types & TYPE(EXT) ||
               (v->types & TYPE(NAME) && !strpbrk(v->text, "/*. "));
    case SLOT_PATH:
        return v->is == SLOT_NAME || (v->quoted && text) ||
               (v->quoted && v->is == SLOT_EXT);
    case SLOT_USER:
    case SLOT_GROUP:
        return v->is == SLOT_NAME || text || v->is == SLOT_NUMBER ||
               (v->is == SLOT_PATH && v->text[0] == '$');
    case SLOT_HOST:
        return v->is == SLOT_NAME || text ||
               (v->is == SLOT_PATH && v->text[0] == '$');
    case SLOT_NAME:
        return text && !strpbrk(v->text, " ");
    case SLOT_TEXT:
        return v->is == SLOT_NAME || v->is == SLOT_EXT;
    default:
        return false;
    }
}

static int
name_behind(struct request *q, size_t i, const struct naming_word *m,
            struct err *e)
{
    size_t at = i + 1;
    const struct request_value *v;

    while (lexicon_listed(request_plain(q, at), m->skip))
        at++;
    if (at >= q->n)
        return 0;
    v = request_value_of(q, at);
    if (v ? !may_become(v, m->is) : m->is == SLOT_PORT)
        return 0; /* a port is a number: "the port nginx listens on" */
    if (!v && !(m->any && !q->words[at].weak) && !request_is_foreign(q, at) &&
        !(m->is == SLOT_USER && lexicon_listed(q->words[at].plain, "root")) &&
        !(m->is == SLOT_EXT &&
          request_is_ext(q->words[at].plain, strlen(q->words[at].plain))))
        return 0;
    return request_become(q, at, m->is, m->types, e);
}

static int
apply_namings(struct request *q, size_t i, struct err *e)
{
    const char *plain = request_plain(q, i);

    for (size_t k = 0; k < ARRAY_SIZE(namings); k++)
        if (lexicon_listed(plain, namings[k].words))
            return name_behind(q, i, &namings[k], e);
    return 0;
}

static bool
is_person(const struct request *q, size_t i)
{
    return request_is_foreign(q, i) ||
           lexicon_listed(request_plain(q, i), "root nobody");
}

/* "owned by bob", "belonging to bob", "change the owner of x to bob" */
static int
apply_owner(struct request *q, size_t i, struct err *e)
{
    bool owner;

    if (!lexicon_listed(request_plain(q, i), "by to"))
        return 0;
    owner = request_has(q, "owner chown");
    if (!owner &&
        (*request_plain(q, i) == 'b' || !request_has(q, "group chgrp")))
        return 0;
    for (i++; lexicon_listed(request_plain(q, i), "the user group"); i++)
        ;
    if (!is_person(q, i))
        return 0;
    if (owner && !lexicon_listed(request_plain(q, i - 1), "group"))
        return request_become(q, i, SLOT_USER, TYPE(NAME), e);
    return request_become(q, i, SLOT_GROUP, TYPE(NAME), e);
}

/* "bob's files" */
static int
apply_possessive(struct request *q, size_t i, struct err *e)
{
    struct request_word *w = &q->words[i];
    size_t n = w->to - w->from;
    size_t mark = n > 2 && memcmp(q->text + w->to - 2, "'s", 2) == 0 ? 2
                  : n > 4 &&
                          memcmp(q->text + w->to - 4, "\xe2\x80\x99s", 4) == 0
                      ? 4
                      : 0;

    if (!mark || (!request_is_foreign(q, i) && strcmp(w->stem, "root") != 0))
        return 0;
    w->to -= mark;
    return request_become(q, i, SLOT_USER, TYPE(NAME), e);
}

/* "starting with foo", "ends in ini"; "a" alone may be an article. */
static int
apply_affix(struct request *q, size_t i, struct err *e)
{
    const char *plain = request_plain(q, i);
    bool end = lexicon_listed(plain, "end ends ending ended suffixed");
    size_t at = i + 2;
    const char *word;

    if (!end && !lexicon_listed(plain, "start starts starting started begin "
                                       "begins beginning prefixed"))
        return 0;
    if (!lexicon_listed(request_plain(q, i + 1), "with in by as"))
        return 0;
    while (lexicon_listed(request_plain(q, at),
                          "the word letter letters string "
                          "text character prefix suffix "
                          "extension"))
        at++;
    word = request_plain(q, at);
    if (end && request_is_ext(word, strlen(word)))
        return request_become(q, at, SLOT_TEXT, TYPE(EXT), e);
    if (request_is_foreign(q, at) || (strlen(word) == 1 && at + 1 == q->n))
        return request_become(q, at, SLOT_TEXT, TYPE(NAME), e);
    return 0;
}

/* "bob and alice" are two of what bob is. */
static int
apply_and(struct request *q, size_t i, struct err *e)
{
    const struct request_value *v = i > 0 ? request_value_of(q, i - 1) : NULL;
    const struct request_value *next = request_value_of(q, i + 1);

    if (!v || v->quoted || !lexicon_listed(request_plain(q, i), "and or"))
        return 0;
    if (v->is == SLOT_PORT && next && next->is == SLOT_NUMBER)
        return request_become(q, i + 1, SLOT_PORT, 0, e);
    if (!request_is_foreign(q, i + 1) ||
        !((1u << v->is) & (TYPE(USER) | TYPE(GROUP) | TYPE(EXT) | TYPE(NAME) |
                           TYPE(HOST) | TYPE(TEXT) | TYPE(PATH))))
        return 0;
    return request_become(q, i + 1, v->is, v->types, e);
}

/* "a directory called a", "a file named a in src": one letter that no other
 * word can belong to. */
static bool
is_letter_named(const struct request *q, size_t i)
{
    const char *next = request_plain(q, i + 2);

    return lexicon_listed(request_plain(q, i), "named called") &&
           (i + 2 == q->n ||
            lexicon_listed(next, "in inside under and with here there"));
}

/* "directories a, b and c", "files named a b c": single letters are names in
 * such a row, also the one that is an article elsewhere. */
static int
name_letters(struct request *q, size_t i, struct err *e)
{
    static const char before[] = "named called directories folders dirs files";
    size_t last = i, n = 0;

    if (!lexicon_listed(request_plain(q, i), before))
        return 0;
    for (size_t at = i + 1; at < q->n; at++) {
        const char *plain = request_plain(q, at);
        bool letter = plain[0] && !plain[1];

        if (!letter && !request_value_of(q, at) && strcmp(plain, "and") != 0)
            break;
        if (letter || request_value_of(q, at)) {
            last = at;
            n++;
        }
    }
    if (n < 2 && !is_letter_named(q, i))
        return 0;
    for (size_t at = i + 1; at <= last; at++) {
        const char *plain = request_plain(q, at);

        if (plain[0] && !plain[1] &&
            request_become(q, at, SLOT_NAME, TYPE(NAME) | TYPE(PATH), e) < 0)
            return -1;
    }
    return 0;
}

/* "unpack x into out": what little word stands last behind "into" is a name. */
static int
name_last(struct request *q, size_t i, struct err *e)
{
    if (strcmp(request_plain(q, i), "into") != 0 || i + 2 != q->n ||
        !lexicon_listed(request_plain(q, i + 1), "out in on off up down over"))
        return 0;
    return request_become(q, i + 1, SLOT_NAME, TYPE(NAME) | TYPE(PATH), e);
}

#define KINDS_OF_FILES                                                         \
    "file files document documents image images photo photos picture "         \
    "pictures video videos script scripts song songs"

/* What stands before the word that says what it is: "the nginx service". */
static const struct behind {
    const char *words;
    enum slot_type is;
    uint32_t types;
} words_after[] = {
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

static bool
stands_before(const struct request *q, size_t i, enum slot_type is)
{
    const struct request_value *v = request_value_of(q, i);

    if (!v)
        return is != SLOT_PATH && is != SLOT_PORT && request_is_foreign(q, i);
    if (is == SLOT_PORT)
        return v->is == SLOT_NUMBER && v->types & TYPE(PORT);
    return v->is == SLOT_NAME ||
           (v->quoted && v->is == SLOT_TEXT && !strchr(v->text, ' '));
}

/* ".gz" in quotes is no file of that name, before "files". */
static bool
is_ext_text(const struct request_value *v)
{
    return v && v->types & TYPE(EXT) && v->text[0] == '.' &&
           !strchr(v->text + 1, '.');
}

static int
apply_word_after(struct request *q, size_t i, struct err *e)
{
    const char *next = request_plain(q, i + 1);

    for (size_t k = 0; k < ARRAY_SIZE(words_after); k++)
        if (lexicon_listed(next, words_after[k].words) &&
            stands_before(q, i, words_after[k].is))
            return request_become(q, i, words_after[k].is, words_after[k].types,
                                  e);
    if (is_ext_text(request_value_of(q, i)) &&
        lexicon_listed(next, KINDS_OF_FILES " extension extensions"))
        return request_become(q, i, SLOT_EXT, TYPE(TEXT), e);
    return 0;
}

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

/* PATH, TMPDIR: in a request that is not written in capitals throughout */
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

/* Endings that are words as well: "old files" are not *.old. */
#define WORDS_TOO                                                              \
    "old log service class key dot lock diff patch dump c h o r go pid bin "   \
    "tmp bak zip tar deb rpm db env vim bash awk img"

static bool
is_listed_ext(const char *plain)
{
    return request_is_ext(plain, strlen(plain)) &&
           !lexicon_listed(plain, WORDS_TOO);
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

    if (!lexicon_listed(request_plain(q, i + 1), KINDS_OF_FILES))
        return 0;
    while ((done = name_ext(q, i, e)) == 0 && i > 0) {
        i--;
        if (i > 0 && lexicon_listed(request_plain(q, i), "and or"))
            i--;
    }
    return done < 0 ? -1 : 0;
}

/* What the files of a language or program end in. */
static const struct kind_of_file {
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

/* "text files", "python scripts": many of them, so their names matter. */
static int
apply_kind(struct request *q, size_t i, struct err *e)
{
    const char *plain = request_plain(q, i);

    if (!lexicon_listed(request_plain(q, i + 1),
                        "files documents scripts sources programs"))
        return 0;
    for (size_t k = 0; k < ARRAY_SIZE(kinds); k++)
        if (strcmp(kinds[k].word, plain) == 0)
            return give_soft(q, i, SLOT_EXT, 0, kinds[k].ext, e);
    return 0;
}

/* The alice of "add alice to the group staff" */
static int
apply_member(struct request *q, size_t i, struct err *e)
{
    size_t at = i + 2;

    if (!lexicon_listed(request_plain(q, i + 1), "to from in into") ||
        !request_is_foreign(q, i))
        return 0;
    at += lexicon_listed(request_plain(q, at), "the");
    if (!lexicon_listed(request_plain(q, at), "group groups"))
        return 0;
    return request_become(q, i, SLOT_USER, TYPE(NAME), e);
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

/* "convert a.png to jpg", "rename all jpeg files to jpg" */
static int
apply_new_ext(struct request *q, size_t i, struct err *e)
{
    bool old = false;

    if (!lexicon_listed(request_plain(q, i), "to into as"))
        return 0;
    for (size_t k = 0; k < i; k++) {
        const struct request_value *v = request_value_of(q, k);

        old |= v && !v->quoted &&
               (v->is == SLOT_EXT || v->is == SLOT_GLOB || v->is == SLOT_PATH);
    }
    i++;
    while (lexicon_listed(request_plain(q, i), "a an the"))
        i++;
    if (!old || i >= q->n ||
        !request_has(q, "convert rename change turn export transcode"))
        return 0;
    if (q->words[i].value >= 0 || !is_listed_ext(q->words[i].plain))
        return 0;
    return give_soft(q, i, SLOT_EXT, TYPE(TEXT) | TYPE(NAME), q->words[i].plain,
                     e);
}

static int
read_word_after(struct request *q, size_t i, struct err *e)
{
    apply_mode(q, i);
    if (apply_ext(q, i, e) < 0 || apply_new_ext(q, i, e) < 0 ||
        apply_kind(q, i, e) < 0 || apply_word_after(q, i, e) < 0 ||
        apply_member(q, i, e) < 0)
        return -1;
    return apply_capitals(q, i, e);
}

/* What is not written as it stands, but is to be got first. */
#define GOT                                                                    \
    "output result results content contents file files list lists date time "  \
    "line lines text word words string number numbers name names size log "    \
    "image iso it them this that everything each every all a an the my data "  \
    "random new first last"

/* Whether plain words stand from i on, before "to", "into" or "in" and a path,
 * that do not say what is to be got. */
static bool
is_text_to_write(const struct request *q, size_t i)
{
    size_t at = i;

    while (at < q->n && q->words[at].value < 0 &&
           !lexicon_listed(request_plain(q, at), "to into in"))
        if (lexicon_listed(request_plain(q, at++), GOT))
            return false;
    if (at >= q->n || at - i < 2 ||
        !lexicon_listed(request_plain(q, at), "to into in"))
        return false;
    at++;
    while (lexicon_listed(request_plain(q, at), "the a file my new"))
        at++;
    return request_value_of(q, at) && request_value_of(q, at)->is == SLOT_PATH;
}

static bool
is_writing_verb(const struct request *q, size_t i)
{
    return lexicon_listed(request_plain(q, i), "write append echo");
}

/* "write hello world to a.txt": what is written becomes one text. */
static int
read_written_text(struct request *q, size_t i, struct err *e)
{
    size_t from = i + 1, n = 0;
    struct request_word *w;

    if (!is_writing_verb(q, i) || !is_text_to_write(q, from))
        return 0;
    while (!lexicon_listed(request_plain(q, from + n), "to into in"))
        n++;
    w = &q->words[from];
    w->to = q->words[from + n - 1].to;
    memmove(w + 1, w + n, (q->n - from - n) * sizeof(*w));
    q->n -= n - 1;
    return request_become(q, from, SLOT_TEXT, 0, e);
}

int
request_context(struct request_parser *r, struct err *e)
{
    struct request *q = r->q;

    for (size_t i = 0; i < q->n; i++) {
        if (read_written_text(q, i, e) < 0 || apply_possessive(q, i, e) < 0 ||
            read_word_after(q, i, e) < 0 || apply_owner(q, i, e) < 0 ||
            apply_affix(q, i, e) < 0 || apply_namings(q, i, e) < 0 ||
            apply_and(q, i, e) < 0 || name_letters(q, i, e) < 0 ||
            name_last(q, i, e) < 0)
            return -1;
    }
    return 0;
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
    return lexicon_listed(plain, "home root current parent place order general "
                                 "directory folder file files size name disk");
}

/* What the words around it let a plain word be, when it is there. */
static enum lead
lead_of(const struct request *q, size_t i)
{
    const struct request_word *w = &q->words[i];
    size_t before = i;

    if (w->value >= 0 || is_common(w->plain) ||
        (lexicon_is_weak(w->plain) && i + 1 < q->n)) /* "move it to done" */
        return LEAD_NONE;
    if (isupper((unsigned char)q->text[w->from]) && i > 0)
        return LEAD_ANY;
    if (lexicon_listed(request_plain(q, i + 1), FOLDERS))
        return LEAD_DIRECTORY;
    while (before > 0 && lexicon_listed(request_plain(q, before - 1),
                                        "the my directory folder file dir a"))
        before--;
    if (before > 0 && lexicon_listed(request_plain(q, before - 1), PLACES))
        return LEAD_ANY;
    if (i > 0 &&
        lexicon_listed(request_plain(q, i - 1), FOLDERS " directories folders"))
        return LEAD_DIRECTORY;
    if (i > 1 && lexicon_listed(request_plain(q, i - 1), "and or") &&
        request_value_of(q, i - 2) && request_value_of(q, i - 2)->is_dir)
        return LEAD_DIRECTORY; /* "docs and web" */
    return before > 0 && lexicon_listed(request_plain(q, before - 1), WORKS)
               ? LEAD_DIRECTORY
               : LEAD_NONE;
}

static int
give_path(struct request_parser *r, size_t i, enum lead lead, struct err *e)
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
    if (!request_path_exists(r, name, &is_dir) ||
        (lead == LEAD_DIRECTORY && !is_dir))
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
request_paths(struct request_parser *r, struct err *e)
{
    for (size_t i = 0; i < r->q->n; i++) {
        enum lead lead = lead_of(r->q, i);

        if (lead != LEAD_NONE && give_path(r, i, lead, e) < 0)
            return -1;
    }
    return 0;
}
