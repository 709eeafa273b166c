/* SPDX-License-Identifier: GPL-3.0-or-later */
/* doctor_text.h - the findings of agentsh doctor as a person reads them.
 *
 * A verdict first, then a group each of what concerns the person, the model
 * and the sandbox. What is as it should be is folded into one line of names,
 * unless all is asked for. */
#ifndef DOOR_CLI_DOCTOR_TEXT_H
#define DOOR_CLI_DOCTOR_TEXT_H

#include "base/buf.h"
#include "term/term.h"

enum doctor_group { DOCTOR_YOU, DOCTOR_MODEL, DOCTOR_SANDBOX, DOCTOR_GROUPS };

enum doctor_state {
    DOCTOR_GOOD,
    DOCTOR_CHOICE, /* it works without, as it was left or never set up */
    DOCTOR_FAULT,
};

struct doctor_finding {
    enum doctor_group group;
    enum doctor_state state;
    bool needed;        /* where it is a fault, nothing runs */
    bool shown;         /* by itself, also where it is good */
    bool first;         /* a sentence, before the verdict */
    bool ok;            /* a choice that -o json calls ok */
    const char *name;   /* borrowed until doctor_text_add has returned */
    const char *longer; /* borrowed as well, instead of text; or NULL */
    char todo[64];      /* of a choice: "load the shell hook"; or "" */
    char text[600];
};

struct doctor_text; /* findings, in the order in which they were added */

/* `all`: nothing is folded. The screen is borrowed. */
struct doctor_text *doctor_text_new(const struct term *screen, bool all,
                                    struct err *e);
void doctor_text_free(struct doctor_text *t); /* accepts NULL */

/* Keeps a copy. */
void doctor_text_add(struct doctor_text *t, const struct doctor_finding *f);

/* Appends everything; no memory before or now shows in buf_ok. */
void doctor_text_write(const struct doctor_text *t, struct buf *out);

#endif
