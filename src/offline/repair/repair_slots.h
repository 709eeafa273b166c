/* SPDX-License-Identifier: GPL-3.0-or-later */
/* repair_slots.h - the values of a rule's slots, taken out of messages. */
#ifndef OFFLINE_REPAIR_REPAIR_SLOTS_H
#define OFFLINE_REPAIR_REPAIR_SLOTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

#define REPAIR_SLOTS_MAX 12
#define REPAIR_VALUE_MAX 1024 /* bytes of a value; a longer one is none */
#define REPAIR_NAME_MAX  24

struct repair_slots {
    struct {
        char name[REPAIR_NAME_MAX];
        char value[REPAIR_VALUE_MAX];
    } v[REPAIR_SLOTS_MAX];
    size_t n;
};

/* The value of a slot; NULL: it has none. */
const char *repair_slots_get(const struct repair_slots *s, const char *name,
                             size_t n);

/* Gives a slot its value. False: there is no room, it has another value, or
 * the value is empty, too long or holds a control byte. */
bool repair_slots_set(struct repair_slots *s, const char *name, size_t n,
                      const char *value, size_t len);

/* Which pairs of bytes a text has next to each other, a bit each: most patterns
 * are seen by it not to be there without a look at the text. */
struct repair_pairs {
    unsigned char seen[(1u << 16) / 8];
};

void repair_pairs_read(struct repair_pairs *p, const char *text);

/* Whether a line of the text has the pattern, whose {NAME} take what stands
 * there: up to the pattern's next byte, or the end of the line. A ^ in front
 * stands for the line's begin, a $ at the end for its end. pairs are the
 * text's, or NULL. */
bool repair_slots_match(struct repair_slots *s, const char *pattern,
                        const char *text, const struct repair_pairs *pairs);

/* Appends a message as the rules read it: without the escape sequences of a
 * terminal and carriage returns, and with the quotes of ASCII. */
void repair_slots_plain(struct buf *out, const char *text);

#endif
