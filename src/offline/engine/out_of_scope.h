/* SPDX-License-Identifier: GPL-3.0-or-later */
/* out_of_scope.h - recognises requests that the offline engine cannot answer.
 */
#ifndef OFFLINE_ENGINE_OUT_OF_SCOPE_H
#define OFFLINE_ENGINE_OUT_OF_SCOPE_H

#include <stdbool.h>

#include "base/buf.h"

/* Whether no shell command can do it ("order a pizza", "write a poem"); why
 * gets the reason, a sentence without its full stop. */
bool out_of_scope_reason(const char *request, struct buf *why);

/* Whether too few of its words are English words that the engine knows: a
 * recipe that is near is near by accident then. */
bool out_of_scope_language(const char *request);

#define OUT_OF_SCOPE_WORD_MAX 32 /* bytes and a NUL; no longer word counts */

/* Reads the next word in lower case and moves *p behind it. word is "" for
 * something that is not a plain word: a name with a dot or a slash, an option,
 * a number. Letters beyond ASCII are unchanged. False: there is no further
 * one. */
bool out_of_scope_next_word(const char **p, char word[OUT_OF_SCOPE_WORD_MAX]);

#endif
