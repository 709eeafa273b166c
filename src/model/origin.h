/* SPDX-License-Identifier: GPL-3.0-or-later */
/* origin.h - whether others could have written what a model is told.
 *
 * A request has parts: what the person typed, what this machine says of
 * itself, what was built in or agreed to, and what others could have written:
 * piped text, what commands and tools wrote, names that other users choose.
 * Whoever makes a part of the last sort notes it where the part is made. The
 * labels go along with the turns and tools of the request (client.h), and what
 * was really sent decides: after such a part no step runs without a question.
 */
#ifndef MODEL_ORIGIN_H
#define MODEL_ORIGIN_H

#include <stdbool.h>

struct model_request;

#define ORIGIN_MAX 256

struct origin {
    char outside[ORIGIN_MAX]; /* the first such part, for a review; "": none */
};

/* Others could have written `what`, one safe line: "what was piped in". NULL
 * is nothing. */
void origin_note(struct origin *o, const char *what);

/* The words, or NULL when there is no such part; they are o's. */
const char *origin_outside(const struct origin *o);

/* Notes every turn and tool of a request that is sent. */
void origin_note_request(struct origin *o, const struct model_request *r);

/* Whether a user other than root and us could have written this open file, or
 * put it where path names it (owner.h). */
bool origin_is_others(int fd, const char *path);

/* Whether another could have named a directory of this absolute path. A sticky
 * directory's entries are as safe as their owners. */
bool origin_names_others(const char *path);

#endif
