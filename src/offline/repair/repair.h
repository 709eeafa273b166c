/* SPDX-License-Identifier: GPL-3.0-or-later */
/* repair.h - repairs a failed command by rules, without a model.
 *
 * The rules are stanzas in rules/, whose README says how they are written; a
 * new one needs no code. They are compiled in as text. A rule fits when the
 * program, the status and the message fit and every candidate that it asks for
 * is found (repair_find.h). Nothing is run here. The message is untrusted: what
 * a slot takes of it becomes one quoted word of a command, never more. What can
 * fail: memory. */
#ifndef OFFLINE_REPAIR_REPAIR_H
#define OFFLINE_REPAIR_REPAIR_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/seat.h"

#define REPAIR_STEPS_MAX 4
#define REPAIR_TEXT_MAX  (64u << 10) /* bytes of a message, and of a command */

/* What stands for a text that was not captured: no rule takes it for silence.
 */
#define REPAIR_NOT_CAPTURED "\n"

struct repair_failure {
    const char *command; /* as it was typed */
    int status;
    const char *text; /* what it showed; "": nothing, or it is not known */
};

/* What a rule makes of a failure; all zero, with its buffers, before. */
struct repair {
    char rule[64];   /* the name of the rule; "": none fits */
    char title[160]; /* what the repair does, or why there is none */
    char shown[200]; /* the same in the person's language; it may be the same */
    bool none;       /* nothing is to be repaired: no steps */
    struct buf steps[REPAIR_STEPS_MAX]; /* command lines */
    size_t n;
};

/* Applies the first rule that fits. 0, also where none does; -1: no memory. */
int repair_find(const struct seat *s, const struct repair_failure *f,
                struct repair *out, struct err *e);
void repair_done(struct repair *r); /* accepts NULL */

/* Reads every rule and its examples, for a test (repair_check.c): appends a
 * line for each mistake, and returns how many rules there are. */
size_t repair_check(struct buf *complaints);

/* Whether a row may begin with this word, n bytes. */
bool repair_row_is_known(const char *word, size_t n);

/* The text of all rules, which the build makes of rules/. */
const char *repair_rules_text(void);

#endif
