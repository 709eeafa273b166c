/* SPDX-License-Identifier: GPL-3.0-or-later */
/* undo_run.c - keeps the originals of the steps of one run. */
#include "action/undo_run.h"

#include <stdlib.h>
#include <string.h>

#include "action/tool_loop.h"
#include "action/undo_paths.h"
#include "action/undo_record.h"
#include "action/undo_view.h"
#include "guard/guard.h"

#define STORES_BUDGETS 8 /* that all stores may have together */

struct undo_run {
    const struct seat *seat;
    char *run;
    uint64_t max_bytes;
    struct undo_store *store;  /* NULL until a step changes files */
    struct undo_targets paths; /* of the step that runs */
    struct view *view;         /* in which it runs; NULL: in none */
    size_t step;               /* its number among those that are kept */
    struct json *state;        /* that a tool answered, before or after it */
    size_t records; /* steps so far of which a tool told how it was */
    bool by_tool;   /* the step that runs is one */
    bool open;
};

struct undo_run *
undo_run_new(const struct seat *s, const char *run, uint64_t max_bytes,
             struct err *e)
{
    CLEANUP(undo_run_free_p) struct undo_run *u = calloc(1, sizeof(*u));

    if (u)
        *u = (struct undo_run){
            .seat = s, .run = strdup(run), .max_bytes = max_bytes};
    if (!u || !u->run) {
        err_nomem(e);
        return NULL;
    }
    return TAKE_PTR(u);
}

void
undo_run_free(struct undo_run *u)
{
    if (!u)
        return;
    (void)undo_run_end(u, NULL, NULL);
    undo_store_free(u->store);
    undo_targets_done(&u->paths);
    json_free(u->state);
    free(u->run);
    free(u);
}

const char *
undo_run_name(const struct undo_run *u)
{
    return u->run;
}

/* The store, made where there is none. An earlier plan of the run may have kept
 * something in it. */
static int
need_undo_store(struct undo_run *u, struct err *e)
{
    if (u->store)
        return 0;
    undo_store_trim(u->seat, STORES_BUDGETS * u->max_bytes);
    u->store = undo_store_new(u->seat, u->run, e);
    if (!u->store)
        return -1;
    u->step = undo_store_steps(u->store);
    u->records = undo_record_count(u->store);
    return 0;
}

_Static_assert(UNDO_STEPS_MAX >= AIACTION_STEPS_MAX * TOOL_LOOP_ROUNDS_MAX,
               "no step of a model's last plan is refused");

/* The store, with room for one more step. */
static int
need_step_room(struct undo_run *u, struct err *e)
{
    if (need_undo_store(u, e) < 0)
        return -1;
    if (u->step == UNDO_STEPS_MAX)
        return err_set(e, ERR_NOMEM, "more than %d steps cannot be undone",
                       UNDO_STEPS_MAX);
    return 0;
}

static int
begin_in_view(struct undo_run *u, const struct step *s, struct err *e)
{
    const struct path_context where = path_context_of(u->seat);
    char dir[PATH_MAX];
    const char *workspace = guard_workspace(&where, dir);

    if (!workspace)
        return err_set(e, ERR_SANDBOX, "there is no workspace to view");
    if (need_step_room(u, e) < 0 ||
        !(u->view = undo_view_open(u->store, u->seat, workspace, s->command,
                                   e)))
        return -1;
    u->open = true;
    return 0;
}

bool
undo_run_needs_state(const struct undo_run *u, const struct step_verdict *v)
{
    return u && (v->undo == UNDO_WAY_TOOL || v->undo == UNDO_WAY_VERSIONS);
}

int
undo_run_take_state(struct undo_run *u, const struct json *meta,
                    const struct err *why, struct err *e)
{
    CLEANUP_BUF struct buf text = buf_of(UNDO_CALL_TEXT_MAX);
    const struct json *state = json_get(meta, "state");
    struct json_writer w;

    if (!u)
        return 0;
    if (!state)
        return err_set(e, ERR_TOOL, "%s",
                       why ? why->text : "the tool does not tell it");
    json_write_init(&w, &text);
    json_put_value(&w, state);
    json_free(u->state);
    u->state = NULL;
    if (buf_ok(&text, "what is needed to go back", e) < 0)
        return -1;
    u->state = json_parse(text.p, text.len, JSON_UNIQUE, e);
    return u->state ? 0 : -1;
}

/* Keeps what the tool answered before the step. */
static int
begin_tool_step(struct undo_run *u, const struct step *s,
                const struct step_verdict *v, struct err *e)
{
    CLEANUP(undo_call_done) struct undo_call c = {0};
    CLEANUP(json_free_p) struct json *state = TAKE_PTR(u->state);
    int rc = undo_call_find(s, v, &c, e);

    if (rc < 0)
        return -1;
    if (rc == 0 || !state)
        return err_set(e, ERR_TOOL, "it is not known how it is now");
    if (need_undo_store(u, e) < 0 ||
        undo_record_keep(u->store, u->records, &c, s->command, state, e) < 0)
        return -1;
    u->by_tool = u->open = true;
    return 0;
}

/* Without a state the record says that the end is not known. */
static void
end_tool_step(struct undo_run *u)
{
    CLEANUP(json_free_p) struct json *state = TAKE_PTR(u->state);

    if (state)
        (void)undo_record_note(u->store, u->records, state, NULL);
    u->records++;
    u->by_tool = false;
}

int
undo_run_begin(struct undo_run *u, const struct step *s,
               const struct step_verdict *v, struct err *e)
{
    const struct undo_wanted w = {.top = u ? seat_dir(u->seat) : NULL,
                                  .budget_bytes = !u           ? 0
                                                  : v->undoing ? UINT64_MAX
                                                               : u->max_bytes,
                                  .sync = true};
    struct undo_doubt doubt;

    if (!u || v->undo == UNDO_WAY_NONE)
        return 0;
    if (u->open)
        (void)undo_run_end(u, NULL, NULL);
    undo_targets_done(&u->paths);
    if (v->undo == UNDO_WAY_NOT)
        return need_undo_store(u, e) < 0
                   ? -1
                   : undo_store_note_reason(u->store, s->command, v->undo_why,
                                            e);
    if (undo_run_needs_state(u, v))
        return begin_tool_step(u, s, v, e) < 0
                   ? err_wrap(e, "what is needed to go back cannot be kept")
                   : 0;
    if (v->undo == UNDO_WAY_VIEW)
        return begin_in_view(u, s, e);
    if (undo_paths_find(s, v, &u->paths, &doubt, e) < 0)
        return err_wrap(e, "its originals cannot be kept");
    if (need_step_room(u, e) < 0 ||
        undo_store_keep(u->store, u->step, &u->paths, &w, e) < 0)
        return err_wrap(e, "its originals cannot be kept");
    u->open = true;
    return 0;
}

bool
undo_run_is_open(const struct undo_run *u)
{
    return u && u->open;
}

const struct view *
undo_run_view(const struct undo_run *u)
{
    return u ? u->view : NULL;
}

int
undo_run_end(struct undo_run *u, struct buf *left, struct err *e)
{
    CLEANUP_BUF struct buf unused = buf_of(UNDO_LEFT_MAX);
    bool kept = true;
    int rc;

    if (!u || !u->open)
        return 0;
    u->open = false;
    if (u->by_tool) {
        end_tool_step(u);
        return 0;
    }
    if (u->view) {
        rc = undo_view_apply(u->store, u->view, u->step, u->max_bytes, &kept,
                             left ? left : &unused, e);
        view_free(TAKE_PTR(u->view));
    } else {
        (void)undo_store_note(u->store, u->step, &u->paths, NULL);
        rc = 0;
    }
    u->step += kept;
    return rc;
}
