/* SPDX-License-Identifier: GPL-3.0-or-later */
/* not_found.c - a line about a command that was not found: no model is asked.
 */
#include "frontend/cli/not_found.h"

#include <limits.h>
#include <string.h>

#include "base/message.h"
#include "config/nearest.h"
#include "offline/repair/repair_find.h"
#include "term/escape.h"

#define SURE_LETTERS 7 /* of a name that may differ in two of them */

/* Finds what ai fix finds, and the names that the shell has now. */
static void
find_meant_program(const struct seat *s, const char *aliases,
                   struct nearest *near)
{
    const struct repair_command none = {0}; /* this kind reads no command */
    const struct repair_place place = {
        .seat = s, .command = &none, .message = ""};
    char found[PATH_MAX];

    for (const char *p = aliases; p && *p; p += strcspn(p, "\n")) {
        p += *p == '\n';
        nearest_consider_part(near, p, strcspn(p, "=\n"));
    }
    if (repair_find_near(&place, "program", near->word, found))
        nearest_consider(near, found);
}

void
not_found_hint(const struct seat *s, const char *const *words, int n,
               const char *aliases, struct buf *out)
{
    struct nearest near;

    if (n < 1 || strchr(words[0], '/'))
        return;
    nearest_init(&near, words[0]);
    find_meant_program(s, aliases, &near);
    if (near.best && strcmp(near.best, words[0]) != 0 &&
        (near.distance < 2 || strlen(words[0]) >= SURE_LETTERS)) {
        buf_str(out, _("agentsh: did you mean "));
        escape_str(out, NULL, near.best, ESCAPE_LINES);
        buf_str(out, "?\n");
    } else if (n > 2) {
        buf_printf(out, "%s" AI_NAME " ", _("agentsh: if that was a wish: "));
        for (int i = 0; i < n && i < 6; i++) {
            escape_str(out, NULL, words[i], ESCAPE_LINES);
            buf_str(out, i + 1 < n ? " " : "");
        }
        buf_str(out, n > 6 ? "...\n" : "\n");
    }
}
