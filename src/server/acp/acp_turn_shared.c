/* SPDX-License-Identifier: GPL-3.0-or-later */
/* acp_turn_shared.c - what the listeners of two dialects do alike. */
#include "server/acp/acp_turn_shared.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "server/acp/acp_history.h"

#define TITLE_MAX 80 /* bytes of a session's title */

void
acp_turn_message_id(struct acp_session *s, char id[ACP_TOOL_CALL_ID])
{
    snprintf(id, ACP_TOOL_CALL_ID, "turn%u-message%u",
             acp_session_turn_number(s), ++s->n_messages);
}

void
acp_turn_step_id(const struct acp_session *s, unsigned n, size_t step,
                 char id[ACP_TOOL_CALL_ID])
{
    snprintf(id, ACP_TOOL_CALL_ID, "turn%u-plan%u-step%zu",
             acp_session_turn_number(s), n, step + 1);
}

void
acp_turn_keep_message(struct acp_session *s, const char *kind, const char *text,
                      const char *id)
{
    CLEANUP_BUF struct buf b = buf_of(ACP_UPDATE_MAX);

    acp_update_chunk(&b, s->id, kind, text, strlen(text), id);
    acp_history_keep_update(s, &b);
}

char *
acp_turn_keep_prompt(struct acp_session *s, const char *text, const char *id)
{
    size_t n = strcspn(text, "\n");
    CLEANUP(free_p)
    char *title = strndup(text, utf8_boundary(text, n, TITLE_MAX));

    acp_turn_keep_message(s, "user_message_chunk", text, id);
    if (s->titled || !title || !title[0])
        return NULL;
    acp_history_keep_title(s, title);
    return TAKE_PTR(title);
}

void
acp_turn_put_usage(struct buf *out, struct acp_session *s,
                   const struct conversation_usage *u)
{
    bool known = acp_session_add_cost(s, &u->cost);
    int64_t used = u->tokens_in_most + (u->tokens_out > 0 ? u->tokens_out : 0);

    acp_update_usage(out, s->id, used,
                     (double)s->cost.units / (double)COST_UNITS,
                     known ? s->cost.currency : NULL);
}

bool
acp_turn_ends_in_message(const struct err *why)
{
    return why->code == ERR_DENIED || why->code == ERR_TOOL ||
           why->code == ERR_TIMEOUT || why->code == ERR_UNFIT ||
           why->code == ERR_USAGE;
}
