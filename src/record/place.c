/* SPDX-License-Identifier: GPL-3.0-or-later */
/* place.c - which file the journal is in. */
#include "record/place.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fd.h"
#include "base/file.h"
#include "base/owner.h"
#include "base/path.h"

#define FIRST    "journal.db"
#define PATTERN  "journal-00000000T000000Z.db" /* digits at the zeros */
#define NAME_LEN (sizeof(PATTERN) - 1)

/* Who has the lock waits for the disk some times, and others may keep that
 * busy. */
#define LOCK_MS 10000

static bool
is_later(const char *name)
{
    if (strlen(name) != NAME_LEN)
        return false;
    for (size_t i = 0; i < NAME_LEN; i++) {
        bool digit = name[i] >= '0' && name[i] <= '9';

        if (PATTERN[i] == '0' ? !digit : name[i] != PATTERN[i])
            return false;
    }
    return true;
}

/* The newest name into last ("": there is none but the first) and how many
 * later ones there are. */
static int
look(const char *dir, char last[NAME_LEN + 1])
{
    CLEANUP(dir_close_p) DIR *d = opendir(dir);
    struct dirent *entry;
    int n = 0;

    last[0] = '\0';
    while (d && (entry = readdir(d)) != NULL) {
        if (!is_later(entry->d_name))
            continue;
        n++;
        if (strcmp(entry->d_name, last) > 0)
            snprintf(last, NAME_LEN + 1, "%.*s", (int)NAME_LEN, entry->d_name);
    }
    return n;
}

static char *
join(const char *dir, const char *name, struct err *e)
{
    char *path = path_join(dir, name);

    if (!path)
        err_set(e, ERR_NOMEM, "out of memory");
    return path;
}

char *
place_journal(struct err *e)
{
    CLEANUP(free_p) char *dir = path_of(PATH_STATE, NULL, e);
    char last[NAME_LEN + 1];

    if (!dir)
        return NULL;
    look(dir, last);
    return join(dir, last[0] ? last : FIRST, e);
}

int
place_left(void)
{
    CLEANUP(free_p) char *dir = path_of(PATH_STATE, NULL, NULL);
    CLEANUP(free_p) char *first = dir ? path_join(dir, FIRST) : NULL;
    char last[NAME_LEN + 1];
    int n = dir ? look(dir, last) : 0;

    return n > 0 ? n - 1 + (first && access(first, F_OK) == 0) : 0;
}

static int
check_dir(const char *dir, struct err *e)
{
    struct stat st;

    if (lstat(dir, &st) < 0)
        return err_sys(e, "%s", dir);
    if (!S_ISDIR(st.st_mode) || st.st_uid != geteuid())
        return err_set(e, ERR_PERMISSION,
                       "%s must be your own directory, writable only by you, "
                       "and not a symbolic link",
                       dir);
    return owner_check_path(dir, OWNER_OURS, e);
}

/* Nothing has the file open yet: closing it here takes no lock from SQLite. */
static int
check_file(const char *path, struct err *e)
{
    CLEANUP(fd_close_p)
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat st;

    if (fd < 0 && errno == ELOOP)
        return err_set(e, ERR_PERMISSION, "%s is a symbolic link", path);
    if (fd < 0 || fstat(fd, &st) < 0)
        return err_sys(e, "%s", path);
    if (!S_ISREG(st.st_mode) || st.st_uid != geteuid() || st.st_nlink != 1)
        return err_set(e, ERR_PERMISSION,
                       "%s must be your own file, without other hard links",
                       path);
    if ((st.st_mode & 077) != 0 && fchmod(fd, 0600) < 0)
        return err_sys(e, "%s", path);
    return 0;
}

int
place_make(const char *path, struct err *e)
{
    CLEANUP(free_p)
    char *dir = strndup(path, (size_t)(path_base(path) - path));
    CLEANUP(fd_close_p) int fd = -1;

    if (!dir)
        return err_set(e, ERR_NOMEM, "out of memory");
    dir[strlen(dir) - 1] = '\0'; /* lstat would follow "link/" */
    fd = open(path, O_RDONLY | O_PATH | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0 && file_make_dirs(dir, 0700, e) < 0)
        return -1;
    if (check_dir(dir, e) < 0)
        return -1;
    if (fd >= 0)
        return check_file(path, e);
    fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0 && errno == EEXIST)
        return check_file(path, e);
    return fd < 0 ? err_sys(e, "%s", path) : 0;
}

int
place_lock(const char *path, struct err *e)
{
    CLEANUP(free_p)
    char *dir = strndup(path, (size_t)(path_base(path) - path));

    return dir ? file_lock_dir(dir, LOCK_MS, e) : err_sys(e, "%s", path);
}

/* A name that is later than that of path. */
static int
name_beside(const char *path, char name[NAME_LEN + 1], struct err *e)
{
    time_t t = time(NULL);
    struct tm tm;

    if (!gmtime_r(&t, &tm) ||
        strftime(name, NAME_LEN + 1, "journal-%Y%m%dT%H%M%SZ.db", &tm) == 0)
        return err_set(e, ERR_IO, "cannot read the clock");
    if (strcmp(name, path_base(path)) == 0)
        return err_set(e, ERR_IO, "%s was damaged right after it was created",
                       path);
    return 0;
}

/* Under the lock, so that two who leave a file in two different seconds do
 * not each begin one. */
char *
place_beside(const char *path, struct err *e)
{
    CLEANUP(fd_close_p) int lock = place_lock(path, e);
    CLEANUP(free_p) char *dir = lock < 0 ? NULL : path_of(PATH_STATE, NULL, e);
    CLEANUP(free_p) char *now = dir ? place_journal(e) : NULL;
    char name[NAME_LEN + 1];

    if (!now)
        return NULL;
    if (strcmp(now, path) == 0) {
        if (name_beside(path, name, e) < 0)
            return NULL;
        free(now);
        now = join(dir, name, e);
    }
    return now && place_make(now, e) == 0 ? TAKE_PTR(now) : NULL;
}
