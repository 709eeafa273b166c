/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wants.h - the calls that a model wants made, while they arrive.
 *
 * Providers send a call whole or in pieces, several at once, and servers that
 * speak OpenAI's language differ in what names a piece's call: its place, its
 * id, both in every piece or only in the first, or nothing. Nothing here is
 * checked or mended: names and arguments are handed on as they came. */
#ifndef MODEL_WANTS_H
#define MODEL_WANTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "model/client.h"
#include "json/json.h"

#define WANT_NAME_MAX  256u         /* longest that providers take: 128 */
#define WANT_ID_MAX    512u         /* longest seen: 64 */
#define WANT_EXTRA_MAX (192u << 10) /* reasoning; a signature has a few KiB */

struct want {
    struct buf id, name, args;
    struct buf extra; /* members of an object; wants_seal() closes it */
    bool indexed;     /* the provider says the call's place */
    int64_t index;
};

struct wants {
    struct want *rows; /* room for WANTS_ROOM of them, or NULL */
    size_t n;
};

/* A piece of a call as the provider has it; NULL: not told. */
struct want_piece {
    const struct json *index, *id, *name;
    const struct json *args; /* text, or a value at once */
    const char *extra_name;  /* what goes back with it */
    const struct json *extra;
};

void wants_done(struct wants *w);

/* The call that the piece belongs to, with its id, name and extra taken; a
 * new one where it begins one. NULL and ERR_ANSWER: too many, too long. */
struct want *wants_take(struct wants *w, const struct want_piece *p,
                        struct err *e);
/* A member of the call's extra; what does not fit is left out. */
void want_add_extra(struct want *c, const char *name, const char *text,
                    size_t n);
int want_add_args(struct want *c, const struct json *args, struct err *e);

/* A whole call that was written as text. */
int wants_add(struct wants *w, const char *name, const struct json *args,
              struct err *e);

void wants_drop(struct wants *w, size_t i);

/* The calls are all there: those without an id, or with another's, get one
 * of our own. made: the number in the last id that the conversation has. */
void wants_seal(struct wants *w, unsigned made);

/* Ids of our own have nine letters and digits, which is what the strictest
 * server takes. The number of one; 0: it is the provider's. */
unsigned want_made(const char *id);

/* The call, borrowed from c; and a copy of one. */
struct model_wanted want_view(const struct want *c);
int wants_keep(struct wants *w, const struct model_wanted *call);

#endif
