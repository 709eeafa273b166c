/* SPDX-License-Identifier: GPL-3.0-or-later */
/* acp_editor.c - an editor on its connection, and the sessions it watches. */
#include "server/acp/acp_editor.h"

#include "server/acp/acp_poll.h"

bool
acp_editor_watches(const struct acp_editor *ed, const struct acp_session *s)
{
    for (size_t i = 0; i < s->n_editors; i++) {
        if (s->editors[i] == ed)
            return true;
    }
    return false;
}

/* A turn that nobody watches goes on. */
static void
pause_watched_turn(struct acp_session *s)
{
    bool all = s->n_editors > 0;

    for (size_t i = 0; i < s->n_editors; i++)
        all = all && s->editors[i]->full;
    if (s->ops)
        s->ops->pause(s->turn, all);
}

int
acp_editor_join(struct acp_editor *ed, struct acp_session *s, struct err *e)
{
    if (acp_editor_watches(ed, s))
        return 0;
    if (s->n_editors == ACP_EDITORS_MAX)
        return err_set(e, ERR_NOMEM, "%d editors watch this session",
                       ACP_EDITORS_MAX);
    s->editors[s->n_editors++] = ed;
    pause_watched_turn(s);
    return 0;
}

void
acp_editor_leave(struct acp_editor *ed, struct acp_session *s)
{
    size_t i = 0;

    if (!acp_editor_watches(ed, s))
        return;
    while (s->editors[i] != ed)
        i++;
    s->editors[i] = s->editors[--s->n_editors];
    if (s->asker == ed)
        s->asker = NULL;
    acp_poll_leave(s, ed);
    if (s->ops)
        s->ops->leave(s->turn, ed);
    pause_watched_turn(s);
}

void
acp_editor_set_full(struct acp_editor *ed, struct acp_session *s, bool full)
{
    ed->full = full;
    if (acp_editor_watches(ed, s))
        pause_watched_turn(s);
}

void
acp_editor_notify(struct acp_editor *ed, const struct buf *params)
{
    (void)rpc_notify(ed->rpc, "session/update", params, NULL);
}

void
acp_editors_notify_others(struct acp_session *s, const struct acp_editor *but,
                          const struct buf *params)
{
    for (size_t i = 0; i < s->n_editors; i++) {
        if (s->editors[i] != but)
            acp_editor_notify(s->editors[i], params);
    }
}

void
acp_editors_notify(struct acp_session *s, const struct buf *params)
{
    acp_editors_notify_others(s, NULL, params);
}
