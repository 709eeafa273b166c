/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tool_loop.c - makes the read-only tool calls of a model before it answers. */
#include "action/tool_loop.h"

#include <stdio.h>
#include <string.h>

#include "action/call_origin.h"
#include "action/callable_tools.h"
#include "base/clock.h"
#include "base/redact.h"
#include "base/sha256.h"
#include "base/utf8.h"
#include "base/worker.h"
#include "model/prompt/origin.h"
#include "model/prompt/prompt.h"
#include "term/escape.h"
#include "term/width.h"
#include "tool/call.h"
#include "json/write.h"

#define RAW_MAX        (8u << 20) /* a tool's output, valid and redacted */
#define MARKED_MAX     (TOOL_LOOP_RESULT_MAX + 4096u) /* with the marks */
#define LINE_MAX_BYTES 200
#define REVIEW_COLUMNS 60    /* of a call in a review */
#define CALL_MS        30000 /* of one call, the usual limit of tools */
#define REASON         1024
#define TEXT_MAX       (4u << 20) /* both streams of a tool, and its meta */
#define NAMES_MAX      800

/* The result of an earlier call, for an equal one. */
struct earlier_result {
    char key[SHA256_HEX_SIZE]; /* of its name and arguments */
    char *text, *outside;
    bool failed;
};

/* How often a call was made, whatever came of it. */
struct call_count {
    char key[SHA256_HEX_SIZE];
    unsigned times;
};

#define COUNTS_MAX ((size_t)TOOL_LOOP_ROUNDS_MAX * MODEL_TOOL_CALLS_MAX)

static const char same_note[] =
    "This is the same call again, with the same arguments: no more tools are "
    "offered. Answer now, with what you have.\n";

struct tool_loop {
    struct loop *loop;
    struct tool_loop_setting set;
    struct path_context where;
    struct callable_tools declared;
    struct earlier_result earlier[COUNTS_MAX];
    size_t n_earlier;
    struct call_count counts[COUNTS_MAX];
    size_t n_counts;
    bool circling; /* a call was made TOOL_LOOP_SAME_MAX times */
    size_t bytes;  /* bytes of results so far */
    int64_t ms;    /* of all calls so far */

    /* the calls of the model's answer */
    const struct model_tool_call *tool_calls;
    size_t n_tool_calls, at;
    const struct tool_loop_events *ev;
    void *arg;
    struct watch *soon; /* continues from the loop, not from a callback */
    struct tool_pool *pool;
    struct secret_tree secrets; /* not readable by the calls of one answer */

    /* the call that is checked or runs */
    const struct callable_tool *tool; /* NULL: none that is declared */
    struct json *args;                /* owned; NULL: no object */
    char key[SHA256_HEX_SIZE];        /* of its name and arguments */
    unsigned times;                   /* that it was made, with this time */
    struct permit permit;
    struct worker *worker; /* judges it; NULL: nothing is judged now */
    atomic_bool unwanted;  /* its work */
    int judge_rc;          /* of its work, with the reason */
    struct err judge_why;
    struct tool_call *call;
    int64_t began_ms;
    size_t wrote;     /* bytes */
    int64_t limit_ms; /* the time limit of the call */
    bool timed_out;
    const char *malformed; /* why the call is invalid; NULL: it is not */
};

static void
write_name(const struct tool_loop *tl, struct buf *out)
{
    const struct callable_tool *o = tl->tool;

    buf_str(out, o ? o->tool->name : tl->tool_calls[tl->at].name);
    if (o && o->tool->manifest->n_actions > 1)
        buf_printf(out, " %s", o->action->name);
    if (json_first(tl->args))
        buf_ch(out, ' ');
}

/* Writes the arguments: a single text as it is, else JSON. */
static void
write_args(const struct tool_loop *tl, struct buf *out)
{
    const struct json *first = json_first(tl->args);
    const char *text = json_str(first, NULL);
    struct json_writer w;

    if (!first)
        return;
    if (text && json_count(tl->args) == 1) {
        buf_str(out, text);
        return;
    }
    json_write_init(&w, out);
    json_put_value(&w, tl->args);
}

/* The call in one line for the person, cut where it is long. */
static char *
call_line(const struct tool_loop *tl)
{
    CLEANUP_BUF struct buf line = buf_of(MODEL_ARGS_MAX * 2);

    write_name(tl, &line);
    write_args(tl, &line);
    if (line.len > LINE_MAX_BYTES)
        buf_cut(&line, utf8_boundary(line.p, line.len, LINE_MAX_BYTES));
    line.bad = false;
    return buf_take(&line);
}

/* Notes the call as outside text, for a review. The review breaks lines at
 * blanks, and no part of a name may look like a line of its own: blanks are
 * escaped. */
static void
name_outside(struct tool_loop *tl, struct origin *o)
{
    CLEANUP_BUF struct buf args = buf_of(MODEL_ARGS_MAX * 2);
    CLEANUP_BUF struct buf line = buf_of(MODEL_ARGS_MAX * 8);
    CLEANUP_BUF struct buf shown = buf_of(sizeof(o->outside) - 1);

    if (!call_is_outside(tl->tool, tl->args))
        return;
    write_args(tl, &args);
    write_name(tl, &line);
    for (const char *p = args.p; args.len && *p; p++) {
        size_t n = strcspn(p, " ");

        escape_text(&line, NULL, p, n, ESCAPE_LINES);
        p += n;
        if (!*p)
            break;
        buf_str(&line, "\\x20");
    }
    (void)width_truncate(&shown, line.p, line.len, REVIEW_COLUMNS, "…");
    origin_note(o, shown.len ? shown.p : tl->tool->tool->name);
}

static void
keep_result(struct tool_loop *tl, const char *text, const char *outside,
            bool failed)
{
    struct earlier_result *earlier = &tl->earlier[tl->n_earlier];

    if (!tl->key[0] ||
        tl->n_earlier == sizeof(tl->earlier) / sizeof(tl->earlier[0]))
        return;
    earlier->text = strdup(text);
    earlier->outside = outside ? strdup(outside) : NULL;
    if (!earlier->text || (outside && !earlier->outside)) {
        free(earlier->text);
        free(earlier->outside);
        return;
    }
    memcpy(earlier->key, tl->key, sizeof(earlier->key));
    earlier->failed = failed;
    tl->n_earlier++;
}

static void
call_done(struct tool_loop *tl)
{
    tl->unwanted = true;
    worker_free(tl->worker);
    tl->worker = NULL;
    permit_done(&tl->permit);
    tl->permit = (struct permit){0};
    tool_call_free(tl->call);
    tl->call = NULL;
    json_free(tl->args);
    tl->args = NULL;
    tl->tool = NULL;
}

static void
go_on_soon(struct tool_loop *tl)
{
    watch_again(tl->soon, 0);
}

/* Ends the call: its result goes to the model, the person and the journal. */
static void
report_result(struct tool_loop *tl, const struct tool_loop_call *c,
              const char *earlier)
{
    const struct model_tool_call *w = &tl->tool_calls[tl->at++];
    CLEANUP_BUF struct buf text = buf_of(sizeof(same_note) + strlen(earlier));

    if (tl->times >= TOOL_LOOP_SAME_MAX)
        buf_str(&text, same_note);
    buf_str(&text, earlier);
    tl->bytes += text.len;
    tl->ev->ended(tl->arg, w, c, text.p);
    if (!tl->tool_calls)
        return; /* the callback stopped the calls */
    call_done(tl);
    go_on_soon(tl);
}

static struct tool_loop_call
describe_call(const struct tool_loop *tl, const char *line)
{
    struct tool_loop_call c = {.line = line ? line : "", .args = tl->args};

    if (tl->tool) {
        c.tool = tl->tool->tool->name;
        c.action = tl->tool->action->name;
    }
    return c;
}

/* The part of the output that is sent: valid UTF-8, redacted, and no longer
 * than there is room for. */
static void
cut_result(const struct tool_loop *tl, const char *text, size_t n,
           struct buf *out)
{
    CLEANUP_BUF struct buf valid = buf_of(RAW_MAX);
    CLEANUP_BUF struct buf clean = buf_of(RAW_MAX);
    size_t left = tl->bytes < TOOL_LOOP_BYTES_MAX
                      ? TOOL_LOOP_BYTES_MAX - tl->bytes
                      : 0;
    size_t room = left < TOOL_LOOP_RESULT_MAX ? left : TOOL_LOOP_RESULT_MAX;

    utf8_repair(&valid, text, n);
    redact(valid.p, valid.len, &clean);
    if (clean.len <= room) {
        buf_add(out, clean.p, clean.len);
        return;
    }
    buf_add(out, clean.p, utf8_boundary(clean.p, clean.len, room));
    buf_printf(out, "\n[cut: %zu of %zu bytes]\n", out->len, clean.len);
}

/* Ends call `at` with the output of the tool (raw), or with a text of ours. */
static void
finish_call(struct tool_loop *tl, const char *text, size_t n, bool raw,
            bool failed)
{
    CLEANUP(free_p) char *line = call_line(tl);
    CLEANUP_BUF struct buf cut = buf_of(MARKED_MAX);
    CLEANUP_BUF struct buf earlier = buf_of(2 * MARKED_MAX);
    struct tool_loop_call c = describe_call(tl, line);
    struct origin origin = {0};

    if (raw) {
        cut_result(tl, text, n, &cut);
        prompt_data(PROMPT_RESULT, cut.p, cut.len, &earlier);
    } else { /* our own text, which may quote the model */
        utf8_repair(&cut, text, n);
        buf_add(&earlier, cut.p, cut.len);
    }
    c.ran = raw;
    c.malformed = tl->malformed != NULL;
    c.why = tl->malformed;
    c.failed = failed;
    c.limit_ms = tl->timed_out ? tl->limit_ms : 0;
    c.text = cut.p;
    c.len = cut.len;
    c.bytes = raw ? tl->wrote : 0;
    c.ms = raw ? clock_ms() - tl->began_ms : 0;
    if (raw) {
        name_outside(tl, &origin);
        c.outside = origin_outside(&origin);
        keep_result(tl, earlier.p, c.outside, failed);
    }
    report_result(tl, &c, earlier.p);
}

static void refuse_call(struct tool_loop *tl, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Ends the call without making it, and says why. */
static void
refuse_call(struct tool_loop *tl, const char *fmt, ...)
{
    char text[REASON];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(text, sizeof(text), fmt, ap);
    va_end(ap);
    finish_call(tl, text, strlen(text), false, true);
}

static void
refuse_name(struct tool_loop *tl, const char *name)
{
    CLEANUP_BUF struct buf names = buf_of(NAMES_MAX);

    tl->malformed = "not offered";
    for (size_t i = 0; i < tl->declared.n; i++)
        buf_printf(&names, "%s%s", i ? ", " : "", tl->declared.all[i].name);
    refuse_call(tl, "unknown tool \"%.64s\"; available: %.800s", name, names.p);
}

static void
refuse_args(struct tool_loop *tl, const char *what, const struct err *why)
{
    tl->malformed = what;
    refuse_call(tl, "the %s: %s", what, why->text);
}

static void
repeat_result(struct tool_loop *tl, const struct earlier_result *before)
{
    CLEANUP(free_p) char *line = call_line(tl);
    CLEANUP(free_p) char *earlier = strdup(before->text);
    struct tool_loop_call c = describe_call(tl, line);

    c.again = true;
    c.failed = before->failed;
    c.outside = before->outside;
    c.text = "";
    report_result(tl, &c, earlier ? earlier : "");
}

/* Answers a call that equals an earlier one, without making it. */
static bool
repeat_earlier(struct tool_loop *tl)
{
    for (size_t i = 0; i < tl->n_earlier; i++) {
        const struct earlier_result *earlier = &tl->earlier[i];

        if (strcmp(earlier->key, tl->key) == 0) {
            repeat_result(tl, earlier);
            return true;
        }
    }
    return false;
}

/* Reports that call `at` has started. */
static void
report_start(const struct tool_loop *tl)
{
    CLEANUP(free_p) char *line = call_line(tl);

    if (line && tl->ev->started)
        tl->ev->started(tl->arg, line);
}

/* Adds the members of meta that a model can use; the duration is not one. */
static void
add_meta(struct buf *out, const struct json *meta)
{
    struct json_writer w;
    bool any = false;

    json_write_init(&w, out);
    for (const struct json *v = json_first(meta); v; v = json_next(v)) {
        if (strcmp(json_name(v, NULL), "duration_ms") == 0)
            continue;
        if (!any)
            buf_str(out, "meta: ");
        if (!any)
            json_open_object(&w);
        any = true;
        json_key(&w, json_name(v, NULL));
        json_put_value(&w, v);
    }
    if (any)
        json_close_object(&w);
}

static void
add_stream(struct buf *out, const char *label, const char *p, size_t n)
{
    if (n == 0)
        return;
    buf_str(out, label);
    buf_add(out, p, n);
    if (p[n - 1] != '\n')
        buf_ch(out, '\n');
}

/* Ends the call with the text that the model gets. */
static void
end_call(struct tool_loop *tl, const struct buf *text, size_t wrote,
         bool failed)
{
    tl->ms += clock_ms() - tl->began_ms;
    tl->wrote = wrote;
    tool_call_free(tl->call);
    tl->call = NULL;
    finish_call(tl, text->p, text->len, true, failed);
}

static void
on_done(void *arg, const struct tool_result *r)
{
    struct tool_loop *tl = arg;
    const char *timeout = err_tool_code(ERR_TIMEOUT);
    CLEANUP_BUF struct buf text = buf_of(TEXT_MAX);

    if (r->error_code)
        buf_printf(&text, "error: %s\n", r->error_code);
    tl->timed_out = r->error_code && strcmp(r->error_code, timeout) == 0;
    add_stream(&text, "", r->out, r->out_len);
    add_stream(&text, "stderr: ", r->err, r->err_len);
    add_meta(&text, r->meta);
    end_call(tl, &text, r->out_len ? r->out_len : text.len, !r->ok);
}

static void
on_failed(void *arg, const struct err *why)
{
    struct tool_loop *tl = arg;
    CLEANUP_BUF struct buf text = buf_of(REASON);

    buf_printf(&text, "error: %s: %s\n", err_tool_code(why->code), why->text);
    tl->timed_out = why->code == ERR_TIMEOUT;
    end_call(tl, &text, 0, true);
}

static int
start_call(struct tool_loop *tl, const struct permit *p, struct err *e)
{
    static const struct tool_events events = {.done = on_done,
                                              .failed = on_failed};
    int64_t left = TOOL_LOOP_MS_MAX - tl->ms;
    const struct tool_request rq = {
        .action = tl->tool->action->name,
        .args = tl->args,
        .timeout_ms = left < CALL_MS ? left : CALL_MS,
    };
    struct tool_invocation in = {.confine = {.tool = tl->tool->tool,
                                             .seat = tl->set.seat,
                                             .permit = p,
                                             .config = tl->set.config,
                                             .pool = tl->pool,
                                             .roots = CONFINEMENT_ROOTS_READ},
                                 .where = &tl->where,
                                 .files = tl->set.files};

    in.confine.closed = tl->secrets.paths;
    tl->began_ms = clock_ms();
    tl->call = tool_invoke(tl->loop, &in, &rq, &events, tl, e);
    if (!tl->call)
        return -1;
    tl->limit_ms = tool_call_limit(tl->call);
    return 0;
}

/* Judges the call, and finds what it must not read. */
static int
judge_tool_call(struct tool_loop *tl, struct err *e)
{
    const struct callable_tool *o = tl->tool;
    char workspace[PATH_MAX];
    const char *dir = guard_workspace(&tl->where, workspace);

    if (permit_judge(tl->set.policy, o->tool, o->action->name, tl->args,
                     &tl->where, &tl->permit, e) < 0)
        return -1;
    return tl->permit.decision == GUARD_ALLOW && dir
               ? secret_tree_find(&tl->secrets, dir, tl->where.named,
                                  tl->set.seat, e)
               : 0;
}

static void
start_judged(struct tool_loop *tl, int rc, struct err *e)
{
    const struct permit *p = &tl->permit;

    if (rc < 0)
        refuse_call(tl, "%s", e->text);
    else if (p->decision != GUARD_ALLOW)
        refuse_call(tl, "refused: %s",
                    p->reason[0] ? p->reason : "denied by the rules");
    else if (start_call(tl, p, e) < 0)
        refuse_call(tl, "error: %s: %s", err_tool_code(e->code), e->text);
    else
        report_start(tl);
}

static void
work_on_call(void *arg)
{
    struct tool_loop *tl = arg;

    tl->judge_rc = judge_tool_call(tl, &tl->judge_why);
}

static void
on_call_judged(void *arg)
{
    struct tool_loop *tl = arg;

    worker_free(tl->worker);
    tl->worker = NULL;
    start_judged(tl, tl->judge_rc, &tl->judge_why);
}

static void
judge_and_start(struct tool_loop *tl)
{
    struct err e = {0};

    permit_done(&tl->permit);
    tl->permit = (struct permit){0};
    tl->unwanted = false;
    if (tl->set.aside)
        tl->worker = worker_start(tl->loop, work_on_call, on_call_judged, tl,
                                  NULL);
    if (!tl->worker) /* without a thread it is done here */
        start_judged(tl, judge_tool_call(tl, &e), &e);
}

static struct json *
read_args(const struct model_tool_call *w, struct err *e)
{
    bool none = strspn(w->args, " \t\r\n") == w->args_len;

    return none ? json_parse("{}", 2, 0, e)
                : json_parse(w->args, w->args_len, JSON_UNIQUE, e);
}

/* Of a tool that was declared without arguments, those that do not fit are
 * noise, and are dropped. */
static int
fit_args(struct tool_loop *tl, struct err *e)
{
    const struct callable_tool *o = tl->tool;

    if (!o->action->args_check ||
        json_schema_check(o->action->args_check, tl->args,
                          JSON_SCHEMA_NULL_ABSENT, e) == 0)
        return 0;
    if (!o->takes_nothing)
        return -1;
    json_free(tl->args);
    tl->args = json_parse("{}", 2, 0, e);
    return tl->args ? 0 : -1;
}

/* Makes the key of the call, and counts how often it was made. */
static void
count_call(struct tool_loop *tl, const struct model_tool_call *w)
{
    CLEANUP_BUF struct buf text = buf_of(2u * MODEL_ARGS_MAX + REASON);
    struct json_writer writer;
    size_t i = 0;

    buf_printf(&text, "%s ", w->name);
    json_write_init(&writer, &text);
    if (tl->args)
        json_put_canonical(&writer, tl->args);
    else
        buf_add(&text, w->args, w->args_len);
    tl->times = 1;
    tl->key[0] = '\0';
    if (text.bad)
        return;
    sha256_hex(text.p, text.len, tl->key);
    while (i < tl->n_counts && strcmp(tl->counts[i].key, tl->key) != 0)
        i++;
    if (i == COUNTS_MAX)
        return;
    if (i == tl->n_counts)
        memcpy(tl->counts[tl->n_counts++].key, tl->key, sizeof(tl->key));
    tl->times = ++tl->counts[i].times;
    tl->circling |= tl->times >= TOOL_LOOP_SAME_MAX;
}

/* Checks, judges and starts call `at`. A call that cannot be made ends at
 * once. */
static void
make_call(struct tool_loop *tl)
{
    const struct model_tool_call *w = &tl->tool_calls[tl->at];
    struct err e = {0};
    bool fits;

    tl->tool = callable_tools_find(&tl->declared, w->name);
    tl->args = read_args(w, &e);
    tl->malformed = NULL;
    fits = tl->tool && tl->args && fit_args(tl, &e) == 0;
    count_call(tl, w);
    tl->timed_out = false;
    if (!tl->tool)
        refuse_name(tl, w->name);
    else if (!tl->args)
        refuse_args(tl, "arguments are not valid JSON", &e);
    else if (!fits)
        refuse_args(tl, "invalid arguments", &e);
    else if (tl->bytes >= TOOL_LOOP_BYTES_MAX || tl->ms >= TOOL_LOOP_MS_MAX)
        refuse_call(tl, "no more tool calls: answer with what you have");
    else if (!repeat_earlier(tl))
        judge_and_start(tl);
}

static void
next_call(void *arg, unsigned events)
{
    struct tool_loop *tl = arg;

    (void)events;
    if (!tl->tool_calls)
        return;
    if (tl->at < tl->n_tool_calls) {
        make_call(tl);
        return;
    }
    tl->tool_calls = NULL;
    tl->ev->done(tl->arg);
}

struct tool_loop *
tool_loop_new(struct loop *l, const struct tool_loop_setting *s, struct err *e)
{
    CLEANUP(tool_loop_free_p) struct tool_loop *tl = calloc(1, sizeof(*tl));

    if (!tl) {
        err_nomem(e);
        return NULL;
    }
    if (!seat_need_dir(s->seat, e))
        return NULL;
    tl->loop = l;
    tl->set = *s;
    tl->where = path_context_of(s->seat);
    tl->where.workspace = tl->where.cwd;
    tl->where.named = s->named;
    tl->where.unwanted = tl->secrets.unwanted = &tl->unwanted;
    tl->soon = loop_soon(l, next_call, tl, e);
    tl->pool = s->pool ? s->pool : tool_pool_new(l, e);
    if (!tl->soon || !tl->pool)
        return NULL;
    watch_stop(tl->soon);
    callable_tools_read(&tl->declared, s->registry, s->policy, &tl->where);
    return TAKE_PTR(tl);
}

void
tool_loop_free(struct tool_loop *tl)
{
    if (!tl)
        return;
    call_done(tl);
    watch_free(tl->soon);
    if (!tl->set.pool)
        tool_pool_free(tl->pool);
    secret_tree_done(&tl->secrets);
    for (size_t i = 0; i < tl->n_earlier; i++) {
        free(tl->earlier[i].text);
        free(tl->earlier[i].outside);
    }
    callable_tools_done(&tl->declared);
    free(tl);
}

const struct model_tool *
tool_loop_tools(const struct tool_loop *tl, size_t *n)
{
    bool spent = tl->circling || tl->bytes >= TOOL_LOOP_BYTES_MAX ||
                 tl->ms >= TOOL_LOOP_MS_MAX;

    *n = spent ? 0 : tl->declared.n;
    return tl->declared.tools;
}

int
tool_loop_start(struct tool_loop *tl, const struct model_tool_call *calls,
                size_t n, const struct tool_loop_events *ev, void *arg,
                struct err *e)
{
    if (tl->tool_calls)
        return err_set(e, ERR_INVALID, "a tool call is still running");
    tl->tool_calls = calls;
    tl->n_tool_calls = n;
    tl->at = 0;
    tl->ev = ev;
    tl->arg = arg;
    secret_tree_forget(&tl->secrets);
    go_on_soon(tl);
    return 0;
}

void
tool_loop_stop(struct tool_loop *tl)
{
    call_done(tl);
    tl->tool_calls = NULL;
    watch_stop(tl->soon);
}
