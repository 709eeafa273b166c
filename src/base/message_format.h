/* SPDX-License-Identifier: GPL-3.0-or-later */
/* message_format.h - finds the arguments of a printf(3) format in the text that
 * was made with it. */
#ifndef BASE_MESSAGE_FORMAT_H
#define BASE_MESSAGE_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

#define MESSAGE_ARGS 12

/* The bytes in the text that a conversion made; borrowed. p is NULL for what
 * the text does not show: the width of "%*s". */
struct message_arg {
    const char *p;
    size_t n;
    bool text; /* of %s */
};

struct message_args {
    struct message_arg v[MESSAGE_ARGS];
    size_t n;
};

/* A conversion, from its '%'. */
struct message_conversion {
    size_t bytes;  /* of the format; 0: none that is known */
    size_t number; /* of its argument, from 1, as in "%2$s"; 0: the next one */
    size_t stars;  /* arguments before it */
    bool hidden;   /* "%.0s" shows nothing */
    char type;
    char length[3]; /* what stands before the type: "ll" */
};

struct message_conversion message_conversion(const char *p);

/* Whether printf(3) can be called with the other format and the arguments of
 * this one: it takes no argument that is not there, nor one as another type. A
 * text with a conversion that is not known is no format, and any other fits. */
bool message_fits(const char *fmt, const char *other);

/* Whether the n bytes can be made by the format as a whole; each argument is as
 * short as it can be. *steps bounds the work, and is lowered by it. */
bool message_match(const char *fmt, const char *text, size_t n, size_t *steps,
                   struct message_args *out);

/* The letters of the format's own words; 0 where a text does not have all of
 * its words in their order, so that no part of it can match. */
size_t message_words_in(const char *fmt, const char *text, size_t n);

#endif
