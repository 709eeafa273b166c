/* SPDX-License-Identifier: GPL-3.0-or-later */
/* git_repo.c - where a git repository begins, and where its index lies. */
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/path.h"
#include "guard/effects/git_index.h"

#define SHA1_BYTES   20
#define SHA256_BYTES 32
#define CONFIG_MAX   (64 * 1024) /* of .git/config: people write it by hand */

char *
git_index_find_top(const char *path)
{
    char dir[PATH_MAX], git[PATH_MAX + 8];
    char *slash;
    struct stat st;

    snprintf(dir, sizeof(dir), "%s", path);
    while ((slash = strrchr(dir, '/')) != NULL) {
        *slash = '\0';
        snprintf(git, sizeof(git), "%s/.git", dir);
        if (lstat(git, &st) == 0)
            return strdup(dir[0] ? dir : "/");
    }
    return NULL;
}

/* What a .git that is a file says: "gitdir: DIR". */
static char *
named_dir(const char *top, const char *git)
{
    CLEANUP_BUF struct buf b = buf_of(PATH_MAX + 16);
    static const char word[] = "gitdir: ";
    size_t n = sizeof(word) - 1;

    if (file_read_regular(git, &b, NULL) < 0 || strncmp(b.p, word, n) != 0)
        return NULL;
    buf_cut(&b, n + strcspn(b.p + n, "\r\n"));
    return b.p[n] == '/' ? strdup(b.p + n) : path_join(top, b.p + n);
}

char *
git_index_dir(const char *top)
{
    CLEANUP(free_p) char *git = path_join(top, ".git");
    struct stat st;

    if (!git || stat(git, &st) < 0)
        return NULL;
    return S_ISDIR(st.st_mode) ? TAKE_PTR(git) : named_dir(top, git);
}

/* A repository of SHA-256 says so in its configuration; that of a worktree is
 * the repository's own, two directories above. */
static size_t
hash_bytes_of(const char *dir)
{
    static const char *const places[] = {"config", "../../config"};

    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        CLEANUP_BUF struct buf b = buf_of(CONFIG_MAX);
        CLEANUP(free_p) char *path = path_join(dir, places[i]);
        const char *at;

        if (!path || file_read_regular(path, &b, NULL) < 0)
            continue;
        at = strcasestr(b.p, "objectformat");
        return at && strncmp(at + strcspn(at, "=\n"), "= sha256", 8) == 0
                   ? SHA256_BYTES
                   : SHA1_BYTES;
    }
    return SHA1_BYTES;
}

struct git_index *
git_index_open(const char *top, struct err *e)
{
    static const unsigned char empty[] = "DIRC\0\0\0\2\0\0\0\0";
    CLEANUP_BUF struct buf b = buf_of(GIT_INDEX_BYTES_MAX);
    CLEANUP(free_p) char *dir = git_index_dir(top);
    CLEANUP(free_p) char *path = dir ? path_join(dir, "index") : NULL;
    struct stat st;

    if (!path) {
        err_set(e, ERR_NOT_FOUND, "%s is not a git repository", top);
        return NULL;
    }
    if (lstat(path, &st) < 0 && errno == ENOENT)
        return git_index_parse(empty, sizeof(empty) - 1, SHA1_BYTES, e);
    if (file_read_regular(path, &b, e) < 0)
        return NULL;
    return git_index_parse(b.p, b.len, hash_bytes_of(dir), e);
}
