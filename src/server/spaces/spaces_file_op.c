/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spaces_file_op.c - one file operation: judged, done, recorded. */
#include "server/spaces/spaces_file_op.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "action/approval.h"
#include "action/errand_record.h"
#include "base/array.h"
#include "base/base64.h"
#include "base/clock.h"
#include "base/path.h"
#include "base/utf8.h"
#include "server/spaces/spaces_files.h"
#include "server/spaces/spaces_permissive.h"

#define RECORD_MAX 8192 /* of a path, escaped, and a number */

/* The tool that does the same, for the rules. */
static const struct file_tool {
    const char *tool, *action;
    bool reads; /* what the path leads to has to be there */
} tools[SPACES_TYPE_N] = {
    [SPACES_CREATE] = {"fs.write_file", "write", false},
    [SPACES_READ] = {"fs.read_file", "read", true},
    [SPACES_EDIT] = {"fs.edit_file", "edit", true},
    [SPACES_DELETE] = {"fs.delete_file", "delete", false},
};

/* {"path":…} and, for the journal, how much is written. */
static struct json *
path_args(const char *path, int64_t bytes, struct err *e)
{
    CLEANUP_BUF struct buf text = buf_of(RECORD_MAX);
    struct json_writer w;

    json_write_init(&w, &text);
    json_open_object(&w);
    json_member_str(&w, "path", path);
    if (bytes >= 0)
        json_member_int(&w, "bytes", bytes);
    json_close_object(&w);
    if (buf_ok(&text, "the path", e) < 0)
        return NULL;
    return json_parse(text.p, text.len, 0, e);
}

/* Judges the path that it leads to as well; the stricter decision counts. */
static int
judge_target(struct spaces_file_op *f, const char *real, struct err *e)
{
    const struct spaces_shared *sh = f->shared;
    const char *below = path_behind(real, seat_dir(sh->seat));
    CLEANUP(json_free_p) struct json *args = NULL;
    CLEANUP(permit_done) struct permit p = {0};

    if (below && strcmp(below, f->op->path) == 0)
        return 0;
    if (!(args = path_args(real, -1, e)) ||
        permit_judge(sh->policy, f->tool, f->action, args, &sh->where, &p, e) <
            0)
        return -1;
    if (p.decision <= f->permit.decision)
        return 0;
    permit_done(&f->permit);
    f->permit = p;
    p = (struct permit){0};
    return 0;
}

/* The preset permissive asks about programs that are known to destroy, not
 * about files of the workspace that an operation writes; what it asks about
 * some names, such as those of hooks, stays. */
static void
allow_permissive(struct spaces_file_op *f, const char *real)
{
    const struct spaces_shared *sh = f->shared;
    const char *const paths[] = {f->op->path, real};
    struct policy_verdict v;

    if (f->permit.decision != GUARD_ASK || f->op->type == SPACES_READ ||
        !spaces_is_permissive(sh))
        return;
    for (size_t i = 0; i < ARRAY_SIZE(paths) && paths[i]; i++) {
        policy_judge_new_path(sh->policy, paths[i], &sh->where, &v);
        if (v.decision != GUARD_ALLOW)
            return;
    }
    f->permit.decision = GUARD_ALLOW;
    f->permit.reason[0] = '\0';
    snprintf(f->permit.rule, sizeof(f->permit.rule), "%s", v.rule);
}

int
spaces_file_op_judge(struct spaces_file_op *f, const struct spaces_shared *sh,
                     const struct spaces_op *op, struct err *e)
{
    const struct file_tool *t = &tools[op->type];
    char real[PATH_MAX];
    struct err why = {0};
    int fd;

    *f = (struct spaces_file_op){
        .shared = sh, .op = op, .action = t->action, .from_ms = clock_ms()};
    if (!(f->tool = registry_find(sh->registry, t->tool, e)))
        return -1;
    fd = spaces_files_find(sh->root, op->path, real, &why);
    if (fd >= 0)
        f->found = fd + 1;
    else if (why.sys == EXDEV || why.sys == ELOOP)
        return err_set(e, why.code, "%s", why.text);
    if (permit_judge(sh->policy, f->tool, f->action, op->v, &sh->where,
                     &f->permit, e) < 0 ||
        (fd >= 0 && judge_target(f, real, e) < 0))
        return -1;
    allow_permissive(f, fd >= 0 ? real : NULL);
    if (fd < 0 && t->reads && f->permit.decision != GUARD_DENY)
        return err_set(e, why.code, "%s", why.text);
    if (fd >= 0 && op->type == SPACES_CREATE && !op->overwrite &&
        f->permit.decision != GUARD_DENY)
        return err_set(e, ERR_INVALID, "File already exists");
    return 0;
}

void
spaces_file_op_done(struct spaces_file_op *f)
{
    if (!f)
        return;
    if (f->found > 0)
        close(f->found - 1);
    permit_done(&f->permit);
    *f = (struct spaces_file_op){0};
}

int
spaces_file_op_digest(const struct spaces_file_op *f, char hex[SHA256_HEX_SIZE],
                      struct err *e)
{
    const struct approval_call call = {.seat = f->shared->seat,
                                       .tool = f->tool,
                                       .action = f->action,
                                       .args = f->op->v,
                                       .permit = &f->permit};

    return approval_call_digest(&call, hex, e);
}

static int
create_file(struct spaces_file_op *f, struct json_writer *w, struct err *e)
{
    CLEANUP_BUF struct buf bytes = buf_of(SPACES_CONTENT_MAX);
    const struct spaces_op *op = f->op;
    size_t n;
    const char *text = json_str(json_get(op->v, "content"), &n);

    if (op->base64 && base64_decode(&bytes, text, n, NULL) < 0)
        return err_set(e, ERR_INVALID, "Content is not valid base64");
    f->bytes = op->base64 ? bytes.len : n;
    if (spaces_files_create(f->shared->root, op->path,
                            op->base64 ? bytes.p : text, f->bytes,
                            op->overwrite, e) < 0)
        return -1;
    json_member_bool(w, "success", true);
    json_member_int(w, "bytesWritten", (int64_t)f->bytes);
    return 0;
}

static int
read_file(struct spaces_file_op *f, struct json_writer *w, struct err *e)
{
    CLEANUP_BUF struct buf bytes = buf_of(SPACES_CONTENT_MAX);
    CLEANUP_BUF struct buf text = buf_of(BASE64_TEXT_SIZE(SPACES_CONTENT_MAX));

    if (spaces_files_read(f->found - 1, &bytes, e) < 0)
        return -1;
    f->bytes = bytes.len;
    if (f->op->base64 && base64_encode(&text, bytes.p, bytes.len) < 0)
        return err_nomem(e);
    json_member_bool(w, "success", true);
    json_key(w, "content");
    if (f->op->base64)
        json_put_strn(w, text.p, text.len);
    else
        json_put_strn(w, bytes.p, bytes.len);
    json_member_str(w, "encoding", f->op->base64 ? "base64" : "utf-8");
    json_member_int(w, "size", (int64_t)bytes.len);
    return 0;
}

static int
edit_file(struct spaces_file_op *f, struct json_writer *w,
          const atomic_bool *unwanted, struct err *e)
{
    size_t applied = 0;

    if (spaces_files_edit(f->shared->root, f->op->path,
                          json_get(f->op->v, "edits"), unwanted, &applied,
                          e) < 0)
        return -1;
    json_member_bool(w, "success", true);
    json_member_int(w, "editsApplied", (int64_t)applied);
    return 0;
}

static int
delete_file(struct spaces_file_op *f, struct json_writer *w, struct err *e)
{
    if (spaces_files_delete(f->shared->root, f->op->path, e) < 0)
        return -1;
    json_member_bool(w, "success", true);
    return 0;
}

static int
do_file_op(struct spaces_file_op *f, struct json_writer *w,
           const atomic_bool *unwanted, struct err *e)
{
    switch (f->op->type) {
    case SPACES_CREATE:
        return create_file(f, w, e);
    case SPACES_READ:
        return read_file(f, w, e);
    case SPACES_EDIT:
        return edit_file(f, w, unwanted, e);
    default:
        return delete_file(f, w, e);
    }
}

/* Whether the operation is what was approved. */
static int
check_approved(struct spaces_file_op *f, const char *approved, struct err *e)
{
    char hex[SHA256_HEX_SIZE];

    if (!approved || f->permit.decision == GUARD_ALLOW)
        return 0;
    if (spaces_file_op_digest(f, hex, e) < 0)
        return -1;
    f->changed = strcmp(hex, approved) != 0;
    return 0;
}

void
spaces_file_op_run(struct spaces_file_op *f, const char *approved,
                   struct buf *events, size_t room, const atomic_bool *unwanted)
{
    CLEANUP_BUF struct buf one = buf_of(SPACES_RUN_CONTENT_MAX);
    struct json_writer w;
    int rc;

    if (check_approved(f, approved, &f->why) == 0 && f->changed)
        return;
    spaces_event_begin(&w, &one, f->op);
    rc = f->why.code == ERR_NONE ? do_file_op(f, &w, unwanted, &f->why) : -1;
    spaces_event_end(&w);
    if (rc == 0 && f->op->type == SPACES_READ &&
        (buf_ok(&one, "the event", NULL) < 0 || one.len > room))
        rc = err_set(&f->why, ERR_INVALID,
                     "Too much content for one message (max %u bytes)",
                     SPACES_RUN_CONTENT_MAX);
    if (rc < 0) {
        spaces_event_failed(events, f->op, f->why.text, 0);
        return;
    }
    if (events->len > 0)
        buf_ch(events, ',');
    buf_add(events, one.p, one.len);
    f->content = f->op->type == SPACES_READ ? one.len : 0;
}

void
spaces_file_op_record(const struct spaces_file_op *f, const char *yes)
{
    const struct errand_params *p = &f->shared->errand;
    bool writes = f->op->type == SPACES_CREATE;
    CLEANUP(json_free_p)
    struct json *args = path_args(f->op->path, writes ? (int64_t)f->bytes : -1,
                                  NULL);
    const struct errand_request rq = {
        .tool = f->tool->name, .action = f->action, .args = args};
    const struct tool_result ok = {.ok = true,
                                   .out = "",
                                   .err = "",
                                   .duration_ms = clock_ms() - f->from_ms};
    struct err why = f->why;

    errand_record_call(p, f->tool, &rq, &f->permit, yes);
    if (f->permit.decision == GUARD_DENY)
        err_set(&why, ERR_DENIED, "%s", f->permit.reason);
    if (why.code == ERR_NONE)
        errand_record_result(p, &rq, &ok, true);
    else
        errand_record_failure(p, &rq, &why, ok.duration_ms);
}
