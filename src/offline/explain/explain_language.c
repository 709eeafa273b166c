/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_language.c - small programs that stand in a command line. */
#include "offline/explain/explain_language.h"

#include <string.h>

#include "offline/explain/explain_phrase.h"

#define SHOWN_MAX 60

int
language_shown(size_t n)
{
    return (int)(n < SHOWN_MAX ? n : SHOWN_MAX);
}

const char *
language_part_end(const char *p, char mark)
{
    for (; *p && *p != mark; p++)
        if (*p == '\\' && p[1])
            p++;
    return p;
}

bool
script_part(const char *form, const char *text, struct buf *out)
{
    return sed_part(form, text, out) || awk_part(form, text, out);
}

bool
script_meaning(const char *language, const char *text, bool quiet,
               struct buf *out)
{
    if (strcmp(language, "awk") == 0)
        return awk_meaning(text, out);
    return strcmp(language, "sed") == 0 && sed_meaning(text, quiet, out);
}
