/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spoken.h - calls that a model writes as text.
 *
 * Two forms, and each only when it is the whole text, blanks and a code fence
 * round it apart: {"tool":NAME,"args":{…}}, which prompts/tools.txt asks for
 * where a server takes no tools, and <tool_call>{"name":NAME,"arguments":{…}}
 * </tool_call>, one or several, which models were trained on and servers
 * forget to take out. Anything else is text. */
#ifndef MODEL_SPOKEN_H
#define MODEL_SPOKEN_H

#include <stdbool.h>

#include "model/wants.h"

/* Adds the calls to w. asked: the first form was asked for. text ends with a
 * NUL that n does not count. 1: the text is calls; 0: it is text; -1 and
 * ERR_ANSWER: a bound of wants.h. */
int spoken_read(struct wants *w, bool asked, const char *text, size_t n,
                struct err *e);

/* Whether text that has come so far may still turn out to be calls, and so is
 * not to be shown. It ends with a NUL. */
bool spoken_may_be(bool asked, const char *text);

#endif
