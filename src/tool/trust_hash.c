/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trust_hash.c - one number for everything that a plugin's directory holds. */
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/owner.h"
#include "base/path.h"
#include "tool/manifest_in.h"
#include "tool/trust.h"

#define LINE_BYTES 80 /* of a file's line, beside its name */

struct file {
    char *name; /* below the plugin's directory */
    mode_t mode;
    char hash[SHA256_HEX_SIZE];
};

struct walk {
    struct file *files;
    size_t n, room;
    size_t bytes; /* of all contents so far */
};

static void
walk_done(struct walk *w)
{
    for (size_t i = 0; i < w->n; i++)
        free(w->files[i].name);
    free(w->files);
}

static int
refuse(const char *name, const char *why, struct err *e)
{
    return err_set(e, ERR_INVALID, "%.100s %s", name, why);
}

/* Takes the name. */
static struct file *
add(struct walk *w, char *name, struct err *e)
{
    CLEANUP(free_p) char *own = name;

    if (w->n == TRUST_FILES_MAX) {
        err_set(e, ERR_INVALID, "it contains more than %d files",
                TRUST_FILES_MAX);
        return NULL;
    }
    if (w->n == w->room) {
        size_t room = w->room ? 2 * w->room : 16;
        struct file *more = realloc(w->files, room * sizeof(*more));

        if (!more) {
            err_nomem(e);
            return NULL;
        }
        w->files = more;
        w->room = room;
    }
    w->files[w->n] = (struct file){.name = TAKE_PTR(own)};
    return &w->files[w->n++];
}

static int
take_file(struct walk *w, int fd, const struct stat *st, const char *name,
          struct err *e)
{
    CLEANUP_BUF struct buf bytes = buf_of(TRUST_BYTES_MAX - w->bytes);
    struct err why = {0};
    struct file *f;
    char *own = strdup(name);

    if (!own)
        return err_nomem(e);
    if (!(f = add(w, own, e)))
        return -1;
    if (file_read_fd(fd, &bytes, &why) < 0 && why.code == ERR_NOMEM)
        return err_set(e, ERR_INVALID, "it contains more than %u MiB",
                       TRUST_BYTES_MAX >> 20);
    if (why.code)
        return refuse(name, why.text, e);
    w->bytes += bytes.len;
    f->mode = st->st_mode & 07777;
    sha256_hex(bytes.p, bytes.len, f->hash);
    return 0;
}

static int take_dir(struct walk *w, int fd, const char *name, int depth,
                    struct err *e);

/* Something in a directory; name is below the plugin's. */
static int
take(struct walk *w, int at, const char *base, const char *name, int depth,
     struct err *e)
{
    CLEANUP(fd_close_p) int fd = -1;
    struct stat st;

    if (fstatat(at, base, &st, AT_SYMLINK_NOFOLLOW) < 0)
        return err_sys(e, "%.100s", name);
    if (S_ISLNK(st.st_mode))
        return refuse(name, "is a symbolic link, and its target is not hashed",
                      e);
    if (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
        return refuse(name, "is neither a file nor a directory", e);
    fd = openat(at, base, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0 || fstat(fd, &st) < 0) /* what is open now is what counts */
        return err_sys(e, "%.100s", name);
    if (owner_check_fd(fd, OWNER_OURS, name, e) < 0)
        return -1;
    if (S_ISDIR(st.st_mode))
        return take_dir(w, TAKE_FD(fd), name, depth + 1, e);
    return take_file(w, fd, &st, name, e);
}

/* Takes the descriptor. */
static int
take_dir(struct walk *w, int fd, const char *name, int depth, struct err *e)
{
    CLEANUP(fd_close_p) int own = fd;
    CLEANUP(dir_close_p) DIR *dir = NULL;
    const struct dirent *entry;

    if (depth > TRUST_DEPTH_MAX)
        return refuse(name, "is nested too deeply", e);
    if (!(dir = fdopendir(own)))
        return err_sys(e, "%.100s", name);
    own = -1; /* the directory's now */
    while ((errno = 0, entry = readdir(dir)) != NULL) {
        const char *base = entry->d_name;
        CLEANUP(free_p) char *path = NULL;

        if (strcmp(base, ".") == 0 || strcmp(base, "..") == 0)
            continue;
        path = name[0] ? path_join(name, base) : strdup(base);
        if (!path)
            return err_nomem(e);
        if (take(w, dirfd(dir), base, path, depth, e) < 0)
            return -1;
    }
    return errno ? err_sys(e, "%.100s", name) : 0;
}

static int
by_name(const void *a, const void *b)
{
    return strcmp(((const struct file *)a)->name,
                  ((const struct file *)b)->name);
}

/* A name ends with a NUL, which none holds: two lists have two texts. */
static int
hash_list(struct walk *w, char hex[SHA256_HEX_SIZE], struct err *e)
{
    CLEANUP_BUF
    struct buf list = buf_of((size_t)TRUST_FILES_MAX * (PATH_MAX + LINE_BYTES));

    if (w->n)
        qsort(w->files, w->n, sizeof(*w->files), by_name);
    for (size_t i = 0; i < w->n; i++) {
        const struct file *f = &w->files[i];

        buf_printf(&list, "%04o %s %s", (unsigned)f->mode, f->hash, f->name);
        buf_ch(&list, '\0');
    }
    if (buf_ok(&list, "the list of files", e) < 0)
        return -1;
    sha256_hex(list.p, list.len, hex);
    return 0;
}

int
trust_hash(const char *dir, char hex[SHA256_HEX_SIZE], struct err *e)
{
    CLEANUP(walk_done) struct walk w = {0};
    CLEANUP(fd_close_p)
    int fd = open(dir, O_RDONLY | O_CLOEXEC | O_DIRECTORY | O_NOFOLLOW);

    if (fd < 0)
        return err_sys(e, "%s", dir);
    if (owner_check_fd(fd, OWNER_OURS, "it", e) < 0 ||
        take_dir(&w, TAKE_FD(fd), "", 0, e) < 0 || hash_list(&w, hex, e) < 0)
        return manifest_blame(e, dir);
    return 0;
}

int
trust_check_same(const struct tool *t, struct err *e)
{
    char now[SHA256_HEX_SIZE];

    if (!t->dir || !t->hash[0])
        return 0;
    if (owner_check_parents(t->dir, e) < 0 || trust_hash(t->dir, now, e) < 0)
        return -1;
    if (strcmp(now, t->hash) == 0)
        return 0;
    return err_set(e, ERR_DENIED, "changed since you trusted it (%.200s)",
                   t->dir);
}
