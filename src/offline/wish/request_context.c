/* SPDX-License-Identifier: GPL-3.0-or-later */
/* request_context.c - what a word is by the words that stand around it. */
#include <ctype.h>
#include <string.h>

#include "offline/wish/request_in.h"
#include "offline/wish/words.h"

#define ANYTHING                                                               \
    (TYPE(NAME) | TYPE(TEXT) | TYPE(GLOB) | TYPE(PATH) | TYPE(USER) |          \
     TYPE(GROUP) | TYPE(HOST))

/* Behind one of these words stands what it names. */
static const struct naming {
    const char *stems;
    enum slot_type is;
    uint32_t types;
    bool any; /* even a word of the language: "a file named list" */
} namings[] = {
    {"named called titled", SLOT_NAME, ANYTHING, true},
    {"user username account login", SLOT_USER, TYPE(USER) | TYPE(NAME), false},
    {"group", SLOT_GROUP, TYPE(GROUP) | TYPE(NAME), false},
    {"port ports", SLOT_PORT, TYPE(PORT) | TYPE(NUMBER), false},
    {"host server hostname domain machine", SLOT_HOST, TYPE(HOST) | TYPE(NAME),
     false},
    {"extension extensions suffix ext", SLOT_EXT, TYPE(EXT) | TYPE(TEXT),
     false},
    {"word string text pattern phrase regex keyword substring prefix "
     "expression",
     SLOT_TEXT, TYPE(TEXT) | TYPE(NAME), false},
    {"containing contains contain matching", SLOT_TEXT, TYPE(TEXT) | TYPE(NAME),
     false},
    {"package service process program variable branch container daemon unit "
     "image module tag remote session interface job alias function command "
     "volume database network device application app signal script repository "
     "repo",
     SLOT_NAME, TYPE(NAME) | TYPE(TEXT), false},
    {"file directory folder dir", SLOT_PATH,
     TYPE(PATH) | TYPE(NAME) | TYPE(TEXT) | TYPE(GLOB), false},
};

/* Letters of a word that no dictionary of ours has: it may be a name. */
static bool
is_foreign(const struct request_word *w)
{
    return w->value < 0 && !w->weak && w->plain[0] && !words_known(w->plain);
}

static const char *
plain_at(const struct request *q, size_t i)
{
    return i < q->n && q->words[i].value < 0 ? q->words[i].plain : "";
}

/* Word i becomes a literal, or a literal that it is already gets types. */
static int
become(struct request *q, size_t i, enum slot_type is, uint32_t types,
       struct err *e)
{
    struct request_word *w = &q->words[i];
    struct request_value *v;
    size_t n = w->to - w->from;

    if (w->value < 0) {
        while (n > 1 && strchr(".,;:!?)\"'", q->text[w->from + n - 1]))
            n--;
        if (!request_give(q, i, q->text + w->from, n, e))
            return -1;
    }
    v = &q->values[w->value];
    v->types |= types;
    v->is = is;
    return 0;
}

/* What a literal that has a shape of its own may still become. */
static bool
may_become(const struct request_value *v, enum slot_type is)
{
    switch (is) {
    case SLOT_PORT:
        return v->types & TYPE(NUMBER);
    case SLOT_EXT:
        return v->types & TYPE(EXT) ||
               (v->types & TYPE(NAME) && !strpbrk(v->text, "/*. "));
    case SLOT_PATH:
        return v->is == SLOT_NAME || (v->quoted && v->is == SLOT_TEXT);
    case SLOT_USER:
    case SLOT_GROUP:
    case SLOT_HOST:
        return v->is == SLOT_NAME || v->is == SLOT_TEXT ||
               (v->is == SLOT_PATH && v->text[0] == '$');
    case SLOT_NAME:
        return v->is == SLOT_TEXT && !strpbrk(v->text, " ");
    default:
        return false;
    }
}

/* Where what is named begins: "user is bob", "named as x", "owned by root". */
static size_t
behind(const struct request *q, size_t i)
{
    while (i < q->n &&
           words_listed(plain_at(q, i), "is as by the a an of with in "
                                        "like to has user name named "
                                        "called word string text group "
                                        "pattern"))
        i++;
    return i;
}

static int
name_behind(struct request *q, size_t i, const struct naming *m, struct err *e)
{
    size_t at = m->any ? behind(q, i + 1) : i + 1;

    if (at >= q->n)
        return 0;
    if (q->words[at].value >= 0) {
        if (may_become(&q->values[q->words[at].value], m->is))
            return become(q, at, m->is, m->types, e);
        return 0;
    }
    if (!m->any && !is_foreign(&q->words[at]))
        return 0;
    return become(q, at, m->is, m->types, e);
}

static int
apply_namings(struct request *q, size_t i, struct err *e)
{
    const char *plain = plain_at(q, i);

    for (size_t k = 0; k < sizeof(namings) / sizeof(namings[0]); k++)
        if (words_listed(plain, namings[k].stems))
            return name_behind(q, i, &namings[k], e);
    return 0;
}

/* "owned by bob", "belonging to bob", "bob's files" */
static int
apply_owner(struct request *q, size_t i, struct err *e)
{
    struct request_word *w = &q->words[i];
    size_t at = i + 1, n = w->to - w->from;

    if (w->value < 0 && strcmp(w->stem, "owner") == 0 && at + 1 < q->n) {
        if (words_listed(plain_at(q, at), "by to")) {
            at = behind(q, at);
            if (at < q->n && q->words[at].value < 0 &&
                is_foreign(&q->words[at]))
                return become(q, at, SLOT_USER, TYPE(USER) | TYPE(NAME), e);
        }
        return 0;
    }
    if (n > 2 && memcmp(q->text + w->to - 2, "'s", 2) == 0 && is_foreign(w)) {
        w->to -= 2;
        if (become(q, i, SLOT_USER, TYPE(USER) | TYPE(NAME), e) < 0)
            return -1;
    }
    return 0;
}

/* "jpg files", "PDF documents"; "text files" are txt. */
static int
apply_ext(struct request *q, size_t i, struct err *e)
{
    const char *plain = plain_at(q, i), *next = plain_at(q, i + 1);
    size_t n = strlen(plain);

    if (n == 0 ||
        !words_listed(next, "file files document documents image images "
                            "photo photos picture pictures video videos "
                            "script scripts archive archives") ||
        !request_is_ext(plain, n) ||
        words_listed(plain, "old log service class "
                            "key dot lock diff patch"))
        return 0;
    return become(q, i, SLOT_EXT, TYPE(EXT) | TYPE(TEXT) | TYPE(NAME), e);
}

int
request_context(struct request_reader *r, struct err *e)
{
    struct request *q = r->q;

    for (size_t i = 0; i < q->n; i++)
        if (apply_ext(q, i, e) < 0 || apply_owner(q, i, e) < 0 ||
            apply_namings(q, i, e) < 0)
            return -1;
    return 0;
}
