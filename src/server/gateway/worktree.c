/* SPDX-License-Identifier: GPL-3.0-or-later */
/* worktree.c - a working tree of a task's own, of git. */
#include "server/gateway/worktree.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/path.h"
#include "guard/path/git_files.h"
#include "guard/path/git_trusted.h"
#include "server/gateway/gateway_command.h"
#include "server/gateway/gateway_directory.h"
#include "server/gateway/gateway_sandbox.h"

#define GIT_MS       120000 /* a large tree is checked out in some seconds */
#define ANSWER_MAX   (8u << 10)
#define TASK_MAX     100 /* bytes of the id of a task */
#define KEPT_CHANGES 10  /* statuses of the script below */
#define KEPT_COMMITS 11
#define KEPT_BRANCH  12

/* $1: the new tree; $2: its branch. Prints the commit. */
#define MAKE_SCRIPT                                                            \
    "base=$(git rev-parse --verify -q HEAD) || {\n"                            \
    "    echo 'the repository has no commit yet' >&2; exit 1; }\n"             \
    "git worktree add -q -b \"$2\" -- \"$1\" \"$base\" >&2 || exit\n"          \
    "echo \"$base\"\n"

/* $1: the commit. An index of its own lets new files be seen, which git makes
 * an empty object for. Its copy keeps the time of the index: a file that is not
 * older may have changed unseen, and git looks into it. */
#define DIFF_SCRIPT                                                            \
    "own=$(mktemp -d) || exit\n"                                               \
    "cp -p -- \"$(git rev-parse --git-path index)\" \"$own/index\" "           \
    "2>/dev/null\n"                                                            \
    "GIT_ALTERNATE_OBJECT_DIRECTORIES=$(git rev-parse --git-path objects)\n"   \
    "GIT_INDEX_FILE=$own/index GIT_OBJECT_DIRECTORY=$own\n"                    \
    "export GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_INDEX_FILE \\\n"              \
    "    GIT_OBJECT_DIRECTORY\n"                                               \
    "git add -N -- . >&2 || exit\n"                                            \
    "exec git diff --no-ext-diff --no-textconv --no-color -M \"$1\" --\n"

/* $1: the tree. Prints its branch where nothing would be lost with both. */
#define CHECK_SCRIPT                                                           \
    "changed=$(git -C \"$1\" status --porcelain -unormal) || exit\n"           \
    "[ -z \"$changed\" ] || exit 10\n"                                         \
    "branch=$(git -C \"$1\" symbolic-ref -q --short HEAD) || exit 12\n"        \
    "case $branch in agentsh/*) ;; *) exit 12 ;; esac\n"                       \
    "own=$(git -C \"$1\" rev-list -n 1 HEAD --not --exclude=\"$branch\" \\\n"  \
    "    --branches --remotes --tags) || exit\n"                               \
    "[ -z \"$own\" ] || exit 11\n"                                             \
    "printf %s \"$branch\"\n"

/* $1: the tree; $2: its branch. git refuses where something has changed. */
#define REMOVE_SCRIPT                                                          \
    "git worktree remove -- \"$1\" >&2 && git branch -q -D -- \"$2\" >&2\n"

struct worktree_job {
    struct gateway_directory *look; /* for the tree, before git has it */
    struct gateway_command *command;
    struct worktree_setup set; /* with a directory and settings of its own */
    char *directory;           /* that one */
    char *base;                /* to compare with, */
    size_t max;                /* and the bytes of that */
    char *made;                /* the new tree, or the one that is removed */
    char *main;                /* where it is removed from */
    worktree_made_cb *on_made;
    worktree_diff_cb *on_diff;
    worktree_clean_cb *on_clean;
    void *arg;
};

/* What a script of git's is run with. */
struct git_run {
    enum profile profile;
    const char *workspace;
    const char *const *readable;
    const char *const *writable;
    const char *script;
    const char *one, *two; /* $1, $2 */
    size_t max;            /* bytes of its output */
};

void
worktree_job_free(struct worktree_job *j)
{
    if (!j)
        return;
    gateway_directory_free(j->look);
    gateway_command_free(j->command);
    config_free(j->set.config);
    free(j->directory);
    free(j->base);
    free(j->made);
    free(j->main);
    free(j);
}
DEFINE_CLEANUP(struct worktree_job, worktree_job_free)

/* Where a `.git` that is a file leads to: what all trees have in common. */
static char *
follow_git_file(const char *dir, const char *path)
{
    CLEANUP_BUF struct buf text = buf_of(PATH_MAX);
    const char *link;
    char *worktrees, *whole;

    if (file_read_regular(path, &text, NULL) < 0 ||
        !(link = git_files_link(text.p)))
        return NULL;
    whole = *link == '/' ? strdup(link) : path_join(dir, link);
    if (!whole)
        return NULL;
    path_clean(whole);
    worktrees = strstr(whole, "/" GIT_WORKTREES "/");
    if (worktrees)
        *worktrees = '\0';
    return whole;
}

/* The tree that the directory is in, and the common directory. */
static int
find_repository(const char *directory, char **top, char **common, struct err *e)
{
    CLEANUP(free_p) char *dir = strdup(directory);

    while (dir && *dir) {
        CLEANUP(free_p) char *git = path_join(dir, GIT_DIR);
        struct stat st;

        if (git && lstat(git, &st) == 0) {
            *common = S_ISDIR(st.st_mode) ? TAKE_PTR(git)
                                          : follow_git_file(dir, git);
            *top = TAKE_PTR(dir);
            break;
        }
        *strrchr(dir, '/') = '\0';
    }
    return *common ? 0
                   : err_set(e, ERR_NOT_FOUND, "%s is in no repository of git",
                             directory);
}

char *
worktree_common(const char *directory)
{
    CLEANUP(free_p) char *top = NULL;
    char *common = NULL;

    return find_repository(directory, &top, &common, NULL) < 0 ? NULL : common;
}

/* The words that a failed git wrote, without control characters. */
static void
set_git_error(const struct gateway_command_result *r, struct err *e)
{
    char text[sizeof(e->text)];
    size_t n = 0;

    for (const char *s = r->errors; *s && n < sizeof(text) - 1; s++)
        text[n++] = (unsigned char)*s < 0x20 ? ' ' : *s;
    text[n] = '\0';
    err_set(e, ERR_TOOL, "git: %s", n > 0 ? text : "it failed");
}

/* The variables are those for a git that only reads, also where it writes:
 * they keep it from running what the repository names. */
static struct gateway_command *
start_git(const struct worktree_setup *set, const struct git_run *run,
          gateway_command_cb *cb, void *arg, struct err *e)
{
    CLEANUP(gateway_sandbox_done) struct gateway_sandbox box = {0};
    CLEANUP(gateway_sandbox_done) struct gateway_sandbox reads = {0};
    const char *const argv[] = {
        "/bin/sh", "-c", run->script, "git", run->one, run->two, NULL,
    };
    struct sandbox_setup_params params = {.profile = run->profile,
                                          .seat = set->seat,
                                          .workspace = run->workspace,
                                          .readable = run->readable,
                                          .writable = run->writable};
    struct gateway_command_spec spec = {.seat = set->seat,
                                        .cwd = run->workspace,
                                        .max_bytes = run->max,
                                        .timeout_ms = GIT_MS};

    if (gateway_sandbox_make(&box, &params, set->config, argv, e) < 0)
        return NULL;
    params.profile = PROFILE_READ_ONLY;
    params.writable = NULL;
    if (gateway_sandbox_make(&reads, &params, set->config, argv, e) < 0)
        return NULL;
    spec.argv = box.argv;
    spec.envp = (const char *const *)reads.spawn.env;
    return gateway_command_start(set->loop, &spec, cb, arg, e);
}

static void
on_made(void *arg, const struct gateway_command_result *r,
        const struct err *why)
{
    CLEANUP(worktree_job_free_p) struct worktree_job *j = arg;
    struct err e = why ? *why : (struct err){0};

    j->command = NULL;
    if (r && r->status != 0)
        set_git_error(r, &e);
    if (r)
        buf_cut(r->out, strcspn(r->out->p, "\n"));
    if (e.code != ERR_NONE)
        j->on_made(j->arg, NULL, NULL, &e);
    else
        j->on_made(j->arg, j->made, r->out->p, NULL);
}

static void
on_diff(void *arg, const struct gateway_command_result *r,
        const struct err *why)
{
    CLEANUP(worktree_job_free_p) struct worktree_job *j = arg;
    struct err e = why ? *why : (struct err){0};

    j->command = NULL;
    if (r && r->status != 0 && !r->cut)
        set_git_error(r, &e);
    if (e.code != ERR_NONE)
        j->on_diff(j->arg, NULL, false, &e);
    else
        j->on_diff(j->arg, r->out, r->cut, NULL);
}

/* The last that is done with the job. */
static void
report_clean(struct worktree_job *j, const char *kept, const struct err *why)
{
    j->on_clean(j->arg, kept || why, kept ? kept : "", why);
    worktree_job_free(j);
}

static void
on_removed(void *arg, const struct gateway_command_result *r,
           const struct err *why)
{
    struct worktree_job *j = arg;
    struct err e = why ? *why : (struct err){0};
    char *slash = strrchr(j->made, '/');

    j->command = NULL;
    if (r && r->status != 0)
        set_git_error(r, &e);
    if (e.code == ERR_NONE && slash) {
        *slash = '\0';
        (void)rmdir(j->made); /* when it was the last one */
    }
    report_clean(j, NULL, e.code != ERR_NONE ? &e : NULL);
}

/* Outside the sandbox, which holds the directories that git trusts. */
static int
remove_tree(struct worktree_job *j, const char *branch, struct err *e)
{
    const struct git_run run = {.profile = PROFILE_FULL,
                                .workspace = j->main,
                                .script = REMOVE_SCRIPT,
                                .one = j->made,
                                .two = branch,
                                .max = ANSWER_MAX};

    j->command = start_git(&j->set, &run, on_removed, j, e);
    return j->command ? 0 : -1;
}

static void
on_checked(void *arg, const struct gateway_command_result *r,
           const struct err *why)
{
    struct worktree_job *j = arg;
    struct err e = why ? *why : (struct err){0};
    const char *kept = NULL;

    j->command = NULL;
    if (r && r->status == KEPT_CHANGES)
        kept = "it holds changes that are not committed";
    else if (r && r->status == KEPT_COMMITS)
        kept = "it holds commits that are not merged";
    else if (r && r->status == KEPT_BRANCH)
        kept = "it is not on a branch of the gateway's";
    else if (r && r->status != 0)
        set_git_error(r, &e);
    else if (r && remove_tree(j, r->out->p, &e) == 0)
        return;
    report_clean(j, kept, e.code != ERR_NONE ? &e : NULL);
}

/* Nobody else can put something in the place of what lies in it: it is yours,
 * or is not there yet. */
static int
check_place(const char *dir, struct err *e)
{
    struct stat st;

    if (lstat(dir, &st) < 0)
        return errno == ENOENT ? 0 : err_sys(e, "%s", dir);
    if (S_ISLNK(st.st_mode))
        return err_set(e, ERR_DENIED,
                       "a symbolic link is no place for working trees. To do: "
                       "have a directory at %s",
                       dir);
    if (!S_ISDIR(st.st_mode) || st.st_uid != geteuid())
        return err_set(e, ERR_DENIED, "%s is no directory of yours", dir);
    if (st.st_mode & (S_IWGRP | S_IWOTH))
        return err_set(e, ERR_DENIED,
                       "others may write where working trees are. To do: "
                       "chmod go-w %s",
                       dir);
    return 0;
}

/* The directory that trees of this repository are made in: beside it, or at
 * home where nothing can be made there. */
static char *
make_trees_dir(const struct worktree_setup *set, const char *top, struct err *e)
{
    CLEANUP(free_p) char *dir = path_beside(top, ".worktrees");
    CLEANUP(free_p) char *parent = strdup(top);

    if (!dir || !parent) {
        err_nomem(e);
        return NULL;
    }
    *strrchr(parent, '/') = '\0';
    if (access(*parent ? parent : "/", W_OK) < 0) {
        free(TAKE_PTR(dir));
        free(TAKE_PTR(parent));
        parent = path_join(seat_home(set->seat), path_base(top));
        if (!parent || !(dir = path_beside(parent, ".worktrees"))) {
            err_nomem(e);
            return NULL;
        }
    }
    if (check_place(dir, e) < 0)
        return NULL;
    return seat_make_dirs(set->seat, dir, 0700, e) < 0 ? NULL : TAKE_PTR(dir);
}

static int
check_task(const char *task, struct err *e)
{
    size_t n = strspn(task, "abcdefghijklmnopqrstuvwxyz"
                            "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_");

    return n > 0 && n <= TASK_MAX && !task[n] && task[0] != '-'
               ? 0
               : err_set(e, ERR_INVALID, "no id of a task");
}

struct worktree_job *
worktree_make(const struct worktree_setup *set, const char *task,
              worktree_made_cb *cb, void *arg, struct err *e)
{
    CLEANUP(worktree_job_free_p)
    struct worktree_job *j = calloc(1, sizeof(*j));
    CLEANUP(free_p) char *top = NULL;
    CLEANUP(free_p) char *common = NULL;
    CLEANUP(free_p) char *dir = NULL;
    CLEANUP_BUF struct buf branch = buf_of(TASK_MAX + 16);
    const char *writable[] = {NULL, NULL, NULL};
    struct git_run run = {.profile = PROFILE_WORKSPACE_WRITE,
                          .writable = writable,
                          .script = MAKE_SCRIPT,
                          .max = ANSWER_MAX};

    if (!j) {
        err_nomem(e);
        return NULL;
    }
    if (check_task(task, e) < 0 ||
        find_repository(set->directory, &top, &common, e) < 0 ||
        !(dir = make_trees_dir(set, top, e)))
        return NULL;
    if (!(j->made = path_join(dir, task))) {
        err_nomem(e);
        return NULL;
    }
    buf_printf(&branch, "agentsh/%s", task);
    j->on_made = cb;
    j->arg = arg;
    writable[0] = dir;
    writable[1] = path_is_below(common, top) ? NULL : common;
    run.workspace = top;
    run.one = j->made;
    run.two = branch.p;
    j->command = start_git(set, &run, on_made, j, e);
    return j->command ? TAKE_PTR(j) : NULL;
}

/* A job on a tree that there is. */
static struct worktree_job *
new_tree_job(const struct worktree_setup *set, void *arg, struct err *e)
{
    struct worktree_job *j = calloc(1, sizeof(*j));

    if (!j || !(j->directory = strdup(set->directory))) {
        free(j);
        err_nomem(e);
        return NULL;
    }
    j->set = *set;
    j->set.directory = j->directory;
    j->set.config = config_hold(set->config);
    j->arg = arg;
    return j;
}

/* Before git, which would wait for a file server as long as that is away. */
static int
look_for_tree(struct worktree_job *j,
              void (*seen)(void *arg, const struct err *why), struct err *e)
{
    j->look = gateway_directory_look(j->set.loop, j->directory, seen, j, e);
    return j->look ? 0 : -1;
}

/* Takes what was found. */
static int
take_look(struct worktree_job *j, const struct err *why, struct err *e)
{
    j->look = NULL;
    if (why && j->set.missing)
        return err_set(e, ERR_NOT_FOUND, "%s", j->set.missing);
    if (why)
        *e = *why;
    return why ? -1 : 0;
}

static int
start_diff(struct worktree_job *j, struct err *e)
{
    CLEANUP(free_p) char *top = NULL;
    CLEANUP(free_p) char *common = NULL;
    const char *readable[] = {NULL, NULL};
    struct git_run run = {.profile = PROFILE_READ_ONLY,
                          .readable = readable,
                          .script = DIFF_SCRIPT,
                          .one = j->base,
                          .max = j->max};

    if (find_repository(j->directory, &top, &common, e) < 0)
        return -1;
    readable[0] = common;
    run.workspace = top;
    j->command = start_git(&j->set, &run, on_diff, j, e);
    return j->command ? 0 : -1;
}

static void
on_tree_to_compare(void *arg, const struct err *why)
{
    struct worktree_job *j = arg;
    struct err e = {0};

    if (take_look(j, why, &e) == 0 && start_diff(j, &e) == 0)
        return;
    j->on_diff(j->arg, NULL, false, &e);
    worktree_job_free(j);
}

struct worktree_job *
worktree_diff(const struct worktree_setup *set, const char *base, size_t max,
              worktree_diff_cb *cb, void *arg, struct err *e)
{
    CLEANUP(worktree_job_free_p) struct worktree_job *j = NULL;

    if (base[strspn(base, "0123456789abcdef")] || !*base) {
        err_set(e, ERR_INVALID, "no commit");
        return NULL;
    }
    if (!(j = new_tree_job(set, arg, e)))
        return NULL;
    j->on_diff = cb;
    j->max = max;
    if (!(j->base = strdup(base))) {
        err_nomem(e);
        return NULL;
    }
    return look_for_tree(j, on_tree_to_compare, e) < 0 ? NULL : TAKE_PTR(j);
}

static int
start_check(struct worktree_job *j, struct err *e)
{
    CLEANUP(free_p) char *common = NULL;
    const char *readable[] = {NULL, NULL};
    struct git_run run = {.profile = PROFILE_READ_ONLY,
                          .readable = readable,
                          .script = CHECK_SCRIPT,
                          .max = ANSWER_MAX};

    if (find_repository(j->directory, &j->made, &common, e) < 0)
        return -1;
    if (!(j->main = strdup(common)))
        return err_nomem(e);
    if (strcmp(path_base(common), GIT_DIR) == 0)
        *strrchr(j->main, '/') = '\0';
    readable[0] = common;
    run.workspace = run.one = j->made;
    j->command = start_git(&j->set, &run, on_checked, j, e);
    return j->command ? 0 : -1;
}

static void
on_tree_to_clean(void *arg, const struct err *why)
{
    struct worktree_job *j = arg;
    struct err e = {0};

    if (take_look(j, why, &e) < 0 || start_check(j, &e) < 0)
        report_clean(j, NULL, &e);
}

struct worktree_job *
worktree_clean(const struct worktree_setup *set, worktree_clean_cb *cb,
               void *arg, struct err *e)
{
    CLEANUP(worktree_job_free_p)
    struct worktree_job *j = new_tree_job(set, arg, e);

    if (!j)
        return NULL;
    j->on_clean = cb;
    return look_for_tree(j, on_tree_to_clean, e) < 0 ? NULL : TAKE_PTR(j);
}
