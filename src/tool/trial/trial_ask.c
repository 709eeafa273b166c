/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trial_ask.c - one request of a trial, and the answer in its right form. */
#include <string.h>

#include "base/clock.h"
#include "base/utf8.h"
#include "tool/request.h"
#include "tool/trial/trial_in.h"
#include "json/write.h"

#define GRACE_MS   1000 /* past the limit that the request names */
#define SURPLUS_MS 20   /* for a second line that no one asked for */
#define LOG_SHOWN  300  /* bytes of its log */
#define SHOWN      60   /* bytes of a line, in a message */

void
trial_reply_done(struct trial_reply *r)
{
    if (!r)
        return;
    response_done(&r->response);
}

void
trial_write(struct trial *t, const struct trial_request *rq, struct buf *out)
{
    const struct sandbox_spec *s = &t->site.spec;
    struct json_writer w;

    json_write_init(&w, out);
    json_open_object(&w);
    json_member_int(&w, "id", ++t->id);
    json_member_str(&w, "tool", rq->tool ? rq->tool : t->manifest->name);
    json_member_str(&w, "action", rq->action ? rq->action : "no-such-action");
    json_key(&w, "args");
    json_put_raw(&w, rq->args, strlen(rq->args));
    json_member_str(&w, "step_id", "trial");
    json_member_bool(&w, "stream", rq->stream);
    json_member_int(&w, "timeout_ms", t->limit_ms);
    json_key(&w, "roots");
    json_open_object(&w);
    json_key(&w, "read");
    json_open_array(&w);
    json_put_str(&w, s->sees_all ? "/" : t->scratch);
    json_close_array(&w);
    json_key(&w, "write");
    json_open_array(&w);
    for (size_t i = 0; s->writable[i]; i++)
        json_put_str(&w, s->writable[i]);
    json_close_array(&w);
    json_close_object(&w);
    json_close_object(&w);
}

int
trial_begin(struct trial *t, struct err *e)
{
    const struct tool_setting set = {.sandbox = &t->site.spec,
                                     .config = t->wish->config};

    if (!t->chat)
        t->chat = chat_new(t->wish->loop, &t->tool, &set, e);
    return t->chat ? 0 : -1;
}

/* The end of its log in one line. */
static void
tell_log(struct trial *t)
{
    CLEANUP_BUF struct buf text = buf_of(LOG_SHOWN * 4);
    const char *log = chat_log(t->chat);
    size_t n = strlen(log);

    while (n > 0 && log[n - 1] == '\n')
        n--;
    if (n > LOG_SHOWN) {
        size_t from = utf8_boundary(log, n, n - LOG_SHOWN);

        buf_str(&text, "...");
        log += from;
        n -= from;
    }
    for (size_t i = 0; i < n; i++)
        buf_str(&text, log[i] == '\n' ? " / " : (char[]){log[i], '\0'});
    if (n > 0)
        trial_tell(t, TRIAL_NOTE, "its log", text.p);
}

/* Each call once: what it does at each request would be told at each. */
static void
tell_refused(struct trial *t)
{
    CLEANUP(denials_done) struct denials r = {0};

    chat_refused(t->chat, &r);
    for (size_t i = 0; i < r.n; i++) {
        char word[64];

        snprintf(word, sizeof(word), "%.60s;", r.names[i]);
        if (strstr(t->refused.p, word))
            continue;
        buf_str(&t->refused, word);
        trial_tell(t, TRIAL_NOTE,
                   "the sandbox blocked what its manifest does not name",
                   r.names[i]);
    }
}

void
trial_end(struct trial *t)
{
    if (!t->chat)
        return;
    tell_log(t);
    tell_refused(t);
    chat_free(t->chat);
    t->chat = NULL;
}

/* Nothing is run for it: as where nobody says yes. */
static int
refuse_need(struct trial *t, struct err *e)
{
    static const char no[] = "{\"exit_code\":-1,\"stdout\":\"\",\"stderr\":"
                             "\"this is a trial: nothing is run\","
                             "\"error_code\":\"PERMISSION_DENIED\"}";

    return chat_send(t->chat, no, sizeof(no) - 1, false, e);
}

static int
check_answer(const struct trial *t, const struct manifest_action *a,
             const struct response *r, int64_t id, struct err *e)
{
    if (r->has_id && r->id != id)
        return err_set(e, ERR_PEER, "it has another id: %lld instead of %lld",
                       (long long)r->id, (long long)id);
    if (!r->has_id && t->manifest->persistent)
        return err_set(e, ERR_PEER,
                       "a persistent plugin's response without id");
    if (a && a->meta_check && r->result.ok &&
        json_schema_check(a->meta_check, r->result.meta, 0, e) < 0) {
        e->code = ERR_PEER;
        return err_wrap(e, "meta does not match its schema");
    }
    return 0;
}

/* Puts the answer into words. */
static void
describe(struct trial_reply *r)
{
    const struct tool_result *a = &r->response.result;

    if (!a->out)
        return;
    if (a->ok)
        snprintf(r->came, sizeof(r->came), "ok: true");
    else
        snprintf(r->came, sizeof(r->came), "%s: %.*s", a->error_code, SHOWN * 2,
                 a->err);
}

/* A line that is no response is shown as it came. */
static int
take_line(const char *line, size_t n, struct response *out, struct err *e)
{
    if (response_parse(line, n, out, e) == 0)
        return 0;
    response_done(out);
    return err_wrap(e, "%.*s%s", (int)(n < SHOWN ? n : SHOWN), line,
                    n < SHOWN ? "" : "...");
}

/* One line after the other, until the answer. */
static int
listen(struct trial *t, bool stream, struct trial_reply *r, struct err *e)
{
    int64_t until = clock_ms() + t->limit_ms + GRACE_MS;

    for (;;) {
        int64_t left = until - clock_ms();
        size_t n;
        const char *line = chat_hear(t->chat, left > 0 ? left : 0,
                                     t->wish->stop, &n, e);

        if (!line)
            return -1;
        response_done(&r->response);
        if (take_line(line, n, &r->response, e) < 0)
            return -1;
        if (r->response.kind == RESPONSE_ANSWER)
            return 0;
        if (r->response.kind == RESPONSE_NEED && refuse_need(t, e) < 0)
            return -1;
        if (r->response.kind == RESPONSE_OUTPUT && !stream)
            return err_set(e, ERR_PEER, "an unrequested output event");
        r->outputs += r->response.kind == RESPONSE_OUTPUT;
    }
}

/* One process, one answer: its input ends, and it has nothing more to say. */
static int
check_end(struct trial *t, struct err *e)
{
    size_t n;
    const char *line;
    struct err why = {0};

    if (!t->manifest->persistent)
        chat_end_input(t->chat);
    line = chat_hear(t->chat, SURPLUS_MS, t->wish->stop, &n, &why);
    if (line)
        return err_set(e, ERR_PEER, "it continued after its response: %.*s",
                       (int)(n < SHOWN ? n : SHOWN), line);
    if (t->manifest->persistent && why.code != ERR_TIMEOUT)
        return err_set(e, ERR_PEER, "it exited after its response: %.180s",
                       why.text);
    return 0;
}

static int
await(struct trial *t, bool stream, const struct manifest_action *a, int64_t id,
      bool is_last, struct trial_reply *r, struct err *e)
{
    int64_t from = clock_ms();

    if (listen(t, stream, r, e) < 0)
        return -1;
    r->ms = clock_ms() - from;
    describe(r);
    if (check_answer(t, a, &r->response, id, e) < 0)
        return -1;
    return is_last ? check_end(t, e) : 0;
}

/* What is wrong ends the process. What hangs would hang again, and one that
 * has never answered will not answer now. */
static int
finish(struct trial *t, int rc, struct err *e)
{
    if (rc == 0) {
        t->answered = true;
        if (!t->manifest->persistent)
            trial_end(t);
        return 0;
    }
    t->hopeless = t->hopeless || !t->answered || e->code == ERR_TIMEOUT ||
                  e->code == ERR_INTERRUPTED || e->code == ERR_SANDBOX;
    trial_end(t);
    return -1;
}

int
trial_ask(struct trial *t, const struct buf *line, bool stream,
          const struct manifest_action *action, struct trial_reply *r,
          struct err *e)
{
    int rc = 0;

    *r = (struct trial_reply){0};
    if (trial_begin(t, e) < 0 ||
        chat_send(t->chat, line->p, line->len, false, e) < 0)
        rc = -1;
    else
        rc = await(t, stream, action, t->id, true, r, e);
    return finish(t, rc, e);
}

int
trial_ask_stray(struct trial *t, const struct buf *line, struct trial_reply *r,
                struct err *e)
{
    int rc = 0;

    *r = (struct trial_reply){0};
    if (trial_begin(t, e) < 0 ||
        chat_send(t->chat, line->p, line->len, false, e) < 0 ||
        listen(t, false, r, e) < 0)
        rc = -1;
    else
        rc = check_end(t, e);
    describe(r);
    return finish(t, rc, e);
}

int
trial_await(struct trial *t, int64_t id, struct trial_reply *r, struct err *e)
{
    *r = (struct trial_reply){0};
    return finish(t, await(t, false, NULL, id, id == t->id, r, e), e);
}
