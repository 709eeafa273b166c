/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fix_candidates.c - what the words of a failed command may have meant. */
#include "ui/fix_candidates.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "offline/repair/repair_find.h"

#define WORDS_MAX 12 /* of a command that are looked at */

static void
put_near(struct buf *out, const struct seat *s, const char *kind,
         const char *word)
{
    const struct repair_command none = {0}; /* these kinds read no command */
    const struct repair_place place = {
        .seat = s, .command = &none, .message = ""};
    char near[PATH_MAX];

    if (repair_find_near(&place, kind, word, near) && strcmp(near, word) != 0)
        buf_printf(out, "%s nearest to %s: %s\n", kind, word, near);
}

void
fix_candidates_put(struct buf *out, const struct seat *s, const char *command)
{
    static const char between[] = " \t\n;|&<>()'\"";
    char word[PATH_MAX];

    for (size_t i = 0; i < WORDS_MAX; i++) {
        size_t n;

        command += strspn(command, between);
        n = strcspn(command, between);
        if (n == 0)
            return;
        snprintf(word, sizeof(word), "%.*s",
                 (int)(n < sizeof(word) ? n : sizeof(word) - 1), command);
        if (i == 0)
            put_near(out, s, "program", word);
        else if (word[0] != '-' && !seat_has(s, word))
            put_near(out, s, "path", word);
        command += n;
    }
}
