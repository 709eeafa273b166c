/* SPDX-License-Identifier: GPL-3.0-or-later */
/* own_names.c - names of files that could pass for options. */
#include "offline/wish/own_names.h"

#include <string.h>

#include "base/cleanup.h"
#include "guard/syntax/syntax.h"

int
own_names(const char *command, struct buf *out, struct err *e)
{
    CLEANUP(syntax_done) struct syntax s = {0};
    size_t at = 0;

    if (syntax_read(command, strlen(command), &s, e) < 0)
        return -1;
    for (const struct syntax_node *n = s.all; n; n = n->after) {
        const struct syntax_word *w = n->words;

        /* the first word of a call is what runs; of a loop it is a name */
        if (n->mapped || !w ||
            (n->kind != SYNTAX_CALL && n->kind != SYNTAX_FOR))
            continue;
        for (w = n->kind == SYNTAX_CALL ? w->next : w; w; w = w->next) {
            if (w->from < at || !strchr("*?[", command[w->from]))
                continue;
            buf_add(out, command + at, w->from - at);
            buf_str(out, "./");
            at = w->from;
        }
    }
    buf_str(out, command + at);
    return buf_ok(out, "the command", e);
}
