/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sanitize.c - rewrites a generated command so that it does less harm.
 *
 * sudo is dropped for root, and names that begin with a dash get ./. */
#include "offline/engine/sanitize.h"

#include <string.h>

#include "base/cleanup.h"
#include "guard/syntax/syntax.h"

/* Whether the node is a call of sudo without options; where the command that
 * it starts begins. */
static bool
asks_for_root(const char *command, const struct syntax_node *node, size_t *from,
              size_t *to)
{
    const struct syntax_word *sudo = node->words, *next;

    if (node->kind != SYNTAX_CALL || node->n_words < 2)
        return false;
    next = sudo->next;
    *from = sudo->from;
    *to = next->from;
    return sudo->to - sudo->from == 4 &&
           strncmp(command + sudo->from, "sudo", 4) == 0 &&
           command[next->from] != '-';
}

int
sanitize_drop_sudo(const char *command, struct buf *out, struct err *e)
{
    CLEANUP(syntax_done) struct syntax s = {0};
    size_t at = 0, from, to;

    if (syntax_read(command, strlen(command), &s, e) < 0)
        return -1;
    for (const struct syntax_node *n = s.all; n; n = n->after) {
        if (n->mapped || !asks_for_root(command, n, &from, &to) || from < at)
            continue;
        buf_add(out, command + at, from - at);
        at = to;
    }
    buf_str(out, command + at);
    return buf_ok(out, "the command", e);
}

/* Names that begin with a dash. */

int
sanitize_own_names(const char *command, struct buf *out, struct err *e)
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
