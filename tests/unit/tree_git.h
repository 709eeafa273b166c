/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tree_git.h - git commands in a directory of a test's own. */
#ifndef TESTS_TREE_GIT_H
#define TESTS_TREE_GIT_H

#include <spawn.h>
#include <sys/wait.h>

#include "tree.h"

/* Runs `git -C dir words…`, quiet, with no settings of anybody's. False: git
 * is not here, or it failed. */
static inline bool
tree_git(const struct tree *t, const char *dir, const char *const *words)
{
    static const char *const env[] = {"GIT_CONFIG_NOSYSTEM=1",
                                      "GIT_CONFIG_GLOBAL=/dev/null",
                                      "PATH=/usr/bin:/bin:/usr/local/bin",
                                      "GIT_AUTHOR_NAME=a",
                                      "GIT_AUTHOR_EMAIL=a@b",
                                      "GIT_COMMITTER_NAME=a",
                                      "GIT_COMMITTER_EMAIL=a@b",
                                      NULL};
    char path[PATH_MAX];
    const char *argv[16] = {"git", "-C", tree_path(t, dir, path)};
    posix_spawn_file_actions_t quiet;
    pid_t pid;
    int status;
    bool ok;

    for (int i = 0; i < 12 && words[i]; i++)
        argv[3 + i] = words[i];
    posix_spawn_file_actions_init(&quiet);
    posix_spawn_file_actions_addopen(&quiet, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&quiet, 2, "/dev/null", O_WRONLY, 0);
    ok = posix_spawnp(&pid, "git", &quiet, NULL, (char *const *)argv,
                      (char *const *)env) == 0 &&
         waitpid(pid, &status, 0) == pid && status == 0;
    posix_spawn_file_actions_destroy(&quiet);
    return ok;
}
#define GIT(t, dir, ...)                                                       \
    tree_git((t), (dir), (const char *const[]){__VA_ARGS__, NULL})

#endif
