/* SPDX-License-Identifier: GPL-3.0-or-later */
/* brief.h - what a child that is there already has to know.
 *
 * A child that was forked when its launch began has all of it in its memory.
 * One that waited (ready.h) is told: the launcher's words, the environment,
 * and what was looked up for it; and then, since to look through a workspace
 * takes as long as to make the view, what of each writable place stays as it
 * is. Both sides are copies of one program, so numbers are as they lie in
 * memory. */
#ifndef SANDBOX_BRIEF_H
#define SANDBOX_BRIEF_H

#include "sandbox/launch/inside.h"

#define BRIEF_MAX (16u << 20) /* words, environment, protected paths */

struct brief {
    struct sandbox_spec spec;
    struct inside in; /* to be; it points to the others */
    struct protect kept[SPEC_PATHS_MAX + 1];
    char *bytes;
    char **list; /* the words, NULL, the variables, NULL */
};

/* Sends it, with our standard input, output and error, but for what is kept.
 * words: all of them, those of the program (in->argv) being the last. */
int brief_send(int line, const struct inside *in, char *const *words,
               struct err *e);

/* Hears it: the streams are ours, environ too, and b is filled but for what
 * is kept, and for what is the child's own. Nothing of it is ever freed: the
 * program follows. */
int brief_hear(int line, struct brief *b, struct err *e);

/* What is kept. Where nothing is writable nothing is sent, or heard. */
int brief_send_kept(int line, const struct inside *in, struct err *e);
int brief_hear_kept(int line, struct brief *b, struct err *e);

#endif
