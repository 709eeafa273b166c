/* SPDX-License-Identifier: GPL-3.0-or-later */
/* origin.h - records whether a request holds text that other people could have
 * written, and so instructions of theirs (prompt injection).
 *
 * A request is made of trusted parts (what the person typed, facts about this
 * machine, built-in text) and of parts from outside: piped input, output of
 * commands and tools, names that other users choose. The code that adds a part
 * from outside notes it. The notes travel with the turns and tools of the
 * request (client.h), and count when the request is sent: from then on no step
 * of the answer runs without a question. */
#ifndef MODEL_PROMPT_ORIGIN_H
#define MODEL_PROMPT_ORIGIN_H

#include <stdbool.h>

struct model_request;

#define ORIGIN_MAX 256

struct origin {
    char outside[ORIGIN_MAX]; /* the first part from outside, in words for a
                                 review; "": none */
};

/* Notes a part from outside. what: one printable line that names it, such as
 * "what was piped in"; NULL: nothing is noted. */
void origin_note(struct origin *o, const char *what);

/* The first part from outside, borrowed from o; NULL: there is none. */
const char *origin_outside(const struct origin *o);

/* Notes the parts from outside of all turns and tools of a request. */
void origin_note_request(struct origin *o, const struct model_request *r);

/* Whether a user other than root and us could have written this open file, or
 * replaced it at path (base/owner.h). */
bool origin_is_others(int fd, const char *path);

/* Whether another user could have named a directory of this absolute path. In
 * a sticky directory other users cannot rename an entry that is ours or root's.
 */
bool origin_names_others(const char *path);

#endif
