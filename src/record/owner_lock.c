/* SPDX-License-Identifier: GPL-3.0-or-later */
/* owner_lock.c - tells whether the process that owns a row still lives. */
#include "record/owner_lock.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/path.h"
#include "base/random_id.h"
#include "record/journal_path.h"

#define NAME_SIZE (OWNER_TOKEN_SIZE + 16)

struct owner_lock {
    int fd;
    char *path;
    char token[OWNER_TOKEN_SIZE];
    struct timespec notified; /* the file's time when it was looked at */
};

/* A token comes from a database that others may have written: it must not lead
 * to another directory. */
static char *
lock_path(const char *token, struct err *e)
{
    char name[NAME_SIZE];

    if (strlen(token) != OWNER_TOKEN_SIZE - 1 ||
        strspn(token, "0123456789abcdef") != OWNER_TOKEN_SIZE - 1) {
        err_set(e, ERR_INVALID, "the name of a lock is damaged");
        return NULL;
    }
    snprintf(name, sizeof(name), "owner-%s.lock", token);
    return path_of(PATH_STATE, name, e);
}

struct owner_lock *
owner_lock_new(struct err *e)
{
    CLEANUP(owner_lock_free_p) struct owner_lock *o = calloc(1, sizeof(*o));
    struct stat st;

    if (!o) {
        err_nomem(e);
        return NULL;
    }
    o->fd = -1;
    if (random_id(o->token, sizeof(o->token), e) < 0 ||
        !(o->path = lock_path(o->token, e)) ||
        journal_path_make(o->path, e) < 0)
        return NULL;
    o->fd = open(o->path, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
    if (o->fd < 0 || flock(o->fd, LOCK_EX | LOCK_NB) < 0 ||
        fstat(o->fd, &st) < 0) {
        err_sys(e, "%s", o->path);
        return NULL;
    }
    o->notified = st.st_mtim;
    return TAKE_PTR(o);
}

void
owner_lock_free(struct owner_lock *o)
{
    if (!o)
        return;
    if (o->fd >= 0) {
        (void)unlink(o->path);
        close(o->fd);
    }
    free(o->path);
    free(o);
}

const char *
owner_lock_token(const struct owner_lock *o)
{
    return o->token;
}

bool
owner_lock_lives(const struct owner_lock *o, const char *token)
{
    CLEANUP(free_p) char *path = NULL;
    CLEANUP(fd_close_p) int fd = -1;

    if (o && strcmp(o->token, token) == 0)
        return true;
    path = lock_path(token, NULL);
    fd = path ? open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC) : -1;
    if (fd < 0)
        return false;
    if (flock(fd, LOCK_SH | LOCK_NB) < 0)
        return errno == EWOULDBLOCK;
    (void)unlink(path);
    return false;
}

void
owner_lock_notify(const char *token)
{
    CLEANUP(free_p) char *path = lock_path(token, NULL);
    CLEANUP(fd_close_p)
    int fd = path ? open(path, O_WRONLY | O_NOFOLLOW | O_CLOEXEC) : -1;

    if (fd >= 0)
        (void)futimens(fd, NULL);
}

bool
owner_lock_was_notified(struct owner_lock *o)
{
    struct stat st;

    if (fstat(o->fd, &st) < 0 || clock_is_same(&st.st_mtim, &o->notified))
        return false;
    o->notified = st.st_mtim;
    return true;
}
