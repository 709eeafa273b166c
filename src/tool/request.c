/* SPDX-License-Identifier: GPL-3.0-or-later */
/* request.c - what a plugin is asked, checked and written. */
#include "tool/request.h"

#include "json/write.h"

static int
check_args(const struct manifest_action *a, const struct json *args,
           struct err *e)
{
    CLEANUP(json_free_p) struct json *none = NULL;

    if (!args && !(args = none = json_parse("{}", 2, 0, e)))
        return -1;
    if (json_type(args) != JSON_OBJECT)
        return err_set(e, ERR_INVALID, "must be an object");
    if (!a->args_check)
        return 0;
    return json_schema_check(a->args_check, args, 0, e);
}

const struct manifest_action *
request_check(const struct tool *t, const struct tool_request *rq,
              struct err *e)
{
    const struct manifest_action *a = t->manifest ? manifest_action(t->manifest,
                                                                    rq->action)
                                                  : NULL;

    if (!a) {
        err_set(e, ERR_INVALID, "%s has no action '%.64s'", t->name,
                rq->action);
        return NULL;
    }
    if (check_args(a, rq->args, e) < 0) {
        err_wrap(e, "%s %s: args", t->name, rq->action);
        return NULL;
    }
    return a;
}

int64_t
request_limit(const struct tool *t, const struct tool_request *rq,
              const struct tool_setting *s)
{
    const int64_t limits[] = {t->manifest->needs.time_limit_ms,
                              s->sandbox->limit_ms};
    int64_t least = rq->timeout_ms;

    for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++) {
        if (limits[i] > 0 && (least < 0 || limits[i] < least))
            least = limits[i];
    }
    return least;
}

static void
put_list(struct json_writer *w, const char *name, const char *const *list)
{
    json_key(w, name);
    json_open_array(w);
    for (; list && *list; list++)
        json_put_str(w, *list);
    json_close_array(w);
}

static void
put_args(struct json_writer *w, const struct json *args)
{
    json_key(w, "args");
    if (args) {
        json_put_value(w, args);
        return;
    }
    json_open_object(w);
    json_close_object(w);
}

void
request_write(struct buf *out, const struct tool *t,
              const struct tool_request *rq, const struct tool_setting *s,
              int64_t id, int64_t limit_ms)
{
    struct json_writer w;

    json_write_init(&w, out);
    json_open_object(&w);
    json_member_int(&w, "id", id);
    json_member_str(&w, "tool", t->name);
    json_member_str(&w, "action", rq->action);
    put_args(&w, rq->args);
    if (rq->step_id)
        json_member_str(&w, "step_id", rq->step_id);
    json_member_bool(&w, "stream", rq->stream);
    if (limit_ms >= 0)
        json_member_int(&w, "timeout_ms", limit_ms);
    if (s->argv)
        put_list(&w, "argv", s->argv);
    if (s->input) {
        json_key(&w, "input");
        json_put_strn(&w, s->input->p, s->input->len);
    }
    json_key(&w, "roots");
    json_open_object(&w);
    put_list(&w, "read", s->read_roots);
    put_list(&w, "write", s->write_roots);
    json_close_object(&w);
    json_close_object(&w);
}
