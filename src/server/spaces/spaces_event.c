/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spaces_event.c - writes the events that an agent gets. */
#include "server/spaces/spaces_event.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/utf8.h"

static void
open_spaces_event(struct json_writer *w, struct buf *list, const char *type)
{
    char now[CLOCK_RFC3339_SIZE];

    if (list->len > 0)
        buf_ch(list, ',');
    json_write_init(w, list);
    json_open_object(w);
    json_member_str(w, "type", type);
    json_member_str(w, "timestamp", clock_rfc3339(time(NULL), now));
}

static void
put_op_id(struct json_writer *w, const char *id, size_t n)
{
    if (!id)
        return;
    json_key(w, "operationId");
    json_put_strn(w, id, n);
}

void
spaces_event_begin(struct json_writer *w, struct buf *list,
                   const struct spaces_op *op)
{
    open_spaces_event(w, list, spaces_type_name(op->type));
    put_op_id(w, op->id, op->id_len);
    if (op->type == SPACES_SHELL)
        json_member_str(w, "command", op->command);
    else if (op->type != SPACES_MESSAGE)
        json_member_str(w, "path", op->path);
}

void
spaces_event_end(struct json_writer *w)
{
    json_close_object(w);
}

void
spaces_event_message(struct buf *list, const struct spaces_op *op)
{
    struct json_writer w;

    spaces_event_begin(&w, list, op);
    json_member_bool(&w, "success", true);
    spaces_event_end(&w);
}

/* A command that did not start has no status of its own. */
#define NOT_STARTED (-1)

void
spaces_event_failed(struct buf *list, const struct spaces_op *op,
                    const char *why, int64_t ms)
{
    struct json_writer w;

    spaces_event_begin(&w, list, op);
    json_member_bool(&w, "success", false);
    if (op->type == SPACES_SHELL) {
        json_member_int(&w, "exitCode", NOT_STARTED);
        json_member_str(&w, "stdout", "");
        json_member_str(&w, "stderr", why);
        json_member_int(&w, "durationMs", ms);
    }
    json_member_str(&w, "error", why);
    spaces_event_end(&w);
}

/* Writes what fits of a text, and takes it from *room. Returns whether all of
 * it did. */
static bool
put_stream(struct json_writer *w, const char *name, const char *text, size_t n,
           size_t *room)
{
    size_t fits = n <= *room ? n : utf8_boundary(text, n, *room);

    json_key(w, name);
    json_put_strn(w, text, fits);
    *room -= fits;
    return fits == n;
}

#define TIMED_OUT 124 /* as of timeout(1) */

void
spaces_event_shell(struct buf *list, const struct spaces_op *op,
                   const struct tool_result *r, size_t room)
{
    bool late = r->error_code &&
                strcmp(r->error_code, err_tool_code(ERR_TIMEOUT)) == 0;
    bool ran = r->ok && r->has_exit_code;
    bool cut = r->truncated;
    struct json_writer w;

    spaces_event_begin(&w, list, op);
    json_member_bool(&w, "success", ran && r->exit_code == 0);
    if (late)
        json_member_bool(&w, "timedOut", true);
    json_member_int(&w, "exitCode",
                    late  ? TIMED_OUT
                    : ran ? r->exit_code
                          : NOT_STARTED);
    cut |= !put_stream(&w, "stdout", r->out, r->out_len, &room);
    cut |= !put_stream(&w, "stderr", r->err, r->err_len, &room);
    json_member_int(&w, "durationMs", r->duration_ms);
    if (cut)
        json_member_bool(&w, "truncated", true);
    spaces_event_end(&w);
}

const char *
spaces_event_op_id(const struct spaces_op *op, size_t index,
                   char own[SPACES_OP_ID_SIZE], size_t *n)
{
    if (op->id) {
        *n = op->id_len;
        return op->id;
    }
    snprintf(own, SPACES_OP_ID_SIZE, "op-%zu", index);
    *n = strlen(own);
    return own;
}

static void
open_policy_event(struct json_writer *w, struct buf *list, const char *type,
                  const struct spaces_op *op, size_t index)
{
    char own[SPACES_OP_ID_SIZE];
    size_t n;
    const char *id = spaces_event_op_id(op, index, own, &n);

    open_spaces_event(w, list, type);
    put_op_id(w, id, n);
    json_member_str(w, "operationType", spaces_type_name(op->type));
}

void
spaces_event_approval(struct buf *list, const struct spaces_op *op,
                      size_t index, const char *reason, const char *rule)
{
    struct json_writer w;

    open_policy_event(&w, list, "approvalRequired", op, index);
    json_member_str(&w, "reason", reason);
    json_key(&w, "details");
    json_open_object(&w);
    if (op->type == SPACES_SHELL)
        json_member_str(&w, "command", op->command);
    if (op->type == SPACES_SHELL && op->path)
        json_member_str(&w, "cwd", op->path);
    if (op->type != SPACES_SHELL)
        json_member_str(&w, "path", op->path);
    json_member_str(&w, "policy", rule);
    json_close_object(&w);
    json_close_object(&w);
}

void
spaces_event_denied(struct buf *list, const struct spaces_op *op, size_t index,
                    const char *reason, const char *suggestion)
{
    struct json_writer w;

    open_policy_event(&w, list, "policyDenied", op, index);
    json_member_str(&w, "reason", reason);
    if (suggestion)
        json_member_str(&w, "suggestion", suggestion);
    json_close_object(&w);
}

void
spaces_event_error(struct buf *list, const struct spaces_op *op,
                   const char *category, const char *message)
{
    struct json_writer w;

    open_spaces_event(&w, list, "error");
    if (op)
        put_op_id(&w, op->id, op->id_len);
    json_member_str(&w, "category", category);
    json_member_str(&w, "message", message);
    if (op) {
        json_key(&w, "details");
        json_open_object(&w);
        json_member_str(&w, "operationType", spaces_type_name(op->type));
        json_close_object(&w);
    }
    json_close_object(&w);
}

void
spaces_event_begin_message(struct buf *out, const char *run, const char *status)
{
    struct json_writer w;

    json_write_init(&w, out);
    json_open_object(&w);
    json_member_str(&w, "protocolVersion", SPACES_VERSION);
    json_member_str(&w, "runId", run);
    json_member_str(&w, "status", status);
    json_key(&w, "events");
    json_open_array(&w);
}
