/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_tell.h - inside summary_of: each kind of command in a sentence.
 *
 * All of them append to t->out, and set t->bad where there is something that
 * cannot be said: then the sentence is given up. depth counts the compound
 * commands that the node stands in. */
#ifndef OFFLINE_EXPLAIN_TELL_H
#define OFFLINE_EXPLAIN_TELL_H

#include "offline/explain/explain_phrase.h"

#define SENTENCE_MAX 400 /* bytes: three rows of a screen */

struct teller {
    const struct scope *s;
    struct buf *out;
    bool bad; /* something in it cannot be said */
};

/* Any command; tell_node leaves out a ! or a time in front of it. */
void tell(struct teller *t, const struct syntax_node *node, unsigned depth);
void tell_node(struct teller *t, const struct syntax_node *node,
               unsigned depth);

/* explain_pipe.c: a call as a phrase (in: what it reads, or NULL), true when
 * it tells what it reads; and calls and other commands between bars. */
bool tell_call(struct teller *t, const struct syntax_node *node,
               const struct phrase *in, struct phrase *out);
void tell_pipeline(struct teller *t, const struct syntax_node *node);
/* What < gives the node, into a phrase that is clean; false: nothing. */
bool tell_input(const struct syntax_node *node, struct phrase *in);
/* while read x; do …; done */
bool tell_is_read_loop(const struct syntax_node *node);

/* explain_function.c */
void tell_function(struct teller *t, const struct syntax_node *node,
                   unsigned depth);

/* explain_loop.c */
void tell_for(struct teller *t, const struct syntax_node *node, unsigned depth);
void tell_count(struct teller *t, const struct syntax_node *node,
                unsigned depth);
void tell_while(struct teller *t, const struct syntax_node *node,
                unsigned depth);
void tell_if(struct teller *t, const struct syntax_node *node, unsigned depth);
void tell_case(struct teller *t, const struct syntax_node *node);
/* true, : */
bool tell_is_true(const struct syntax_node *node);

#endif
