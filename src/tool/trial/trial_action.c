/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trial_action.c - one action: what it must answer, and what it must refuse. */
#include <string.h>

#include "tool/trial/sample.h"
#include "tool/trial/trial_in.h"
#include "json/write.h"

#define ARGS_MAX  (2u << 20)
#define BIG_BYTES (1u << 20)
#define NAME_SIZE 200

/* An action under test. */
struct subject {
    struct trial *trial;
    const struct manifest_action *action;
    const char *args; /* that it takes */
    bool harmless;    /* it may be called with what it takes */
};

#define FORM_ADVICE                                                            \
    "write one line "                                                          \
    "{\"id\":…,\"ok\":…,\"stdout\":…,\"stderr\":…,\"meta\":{…}} "    \
    "and nothing else on standard output; log on standard error"

/* What to do about an answer that is none. */
static const char *
advice(const struct err *why)
{
    if (why->code == ERR_TIMEOUT)
        return "answer within the time limit, and flush the output";
    if (why->kind == ERR_KIND_READ_ONLY)
        return "its sandbox lets it write only where \"needs\" says under "
               "\"write\": add the path, or write in the workspace";
    if (why->kind == ERR_KIND_NO_START)
        return "check that it can be started: its first line, and the "
               "interpreter there";
    if (why->kind == ERR_KIND_ENDED)
        return "fix the errors in its log";
    return FORM_ADVICE;
}

/* Returns whether more of it is to be had: it was answered in form, and in
 * good time. */
static bool
answers(const struct subject *s, bool stream, const char *name)
{
    const struct trial_request rq = {
        .action = s->action->name, .args = s->args, .stream = stream};
    CLEANUP(trial_reply_done) struct trial_reply r = {0};
    CLEANUP_BUF struct buf line = buf_of(ARGS_MAX);
    struct err why = {0};
    char told[64];

    trial_write(s->trial, &rq, &line);
    if (trial_ask(s->trial, &line, stream, s->action, &r, &why) < 0) {
        trial_fault(s->trial, name, "a valid response", why.text, advice(&why));
        return false;
    }
    if (!r.response.result.ok &&
        strcmp(r.response.result.error_code, "TIMEOUT") == 0 &&
        s->trial->manifest->needs.time_limit_ms <= s->trial->limit_ms) {
        trial_fault(s->trial, name, "an answer within its time limit", r.came,
                    "find what blocks, or raise needs.time_limit_ms");
        return false;
    }
    if (r.response.result.ok)
        snprintf(told, sizeof(told), "%lld ms", (long long)r.ms);
    trial_tell(s->trial, TRIAL_OK, name, r.response.result.ok ? told : r.came);
    return true;
}

static void
must_answer(struct subject *s)
{
    char name[NAME_SIZE];

    snprintf(name, sizeof(name), "%s: answers a valid request",
             s->action->name);
    if (!s->harmless) {
        trial_tell(s->trial, TRIAL_SKIPPED, name,
                   "it changes things: --run-all");
        return;
    }
    if (!(s->harmless = answers(s, false, name)))
        return; /* the rest of it would take as long */
    snprintf(name, sizeof(name), "%s: answers a request with \"stream\": true",
             s->action->name);
    (void)answers(s, true, name);
}

/* What answer will do. */
enum demand {
    ANY_ANSWER,  /* in form */
    NOT_OK,      /* ok: false, whatever the code */
    INVALID_ARGS /* ok: false with that code */
};

static const char *const demands[] = {"an answer", "ok: false",
                                      "ok: false with INVALID_ARGS"};

struct bad_case {
    const char *what; /* it is given */
    const char *args;
    enum demand demand;
};

static bool
meets(const struct tool_result *a, enum demand d)
{
    return d == ANY_ANSWER ||
           (!a->ok &&
            (d == NOT_OK || strcmp(a->error_code, "INVALID_ARGS") == 0));
}

static void
try_case(const struct subject *s, const struct bad_case *c)
{
    const struct trial_request rq = {.action = s->action->name,
                                     .args = c->args};
    CLEANUP(trial_reply_done) struct trial_reply r = {0};
    CLEANUP_BUF struct buf line = buf_of(2 * ARGS_MAX);
    struct err why = {0};
    char name[NAME_SIZE];

    if (trial_is_over(s->trial))
        return;
    snprintf(name, sizeof(name), "%s: %s %s", s->action->name,
             c->demand == ANY_ANSWER ? "answers" : "refuses", c->what);
    trial_write(s->trial, &rq, &line);
    if (trial_ask(s->trial, &line, false, s->action, &r, &why) < 0)
        trial_fault(s->trial, name, demands[c->demand], why.text, FORM_ADVICE);
    else if (meets(&r.response.result, c->demand))
        trial_pass(s->trial, name);
    else
        trial_fault(s->trial, name, demands[c->demand], r.came,
                    "check the arguments before any work is done");
}

/* The schema's word counts: what it takes is only sent where that does no harm,
 * and may be answered in any way unless `least` asks for more. */
static void
try_args(const struct subject *s, const char *what, const char *args,
         enum demand least)
{
    bool refused = !sample_fits(s->action, args, NULL);
    const struct bad_case c = {
        .what = what, .args = args, .demand = refused ? INVALID_ARGS : least};

    if (refused || s->harmless)
        try_case(s, &c);
}

static bool
is_required(const struct subject *s, const char *name)
{
    const struct json *v = json_first(json_get(s->action->args, "required"));

    for (; v; v = json_next(v)) {
        const char *one = json_str(v, NULL);

        if (one && strcmp(one, name) == 0)
            return true;
    }
    return false;
}

static void
without(const struct subject *s, const char *name)
{
    CLEANUP_BUF struct buf args = buf_of(ARGS_MAX);
    char what[NAME_SIZE];

    if (!is_required(s, name) ||
        sample_change(s->args, name, NULL, &args, NULL) < 0)
        return;
    snprintf(what, sizeof(what), "a request without %.64s", name);
    try_args(s, what, args.p, ANY_ANSWER);
}

/* The first of some values that the schema refuses. */
static void
ill_typed(const struct subject *s, const char *name)
{
    static const char *const values[] = {"[{}]", "{\"x\":[]}", "true",
                                         "\"text\"", "-7.5"};

    for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++) {
        CLEANUP_BUF struct buf args = buf_of(ARGS_MAX);
        char what[NAME_SIZE];

        if (sample_change(s->args, name, values[i], &args, NULL) < 0 ||
            sample_fits(s->action, args.p, NULL))
            continue;
        snprintf(what, sizeof(what), "%.64s: %s", name, values[i]);
        try_args(s, what, args.p, ANY_ANSWER);
        return;
    }
}

static bool
is_named(const char *const *list, const char *name)
{
    for (; *list; list++) {
        if (strcmp(*list, name) == 0)
            return true;
    }
    return false;
}

/* Too long for its schema or for the system: any reason will do. */
static void
try_big(const struct subject *s, const char *what, const char *args)
{
    bool refused = !sample_fits(s->action, args, NULL);
    const struct bad_case c = {
        .what = what, .args = args, .demand = refused ? NOT_OK : ANY_ANSWER};

    if (refused || s->harmless)
        try_case(s, &c);
}

/* A path or a host holds no NUL; a text may. */
static void
odd_text(const struct subject *s, const struct json *property)
{
    const char *name = json_name(property, NULL);
    const char *type = json_get_str(property, "type");
    enum demand least = is_named(s->action->reads, name) ||
                                is_named(s->action->writes, name) ||
                                is_named(s->action->hosts, name)
                            ? NOT_OK
                            : ANY_ANSWER;
    CLEANUP_BUF struct buf big = buf_of(BIG_BYTES + 16);
    CLEANUP_BUF struct buf args = buf_of(ARGS_MAX);
    CLEANUP_BUF struct buf more = buf_of(ARGS_MAX);
    char what[NAME_SIZE];

    if (!type || strcmp(type, "string") != 0)
        return;
    snprintf(what, sizeof(what), "a NUL in %.64s", name);
    if (sample_change(s->args, name, "\"a\\u0000b\"", &args, NULL) == 0)
        try_args(s, what, args.p, least);
    buf_ch(&big, '"');
    while (big.len < BIG_BYTES)
        buf_str(&big, "aaaaaaaaaaaaaaaa");
    buf_ch(&big, '"');
    snprintf(what, sizeof(what), "1 MiB in %.64s", name);
    if (sample_change(s->args, name, big.p, &more, NULL) == 0)
        try_big(s, what, more.p);
}

/* The front refuses it before the plugin sees it; it may do so too. */
static void
unknown_argument(const struct subject *s)
{
    CLEANUP_BUF struct buf args = buf_of(ARGS_MAX);
    struct bad_case c = {.what = "a request with an unknown argument"};

    if (s->harmless &&
        sample_change(s->args, "no-such-argument", "1", &args, NULL) == 0) {
        c.args = args.p;
        try_case(s, &c);
    }
}

static void
must_refuse(const struct subject *s)
{
    const struct json *v = json_first(json_get(s->action->args, "properties"));

    for (; v && !trial_is_over(s->trial); v = json_next(v)) {
        without(s, json_name(v, NULL));
        ill_typed(s, json_name(v, NULL));
        odd_text(s, v);
    }
    if (!trial_is_over(s->trial))
        unknown_argument(s);
}

void
trial_action(struct trial *t, const struct manifest_action *a)
{
    CLEANUP_BUF struct buf args = buf_of(ARGS_MAX);
    struct subject s = {
        .trial = t, .action = a, .harmless = a->read_only || t->wish->run_all};
    char path[PATH_MAX + sizeof(TRIAL_SAMPLE)], name[NAME_SIZE];
    struct err why = {0};

    snprintf(path, sizeof(path), "%s/%s", t->scratch, TRIAL_SAMPLE);
    if (sample_args(a, path, &args, &why) < 0) {
        snprintf(name, sizeof(name), "%s: sample arguments can be generated",
                 a->name);
        trial_fault(t, name, "a schema that describes valid arguments",
                    why.text, "give \"examples\": [{…}] next to its \"type\"");
        return;
    }
    s.args = args.p;
    must_answer(&s);
    must_refuse(&s);
}
