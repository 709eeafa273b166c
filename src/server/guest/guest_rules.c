/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guest_rules.c - holds a request against the rules of --policy. */
#include "server/guest/guest_rules.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/path.h"
#include "base/shell_quote.h"
#include "guard/guard.h"
#include "server/guest/guest_exec.h"
#include "server/guest/guest_job.h"
#include "server/guest/guest_path.h"
#include "server/guest/guest_record.h"
#include "server/guest/guest_start.h"
#include "json/write.h"

#define PARAMS_MAX (100u << 20) /* bytes: a message, all of it escaped */
#define JUDGED_MAX (20u << 20)

struct rules_job {
    struct guest_job job;
    struct guest_judged is;
    struct guest_settings *settings;
    struct json *params;
    char denied[600]; /* the rule and the reason; "": it is allowed */
};

static struct rules_job *
rules_job_of(struct guest_job *j)
{
    return (struct rules_job *)(void *)j;
}

static void
rules_job_free(struct guest_job *j)
{
    struct rules_job *r = rules_job_of(j);

    json_free(r->params);
    guest_settings_free(r->settings);
    free(r);
}

static void
note_denied(struct rules_job *r, const char *rule, const char *reason)
{
    snprintf(r->denied, sizeof(r->denied), "denied by %s%s%s", rule,
             reason[0] ? ": " : "", reason);
}

static void
put_quoted_words(struct buf *out, const struct json *argv)
{
    for (const struct json *v = json_first(argv); v; v = json_next(v)) {
        const char *word = json_text(v);

        if (out->len > 0)
            buf_ch(out, ' ');
        if (word)
            shell_quote_word(out, word);
    }
}

/* What stands first in an array, or has this name. */
static const char *
text_param(const struct json *params, size_t i, const char *name)
{
    return json_text(json_type(params) == JSON_ARRAY ? json_at(params, i)
                                                     : json_get(params, name));
}

/* The command line that a shell would be given for the request, of what the
 * method uses alone. *cwd: where it would run, if the request says that. */
static void
put_judged_line(const struct rules_job *r, struct buf *out, const char **cwd)
{
    const struct json *params = r->params;
    struct guest_start_command start = {0};
    const char *path = text_param(params, 0, "path");
    bool recursive = false;

    switch (r->is.subject) {
    case GUEST_SUBJECT_EXEC:
        buf_str(out, text_param(params, 0, "cmd") ?: "");
        break;
    case GUEST_SUBJECT_CODE:
        guest_exec_put_line(text_param(params, 0, "lang"),
                            text_param(params, 1, "code"), out);
        break;
    case GUEST_SUBJECT_START:
        if (guest_start_find(params, &start, NULL) < 0)
            return; /* which the method refuses */
        buf_str(out, json_text(start.cmd) ?: "");
        put_quoted_words(out, start.argv);
        *cwd = json_text(start.cwd);
        break;
    case GUEST_SUBJECT_MOVE:
        buf_str(out, "mv -T -- ");
        shell_quote_word(out, path ?: "");
        buf_ch(out, ' ');
        shell_quote_word(out, json_get_str(params, "to") ?: "");
        break;
    case GUEST_SUBJECT_REMOVE:
        (void)json_bool(json_get(params, "recursive"), &recursive);
        buf_str(out, recursive ? "rm -r -- " : "rm -- ");
        shell_quote_word(out, path ?: "");
        break;
    case GUEST_SUBJECT_READ:
    case GUEST_SUBJECT_WRITE:
        break;
    }
}

static void
judge_command_line(struct rules_job *r)
{
    const struct guest_shared *sh = r->job.shared;
    struct path_context where = path_context_of(sh->seat);
    const char *cwd = NULL;
    CLEANUP(free_p) char *dir = NULL;
    CLEANUP_BUF struct buf line = buf_of(JUDGED_MAX);
    CLEANUP(guard_finding_done) struct guard_finding f = {0};

    put_judged_line(r, &line, &cwd);
    dir = cwd ? seat_resolve(sh->seat, cwd) : NULL;
    where.unwanted = &r->job.unwanted;
    where.cwd = dir ? dir : sh->root ? sh->root : where.cwd;
    if (line.len == 0 || buf_ok(&line, "the command", &r->job.e) < 0 ||
        guard_judge(r->settings->policy, line.p, &where, &f, &r->job.e) < 0)
        return;
    if (f.decision == GUARD_DENY)
        note_denied(r, f.rule, f.reason);
}

/* Where a path really leads, as far as it exists; "": nowhere. */
static void
find_real(const struct guest_shared *sh, const char *path, size_t n,
          char real[PATH_MAX])
{
    char link[64], name[NAME_MAX + 1] = "";
    CLEANUP(fd_close_p)
    int fd = guest_path_open(sh, path, n, O_PATH, 0, NULL);
    ssize_t len;
    size_t room;

    real[0] = '\0';
    if (fd < 0)
        fd = guest_path_open_parent(sh, path, n, false, name, NULL);
    if (fd < 0)
        return;
    snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
    len = readlink(link, real, PATH_MAX - 1);
    real[len < 0 ? 0 : len] = '\0';
    room = PATH_MAX - strlen(real);
    if (name[0] && real[0])
        snprintf(real + strlen(real), room, "/%s", name);
}

static void
judge_path(struct rules_job *r, const struct json *v, bool write)
{
    const struct guest_shared *sh = r->job.shared;
    const struct path_context where = path_context_of(sh->seat);
    size_t n;
    const char *path = json_str(v, &n);
    CLEANUP(free_p) char *absolute = NULL;
    char real[PATH_MAX];
    struct policy_verdict verdict = {0};

    if (!path || strlen(path) != n || r->denied[0])
        return;
    absolute = seat_resolve(sh->seat, path);
    if (absolute) {
        path_clean(absolute);
        policy_judge_path(r->settings->policy, absolute, write, &where,
                          &verdict);
    }
    find_real(sh, path, n, real);
    if (verdict.decision != GUARD_DENY && real[0])
        policy_judge_path(r->settings->policy, real, write, &where, &verdict);
    if (verdict.decision == GUARD_DENY)
        note_denied(r, verdict.rule, path);
}

static void
work_judge(struct guest_job *j)
{
    struct rules_job *r = rules_job_of(j);
    const struct json *path = json_type(r->params) == JSON_ARRAY
                                  ? json_at(r->params, 0)
                                  : json_get(r->params, "path");

    if (r->is.subject != GUEST_SUBJECT_READ &&
        r->is.subject != GUEST_SUBJECT_WRITE)
        judge_command_line(r);
    if (r->is.subject == GUEST_SUBJECT_EXEC ||
        r->is.subject == GUEST_SUBJECT_CODE ||
        r->is.subject == GUEST_SUBJECT_START)
        return;
    judge_path(r, path, r->is.subject != GUEST_SUBJECT_READ);
    if (r->is.subject == GUEST_SUBJECT_MOVE) {
        judge_path(r, path, false);
        judge_path(r, json_get(r->params, "to"), true);
    }
}

static void
answer_judged(struct guest_job *j)
{
    struct rules_job *r = rules_job_of(j);
    struct guest_connection *c = j->task.connection;
    struct err e = {0};

    if (!r->denied[0]) {
        r->is.method(c, j->rq, r->params);
        return;
    }
    guest_record_request(c, r->is.name, r->params);
    if (r->is.answers_result) {
        guest_exec_answer_failed(c, j->rq, r->denied);
        return;
    }
    err_set(&e, ERR_DENIED, "%.200s", r->denied);
    guest_record_failed(c, e.text);
    guest_refuse(j->rq, &e);
}

/* The params outlive the message that they came with. */
static struct json *
copy_judged_params(const struct json *params, struct err *e)
{
    CLEANUP_BUF struct buf text = buf_of(PARAMS_MAX);
    struct json_writer w;

    json_write_init(&w, &text);
    if (params)
        json_put_value(&w, params);
    else
        buf_str(&text, "{}");
    if (buf_ok(&text, "the params", e) < 0)
        return NULL;
    return json_parse(text.p, text.len, 0, e);
}

void
guest_rules_judge(struct guest_connection *c, struct rpc_request *rq,
                  const struct json *params, const struct guest_judged *judged)
{
    struct rules_job *r;
    struct err e = {0};

    if (!c->settings->policy) {
        judged->method(c, rq, params);
        return;
    }
    r = calloc(1, sizeof(*r));
    if (!r || !(r->params = copy_judged_params(params, &e))) {
        if (!r)
            err_nomem(&e);
        guest_refuse(rq, &e);
        free(r);
        return;
    }
    r->is = *judged;
    r->settings = guest_settings_hold(c->settings);
    r->job.work = work_judge;
    r->job.answer = answer_judged;
    r->job.free = rules_job_free;
    guest_job_start(&r->job, c, rq);
}
