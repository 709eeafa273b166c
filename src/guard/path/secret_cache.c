/* SPDX-License-Identifier: GPL-3.0-or-later */
/* secret_cache.c - stores which secrets a directory tree had. */
#include "guard/path/secret_cache.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/owner.h"
#include "base/path.h"
#include "base/secret_file.h"
#include "base/sha256.h"

#define FORMAT  1  /* version of the nodes, and of what is skipped */
#define SLOTS   64 /* files; workspaces beyond that share them */
#define NS      1000000000
#define TICK_NS 20000000 /* the clock for files moves every 1 to 10 ms */
#define COARSE  2        /* seconds: some file systems store no smaller unit */

/* The start of a directory's node; its name and its items follow. */
struct node_header {
    uint64_t dev, ino; /* ino 0: the directory may have changed since */
    int64_t sec;
    uint32_t nsec;
    uint32_t bytes; /* of the whole node */
};

/* The start of the file; the root's path, its NUL and the nodes follow. */
struct cache_header {
    char magic[8];
    uint32_t format, names; /* names is secret_file_version() */
};

static struct cache_header
current_header(void)
{
    return (struct cache_header){
        .magic = "agentsh", .format = FORMAT, .names = secret_file_version()};
}

/* The file of a root; the caller frees it. */
static char *
path_for(const struct seat *s, const char *root)
{
    char hex[SHA256_HEX_SIZE], name[32];
    unsigned slot;

    sha256_hex(root, strlen(root), hex);
    hex[4] = '\0';
    slot = (unsigned)strtoul(hex, NULL, 16) % SLOTS;
    snprintf(name, sizeof(name), "names/%u", slot);
    return seat_place(s, PATH_STATE, name, NULL);
}

void
secret_cache_read(const struct seat *s, const char *root, struct buf *bytes,
                  struct secret_cache_span *top)
{
    CLEANUP(free_p) char *path = path_for(s, root);
    CLEANUP(fd_close_p) int fd = -1;
    const struct cache_header title = current_header();
    size_t skip = sizeof(title) + strlen(root) + 1;

    *top = (struct secret_cache_span){0};
    if (path)
        fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0 || owner_check_file(fd, path, NULL) < 0 ||
        file_read_fd(fd, bytes, NULL) < 0 || bytes->len <= skip ||
        memcmp(bytes->p, &title, sizeof(title)) != 0 ||
        memcmp(bytes->p + sizeof(title), root, strlen(root) + 1) != 0)
        return;
    top->p = bytes->p + skip;
    top->end = bytes->p + bytes->len;
}

/* Replaces the file without waiting for the disk, because its loss is
 * harmless. */
static void
replace_file(const char *path, const struct buf *all)
{
    CLEANUP(free_p) char *next = path_beside(path, ".new");
    CLEANUP(fd_close_p) int fd = -1;

    if (!next)
        return;
    (void)unlink(next);
    fd = open(next, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        return;
    if (write(fd, all->p, all->len) != (ssize_t)all->len ||
        rename(next, path) < 0)
        (void)unlink(next);
}

void
secret_cache_write(const struct seat *s, const char *root,
                   const struct buf *nodes)
{
    CLEANUP_BUF struct buf all = buf_of(SECRET_CACHE_MAX + PATH_MAX);
    CLEANUP(free_p) char *path = path_for(s, root);
    CLEANUP(free_p) char *dir = path ? strdup(path) : NULL;
    const struct cache_header title = current_header();

    if (!dir)
        return;
    *strrchr(dir, '/') = '\0';
    buf_add(&all, &title, sizeof(title));
    buf_add(&all, root, strlen(root) + 1);
    buf_add(&all, nodes->p, nodes->len);
    if (all.bad || nodes->bad || seat_make_dirs(s, dir, 0700, NULL) < 0)
        return;
    replace_file(path, &all);
}

/* The name at p, if its NUL lies within the span; else NULL. */
static const char *
cached_name_at(const char *p, const char *end)
{
    return p < end && memchr(p, '\0', (size_t)(end - p)) ? p : NULL;
}

/* Reads the header of a node; returns where its items begin. NULL: it is no
 * node. */
static const char *
open_node(const struct secret_cache_span *node, struct node_header *h)
{
    const char *name;

    if (!node->p || (size_t)(node->end - node->p) < sizeof(*h))
        return NULL;
    memcpy(h, node->p, sizeof(*h));
    if (h->bytes < sizeof(*h) || h->bytes > (size_t)(node->end - node->p))
        return NULL;
    name = cached_name_at(node->p + sizeof(*h), node->p + h->bytes);
    return name ? name + strlen(name) + 1 : NULL;
}

/* Reads the next item. 1: there is one; 0: the end; -1: it is damaged. */
static int
next_cached_item(struct secret_cache_span *items, struct secret_cache_item *out)
{
    struct node_header h;
    const char *name;

    if (items->p >= items->end)
        return 0;
    *out = (struct secret_cache_item){.kind = (unsigned char)*items->p};
    name = items->p + 1;
    if (out->kind == SECRET_CACHE_DIRECTORY) {
        out->node = (struct secret_cache_span){name, items->end};
        if (!open_node(&out->node, &h))
            return -1;
        out->node.end = name + h.bytes;
        out->name = name + sizeof(h);
        items->p = out->node.end;
        return 1;
    }
    if (out->kind != SECRET_CACHE_FILE && out->kind != SECRET_CACHE_LINK &&
        out->kind != SECRET_CACHE_UNREADABLE)
        return -1;
    if (!(out->name = cached_name_at(name, items->end)))
        return -1;
    items->p = name + strlen(name) + 1;
    return 1;
}

bool
secret_cache_next(struct secret_cache_span *items,
                  struct secret_cache_item *out)
{
    return next_cached_item(items, out) > 0;
}

bool
secret_cache_old_items(const struct secret_cache_span *node,
                       struct secret_cache_span *items)
{
    struct secret_cache_span all;
    struct secret_cache_item item;
    struct node_header h;
    int rc;

    *items = (struct secret_cache_span){0};
    if (!(all.p = open_node(node, &h)))
        return false;
    all.end = node->p + h.bytes;
    *items = all;
    while ((rc = next_cached_item(&all, &item)) > 0)
        ;
    return rc == 0;
}

bool
secret_cache_items(const struct secret_cache_span *node, const struct stat *st,
                   struct secret_cache_span *items)
{
    struct node_header h;

    return open_node(node, &h) && h.ino == st->st_ino && h.dev == st->st_dev &&
           h.sec == st->st_ctim.tv_sec &&
           h.nsec == (uint32_t)st->st_ctim.tv_nsec &&
           secret_cache_old_items(node, items);
}

/* Whether the next change of the directory certainly gets another ctime. */
static bool
is_settled(const struct stat *st, const struct timespec *now)
{
    int64_t sec = now->tv_sec - st->st_ctim.tv_sec;
    int64_t ns = sec * NS + now->tv_nsec - st->st_ctim.tv_nsec;

    if (sec < 0 || sec > COARSE)
        return sec > 0;
    return ns > (st->st_ctim.tv_nsec ? TICK_NS : (int64_t)COARSE * NS);
}

size_t
secret_cache_begin(struct buf *out, const char *name, const struct stat *st,
                   const struct timespec *now)
{
    const struct node_header h = {.dev = st->st_dev,
                                  .ino = is_settled(st, now) ? st->st_ino : 0,
                                  .sec = st->st_ctim.tv_sec,
                                  .nsec = (uint32_t)st->st_ctim.tv_nsec};
    size_t at = out->len;

    buf_add(out, &h, sizeof(h));
    buf_add(out, name, strlen(name) + 1);
    return at;
}

void
secret_cache_add(struct buf *out, enum secret_cache_kind kind, const char *name)
{
    buf_ch(out, (char)kind);
    if (kind != SECRET_CACHE_DIRECTORY)
        buf_add(out, name, strlen(name) + 1);
}

void
secret_cache_end(struct buf *out, size_t node)
{
    uint32_t bytes = (uint32_t)(out->len - node);

    if (!out->bad)
        memcpy(out->p + node + offsetof(struct node_header, bytes), &bytes,
               sizeof(bytes));
}
