/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verbs.c - the verbs of the assistant, the same at every door. */
#include "person/verbs.h"

#include <string.h>

#define ROW(name, args, help, options) {#name, options},

struct verb {
    const char *name;
    unsigned options;
};

static const struct verb verbs[] = {VERBS(ROW){0}};

const char *
verbs_name(size_t i)
{
    return i < sizeof(verbs) / sizeof(verbs[0]) ? verbs[i].name : NULL;
}

bool
verbs_name_is(const char *word)
{
    for (const struct verb *v = verbs; v->name; v++) {
        if (strcmp(v->name, word) == 0)
            return true;
    }
    return false;
}

unsigned
verbs_options(const char *word)
{
    for (const struct verb *v = verbs; v->name; v++) {
        if (strcmp(v->name, word) == 0)
            return v->options;
    }
    return VERB_OPTIONS;
}

bool
verbs_has(const char *word)
{
    for (const struct verb *v = verbs; v->name; v++) {
        if (strcmp(v->name, word) == 0)
            return v->options & FOR_WISH;
    }
    return false;
}
