/* SPDX-License-Identifier: GPL-3.0-or-later */
/* syntax_heredoc.h - inside syntax.c: here-documents. */
#ifndef GUARD_SYNTAX_HEREDOC_H
#define GUARD_SYNTAX_HEREDOC_H

#include "guard/syntax/syntax_parse.h"

/* A redirection << was read; its body begins behind the next newline. */
void syntax_heredoc_add(struct parser *p, struct syntax_redirect *r,
                        bool strip);

/* Behind a newline: finds the bodies of those that wait, and goes on behind
 * them. What expands in them is read when the driver comes to it. */
void syntax_heredoc_bodies(struct parser *p);

/* The driver: reads the bodies that were found. */
void syntax_heredoc_read(struct parser *p);

#endif
