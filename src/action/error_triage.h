/* SPDX-License-Identifier: GPL-3.0-or-later */
/* error_triage.h - answers "what went wrong" without a model.
 *
 * It finds the lines of a text that look like errors, by their words alone, as
 * a reader would find them in a long log. It does not know what they mean. */
#ifndef ACTION_ERROR_TRIAGE_H
#define ACTION_ERROR_TRIAGE_H

#include <stdbool.h>

#include "action/user_request.h"
#include "base/buf.h"
#include "base/seat.h"

#define ERROR_LINES_SHOWN 6   /* the first error often causes the others */
#define ERROR_LINE_BYTES  240 /* of a line: three rows of a terminal */

enum error_lines_kind {
    ERROR_LINES_NONE, /* the text is blank */
    ERROR_LINES_ERRORS,
    ERROR_LINES_WARNINGS, /* no line looks like an error */
    ERROR_LINES_TAIL,     /* no line stands out: the last lines */
};

struct error_lines {
    enum error_lines_kind kind;
    size_t lines; /* of the text */
    size_t found; /* lines of this kind */
    size_t shown; /* of those, the first; of the tail, the last */
};

/* Whether the words ask what went wrong ("why did that fail", "explain this
 * error", "fix it") and name nothing that a recipe or a manual page is about.
 * piped: a text was piped in, and the words may only point at it. */
bool error_triage_is_question(const char *words, enum aiaction_mode mode,
                              bool piped);

/* Appends an answer in Markdown. It says that this needs a model, and shows
 * what is known without one: the lines of its input that look like errors;
 * where there is none, the last command of the session and how it ended.
 * person: in the person's language, else in English. */
void error_triage_write(const struct seat *s,
                        const struct user_request *request, bool person,
                        struct buf *out);

/* Appends the lines, each with a newline. Long ones are cut, and colours are
 * dropped; the rest is as it was, so the caller must escape it. text is UTF-8.
 * error_triage_write calls it; the fuzzer gives it any bytes. */
void error_triage_find_lines(const char *text, size_t n,
                             struct error_lines *out, struct buf *lines);

#endif
