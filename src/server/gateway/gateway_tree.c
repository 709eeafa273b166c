/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gateway_tree.c - the working tree of git that a task has of its own. */
#include "server/gateway/gateway_tree.h"

#include "server/gateway/gateway_reply.h"
#include "server/gateway/gateway_task.h"
#include "server/gateway/worktree.h"
#include "json/write.h"

#define DIFF_MAX (1u << 20) /* bytes; what is beyond is left out */

static struct worktree_setup
tree_setup(const struct gateway_task *t, const char *directory)
{
    return (struct worktree_setup){
        .loop = t->g->set.loop,
        .seat = t->g->set.seat,
        .config = t->g->config,
        .directory = directory,
        .missing = t->g->nodes ? GATEWAY_TREE_ELSEWHERE : NULL};
}

bool
gateway_tree_is_missing(const struct gateway_task *t)
{
    return t->number[TASK_WORKTREE] != 0 && !t->text[TASK_TREE][0];
}

bool
gateway_tree_may_be_elsewhere(const struct gateway_task *t)
{
    return t->g->nodes && t->text[TASK_TREE][0] && !t->agent;
}

static void
on_tree_made(void *arg, const char *directory, const char *base,
             const struct err *why)
{
    struct gateway_task *t = arg;

    t->tree_job = NULL;
    t->uses--;
    if (!why) {
        gateway_task_set(t, TASK_TREE, directory);
        gateway_task_set(t, TASK_BASE, base);
    }
    t->tree_made(t, why);
}

int
gateway_tree_make(struct gateway_task *t,
                  void (*made)(struct gateway_task *t, const struct err *why),
                  struct err *e)
{
    const char *directory = t->text[TASK_DIRECTORY];
    const struct worktree_setup set = tree_setup(
        t, directory[0] ? directory : t->g->directory);

    t->tree_made = made;
    t->tree_job = worktree_make(&set, t->id, on_tree_made, t, e);
    if (!t->tree_job)
        return -1;
    t->uses++;
    return 0;
}

void
gateway_tree_stop(struct gateway_task *t)
{
    if (!t->tree_job)
        return;
    worktree_job_free(t->tree_job);
    t->tree_job = NULL;
    t->uses--;
}

static void
report_kept_tree(struct gateway_task *t, const char *why)
{
    CLEANUP_BUF struct buf b = buf_of(4096);

    buf_printf(&b, "the working tree is kept: %.1000s", why);
    if (!t->tree_quietly)
        gateway_task_report(t, "acp.log", b.p);
}

static void
on_tree_clean(void *arg, bool kept, const char *reason, const struct err *why)
{
    struct gateway_task *t = arg;

    t->tree_job = NULL;
    t->uses--;
    if (why || kept) {
        report_kept_tree(t, why ? why->text : reason);
    } else {
        gateway_task_set(t, TASK_TREE, NULL);
        gateway_task_set(t, TASK_BASE, NULL);
        gateway_task_keep(t, "task.updated");
    }
    t->tree_over(t);
}

void
gateway_tree_clean(struct gateway_task *t, bool quietly,
                   void (*over)(struct gateway_task *t))
{
    const struct worktree_setup set = tree_setup(t, t->text[TASK_TREE]);
    struct err e = {0};

    if (t->tree_job || !t->text[TASK_TREE][0])
        return;
    t->tree_quietly = quietly;
    t->tree_over = over;
    t->tree_job = worktree_clean(&set, on_tree_clean, t, &e);
    if (t->tree_job)
        t->uses++;
    else
        report_kept_tree(t, e.text);
}

/* What is asked for is freed with its callback, or ends with the loop. */
static void
on_tree_diff(void *arg, const struct buf *text, bool cut, const struct err *why)
{
    struct gateway_request *r = arg;
    CLEANUP_BUF struct buf b = buf_of(GATEWAY_ANSWER_MAX);
    struct json_writer w;

    r->tree_job = NULL;
    if (why && why->code == ERR_NOT_FOUND) {
        gateway_refuse(r, GATEWAY_NOT_FOUND, NULL, "not found: %s", why->text);
        return;
    }
    if (why) {
        gateway_refuse(r, GATEWAY_INTERNAL_ERROR, NULL, "%s", why->text);
        return;
    }
    json_write_init(&w, &b);
    json_open_object(&w);
    json_key(&w, "diff");
    json_put_strn(&w, text->p, text->len);
    json_member_bool(&w, "truncated", cut);
    json_member_str(&w, "base", r->task->text[TASK_BASE]);
    json_member_str(&w, "directory", r->task->text[TASK_TREE]);
    json_close_object(&w);
    gateway_reply(r, &b);
}

void
gateway_tree_diff(struct gateway_request *r)
{
    const struct gateway_task *t = r->task;
    const struct worktree_setup set = tree_setup(t, t->text[TASK_TREE]);
    struct err e = {0};

    if (!t->text[TASK_TREE][0]) {
        gateway_refuse(r, GATEWAY_NOT_FOUND, NULL,
                       "not found: the task has no working tree of its own");
        return;
    }
    r->tree_job = worktree_diff(&set, t->text[TASK_BASE], DIFF_MAX,
                                on_tree_diff, r, &e);
    if (!r->tree_job)
        gateway_refuse(r, GATEWAY_INTERNAL_ERROR, NULL, "%s", e.text);
}
