/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check.c - tests a plugin: its manifest, its actions, its process. */
#include "tool/check/check.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/owner.h"
#include "base/path.h"
#include "base/str.h"
#include "tool/check/check_exchange.h"
#include "tool/check/check_report.h"
#include "tool/check/sample.h"
#include "tool/permit.h"
#include "tool/trust.h"
#include "json/schema.h"
#include "json/write.h"

#define LIMIT_MS  10000 /* of an answer, where the manifest says no less */
#define ARGS_MAX  (2u << 20)
#define BIG_BYTES (1u << 20)
#define NAME_SIZE 200
#define FORM_ADVICE                                                            \
    "write one line "                                                          \
    "{\"id\":…,\"ok\":…,\"stdout\":…,\"stderr\":…,\"meta\":{…}} "    \
    "and nothing else on standard output; log on standard error"

#define LINE_MAX_BYTES 65536
#define END_MS         3000 /* to end after the end of its input */

static void
check_done(struct check *t)
{
    check_lines_free(t->lines);
    confinement_done(&t->confined);
    sandbox_setup_done(&t->step_setup);
    for (size_t i = 0; i < t->n_refused; i++)
        free(t->refused[i]);
    check_drop_scratch(t);
    manifest_free(t->manifest);
    free(t->program);
    free(t->dir);
}

static int
find_dir(struct check *t, struct err *e)
{
    CLEANUP(free_p) char *full = seat_resolve(t->params->seat, t->params->dir);
    struct stat st;

    errno = ENOENT; /* a relative path, of a directory that was deleted */
    if (!full || !(t->dir = realpath(full, NULL)) || stat(t->dir, &st) < 0) {
        err_sys(e, "%s", t->params->dir);
        if (e)
            e->code = ERR_USAGE;
        return -1;
    }
    if (!S_ISDIR(st.st_mode))
        return err_set(
            e, ERR_USAGE,
            "%s is not a directory: give the directory of plugin.json",
            t->params->dir);
    return 0;
}

static bool
is_builtin_plugin(const char *dir)
{
    CLEANUP(free_p) char *place = path_libexec("plugins", NULL);
    CLEANUP(free_p) char *real = place ? realpath(place, NULL) : NULL;
    const char *rest = real ? path_behind(dir, real) : NULL;

    return rest && *rest;
}

static int
read_checked_manifest(struct check *t, struct err *e)
{
    struct err why = {0};

    t->manifest = manifest_read(t->dir, &why);
    if (!t->manifest) {
        check_report_failure(
            t, "its manifest is valid",
            "a plugin.json as in agentsh-plugin(7), and a program next to it",
            why.text, "fix what is named");
        return 1;
    }
    check_report_pass(t, "its manifest is valid");
    t->program = path_join(t->dir, t->manifest->executable);
    if (!t->program)
        return err_nomem(e);
    t->tool = (struct tool){
        .name = t->manifest->name,
        .source = is_builtin_plugin(t->dir) ? TOOL_BUILTIN : TOOL_USER,
        .dir = t->dir,
        .program = t->program,
        .manifest = t->manifest,
        .trust = TOOL_TRUSTED,
    };
    t->limit_ms = t->manifest->needs.time_limit_ms;
    if (t->limit_ms == 0 || t->limit_ms > LIMIT_MS)
        t->limit_ms = LIMIT_MS;
    return 0;
}

/* Reports what `tool trust` would say of it. */
static void
report_trust(struct check *t)
{
    static const char name[] = "it can be trusted";
    char hash[SHA256_HEX_SIZE];
    struct err why = {0};

    if (t->tool.source == TOOL_BUILTIN)
        return;
    if (t->manifest->step)
        check_report_failure(t, name,
                             "no \"confinement\", which is for built-in tools",
                             "\"confinement\": \"step\"", "remove it");
    else if (owner_check_parents(t->dir, &why) < 0 ||
             trust_hash(t->dir, hash, &why) < 0)
        check_report_failure(
            t, name,
            "regular files that only you can change, in a directory "
            "that only you can change",
            why.text, "fix what is named, or remove it");
    else
        check_report_pass(t, name);
}

static void
check_programs(struct check *t)
{
    const char *const *names = t->manifest->needs.programs;

    for (size_t i = 0; names[i]; i++) {
        CLEANUP(free_p)
        char *path = seat_find_program(t->params->seat, names[i]);

        if (!path)
            check_report(t, CHECK_NOTE,
                         "a program that it needs is not installed", names[i]);
    }
}

/* An argument needs a description: a model sees only its name, its schema and
 * this. */
static void
check_descriptions(struct check *t, const struct manifest_action *a)
{
    const struct json *v = json_first(json_get(a->args, "properties"));
    char text[160];

    for (; v; v = json_next(v)) {
        if (json_get(v, "description"))
            continue;
        snprintf(text, sizeof(text), "%.60s of %.60s", json_name(v, NULL),
                 a->name);
        check_report(t, CHECK_NOTE,
                     "an argument has no description for the model", text);
    }
}

static void
check_examples(struct check *t, const struct manifest_action *a)
{
    const struct json *v = json_first(json_get(a->args, "examples"));
    struct err why = {0};
    char name[160];

    snprintf(name, sizeof(name), "%.64s: its examples match its schema",
             a->name);
    if (!v)
        return;
    for (; v; v = json_next(v)) {
        if (json_schema_check(a->args_check, v, 0, &why) == 0)
            continue;
        check_report_failure(t, name, "examples that match the schema",
                             why.text, "fix the example or the schema");
        return;
    }
    check_report_pass(t, name);
}

/* Makes its confinement; cmd.run gets the one of a step. */
static int
make_confinement(struct check *t, struct err *e)
{
    const struct sandbox_setup_params setup = {
        .profile = PROFILE_WORKSPACE_WRITE,
        .seat = t->seat,
        .workspace = t->scratch,
        .or_reads = true,
        .programs = true};
    const struct sandbox_spec *step = t->manifest->step ? &t->step_setup.spec
                                                        : NULL;
    const struct confinement_params params = {.tool = &t->tool,
                                              .seat = t->seat,
                                              .workspace = t->scratch,
                                              .sandbox = step,
                                              .config = t->params->config,
                                              .report = true};

    if (step &&
        sandbox_setup_fill(&t->step_setup, &setup, t->params->config, e) < 0)
        return -1;
    t->step_setup.spec.report = true;
    return confinement_fill(&params, &t->confined, e);
}

static bool
test_manifest(struct check *t, struct err *e)
{
    struct err why = {0};
    int rc = read_checked_manifest(t, e);

    if (rc != 0)
        return false;
    report_trust(t);
    check_programs(t);
    for (size_t i = 0; i < t->manifest->n_actions; i++) {
        check_examples(t, &t->manifest->actions[i]);
        check_descriptions(t, &t->manifest->actions[i]);
    }
    if (make_confinement(t, &why) == 0)
        return true;
    check_report_failure(t, "its sandbox can be set up",
                         "needs that this machine meets", why.text,
                         "create what is named, or need less");
    return false;
}

/* The action that is tested. */
struct subject {
    struct check *check;
    const struct manifest_action *action;
    const char *args; /* arguments that it accepts */
    bool harmless;    /* it may be called with valid arguments */
};

/* The advice for an invalid answer. */
static const char *
answer_advice(const struct err *why)
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

/* Returns whether more tests make sense: the plugin gave a valid answer within
 * its time. */
static bool
gets_answer(const struct subject *s, bool stream, const char *name)
{
    const struct check_request rq = {
        .action = s->action->name, .args = s->args, .stream = stream};
    CLEANUP(check_reply_done) struct check_reply r = {0};
    CLEANUP_BUF struct buf line = buf_of(ARGS_MAX);
    struct err why = {0};
    char duration[64];

    check_write_request(s->check, &rq, &line);
    if (check_exchange(s->check, &line, stream, s->action, &r, &why) < 0) {
        check_report_failure(s->check, name, "a valid response", why.text,
                             answer_advice(&why));
        return false;
    }
    if (!r.response.result.ok &&
        strcmp(r.response.result.error_code, "TIMEOUT") == 0 &&
        s->check->manifest->needs.time_limit_ms <= s->check->limit_ms) {
        check_report_failure(s->check, name, "an answer within its time limit",
                             r.came,
                             "find what blocks, or raise needs.time_limit_ms");
        return false;
    }
    if (r.response.result.ok)
        snprintf(duration, sizeof(duration), "%lld ms", (long long)r.ms);
    check_report(s->check, CHECK_OK, name,
                 r.response.result.ok ? duration : r.came);
    return true;
}

static void
test_valid_arguments(struct subject *s)
{
    char name[NAME_SIZE];

    snprintf(name, sizeof(name), "%s: answers a valid request",
             s->action->name);
    if (!s->harmless) {
        check_report(s->check, CHECK_SKIPPED, name,
                     "it changes things: --run-all");
        return;
    }
    if (!(s->harmless = gets_answer(s, false, name)))
        return; /* the other tests would take as long */
    snprintf(name, sizeof(name), "%s: answers a request with \"stream\": true",
             s->action->name);
    (void)gets_answer(s, true, name);
}

/* Which answers are accepted. */
enum demand {
    ANY_ANSWER,  /* in form */
    NOT_OK,      /* ok: false, with any code */
    INVALID_ARGS /* ok: false with that code */
};

struct bad_case {
    const char *what; /* the argument is accepted */
    const char *args;
    enum demand demand;
};

static const char *const demands[] = {"an answer", "ok: false",
                                      "ok: false with INVALID_ARGS"};

static bool
meets_demand(const struct tool_result *a, enum demand d)
{
    return d == ANY_ANSWER ||
           (!a->ok &&
            (d == NOT_OK || strcmp(a->error_code, "INVALID_ARGS") == 0));
}

static void
test_case(const struct subject *s, const struct bad_case *c)
{
    const struct check_request rq = {.action = s->action->name,
                                     .args = c->args};
    CLEANUP(check_reply_done) struct check_reply r = {0};
    CLEANUP_BUF struct buf line = buf_of(2 * ARGS_MAX);
    struct err why = {0};
    char name[NAME_SIZE];

    if (check_is_over(s->check))
        return;
    snprintf(name, sizeof(name), "%s: %s %s", s->action->name,
             c->demand == ANY_ANSWER ? "answers" : "refuses", c->what);
    check_write_request(s->check, &rq, &line);
    if (check_exchange(s->check, &line, false, s->action, &r, &why) < 0)
        check_report_failure(s->check, name, demands[c->demand], why.text,
                             FORM_ADVICE);
    else if (meets_demand(&r.response.result, c->demand))
        check_report_pass(s->check, name);
    else
        check_report_failure(s->check, name, demands[c->demand], r.came,
                             "check the arguments before any work is done");
}

/* The schema decides. Arguments that it accepts are only sent where that does
 * no harm, and then any answer passes, unless `least` asks for more. */
static void
test_arguments(const struct subject *s, const char *what, const char *args,
               enum demand least)
{
    bool refused = !sample_fits(s->action, args, NULL);
    const struct bad_case c = {
        .what = what, .args = args, .demand = refused ? INVALID_ARGS : least};

    if (refused || s->harmless)
        test_case(s, &c);
}

static void
without_argument(const struct subject *s, const char *name)
{
    CLEANUP_BUF struct buf args = buf_of(ARGS_MAX);
    char what[NAME_SIZE];

    if (!json_schema_requires(s->action->args, name) ||
        sample_change(s->args, name, NULL, &args, NULL) < 0)
        return;
    snprintf(what, sizeof(what), "a request without %.64s", name);
    test_arguments(s, what, args.p, ANY_ANSWER);
}

/* Sends the first of some values that the schema refuses. */
static void
test_ill_typed(const struct subject *s, const char *name)
{
    static const char *const values[] = {"[{}]", "{\"x\":[]}", "true",
                                         "\"text\"", "-7.5"};

    for (size_t i = 0; i < ARRAY_SIZE(values); i++) {
        CLEANUP_BUF struct buf args = buf_of(ARGS_MAX);
        char what[NAME_SIZE];

        if (sample_change(s->args, name, values[i], &args, NULL) < 0 ||
            sample_fits(s->action, args.p, NULL))
            continue;
        snprintf(what, sizeof(what), "%.64s: %s", name, values[i]);
        test_arguments(s, what, args.p, ANY_ANSWER);
        return;
    }
}

/* Sends a value that is too long for the schema or for the system: any error
 * passes. */
static void
test_big_value(const struct subject *s, const char *what, const char *args)
{
    bool refused = !sample_fits(s->action, args, NULL);
    const struct bad_case c = {
        .what = what, .args = args, .demand = refused ? NOT_OK : ANY_ANSWER};

    if (refused || s->harmless)
        test_case(s, &c);
}

/* Sends a NUL in a text. A path or a host must refuse it; another text need
 * not. */
static void
test_odd_text(const struct subject *s, const struct json *property)
{
    const char *name = json_name(property, NULL);
    const char *type = json_get_str(property, "type");
    enum demand least = str_in_words(name, s->action->reads) ||
                                str_in_words(name, s->action->writes) ||
                                str_in_words(name, s->action->hosts)
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
        test_arguments(s, what, args.p, least);
    buf_ch(&big, '"');
    while (big.len < BIG_BYTES)
        buf_str(&big, "aaaaaaaaaaaaaaaa");
    buf_ch(&big, '"');
    snprintf(what, sizeof(what), "1 MiB in %.64s", name);
    if (sample_change(s->args, name, big.p, &more, NULL) == 0)
        test_big_value(s, what, more.p);
}

/* Sends an unknown argument. The front refuses it before the plugin sees it;
 * the plugin may refuse it as well. */
static void
test_unknown_argument(const struct subject *s)
{
    CLEANUP_BUF struct buf args = buf_of(ARGS_MAX);
    struct bad_case c = {.what = "a request with an unknown argument"};

    if (s->harmless &&
        sample_change(s->args, "no-such-argument", "1", &args, NULL) == 0) {
        c.args = args.p;
        test_case(s, &c);
    }
}

static void
test_refusals(const struct subject *s)
{
    const struct json *v = json_first(json_get(s->action->args, "properties"));

    for (; v && !check_is_over(s->check); v = json_next(v)) {
        without_argument(s, json_name(v, NULL));
        test_ill_typed(s, json_name(v, NULL));
        test_odd_text(s, v);
    }
    if (!check_is_over(s->check))
        test_unknown_argument(s);
}

static void
test_action(struct check *t, const struct manifest_action *a)
{
    CLEANUP_BUF struct buf args = buf_of(ARGS_MAX);
    struct subject s = {.check = t,
                        .action = a,
                        .harmless = a->read_only || t->params->run_all};
    char path[PATH_MAX + sizeof(CHECK_SAMPLE)], name[NAME_SIZE];
    struct err why = {0};

    snprintf(path, sizeof(path), "%s/%s", t->scratch, CHECK_SAMPLE);
    if (sample_args(a, path, &args, &why) < 0) {
        snprintf(name, sizeof(name), "%s: sample arguments can be generated",
                 a->name);
        check_report_failure(t, name, "a schema that describes valid arguments",
                             why.text,
                             "give \"examples\": [{…}] next to its \"type\"");
        return;
    }
    s.args = args.p;
    test_valid_arguments(&s);
    test_refusals(&s);
}

static const struct stray_row {
    const char *name;
    const char *line; /* NULL: a request with the members that follow */
    const char *tool, *action;
    const char *code, *also; /* either will do */
} strays[] = {
    {"it rejects a line that is not JSON", "{\"tool\":", NULL, NULL,
     "PARSE_ERROR", "INVALID_ARGS"},
    {"it rejects a line that is not an object", "[]", NULL, NULL,
     "INVALID_ARGS", "PARSE_ERROR"},
    {"it rejects a request for another tool", NULL, "another.tool", NULL,
     "INVALID_ARGS", "NOT_FOUND"},
    {"it rejects an unknown action", NULL, NULL, NULL, "INVALID_ARGS",
     "UNSUPPORTED"},
};

/* Sends a line that is no request. It carries no id, so that its answer needs
 * none. */
static int
send_stray(struct check *t, const struct stray_row *row, struct check_reply *r,
           struct err *e)
{
    const struct check_request rq = {
        .tool = row->tool, .action = row->action, .args = "{}"};
    CLEANUP_BUF struct buf line = buf_of(LINE_MAX_BYTES);

    if (!row->line) {
        check_write_request(t, &rq, &line);
        return check_exchange(t, &line, false, NULL, r, e);
    }
    buf_str(&line, row->line);
    return check_exchange_stray(t, &line, r, e);
}

static void
test_stray(struct check *t, const struct stray_row *row)
{
    CLEANUP(check_reply_done) struct check_reply r = {0};
    struct err why = {0};
    const char *code;
    char expected[64];

    snprintf(expected, sizeof(expected), "ok: false with %s", row->code);
    if (send_stray(t, row, &r, &why) < 0) {
        check_report_failure(t, row->name, expected, why.text,
                             "answer every line, valid or not");
        return;
    }
    code = r.response.result.error_code;
    if (!r.response.result.ok &&
        (strcmp(code, row->code) == 0 || strcmp(code, row->also) == 0))
        check_report_pass(t, row->name);
    else
        check_report_failure(t, row->name, expected, r.came,
                             "check tool and action first");
}

static void
test_two_requests(struct check *t)
{
    static const char name[] = "it answers two requests at once";
    const struct check_request rq = {.args = "{}"};
    CLEANUP_BUF struct buf lines = buf_of(LINE_MAX_BYTES);
    CLEANUP_BUF struct buf second = buf_of(LINE_MAX_BYTES);
    CLEANUP(check_reply_done) struct check_reply a = {0}, b = {0};
    struct err why = {0};

    check_write_request(t, &rq, &lines);
    check_write_request(t, &rq, &second);
    buf_ch(&lines, '\n');
    buf_add(&lines, second.p, second.len);
    if (check_start_process(t, &why) < 0 ||
        check_lines_send(t->lines, lines.p, lines.len, false, &why) < 0 ||
        check_await_answer(t, t->id - 1, &a, &why) < 0 ||
        check_await_answer(t, t->id, &b, &why) < 0) {
        check_report_failure(
            t, name, "an answer to each, in their order", why.text,
            "read line by line, and keep the rest of the buffer");
        check_end_process(t);
        return;
    }
    check_report_pass(t, name);
}

static void
test_end_of_input(struct check *t)
{
    static const char name[] = "it ends when its input ends";
    struct err why = {0};

    if (check_start_process(t, &why) < 0) {
        check_report_failure(t, name, "a process", why.text, "");
        return;
    }
    check_lines_end_input(t->lines);
    if (check_lines_ended(t->lines, END_MS, t->params->stop))
        check_report_pass(t, name);
    else
        check_report_failure(t, name, "that it ends within 3 s",
                             "it keeps running",
                             "exit at the end of standard input");
    check_end_process(t);
}

static void
test_tool(struct check *t)
{
    for (size_t i = 0; i < ARRAY_SIZE(strays); i++) {
        if (!check_is_over(t))
            test_stray(t, &strays[i]);
    }
    if (t->manifest->persistent && !check_is_over(t))
        test_two_requests(t);
    if (!check_is_over(t))
        test_end_of_input(t);
}

int
check_plugin(const struct check_params *w, struct err *e)
{
    CLEANUP(check_done) struct check t = {.params = w};
    struct err why = {0};

    if (find_dir(&t, e) < 0 || check_make_scratch(&t, e) < 0)
        return -1;
    if (!test_manifest(&t, &why))
        return why.code == ERR_NONE ? t.failed
                                    : err_set(e, why.code, "%s", why.text);
    for (size_t i = 0; i < t.manifest->n_actions && !check_is_over(&t); i++)
        test_action(&t, &t.manifest->actions[i]);
    if (!check_is_over(&t))
        test_tool(&t);
    if (t.hopeless && !*w->stop)
        check_report(&t, CHECK_SKIPPED, "the other tests",
                     "not run: the first test failed");
    return *w->stop ? err_set(e, ERR_INTERRUPTED, "interrupted") : t.failed;
}
