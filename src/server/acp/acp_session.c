/* SPDX-License-Identifier: GPL-3.0-or-later */
/* acp_session.c - one session of an editor. */
#include "server/acp/acp_session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random_id.h"
#include "guard/path/secret.h"
#include "model/model_process.h"
#include "server/acp/acp_editor.h"
#include "server/acp/acp_files.h"
#include "server/server_policy.h"
#include "tool/registry.h"

#define ALLOWED_NAME_MAX 256 /* bytes of a tool and its action */

int
acp_session_check_policy(const struct acp_shared *sh, struct err *e)
{
    CLEANUP(policy_free_p)
    struct policy *p = server_policy_load(sh->policy, sh->seat, e);

    return p ? 0 : -1;
}

static struct seat *
open_session_seat(const struct acp_shared *sh, const struct acp_place *place,
                  struct err *e)
{
    const struct seat_params p = {
        .dir = place->dir ? place->dir : seat_need_dir(sh->seat, e),
        .roots = place->roots,
        .variables = seat_variables(sh->seat)};

    return p.dir ? seat_new(&p, e) : NULL;
}

static int
open_session_parts(struct acp_session *s, const struct acp_place *place,
                   struct err *e)
{
    const struct acp_shared *sh = s->shared;

    s->config = config_hold(sh->config);
    if (!(s->seat = open_session_seat(sh, place, e)) ||
        !(s->policy = server_policy_load(sh->policy, s->seat, e)) ||
        !(s->registry = registry_open(s->seat, s->config, e)) ||
        !(s->pool = tool_pool_new(sh->loop, e)) ||
        !(s->conversation = conversation_new(e)))
        return -1;
    s->named = secret_named_in(NULL,
                               config_text(s->config, CONFIG_SANDBOX_READABLE),
                               seat_home(s->seat), seat_dir(s->seat));
    if (sh->selection &&
        !(s->model = model_open(sh->loop, sh->process, sh->selection, e)))
        return -1;
    acp_options_init(&s->options, sh->selection
                                      ? model_selection_model(sh->selection)
                                      : NULL);
    return 0;
}

int
acp_place_read(const struct json *params, bool may_lack_dir,
               struct acp_place *place, const char *roots[SEAT_ROOTS_MAX + 1],
               struct err *e)
{
    const struct json *list = json_get(params, "additionalDirectories");
    size_t n = 0;

    place->dir = json_get_str(params, "cwd");
    if (!place->dir && !may_lack_dir)
        return err_set(e, ERR_INVALID, "cwd: must be an absolute path");
    if (list && json_type(list) != JSON_ARRAY)
        return err_set(e, ERR_INVALID,
                       "additionalDirectories: must be an array");
    for (const struct json *v = json_first(list); v; v = json_next(v)) {
        if (n == SEAT_ROOTS_MAX || !(roots[n++] = json_text(v)))
            return err_set(e, ERR_INVALID,
                           "additionalDirectories: at most %d absolute paths",
                           SEAT_ROOTS_MAX);
    }
    roots[n] = NULL;
    place->roots = n > 0 ? roots : NULL;
    return 0;
}

struct acp_session *
acp_session_new(const struct acp_shared *sh, const struct acp_place *place,
                struct err *e)
{
    CLEANUP(acp_session_free_p) struct acp_session *s = calloc(1, sizeof(*s));

    if (!s) {
        err_nomem(e);
        return NULL;
    }
    s->shared = sh;
    s->dialect = place->dialect;
    if (place->id && strlen(place->id) >= sizeof(s->id)) {
        err_set(e, ERR_NOT_FOUND, "sessionId: there is no such session");
        return NULL;
    }
    if (place->id)
        snprintf(s->id, sizeof(s->id), "%s", place->id);
    else if (random_id(s->id, sizeof(s->id), e) < 0)
        return NULL;
    return open_session_parts(s, place, e) < 0 ? NULL : TAKE_PTR(s);
}

/* Ends a turn that is under way; the journal says that it was. */
static void
abandon_turn(struct acp_session *s)
{
    struct err why = {0};
    int status;

    if (!s->ops)
        return;
    s->ops->free(s->turn);
    err_set(&why, ERR_INTERRUPTED, "cancelled");
    status = err_exit_status(why.code);
    run_audit_end(&s->audit, &why, status);
    acp_session_end_turn(s, status);
}

void
acp_session_free(struct acp_session *s)
{
    if (!s)
        return;
    abandon_turn(s);
    model_free(s->model);
    tool_pool_free(s->pool);
    conversation_free(s->conversation);
    for (size_t i = 0; i < ACP_ALLOWED_MAX; i++)
        free(s->allowed[i]);
    free(s->allowed_steps);
    secret_named_free(s->named);
    registry_free(s->registry);
    policy_free(s->policy);
    seat_free(s->seat);
    config_free(s->config);
    free(s);
}

static struct journal_run *
session_run(void *arg)
{
    const struct acp_session *s = arg;

    return s->run;
}

static void
log_journal_trouble(void *arg)
{
    const struct acp_session *s = arg;
    const char *why = journal_trouble(s->shared->journal);

    if (why)
        s->shared->log(s->shared->log_arg, why);
}

static int
begin_audit(struct acp_session *s, const struct user_request *request,
            struct err *e)
{
    static const char *const verbs[] = {[AIACTION_DO] = "do",
                                        [AIACTION_RUN] = "run",
                                        [AIACTION_EXPLAIN] = "explain"};
    const struct run_audit_journal to = {session_run, log_journal_trouble, s};
    const char *client = s->asker ? s->asker->client.name : "";

    if (!(s->run = journal_run_new(s->shared->journal, e)) &&
        s->shared->journal)
        return -1;
    if (!(s->words = strdup(request->text))) {
        journal_run_free(TAKE_PTR(s->run));
        return err_nomem(e);
    }
    snprintf(s->answered_by, sizeof(s->answered_by), "person, by %s",
             client[0] ? client : "the editor");
    snprintf(s->asked_by, sizeof(s->asked_by), "%s",
             client[0] ? client : "acp");
    s->about = (struct run_audit_request){
        .verb = verbs[request->mode],
        .text = s->words,
        .directory = seat_dir(s->seat),
        .options = acp_options_mode(&s->options),
        .from = s->asked_by,
        .session = s->id,
        .approved_by = "rules",
        .answered_by = s->answered_by,
    };
    run_audit_begin(&s->audit, &s->about, &to);
    return 0;
}

static bool
is_allowed_step(void *arg, const struct step *step)
{
    const struct acp_session *s = arg;
    CLEANUP_BUF struct buf name = buf_of(ALLOWED_NAME_MAX);

    if (!step->tool)
        return false;
    buf_printf(&name, "%s %s", step->tool, step->action);
    for (size_t i = 0; i < ACP_ALLOWED_MAX && s->allowed[i]; i++) {
        if (strcmp(s->allowed[i], name.p) == 0)
            return true;
    }
    return false;
}

char *
acp_session_propose(const struct acp_session *s, const struct step *step,
                    const struct step_verdict *v)
{
    CLEANUP_BUF struct buf name = buf_of(ALLOWED_NAME_MAX);
    struct path_context where = path_context_of(s->seat);

    if (v->privileged || v->hidden || v->alone || v->refused)
        return NULL;
    if (v->tool) {
        /* the rules allow it: it is asked about only since it writes */
        if (v->permit.decision != GUARD_ALLOW || v->destructive)
            return NULL;
        buf_printf(&name, "%s %s", step->tool, step->action);
        return buf_take(&name);
    }
    if (v->destructive)
        return NULL;
    where.cwd = v->directory;
    return policy_propose(&v->found.risk, &where, NULL);
}

static bool
was_allowed_step(void *arg, const char *digest)
{
    const struct acp_session *s = arg;

    for (size_t i = 0; i < s->n_allowed_steps && i < ACP_ALLOWED_MAX; i++) {
        if (strcmp(s->allowed_steps[i], digest) == 0)
            return true;
    }
    return false;
}

/* Of more than there is room for, the first are asked about again. */
static int
keep_digest(struct acp_session *s, const char *digest, struct err *e)
{
    if (!s->allowed_steps)
        s->allowed_steps = calloc(ACP_ALLOWED_MAX, sizeof(*s->allowed_steps));
    if (!s->allowed_steps)
        return err_nomem(e);
    memcpy(s->allowed_steps[s->n_allowed_steps++ % ACP_ALLOWED_MAX], digest,
           SHA256_HEX_SIZE);
    return 0;
}

int
acp_session_allow(struct acp_session *s, const struct step *step,
                  const char *digest, const char *proposed, struct err *e)
{
    size_t n = 0;

    if (keep_digest(s, digest, e) < 0)
        return -1;
    if (!step->tool)
        return policy_add(s->policy, proposed, seat_home(s->seat), e);
    while (n < ACP_ALLOWED_MAX - 1 && s->allowed[n])
        n++;
    if (s->allowed[n] || n == ACP_ALLOWED_MAX - 1)
        return err_set(e, ERR_NOMEM, "%d tools are allowed already",
                       ACP_ALLOWED_MAX - 1);
    s->allowed[n] = strdup(proposed);
    return s->allowed[n] ? 0 : err_nomem(e);
}

int
acp_session_check_images(const struct acp_session *s,
                         const struct acp_prompt *p, struct err *e)
{
    const struct model_selection *m = s->shared->selection;

    if (!p->images)
        return 0;
    if (s->options.offline || !m)
        return err_set(e, ERR_INVALID, "the offline engine takes no images");
    if (!model_selection_takes_images(m))
        return err_set(e, ERR_INVALID,
                       "%.100s is not known to take images; where it does, set "
                       "\"images = yes\" in section [model] of the "
                       "configuration",
                       model_selection_model(m));
    return 0;
}

struct turn *
acp_session_begin_turn(struct acp_session *s, const struct acp_prompt *p,
                       bool can_ask, const struct turn_events *ev, void *arg,
                       struct err *e)
{
    const struct user_request request = acp_prompt_request(p);
    const struct turn_context cx = {
        .loop = s->shared->loop,
        .seat = s->seat,
        .config = s->config,
        .policy = s->policy,
        .registry = s->registry,
        .named = (const char *const *)s->named,
        .model = s->options.offline ? NULL : s->model,
        .selection = s->shared->selection,
        .conversation = s->conversation,
        .audit = &s->audit,
        .files = acp_files_of(s, &s->files),
        .pool = s->pool,
    };
    const struct turn_setting set = {
        .can_ask = can_ask && s->options.mode != ACP_MODE_READ_ONLY,
        .by_step = true,
        .all_results = true,
        .aside = true,
        .writes = s->options.mode == ACP_MODE_AUTO,
        .reads_only = s->options.mode == ACP_MODE_READ_ONLY,
        .is_covered = is_allowed_step,
        .was_allowed = was_allowed_step,
        .covered_arg = s,
        .rounds = s->options.rounds,
    };

    struct turn *t;
    int status;

    if (acp_session_check_images(s, p, e) < 0)
        return NULL; /* it may have another model now */
    s->n_turns++;
    if (begin_audit(s, &request, e) < 0)
        return NULL;
    if ((t = turn_start(&cx, &request, &set, ev, arg, e)) != NULL)
        return t;
    status = err_exit_status(e->code);
    run_audit_end(&s->audit, e, status);
    acp_session_end_turn(s, status);
    return NULL;
}

void
acp_session_end_turn(struct acp_session *s, int status)
{
    bool ran = run_audit_done(&s->audit, status);

    (void)journal_sync(s->run, !ran);
    journal_run_free(s->run);
    s->run = NULL;
    free(s->words);
    s->words = NULL;
    s->turn = NULL;
    s->ops = NULL;
}

unsigned
acp_session_turn_number(const struct acp_session *s)
{
    return s->n_before + s->n_turns;
}

bool
acp_session_add_cost(struct acp_session *s, const struct cost *c)
{
    if (s->n_turns == 1 && !s->cost.known)
        s->cost = *c;
    else
        cost_add(&s->cost, c);
    return s->cost.known;
}
