/* SPDX-License-Identifier: GPL-3.0-or-later */
/* doctor_text.h - print the findings of agentsh doctor for a person.
 *
 * The text begins with a verdict, followed by one group of findings each for
 * the person, the model and the sandbox. Findings that are good are folded into
 * one line of names, unless all are asked for. */
#ifndef FRONTEND_CLI_DOCTOR_TEXT_H
#define FRONTEND_CLI_DOCTOR_TEXT_H

#include "base/buf.h"
#include "term/term.h"

enum doctor_group { DOCTOR_YOU, DOCTOR_MODEL, DOCTOR_SANDBOX, DOCTOR_GROUPS };

enum doctor_state {
    DOCTOR_GOOD,
    DOCTOR_CHOICE, /* optional: the person never set it up, or turned it off */
    DOCTOR_FAULT,
};

struct doctor_finding {
    enum doctor_group group;
    enum doctor_state state;
    bool needed;        /* a fault here means that nothing runs */
    bool shown;         /* has a line of its own even when it is good */
    bool first;         /* is printed as a sentence before the verdict */
    bool ok;            /* of a DOCTOR_CHOICE: -o json says ok */
    const char *name;   /* borrowed until doctor_text_add has returned */
    const char *longer; /* the same, in place of text; or NULL */
    char todo[64];      /* of a DOCTOR_CHOICE: "load the shell hook"; or "" */
    char text[600];
};

struct doctor_text; /* findings, in the order in which they were added */

/* all: nothing is folded. The screen is borrowed. NULL: no memory. */
struct doctor_text *doctor_text_new(const struct term *screen, bool all,
                                    struct err *e);
void doctor_text_free(struct doctor_text *t); /* accepts NULL */

/* Adds a copy of *f. */
void doctor_text_add(struct doctor_text *t, const struct doctor_finding *f);

/* Appends the text. A lack of memory, now or before, shows in buf_ok(). */
void doctor_text_write(const struct doctor_text *t, struct buf *out);

#endif
