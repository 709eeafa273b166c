/* SPDX-License-Identifier: GPL-3.0-or-later */
/* journal_path.c - finds and makes the file that the journal is in. */
#include "record/journal_path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/ascii.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "base/owner.h"
#include "base/path.h"

#define FIRST    "journal.db"
#define PATTERN  "journal-00000000T000000Z.db" /* digits at the zeros */
#define NAME_LEN (sizeof(PATTERN) - 1)

/* The holder of the lock waits for the disk a few times, and the disk may be
 * busy. */
#define LOCK_MS 10000

static bool
is_later(const char *name)
{
    if (strlen(name) != NAME_LEN)
        return false;
    for (size_t i = 0; i < NAME_LEN; i++) {
        bool digit = ascii_is_digit(name[i]);

        if (PATTERN[i] == '0' ? !digit : name[i] != PATTERN[i])
            return false;
    }
    return true;
}

/* Copies the newest name into last ("": there is only the first journal).
 * Returns how many later ones there are. */
static int
find_last(const char *dir, char last[NAME_LEN + 1])
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
join_path(const char *dir, const char *name, struct err *e)
{
    char *path = path_join(dir, name);

    if (!path)
        err_nomem(e);
    return path;
}

static char *
find_newest(const char *dir, struct err *e)
{
    char last[NAME_LEN + 1];

    find_last(dir, last);
    return join_path(dir, last[0] ? last : FIRST, e);
}

char *
journal_path_find(struct err *e)
{
    CLEANUP(free_p) char *dir = path_of(PATH_STATE, NULL, e);

    return dir ? find_newest(dir, e) : NULL;
}

/* The directory of path, without the slash behind it: lstat(2) would follow
 * "link/". */
static char *
journal_dir(const char *path, struct err *e)
{
    const char *name = path_base(path);
    char *dir = name > path ? strndup(path, (size_t)(name - path) - 1)
                            : strdup(".");

    if (!dir)
        err_nomem(e);
    return dir;
}

int
journal_path_count_old(void)
{
    CLEANUP(free_p) char *dir = path_of(PATH_STATE, NULL, NULL);
    CLEANUP(free_p) char *first = dir ? path_join(dir, FIRST) : NULL;
    char last[NAME_LEN + 1];
    int n = dir ? find_last(dir, last) : 0;

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

/* The file is not open in this process yet, so that closing it here releases no
 * lock of SQLite. */
static int
check_journal_file(const char *path, struct err *e)
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

/* Makes the file in a directory that exists. */
static int
make_file_in(const char *dir, const char *path, struct err *e)
{
    CLEANUP(fd_close_p) int fd = -1;
    struct stat st;

    if (check_dir(dir, e) < 0)
        return -1;
    if (lstat(path, &st) == 0)
        return check_journal_file(path, e);
    fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0 && errno == EEXIST)
        return check_journal_file(path, e);
    return fd < 0 ? err_sys(e, "%s", path) : 0;
}

int
journal_path_make(const char *path, struct err *e)
{
    CLEANUP(free_p) char *dir = journal_dir(path, e);
    struct stat st;

    if (!dir || (lstat(path, &st) < 0 && path_make_dirs(dir, 0700, e) < 0))
        return -1;
    return make_file_in(dir, path, e);
}

int
journal_path_lock(const char *path, struct err *e)
{
    CLEANUP(free_p) char *dir = journal_dir(path, e);

    return dir ? file_lock_dir(dir, LOCK_MS, e) : -1;
}

/* Makes a name that is later than that of path. */
static int
later_name(const char *path, char name[NAME_LEN + 1], struct err *e)
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

/* This needs the lock, so that two processes that give up a file in different
 * seconds do not both make a new one. */
char *
journal_path_replace(const char *path, struct err *e)
{
    CLEANUP(fd_close_p) int lock = journal_path_lock(path, e);
    CLEANUP(free_p) char *dir = lock < 0 ? NULL : journal_dir(path, e);
    CLEANUP(free_p) char *now = dir ? find_newest(dir, e) : NULL;
    char name[NAME_LEN + 1];

    if (!now)
        return NULL;
    if (strcmp(now, path) == 0) {
        if (later_name(path, name, e) < 0)
            return NULL;
        free(now);
        now = join_path(dir, name, e);
    }
    return now && make_file_in(dir, now, e) == 0 ? TAKE_PTR(now) : NULL;
}
