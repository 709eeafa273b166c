/* SPDX-License-Identifier: GPL-3.0-or-later */
/* literals.h - the part that each literal of a request plays in it.
 *
 * "copy a.txt and b.txt from ~/x to /tmp": what is copied, from where, to
 * where. A literal's part is told by the words before it; one that follows
 * another after "and" or a comma plays the same part. */
#ifndef OFFLINE_LITERALS_H
#define OFFLINE_LITERALS_H

#include "offline/request/request.h"

/* The word that leads to a literal. */
enum role {
    ROLE_OBJECT, /* none: a verb or a noun */
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

/* The noun before a literal: "the file x", "user bob", "pattern x". */
enum noun {
    NOUN_NONE,
    NOUN_FILE,
    NOUN_DIRECTORY,
    NOUN_TEXT, /* pattern, word, string: what is looked for */
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
    bool bare; /* an ordinary word that stands where a name does */
};

#define LITERALS_BARE     4
#define LITERAL_BARE_SIZE 64

/* Points into itself: it must not be copied. */
struct literals {
    const struct request *q;
    struct literal v[REQUEST_WORDS_MAX];
    size_t n;
    struct request_value bare[LITERALS_BARE]; /* of the ordinary words */
    char bare_text[LITERALS_BARE][LITERAL_BARE_SIZE];
    size_t n_bare;
};

void literals_read(const struct request *q, struct literals *out);

/* Whether a word of the request is of that list, as it was written or by its
 * stem: "delete remove". */
bool literals_word_is(const struct request_word *w, const char *list);

/* Whether a text is one of a list between blanks. */
bool literals_in(const char *list, const char *text);

/* What may be a file's name; a quoted word is, unless a noun says that it is
 * a text. */
bool literal_is_file(const struct literal *l);
/* What is plainly one: by its look, by the noun, or because it is there. */
bool literal_is_surely_file(const struct literal *l);

#endif
