/* SPDX-License-Identifier: GPL-3.0-or-later */
/* literals.h - the role that each value of a request has.
 *
 * In "copy a.txt and b.txt from ~/x to /tmp" some values are copied, one is the
 * source, one the target. The words before a value decide its role; a value
 * behind "and" or a comma has the role of the value before it. */
#ifndef OFFLINE_GENERATE_LITERALS_H
#define OFFLINE_GENERATE_LITERALS_H

#include "offline/parse/request_parse.h"

/* The role, by the word before the value. */
enum role {
    ROLE_OBJECT, /* no such word, but a verb or a noun */
    ROLE_IN,     /* in, of, on, under, inside */
    ROLE_FROM,
    ROLE_TO,     /* to, into, onto */
    ROLE_NAMED,  /* as, named, called */
    ROLE_WITH,   /* with */
    ROLE_BY,     /* by, using, through */
    ROLE_EXCEPT, /* except, excluding, without */
    ROLES
};
#define ROLE_ANY ((1u << ROLES) - 1)

/* The noun before a value: "the file x", "user bob", "pattern x". */
enum noun {
    NOUN_NONE,
    NOUN_FILE,
    NOUN_DIRECTORY,
    NOUN_TEXT, /* pattern, word, string: a text to search for */
    NOUN_LINE,
    NOUN_FIELD,   /* field, column, key */
    NOUN_ARCHIVE, /* archive, tarball, zip */
    NOUN_SUFFIX,
    NOUN_OTHER
};

struct literal {
    size_t word; /* of the request */
    const struct request_value *value;
    enum role role;
    enum noun noun;
    bool bare; /* an ordinary word in the position of a name */
};

#define LITERALS_BARE     4
#define LITERAL_BARE_SIZE 64

/* It has pointers into itself and must not be copied. */
struct literals {
    const struct request *q;
    struct literal v[REQUEST_WORDS_MAX];
    size_t n;
    struct request_value bare[LITERALS_BARE]; /* values of the bare words */
    char bare_text[LITERALS_BARE][LITERAL_BARE_SIZE];
    size_t n_bare;
};

void literals_read(const struct request *q, struct literals *out);

/* Whether a word is in a list with blanks, as it is written or by its stem. */
bool literals_word_is(const struct request_word *w, const char *list);

/* Whether a text is in a list with blanks. */
bool literals_in(const char *list, const char *text);

/* Whether it may be the name of a file. A quoted word may, unless a noun says
 * that it is a text. */
bool literal_is_file(const struct literal *l);
/* Whether it surely is one: by its form, its noun, or because it exists. */
bool literal_is_surely_file(const struct literal *l);

#endif
