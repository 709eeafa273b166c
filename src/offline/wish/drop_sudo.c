/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drop_sudo.c - a command of ours as root types it. */
#include "offline/wish/drop_sudo.h"

#include <string.h>

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
drop_sudo(const char *command, struct buf *out, struct err *e)
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
