/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verbs.c - the verbs of the assistant, the same at every door. */
#include "person/verbs.h"

#include <string.h>

#define NAME(name, args, help, options) #name,

const char *
verbs_name(size_t i)
{
    static const char *const names[] = {VERBS(NAME)};

    return i < sizeof(names) / sizeof(names[0]) ? names[i] : NULL;
}

bool
verbs_has(const char *word)
{
    const char *name;

    for (size_t i = 0; (name = verbs_name(i)) != NULL; i++) {
        if (strcmp(name, word) == 0)
            return true;
    }
    return false;
}
