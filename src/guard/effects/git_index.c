/* SPDX-License-Identifier: GPL-3.0-or-later */
/* git_index.c - reads from its index which files a git repository tracks. */
#include "guard/effects/git_index.h"

#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/file.h"
#include "base/path.h"
#include "guard/path/git_files.h"

#define HEADER_BYTES 12
#define STAT_BYTES   40      /* of an entry, before its hash */
#define FLAG_MORE    0x4000u /* two more bytes follow: version 3 and later */

struct git_index {
    struct buf names; /* each ends with its NUL */
    uint32_t *at;     /* offset of each name, sorted by name */
    size_t n, room;
};

/* The bytes of an index, and the reading position. */
struct cursor {
    const unsigned char *p;
    size_t n, at;
    uint32_t version;
    size_t hash_bytes;
    char name[PATH_MAX]; /* of the previous entry, from which version 4 takes
                            the beginning */
    size_t name_len;
};

static uint32_t
number_at(const unsigned char *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 |
           p[3];
}

static int
set_broken(struct err *e)
{
    return err_set(e, ERR_PARSE, "the git index is broken");
}

/* Reads how many bytes version 4 drops from the end of the previous name. Each
 * byte after the first adds one, so that no number has two encodings. */
static bool
read_offset(struct cursor *c, size_t *out)
{
    size_t v = 0;

    for (int i = 0; i < 4 && c->at < c->n; i++) {
        unsigned char b = c->p[c->at++];

        v = (v << 7) + (b & 0x7f);
        if (!(b & 0x80)) {
            *out = v;
            return true;
        }
        v++;
    }
    return false;
}

/* Reads the name of one entry; the next entry begins at its end. */
static bool
read_index_name(struct cursor *c, size_t entry)
{
    size_t strip = c->name_len, keep, len;
    const unsigned char *end;

    if (c->version == 4 && !read_offset(c, &strip))
        return false;
    if (strip > c->name_len || c->at > c->n)
        return false;
    keep = c->name_len - strip;
    end = memchr(c->p + c->at, '\0', c->n - c->at);
    if (!end)
        return false;
    len = (size_t)(end - (c->p + c->at));
    if (len > sizeof(c->name) - 1 - keep || keep + len == 0)
        return false;
    memcpy(c->name + keep, c->p + c->at, len);
    c->name_len = keep + len;
    c->name[c->name_len] = '\0';
    c->at += len + 1;
    if (c->version < 4)
        c->at = entry + (c->at - entry + 7) / 8 * 8;
    return c->at <= c->n;
}

static bool
read_index_entry(struct cursor *c)
{
    size_t entry = c->at, fixed = STAT_BYTES + c->hash_bytes + 2;
    unsigned flags;

    if (c->n - c->at < fixed)
        return false;
    c->at += fixed;
    flags = (unsigned)c->p[c->at - 2] << 8 | c->p[c->at - 1];
    if (flags & FLAG_MORE)
        c->at += 2;
    return read_index_name(c, entry);
}

/* Names must be sorted, because the search is binary. */
static int
keep_name(struct git_index *x, const struct cursor *c, struct err *e)
{
    uint32_t at = (uint32_t)x->names.len;

    if (x->n > 0) {
        int order = strcmp(x->names.p + x->at[x->n - 1], c->name);

        if (order > 0)
            return set_broken(e);
        if (order == 0) /* another stage of a merge */
            return 0;
    }
    buf_add(&x->names, c->name, c->name_len + 1);
    if (buf_ok(&x->names, "the git index", e) < 0)
        return -1;
    if (x->n == x->room) {
        size_t room = x->room ? 2 * x->room : 256;
        uint32_t *more = realloc(x->at, room * sizeof(*more));

        if (!more)
            return err_nomem(e);
        x->at = more;
        x->room = room;
    }
    x->at[x->n++] = at;
    return 0;
}

/* An extension whose name begins with a lower-case letter changes what the
 * entries mean; link (split) and sdir (sparse) are such. */
static int
read_extensions(struct cursor *c, struct err *e)
{
    while (c->n - c->at > c->hash_bytes) {
        uint32_t len;

        if (c->n - c->at < 8)
            return set_broken(e);
        if (c->p[c->at] < 'A' || c->p[c->at] > 'Z')
            return err_set(e, ERR_UNSUPPORTED, "a split or sparse git index");
        len = number_at(c->p + c->at + 4);
        c->at += 8;
        if (len > c->n - c->at)
            return set_broken(e);
        c->at += len;
    }
    return 0;
}

struct git_index *
git_index_parse(const void *bytes, size_t n, size_t hash_bytes, struct err *e)
{
    CLEANUP(git_index_free_p) struct git_index *x = calloc(1, sizeof(*x));
    struct cursor c = {
        .p = bytes, .n = n, .at = HEADER_BYTES, .hash_bytes = hash_bytes};
    uint32_t entries;

    if (!x) {
        err_nomem(e);
        return NULL;
    }
    x->names = buf_of(GIT_INDEX_BYTES_MAX);
    if (n < HEADER_BYTES || memcmp(c.p, "DIRC", 4) != 0) {
        set_broken(e);
        return NULL;
    }
    c.version = number_at(c.p + 4);
    entries = number_at(c.p + 8);
    if (c.version < 2 || c.version > 4 || entries > GIT_INDEX_ENTRIES_MAX) {
        err_set(e, ERR_UNSUPPORTED, "a git index of version %u with %u files",
                (unsigned)c.version, (unsigned)entries);
        return NULL;
    }
    for (uint32_t i = 0; i < entries; i++) {
        if (!read_index_entry(&c)) {
            set_broken(e);
            return NULL;
        }
        if (keep_name(x, &c, e) < 0)
            return NULL;
    }
    return read_extensions(&c, e) < 0 ? NULL : TAKE_PTR(x);
}

void
git_index_free(struct git_index *x)
{
    if (!x)
        return;
    buf_done(&x->names);
    free(x->at);
    free(x);
}

size_t
git_index_count(const struct git_index *x)
{
    return x->n;
}

/* The index of the first name that does not sort before `name`; x->n: none. */
static size_t
first_name_from(const struct git_index *x, const char *name)
{
    size_t low = 0, high = x->n;

    while (low < high) {
        size_t mid = low + (high - low) / 2;

        if (strcmp(x->names.p + x->at[mid], name) < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

bool
git_index_has(const struct git_index *x, const char *name)
{
    size_t i = first_name_from(x, name);

    return i < x->n && strcmp(x->names.p + x->at[i], name) == 0;
}

bool
git_index_has_below(const struct git_index *x, const char *dir)
{
    CLEANUP_BUF struct buf b = buf_of(PATH_MAX);
    size_t i;

    buf_str(&b, dir);
    buf_ch(&b, '/');
    if (b.bad)
        return false;
    i = first_name_from(x, b.p);
    return i < x->n && strncmp(x->names.p + x->at[i], b.p, b.len) == 0;
}

/* Finding the repository */

#define SHA1_BYTES   20
#define SHA256_BYTES 32
#define CONFIG_MAX   (64 * 1024) /* bytes of .git/config */

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

/* Reads a .git that is a file. */
static char *
read_gitdir_file(const char *top, const char *git)
{
    CLEANUP_BUF struct buf b = buf_of(PATH_MAX + 16);
    const char *link;

    if (file_read_regular(git, &b, NULL) < 0 || b.len == 0 ||
        !(link = git_files_link(b.p)))
        return NULL;
    return link[0] == '/' ? strdup(link) : path_join(top, link);
}

char *
git_index_dir(const char *top)
{
    CLEANUP(free_p) char *git = path_join(top, ".git");
    struct stat st;

    if (!git || stat(git, &st) < 0)
        return NULL;
    return S_ISDIR(st.st_mode) ? TAKE_PTR(git) : read_gitdir_file(top, git);
}

/* A SHA-256 repository says so in its configuration. The configuration of a
 * worktree is the repository's, two directories above. */
static size_t
hash_bytes_of(const char *dir)
{
    static const char *const places[] = {"config", "../../config"};

    for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
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
