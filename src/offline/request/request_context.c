/* SPDX-License-Identifier: GPL-3.0-or-later */
/* request_context.c - what a word is by the words that stand before it. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "offline/request/request_in.h"
#include "offline/request/words.h"

#define ANYTHING                                                               \
    (TYPE(NAME) | TYPE(TEXT) | TYPE(GLOB) | TYPE(PATH) | TYPE(USER) |          \
     TYPE(GROUP) | TYPE(HOST))

/* What may stand between the word and the name. */
#define ARTICLES "is are as by the a an of with to called named either"

/* Behind one of these words stands what it names. */
static const struct naming {
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
bool
request_is_foreign(const struct request *q, size_t i)
{
    const struct request_word *w = &q->words[i < q->n ? i : 0];

    return i < q->n && w->value < 0 && !w->weak &&
           isalnum((unsigned char)w->plain[0]) && !words_known(w->plain);
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
    return !words_known(word) || strcmp(word, "root") == 0;
}

const char *
request_plain(const struct request *q, size_t i)
{
    return i < q->n && q->words[i].value < 0 ? q->words[i].plain : "";
}

int
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
name_behind(struct request *q, size_t i, const struct naming *m, struct err *e)
{
    size_t at = i + 1;
    const struct request_value *v;

    while (words_listed(request_plain(q, at), m->skip))
        at++;
    if (at >= q->n)
        return 0;
    v = request_value_of(q, at);
    if (v ? !may_become(v, m->is) : m->is == SLOT_PORT)
        return 0; /* a port is a number: "the port nginx listens on" */
    if (!v && !(m->any && !q->words[at].weak) && !request_is_foreign(q, at) &&
        !(m->is == SLOT_USER && words_listed(q->words[at].plain, "root")) &&
        !(m->is == SLOT_EXT &&
          request_is_ext(q->words[at].plain, strlen(q->words[at].plain))))
        return 0;
    return request_become(q, at, m->is, m->types, e);
}

static int
apply_namings(struct request *q, size_t i, struct err *e)
{
    const char *plain = request_plain(q, i);

    for (size_t k = 0; k < sizeof(namings) / sizeof(namings[0]); k++)
        if (words_listed(plain, namings[k].words))
            return name_behind(q, i, &namings[k], e);
    return 0;
}

static bool
is_person(const struct request *q, size_t i)
{
    return request_is_foreign(q, i) ||
           words_listed(request_plain(q, i), "root nobody");
}

/* "owned by bob", "belonging to bob", "change the owner of x to bob" */
static int
apply_owner(struct request *q, size_t i, struct err *e)
{
    bool owner;

    if (!words_listed(request_plain(q, i), "by to"))
        return 0;
    owner = request_has(q, "owner chown");
    if (!owner &&
        (*request_plain(q, i) == 'b' || !request_has(q, "group chgrp")))
        return 0;
    for (i++; words_listed(request_plain(q, i), "the user group"); i++)
        ;
    if (!is_person(q, i))
        return 0;
    if (owner && !words_listed(request_plain(q, i - 1), "group"))
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
    bool end = words_listed(plain, "end ends ending ended suffixed");
    size_t at = i + 2;
    const char *word;

    if (!end && !words_listed(plain, "start starts starting started begin "
                                     "begins beginning prefixed"))
        return 0;
    if (!words_listed(request_plain(q, i + 1), "with in by as"))
        return 0;
    while (words_listed(request_plain(q, at), "the word letter letters string "
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

    if (!v || v->quoted || !words_listed(request_plain(q, i), "and or"))
        return 0;
    if (v->is == SLOT_PORT && next && next->is == SLOT_NUMBER)
        return request_become(q, i + 1, SLOT_PORT, 0, e);
    if (!request_is_foreign(q, i + 1) ||
        !((1u << v->is) & (TYPE(USER) | TYPE(GROUP) | TYPE(EXT) | TYPE(NAME) |
                           TYPE(HOST) | TYPE(TEXT) | TYPE(PATH))))
        return 0;
    return request_become(q, i + 1, v->is, v->types, e);
}

/* "directories a, b and c", "files named a b c": single letters are names in
 * such a row, also the one that is an article elsewhere. */
static int
name_letters(struct request *q, size_t i, struct err *e)
{
    static const char before[] = "named called directories folders dirs files";
    size_t last = i, n = 0;

    if (!words_listed(request_plain(q, i), before))
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
    for (size_t at = i + 1; n > 1 && at <= last; at++) {
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
        !words_listed(request_plain(q, i + 1), "out in on off up down over"))
        return 0;
    return request_become(q, i + 1, SLOT_NAME, TYPE(NAME) | TYPE(PATH), e);
}

int
request_context(struct request_reader *r, struct err *e)
{
    struct request *q = r->q;

    for (size_t i = 0; i < q->n; i++) {
        if (request_written(q, i, e) < 0 || apply_possessive(q, i, e) < 0 ||
            request_behind(q, i, e) < 0 || apply_owner(q, i, e) < 0 ||
            apply_affix(q, i, e) < 0 || apply_namings(q, i, e) < 0 ||
            apply_and(q, i, e) < 0 || name_letters(q, i, e) < 0 ||
            name_last(q, i, e) < 0)
            return -1;
    }
    return 0;
}
