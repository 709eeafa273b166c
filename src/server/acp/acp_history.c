/* SPDX-License-Identifier: GPL-3.0-or-later */
/* acp_history.c - keeps sessions across restarts. */
#include "server/acp/acp_history.h"

#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/clock.h"
#include "model/client.h"
#include "record/shell_session.h"
#include "server/acp/acp_draft_update.h"
#include "server/acp/acp_editor.h"
#include "server/acp/acp_update.h"
#include "json/write.h"

#define UPDATE      "update" /* kinds of items */
#define TURN        "turn"
#define SETTING_MAX (4u << 10)

static void
log_history(const struct acp_session *s, const struct err *e)
{
    s->shared->log(s->shared->log_arg, e->text);
}

static void
put_roots(const struct seat *s, struct buf *out)
{
    const char *const *roots = seat_roots(s);
    struct json_writer w;

    json_write_init(&w, out);
    json_open_array(&w);
    for (size_t i = 0; roots && roots[i]; i++)
        json_put_str(&w, roots[i]);
    json_close_array(&w);
}

int
acp_history_create(struct acp_session *s, struct err *e)
{
    CLEANUP_BUF struct buf options = buf_of(SETTING_MAX);
    CLEANUP_BUF struct buf roots = buf_of(SESSION_ROOTS_MAX);
    struct session_info in = {.directory = seat_dir(s->seat)};

    if (!s->shared->store)
        return 0;
    acp_options_save(&s->options, &options);
    put_roots(s->seat, &roots);
    in.settings = options.p;
    in.roots = roots.p;
    return session_writer_create(s->shared->store, &in, s->id, e);
}

static void
append_item(struct acp_session *s, const char *kind, const struct buf *text)
{
    struct err e = {0};

    if (s->shared->store && !text->bad &&
        session_writer_append(s->shared->store, s->id, kind, text->p, text->len,
                              &e) < 0)
        log_history(s, &e);
}

void
acp_history_keep_update(struct acp_session *s, const struct buf *params)
{
    append_item(s, UPDATE, params);
}

/* Calls of tools and their results are left out: a provider takes them only
 * together, and as it wrote them. What others could have written in them, and
 * in all that was sent before, is a message without a text. */
void
acp_history_keep_turn(struct acp_session *s)
{
    CLEANUP_BUF struct buf b = buf_of(SESSION_ITEM_MAX);
    size_t n, i = conversation_last_request(s->conversation);
    const struct model_turn *turns = conversation_turns(s->conversation, &n);
    const char *outside = conversation_outside(s->conversation);
    struct json_writer w;

    json_write_init(&w, &b);
    json_open_array(&w);
    if (outside) {
        json_open_object(&w);
        json_member_str(&w, "outside", outside);
        json_close_object(&w);
    }
    for (; i < n; i++) {
        if (turns[i].role == MODEL_RESULT || turns[i].n_tool_calls > 0)
            continue;
        json_open_object(&w);
        json_member_bool(&w, "assistant", turns[i].role == MODEL_ASSISTANT);
        json_member_str(&w, "text", turns[i].text);
        if (turns[i].outside)
            json_member_str(&w, "outside", turns[i].outside);
        json_close_object(&w);
    }
    json_close_array(&w);
    append_item(s, TURN, &b);
}

static void
update_info(struct acp_session *s, const struct session_info *in)
{
    struct err e = {0};

    if (s->shared->store &&
        session_writer_update(s->shared->store, s->id, in, &e) < 0)
        log_history(s, &e);
}

void
acp_history_keep_options(struct acp_session *s)
{
    CLEANUP_BUF struct buf options = buf_of(SETTING_MAX);

    acp_options_save(&s->options, &options);
    update_info(s, &(struct session_info){.settings = options.p});
}

void
acp_history_keep_title(struct acp_session *s, const char *title)
{
    s->titled = true;
    update_info(s, &(struct session_info){.title = title});
}

static int
restore_info(void *arg, const struct session_info *info)
{
    struct acp_session *s = arg;

    acp_options_load(&s->options, info->settings);
    s->titled = info->title && info->title[0];
    return 0;
}

static int
restore_message(struct acp_session *s, const struct json *v, struct err *e)
{
    const char *text = json_get_str(v, "text");
    const char *outside = json_get_str(v, "outside");
    struct model_answer answer = {.text = text};
    bool assistant = false;

    conversation_note_outside(s->conversation, outside);
    if (!text)
        return 0;
    (void)json_bool(json_get(v, "assistant"), &assistant);
    answer.len = strlen(text);
    return assistant
               ? conversation_add_assistant(s->conversation, &answer, e)
               : conversation_add_user(s->conversation, text, outside, NULL, e);
}

static int
restore_turn(void *arg, int64_t number, const char *kind, const char *text,
             size_t n)
{
    struct acp_session *s = arg;
    CLEANUP(json_free_p) struct json *turn = NULL;

    s->n_before = (unsigned)number; /* each turn has an item at least */
    if (strcmp(kind, TURN) != 0 || !(turn = json_parse(text, n, 0, NULL)))
        return 0;
    conversation_begin(s->conversation);
    for (const struct json *v = json_first(turn); v; v = json_next(v)) {
        if (restore_message(s, v, NULL) < 0)
            return -1;
    }
    return 0;
}

int
acp_history_restore(struct acp_session *s, struct err *e)
{
    struct session_store *store;
    CLEANUP_BUF struct buf roots = buf_of(SESSION_ROOTS_MAX);

    if (!s->shared->store)
        return err_set(e, ERR_NOT_FOUND,
                       "sessionId: sessions are not kept here");
    store = session_writer_wait(s->shared->store);
    if (session_store_info(store, s->id, restore_info, s, e) < 0 ||
        session_store_read(store, s->id, 0, restore_turn, s, e) < 0)
        return -1;
    put_roots(s->seat, &roots);
    return session_store_update(
        store, s->id,
        &(struct session_info){.directory = seat_dir(s->seat),
                               .roots = roots.p},
        e);
}

static int
ignore_info(void *arg, const struct session_info *info)
{
    (void)arg;
    (void)info;
    return 0;
}

bool
acp_history_has(const struct acp_shared *sh, const char *id)
{
    return sh->store && session_store_info(session_writer_wait(sh->store), id,
                                           ignore_info, NULL, NULL) == 0;
}

static void
put_draft_update(struct buf *out, int64_t number, const char *text, size_t n)
{
    CLEANUP(json_free_p) struct json *params = json_parse(text, n, 0, NULL);

    acp_draft_replay(out, params, number);
}

/* The tool calls that were sent and have not ended. */
struct open_calls {
    const struct acp_session *session;
    struct acp_editor *editor;
    char ids[AIACTION_STEPS_MAX][ACP_TOOL_CALL_ID];
    size_t n;
};

static void
note_call(struct open_calls *o, const char *text, size_t n)
{
    CLEANUP(json_free_p) struct json *params = json_parse(text, n, 0, NULL);
    const struct json *update = json_get(params, "update");
    const char *what = json_get_str(update, "sessionUpdate");
    const char *id = json_get_str(update, "toolCallId");
    const char *status = json_get_str(update, "status");
    bool over = status && strcmp(status, "pending") != 0 &&
                strcmp(status, "in_progress") != 0;
    size_t i = 0;

    if (!what || !id)
        return;
    while (i < o->n && strcmp(o->ids[i], id) != 0)
        i++;
    if (over && i < o->n)
        memmove(o->ids[i], o->ids[i + 1], (--o->n - i) * sizeof(*o->ids));
    else if (!over && i == o->n && i < ARRAY_SIZE(o->ids))
        snprintf(o->ids[o->n++], sizeof(*o->ids), "%s", id);
}

static int
send_kept_update(const struct acp_editor *ed, int64_t number, const char *text,
                 size_t n)
{
    CLEANUP_BUF struct buf b = buf_of(ACP_UPDATE_MAX);

    if (ed->client.dialect == ACP_DRAFT)
        put_draft_update(&b, number, text, n);
    else
        buf_add(&b, text, n);
    return b.len == 0 ? 0 : rpc_notify(ed->rpc, "session/update", &b, NULL);
}

static int
replay_update(void *arg, int64_t number, const char *kind, const char *text,
              size_t n)
{
    struct open_calls *o = arg;

    /* what was redacted may be no JSON any more */
    if (strcmp(kind, UPDATE) != 0 || json_span(text, n, NULL) != n)
        return 0;
    note_call(o, text, n);
    return send_kept_update(o->editor, number, text, n);
}

/* The process that had them was killed. */
static void
end_open_calls(const struct open_calls *o)
{
    for (size_t i = 0; i < o->n; i++) {
        CLEANUP_BUF struct buf b = buf_of(ACP_UPDATE_MAX);

        acp_update_step_failed(&b, o->session->id, o->ids[i], "failed",
                               "agentsh was killed: the end is not known");
        (void)send_kept_update(o->editor, 0, b.p, b.len);
    }
}

int
acp_history_replay(struct acp_session *s, struct acp_editor *ed, struct err *e)
{
    struct open_calls open = {.session = s, .editor = ed};

    if (!s->shared->store)
        return 0;
    if (session_store_read(session_writer_wait(s->shared->store), s->id, 0,
                           replay_update, &open, e) < 0)
        return -1;
    if (!s->ops) /* else a turn is under way, which ends them */
        end_open_calls(&open);
    return 0;
}

static int
put_listed_session(void *arg, const struct session_info *info)
{
    struct json_writer *w = arg;
    char time[CLOCK_RFC3339_SIZE];

    /* a session of a shell has no updates to replay */
    if (strcmp(info->settings, SHELL_SESSION_SETTINGS) == 0)
        return 0;
    json_open_object(w);
    json_member_str(w, "sessionId", info->id);
    json_member_str(w, "cwd", info->directory);
    if (info->roots && json_span(info->roots, strlen(info->roots), NULL)) {
        json_key(w, "additionalDirectories");
        json_put_raw(w, info->roots, strlen(info->roots));
    }
    if (info->title && info->title[0])
        json_member_str(w, "title", info->title);
    json_member_str(w, "updatedAt",
                    clock_rfc3339((time_t)(info->updated_ms / 1000), time));
    json_close_object(w);
    return 0;
}

/* A member that may be left out, or null. */
static int
get_optional(const struct json *params, const char *name, size_t max,
             const char **out, struct err *e)
{
    const struct json *v = json_get(params, name);

    *out = json_text(v);
    if (v && json_type(v) != JSON_NULL && (!*out || strlen(*out) > max))
        return err_set(e, ERR_INVALID,
                       "%s: must be a string of at most %zu bytes", name, max);
    return 0;
}

int
acp_history_list(const struct acp_shared *sh, const struct json *params,
                 struct buf *out, struct err *e)
{
    const char *cwd, *cursor;
    CLEANUP(free_p) char *directory = NULL;
    char next[SESSION_CURSOR_SIZE] = "";
    struct json_writer w;

    if (get_optional(params, "cwd", SESSION_DIRECTORY_MAX, &cwd, e) < 0 ||
        get_optional(params, "cursor", SESSION_CURSOR_SIZE, &cursor, e) < 0)
        return -1;
    if (cwd && !(directory = realpath(cwd, NULL)) && !(directory = strdup(cwd)))
        return err_nomem(e); /* what is gone was named as it is written */
    json_write_init(&w, out);
    json_open_object(&w);
    json_key(&w, "sessions");
    json_open_array(&w);
    if (sh->store &&
        session_store_list(session_writer_wait(sh->store), directory, cursor,
                           ACP_LIST_PAGE, put_listed_session, &w, next, e) < 0)
        return -1;
    json_close_array(&w);
    if (next[0])
        json_member_str(&w, "nextCursor", next);
    json_close_object(&w);
    return 0;
}

int
acp_history_delete(const struct acp_shared *sh, const char *id, struct err *e)
{
    if (!sh->store)
        return 0;
    return session_store_delete(session_writer_wait(sh->store), id, e);
}
