/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trust.c - hashes a plugin, and stores which hashes a person trusts. */
#include "tool/trust.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/owner.h"
#include "base/path.h"
#include "config/config_file.h"
#include "tool/manifest_reader.h"

#define FILE_NAME  "trusted"
#define LOCK_MS    5000 /* wait for another process that writes the file */
#define LINE_BYTES 80   /* of a file's line in the hash, without its name */

int
trust_read(const struct seat *s, struct buf *notes, struct err *e)
{
    CLEANUP(free_p) char *path = seat_place(s, PATH_STATE, FILE_NAME, e);
    bool there;

    if (!path)
        return -1;
    return config_file_read(path, CONFIG_FILE_ANYONE, notes, &there, e);
}

/* A line of the file: a hash and a path. */
struct trust_entry {
    const char *hash, *path;
    size_t path_len;
    const char *line; /* with its newline */
    size_t len;
};

static bool
next_entry(const struct buf *notes, size_t *at, struct trust_entry *out)
{
    const size_t hash = SHA256_HEX_SIZE - 1;

    while (*at < notes->len) {
        const char *line = notes->p + *at;
        size_t left = notes->len - *at, n;
        const char *end = memchr(line, '\n', left);

        n = end ? (size_t)(end - line) : left;
        *at += end ? n + 1 : n;
        if (!end || n <= hash + 1 || line[hash] != ' ')
            continue; /* cut short: it is ignored */
        *out = (struct trust_entry){line, line + hash + 1, n - hash - 1, line,
                                    n + 1};
        return true;
    }
    return false;
}

static bool
names_path(const struct trust_entry *n, const char *path)
{
    return strlen(path) == n->path_len &&
           memcmp(path, n->path, n->path_len) == 0;
}

enum tool_trust
trust_find(const struct buf *notes, const char *path, const char *hash)
{
    enum tool_trust found = TOOL_NEW;
    struct trust_entry n;
    size_t at = 0;

    while (next_entry(notes, &at, &n)) {
        if (!names_path(&n, path))
            continue;
        if (memcmp(n.hash, hash, SHA256_HEX_SIZE - 1) == 0)
            return TOOL_TRUSTED;
        found = TOOL_CHANGED;
    }
    return found;
}

/* Writes the lines of other paths, and the new one. */
static int
write_entries(const struct buf *old, const char *path, const char *hash,
              struct buf *out, struct err *e)
{
    struct trust_entry n;
    size_t at = 0;

    while (next_entry(old, &at, &n))
        if (!names_path(&n, path))
            buf_add(out, n.line, n.len);
    buf_printf(out, "%s %s\n", hash, path);
    return buf_ok(out, "the trusted plugins", e);
}

struct file {
    char *name; /* relative to the plugin's directory */
    mode_t mode;
    char hash[SHA256_HEX_SIZE];
};

int
trust_write(const struct seat *s, const char *path, const char *hash,
            struct err *e)
{
    CLEANUP(free_p) char *dir = seat_place(s, PATH_STATE, NULL, e);
    CLEANUP(free_p) char *file = seat_place(s, PATH_STATE, FILE_NAME, e);
    CLEANUP(fd_close_p) int lock = -1;
    CLEANUP_BUF struct buf old = buf_of(TRUST_NOTES_MAX);
    CLEANUP_BUF struct buf notes = buf_of(TRUST_NOTES_MAX);

    if (!dir || !file || seat_make_dirs(s, dir, 0700, e) < 0 ||
        (lock = file_lock_dir(dir, LOCK_MS, e)) < 0 ||
        trust_read(s, &old, e) < 0 ||
        write_entries(&old, path, hash, &notes, e) < 0)
        return -1;
    return file_write(file, notes.p, notes.len, 0600, e);
}

struct walk {
    struct file *files;
    size_t n, room;
    size_t bytes; /* bytes of all contents so far */
};

static void
trust_walk_done(struct walk *w)
{
    for (size_t i = 0; i < w->n; i++)
        free(w->files[i].name);
    free(w->files);
}

static int
refuse_file(const char *name, const char *why, struct err *e)
{
    return err_set(e, ERR_INVALID, "%.100s %s", name, why);
}

/* Takes ownership of the name. */
static struct file *
add_plugin_file(struct walk *w, char *name, struct err *e)
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
hash_file(struct walk *w, int fd, const struct stat *st, const char *name,
          struct err *e)
{
    CLEANUP_BUF struct buf bytes = buf_of(TRUST_BYTES_MAX - w->bytes);
    struct err why = {0};
    struct file *f;
    char *own = strdup(name);

    if (!own)
        return err_nomem(e);
    if (!(f = add_plugin_file(w, own, e)))
        return -1;
    if (file_read_fd(fd, &bytes, &why) < 0 && why.code == ERR_NOMEM)
        return err_set(e, ERR_INVALID, "it contains more than %u MiB",
                       TRUST_BYTES_MAX >> 20);
    if (why.code)
        return refuse_file(name, why.text, e);
    w->bytes += bytes.len;
    f->mode = st->st_mode & 07777;
    sha256_hex(bytes.p, bytes.len, f->hash);
    return 0;
}

static int add_dir_entry(struct walk *w, int at, const char *base,
                         const char *name, int depth, struct err *e);

/* Takes ownership of the descriptor. */
static int
hash_directory(struct walk *w, int fd, const char *name, int depth,
               struct err *e)
{
    CLEANUP(fd_close_p) int own = fd;
    CLEANUP(dir_close_p) DIR *dir = NULL;
    const struct dirent *entry;

    if (depth > TRUST_DEPTH_MAX)
        return refuse_file(name, "is nested too deeply", e);
    if (!(dir = fdopendir(own)))
        return err_sys(e, "%.100s", name);
    own = -1; /* owned by the directory stream now */
    while ((errno = 0, entry = readdir(dir)) != NULL) {
        const char *base = entry->d_name;
        CLEANUP(free_p) char *path = NULL;

        if (strcmp(base, ".") == 0 || strcmp(base, "..") == 0)
            continue;
        path = name[0] ? path_join(name, base) : strdup(base);
        if (!path)
            return err_nomem(e);
        if (add_dir_entry(w, dirfd(dir), base, path, depth, e) < 0)
            return -1;
    }
    return errno ? err_sys(e, "%.100s", name) : 0;
}

/* Adds an entry of a directory; name is relative to the plugin's directory. */
static int
add_dir_entry(struct walk *w, int at, const char *base, const char *name,
              int depth, struct err *e)
{
    CLEANUP(fd_close_p) int fd = -1;
    struct stat st;

    if (fstatat(at, base, &st, AT_SYMLINK_NOFOLLOW) < 0)
        return err_sys(e, "%.100s", name);
    if (S_ISLNK(st.st_mode))
        return refuse_file(
            name, "is a symbolic link, and its target is not hashed", e);
    if (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
        return refuse_file(name, "is neither a file nor a directory", e);
    fd = openat(at, base, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0 || fstat(fd, &st) < 0) /* the opened file is what counts */
        return err_sys(e, "%.100s", name);
    if (owner_check_fd(fd, OWNER_OURS, name, e) < 0)
        return -1;
    if (S_ISDIR(st.st_mode))
        return hash_directory(w, TAKE_FD(fd), name, depth + 1, e);
    return hash_file(w, fd, &st, name, e);
}

static int
compare_file_names(const void *a, const void *b)
{
    return strcmp(((const struct file *)a)->name,
                  ((const struct file *)b)->name);
}

/* Names are terminated by a NUL, so that two different lists have different
 * texts. */
static int
hash_list(struct walk *w, char hex[SHA256_HEX_SIZE], struct err *e)
{
    CLEANUP_BUF
    struct buf list = buf_of((size_t)TRUST_FILES_MAX * (PATH_MAX + LINE_BYTES));

    if (w->n)
        qsort(w->files, w->n, sizeof(*w->files), compare_file_names);
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
    CLEANUP(trust_walk_done) struct walk w = {0};
    CLEANUP(fd_close_p)
    int fd = open(dir, O_RDONLY | O_CLOEXEC | O_DIRECTORY | O_NOFOLLOW);

    if (fd < 0)
        return err_sys(e, "%s", dir);
    if (owner_check_fd(fd, OWNER_OURS, "it", e) < 0 ||
        hash_directory(&w, TAKE_FD(fd), "", 0, e) < 0 ||
        hash_list(&w, hex, e) < 0)
        return manifest_name_file(e, dir);
    return 0;
}

int
trust_check_unchanged(const struct tool *t, struct err *e)
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
