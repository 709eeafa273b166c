/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_json.c - reports a run to programs: -o json and -o jsonl. */
#include "ui/report_json.h"

#include <stdio.h>
#include <string.h>

#include "action/undo_files.h"
#include "action/undo_paths.h"
#include "ui/app.h"

#define REPORT_MAX   (256u << 20) /* bytes: 32 steps, each stream 64 KiB */
#define TEXT_MAX     (1u << 20)
#define SENTENCE_MAX 1024        /* bytes of a sentence */
#define META_MAX     (16u << 20) /* bytes: as a tool's response is bounded */

struct step_report {
    char lost[SENTENCE_MAX]; /* why its host did not run it to its end; "" */
    bool ran, truncated;
    int exit_code;
    int64_t duration_ms;
    struct buf out, err;
    struct buf meta;            /* of a tool, as JSON; "": none */
    char denied[SENTENCE_MAX];  /* which limit it met; "": none */
    char dropped[SENTENCE_MAX]; /* changes that were not kept; "" */
};

struct report_json {
    struct app *app;
    enum app_output kind;
    struct sender *queue; /* NULL: standard output itself */
    const struct aiaction *action;
    const struct conversation_usage *facts;
    const struct plan *plan;
    const struct host_list *hosts; /* NULL: the steps run here */
    struct step_report *steps;     /* on other hosts: each for each host */
    bool success, ended;
    int last_exit_code;               /* of the last step that ran; -1: none */
    const struct undo_files *undoing; /* NULL: it undoes no run */
};

static size_t
count_reports(const struct report_json *r)
{
    return r->action->n * (r->hosts ? r->hosts->n : 1);
}

/* The report of a step, on a host where the steps do not run here. */
static struct step_report *
report_of(const struct report_json *r, size_t step, const char *host)
{
    if (!r->hosts)
        return &r->steps[step];
    return &r->steps[step * r->hosts->n + host_list_index(r->hosts, host)];
}

static int
open_step_reports(struct report_json *r, struct err *e)
{
    size_t n = count_reports(r);

    r->steps = calloc(n + 1, sizeof(*r->steps));
    if (!r->steps)
        return err_nomem(e);
    for (size_t i = 0; i < n; i++) {
        buf_init(&r->steps[i].out, TEXT_MAX);
        buf_init(&r->steps[i].err, TEXT_MAX);
        buf_init(&r->steps[i].meta, META_MAX);
    }
    return 0;
}

static void
free_step_reports(struct report_json *r)
{
    for (size_t i = 0; r->steps && i < count_reports(r); i++) {
        buf_done(&r->steps[i].out);
        buf_done(&r->steps[i].err);
        buf_done(&r->steps[i].meta);
    }
    free(r->steps);
    r->steps = NULL;
}

struct report_json *
report_json_new(struct app *a, const struct aiaction *action,
                const struct conversation_usage *facts, struct err *e)
{
    CLEANUP(report_json_free_p) struct report_json *r = calloc(1, sizeof(*r));

    if (!r) {
        err_nomem(e);
        return NULL;
    }
    r->app = a;
    r->kind = a->output;
    r->action = action;
    r->facts = facts;
    r->last_exit_code = -1;
    return open_step_reports(r, e) < 0 ? NULL : TAKE_PTR(r);
}

void
report_json_undoing(struct report_json *r, const struct undo_files *f)
{
    r->undoing = f;
}

int
report_json_on(struct report_json *r, const struct host_list *hosts,
               struct err *e)
{
    free_step_reports(r);
    r->hosts = hosts;
    return open_step_reports(r, e);
}

void
report_json_free(struct report_json *r)
{
    if (!r)
        return;
    free_step_reports(r);
    free(r);
}

void
report_json_to(struct report_json *r, struct sender *o)
{
    r->queue = o;
}

static void
print_line(const struct report_json *r, struct buf *line)
{
    buf_ch(line, '\n');
    if (r->queue)
        sender_add(r->queue, line->p, line->len);
    else
        app_put_result(r->app, line);
}

static void
open_event(struct json_writer *w, struct buf *line, const char *name)
{
    json_write_init(w, line);
    json_open_object(w);
    json_member_str(w, "event", name);
}

void
report_json_plan(struct report_json *r, const struct plan *p)
{
    CLEANUP_BUF struct buf line = buf_of(REPORT_MAX);
    struct json_writer w;

    r->plan = p;
    if (r->kind != OUTPUT_JSONL)
        return;
    json_write_init(&w, &line);
    aiaction_put(&w, r->action);
    print_line(r, &line);
}

void
report_json_output(struct report_json *r, size_t step, const char *host,
                   const char *stream, const char *bytes, size_t n)
{
    CLEANUP_BUF struct buf line = buf_of(REPORT_MAX);
    struct json_writer w;

    if (r->kind != OUTPUT_JSONL)
        return;
    open_event(&w, &line, "output");
    json_member_str(&w, "step_id", r->action->steps[step].id);
    if (host)
        json_member_str(&w, "host", host);
    json_member_str(&w, "stream", stream);
    json_key(&w, "data");
    json_put_strn(&w, bytes, n);
    json_close_object(&w);
    print_line(r, &line);
}

static void
keep_meta(struct step_report *s, const struct json *meta)
{
    struct json_writer w;

    buf_clear(&s->meta);
    if (!meta)
        return;
    json_write_init(&w, &s->meta);
    json_put_value(&w, meta);
}

void
report_json_step(struct report_json *r, size_t step, const struct step_end *end)
{
    struct step_report *s = report_of(r, step, end->host);
    CLEANUP_BUF struct buf line = buf_of(REPORT_MAX);
    struct json_writer w;

    s->ran = true;
    s->exit_code = end->exit_code;
    if (!end->host)
        r->last_exit_code = end->exit_code;
    snprintf(s->lost, sizeof(s->lost), "%s", end->host ? end->lost : "");
    s->duration_ms = end->duration_ms;
    s->truncated = end->truncated;
    snprintf(s->denied, sizeof(s->denied), "%s", end->denied);
    snprintf(s->dropped, sizeof(s->dropped), "%s", end->dropped);
    buf_clear(&s->out);
    buf_clear(&s->err);
    buf_add(&s->out, end->out, end->out_len);
    buf_add(&s->err, end->err, end->err_len);
    keep_meta(s, end->meta);
    if (r->kind != OUTPUT_JSONL)
        return;
    open_event(&w, &line, "step_complete");
    json_member_str(&w, "step_id", r->action->steps[step].id);
    if (end->host)
        json_member_str(&w, "host", end->host);
    json_member_int(&w, "exit_code", end->exit_code);
    json_member_int(&w, "duration_ms", end->duration_ms);
    if (s->lost[0])
        json_member_str(&w, "error", s->lost);
    json_close_object(&w);
    print_line(r, &line);
}

static void
put_error_member(struct json_writer *w, const struct err *why)
{
    if (!why || why->code == ERR_NONE)
        return;
    json_key(w, "error");
    json_open_object(w);
    json_member_str(w, "code", err_tool_code(why->code));
    json_member_str(w, "message", why->text);
    json_close_object(w);
}

void
report_json_end(struct report_json *r, const struct plan_end *end)
{
    CLEANUP_BUF struct buf line = buf_of(REPORT_MAX);
    struct json_writer w;

    r->success = end->success;
    r->ended = true;
    if (r->kind != OUTPUT_JSONL)
        return;
    open_event(&w, &line, "plan_complete");
    json_member_bool(&w, "success", end->success);
    json_member_int(&w, "steps_executed", (int64_t)end->executed);
    json_member_int(&w, "total_duration_ms", end->duration_ms);
    put_error_member(&w, &end->why);
    json_close_object(&w);
    print_line(r, &line);
}

/* Writes the sandbox of the step, or of the tool that runs in its place. */
static void
put_step_confinement(struct json_writer *w, const struct step_verdict *v)
{
    const struct profile_choice *c = &v->found.profile;
    char *const *writable = v->tool ? v->permit.writable : c->writable;
    size_t n = v->tool ? v->permit.n_writable : c->n_writable;

    json_member_str(w, "profile", step_verdict_profile(v));
    json_member_bool(w, "network", step_verdict_network(v));
    json_key(w, "writable");
    json_open_array(w);
    for (size_t i = 0; i < n; i++)
        json_put_str(w, writable[i]);
    json_close_array(w);
}

/* How the step ended, here or on a host. */
static void
put_step_end(struct json_writer *w, const struct step_report *s)
{
    json_member_bool(w, "ran", s->ran);
    if (!s->ran)
        return;
    json_member_int(w, "exit_code", s->exit_code);
    json_member_int(w, "duration_ms", s->duration_ms);
    json_key(w, "stdout");
    json_put_strn(w, s->out.p, s->out.len);
    json_key(w, "stderr");
    json_put_strn(w, s->err.p, s->err.len);
    json_member_bool(w, "truncated", s->truncated);
    if (s->meta.len > 0) {
        json_key(w, "meta");
        json_put_raw(w, s->meta.p, s->meta.len);
    }
    if (s->denied[0])
        json_member_str(w, "blocked", s->denied);
    if (s->dropped[0])
        json_member_str(w, "dropped", s->dropped);
    if (s->lost[0])
        json_member_str(w, "error", s->lost);
}

static void
put_host_reports(struct json_writer *w, const struct report_json *r, size_t i)
{
    json_key(w, "hosts");
    json_open_array(w);
    for (size_t k = 0; k < r->hosts->n; k++) {
        json_open_object(w);
        json_member_str(w, "host", r->hosts->names[k]);
        put_step_end(w, &r->steps[i * r->hosts->n + k]);
        json_close_object(w);
    }
    json_close_array(w);
}

/* What a step of an undoing puts back. */
static void
put_restored_files(struct json_writer *w, const struct step *s,
                   const struct undo_files *f)
{
    json_key(w, "paths");
    json_open_array(w);
    for (size_t i = 0; i < s->restores.n; i++) {
        const struct undo_item *item = f->order[s->restores.from + i];

        json_open_object(w);
        json_member_str(w, "path", item->path);
        json_member_str(w, "undo", undo_files_act(item));
        json_member_str(w, "why", item->why);
        json_close_object(w);
    }
    json_close_array(w);
}

static void
put_left_one(struct json_writer *w, const char *what, const char *undo,
             const char *why)
{
    json_open_object(w);
    json_member_str(w, "what", what);
    json_member_str(w, "undo", undo);
    json_member_str(w, "why", why);
    json_close_object(w);
}

/* What an undoing leaves alone. */
static void
put_left_alone(struct json_writer *w, const struct undo_files *f)
{
    json_key(w, "left");
    json_open_array(w);
    for (size_t i = 0; i < f->n_left; i++)
        put_left_one(w, f->left[i].what, "left alone", f->left[i].why);
    for (size_t i = 0; i < f->plan.n; i++) {
        const struct undo_item *item = &f->plan.v[i];

        if (item->act >= UNDO_SINCE)
            put_left_one(w, item->path, undo_files_act(item), item->why);
    }
    json_close_array(w);
}

static void
put_step_report(struct json_writer *w, const struct report_json *r, size_t i)
{
    const struct step_verdict *v = r->plan ? plan_step_verdict(r->plan, i)
                                           : NULL;
    char undo[UNDO_TEXT_SIZE];

    json_open_object(w);
    aiaction_put_step(w, &r->action->steps[i]);
    if (v) {
        json_member_str(w, "decision", guard_decision_name(v->decision));
        json_member_str(w, "reason", v->reason);
        json_member_str(w, "rule", step_verdict_rule(v));
        json_member_bool(w, "destructive", v->destructive);
        json_member_bool(w, "privileged", v->privileged);
        put_step_confinement(w, v);
        undo_paths_describe(v, false, undo);
        json_member_str(w, "undo", undo);
        if (v->undoing)
            put_restored_files(w, &r->action->steps[i], v->undoing);
    }
    if (r->hosts)
        put_host_reports(w, r, i);
    else
        put_step_end(w, &r->steps[i]);
    json_close_object(w);
}

static void
put_count(struct json_writer *w, const char *name, int64_t n)
{
    if (n >= 0)
        json_member_int(w, name, n);
}

void
report_json_put_cost(struct json_writer *w, const struct cost *c)
{
    CLEANUP_BUF struct buf amount = buf_of(COST_TEXT_MAX);

    if (!c->known)
        return;
    cost_put_amount(&amount, c);
    json_key(w, "cost");
    json_put_raw(w, amount.p, amount.len);
    if (c->currency[0])
        json_member_str(w, "currency", c->currency);
}

void
report_json_put_reason(struct json_writer *w, const struct app *a)
{
    if (a->source)
        json_member_str(w, "source", a->source);
    if (a->source_reason[0])
        json_member_str(w, "source_reason", a->source_reason);
    if (a->offline_reason[0])
        json_member_str(w, "offline_reason", a->offline_reason);
}

static void
put_model_facts(struct json_writer *w, const struct conversation_usage *f)
{
    if (!f)
        return;
    json_member_str(w, "model", f->model);
    put_count(w, "tokens_in", f->tokens_in);
    put_count(w, "tokens_cached", f->tokens_cached);
    put_count(w, "tokens_cache_written", f->tokens_cache_written);
    put_count(w, "tokens_out", f->tokens_out);
    put_count(w, "tokens_reasoning", f->tokens_reasoning);
    report_json_put_cost(w, &f->cost);
    json_member_int(w, "model_ms", f->ms);
}

static void
write_report(const struct report_json *r, const struct err *why, int status,
             bool last, struct buf *line)
{
    struct json_writer w;
    char digest[SHA256_HEX_SIZE];

    json_write_init(&w, line);
    json_open_object(&w);
    json_member_str(&w, "kind", aiaction_kind_name(r->action->kind));
    json_member_str(&w, "summary", r->action->summary);
    json_key(&w, "steps");
    json_open_array(&w);
    for (size_t i = 0; i < r->action->n; i++)
        put_step_report(&w, r, i);
    json_close_array(&w);
    if (r->undoing)
        put_left_alone(&w, r->undoing);
    if (r->plan && plan_digest(r->plan, digest, NULL) == 0)
        json_member_str(&w, "sha256", digest);
    put_model_facts(&w, r->facts);
    report_json_put_reason(&w, r->app);
    if (r->ended)
        json_member_bool(&w, "success", r->success);
    if (r->last_exit_code >= 0)
        json_member_int(&w, "exit_code", r->last_exit_code);
    put_error_member(&w, why);
    if (last)
        app_put_prior_results(r->app, &w);
    json_member_int(&w, "exit_status", status);
    json_close_object(&w);
}

void
report_json_write(struct report_json *r, const struct err *why, int status)
{
    CLEANUP_BUF struct buf line = buf_of(REPORT_MAX);

    if (r->kind != OUTPUT_JSON)
        return;
    write_report(r, why, status, true, &line);
    print_line(r, &line);
}

void
report_json_keep(struct report_json *r, const struct err *why, int status)
{
    CLEANUP_BUF struct buf line = buf_of(REPORT_MAX);

    if (r->kind != OUTPUT_JSON)
        return;
    write_report(r, why, status, false, &line);
    app_report_prior_plan(r->app, line.p, line.len);
}
