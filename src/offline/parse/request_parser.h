/* SPDX-License-Identifier: GPL-3.0-or-later */
/* request_parser.h - what the files of the request parser share.
 *
 * The order: bytes become tokens (request_tokens.c); tokens become words and
 * values by their form (request_shape.c) and as quantities
 * (request_quantity.c); the words around a value decide what it is
 * (request_context.c), and how it is bounded (request_bounds.c).
 * request_parse.c drives this. */
#ifndef OFFLINE_PARSE_REQUEST_PARSER_H
#define OFFLINE_PARSE_REQUEST_PARSER_H

#include "base/ascii.h"
#include "offline/parse/request_parse.h"

/* Three tokens make one word at most: "1 May 2024". */
#define REQUEST_TOKENS_MAX (3 * REQUEST_WORDS_MAX)

/* A word between blanks, or a text in quotes: bytes [from, to). [in, end) is
 * the same without the quotes. */
struct request_token {
    size_t from, to, in, end;
    bool quoted;
};

struct request_parser {
    struct request *q;
    const struct request_world *world;
    struct request_token t[REQUEST_TOKENS_MAX];
    size_t n;
    unsigned lookups; /* questions to the file system so far */
};

#define TYPE(slot) (1u << SLOT_##slot)

/* Divides a text into at most max tokens; returns how many. */
size_t request_scan(const char *text, struct request_token *t, size_t max);

/* The text as one line of valid UTF-8, which the caller frees. A newline
 * becomes a blank, but not in quotes or in the name of an existing file; $'...'
 * is replaced by its text in quotes. NULL without memory. */
char *request_line(struct request_parser *r, const char *text, struct err *e);

/* Decides by form alone what s[0..n) is: fills v->types (0: a plain word), is,
 * amount and unit. */
void request_shape(const char *s, size_t n, struct request_value *v);
/* Whether s[0..n) is a known extension of file names. */
bool request_is_ext(const char *s, size_t n);

/* How many of the first n bytes of s are in the set. */
size_t request_span(const char *s, size_t n, const char *set);

bool request_has_byte(const char *s, size_t n, char c);

/* Reads the size, age, date or calculation that begins at token i. Returns how
 * many tokens it has, 0 when there is none. */
size_t request_quantity(const struct request_parser *r, size_t i,
                        struct request_value *v);
/* Reads an amount with its unit in one word: "10M", "5kb", "3d". */
bool request_joined(const char *s, size_t n, struct request_value *v);

/* Decides what words are by the words around them. Returns -1 without memory.
 */
int request_context(struct request_parser *r, struct err *e);
/* Makes plain words that name existing files into paths. Returns -1 without
 * memory. */
int request_paths(struct request_parser *r, struct err *e);
/* Replaces words that have one meaning together: "how many" is "count". */
void request_rows(struct request *q);
/* Reads "more than", "not", "between" in front of values. */
void request_bounds(struct request *q);

/* Gives word i a value with the text s[0..n). NULL without memory. */
struct request_value *request_give(struct request *q, size_t i, const char *s,
                                   size_t n, struct err *e);
/* Whether the path exists, asked at most a fixed number of times per request.
 */
bool request_path_exists(struct request_parser *r, const char *path,
                         bool *is_dir);

#endif
