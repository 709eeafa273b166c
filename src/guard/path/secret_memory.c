/* SPDX-License-Identifier: GPL-3.0-or-later */
/* secret_memory.c - what was found in a directory tree, for the next time. */
#include "guard/path/secret_memory.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fd.h"
#include "base/file.h"
#include "base/owner.h"
#include "base/path.h"
#include "base/secret_file.h"
#include "base/sha256.h"

#define FORMAT  1  /* of the nodes, and of what is looked into */
#define SLOTS   64 /* files; workspaces beyond share them */
#define NS      1000000000
#define TICK_NS 20000000 /* the clock for files moves every 1 to 10 ms */
#define COARSE  2        /* seconds: some file systems keep no more */

/* Of a directory; its name follows, then its items. */
struct head {
    uint64_t dev, ino; /* ino 0: it may have changed since */
    int64_t sec;
    uint32_t nsec;
    uint32_t bytes; /* of the whole node */
};

/* In front of all nodes; the root's path and its NUL follow. */
struct title {
    char magic[8];
    uint32_t format, names; /* secret_file_version */
};

static struct title
title_now(void)
{
    return (struct title){
        .magic = "agentsh", .format = FORMAT, .names = secret_file_version()};
}

/* The file of a root; the caller frees it. */
static char *
path_for(const char *root)
{
    char hex[SHA256_HEX_SIZE], name[32];
    unsigned slot;

    sha256_hex(root, strlen(root), hex);
    hex[4] = '\0';
    slot = (unsigned)strtoul(hex, NULL, 16) % SLOTS;
    snprintf(name, sizeof(name), "names/%u", slot);
    return path_of(PATH_STATE, name, NULL);
}

void
secret_memory_read(const char *root, struct buf *bytes, struct memory_span *top)
{
    CLEANUP(free_p) char *path = path_for(root);
    CLEANUP(fd_close_p) int fd = -1;
    const struct title title = title_now();
    size_t skip = sizeof(title) + strlen(root) + 1;

    *top = (struct memory_span){0};
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

/* Nothing is lost with it: so nobody waits until it is on the disk. */
static void
write_anew(const char *path, const struct buf *all)
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
secret_memory_write(const char *root, const struct buf *nodes)
{
    CLEANUP_BUF struct buf all = buf_of(SECRET_MEMORY_MAX + PATH_MAX);
    CLEANUP(free_p) char *path = path_for(root);
    CLEANUP(free_p) char *dir = path ? strdup(path) : NULL;
    const struct title title = title_now();

    if (!dir)
        return;
    *strrchr(dir, '/') = '\0';
    buf_add(&all, &title, sizeof(title));
    buf_add(&all, root, strlen(root) + 1);
    buf_add(&all, nodes->p, nodes->len);
    if (all.bad || nodes->bad || path_make_dirs(dir, 0700, NULL) < 0)
        return;
    write_anew(path, &all);
}

/* A name at p, its NUL within the span; NULL: none. */
static const char *
name_at(const char *p, const char *end)
{
    return p < end && memchr(p, '\0', (size_t)(end - p)) ? p : NULL;
}

/* What a node is, and where its items begin; NULL: it is none. */
static const char *
open_node(const struct memory_span *node, struct head *h)
{
    const char *name;

    if (!node->p || (size_t)(node->end - node->p) < sizeof(*h))
        return NULL;
    memcpy(h, node->p, sizeof(*h));
    if (h->bytes < sizeof(*h) || h->bytes > (size_t)(node->end - node->p))
        return NULL;
    name = name_at(node->p + sizeof(*h), node->p + h->bytes);
    return name ? name + strlen(name) + 1 : NULL;
}

/* 1: there is another item; 0: the end; -1: it is damaged. */
static int
take_item(struct memory_span *items, struct memory_item *out)
{
    struct head h;
    const char *name;

    if (items->p >= items->end)
        return 0;
    *out = (struct memory_item){.kind = (unsigned char)*items->p};
    name = items->p + 1;
    if (out->kind == MEMORY_DIRECTORY) {
        out->node = (struct memory_span){name, items->end};
        if (!open_node(&out->node, &h))
            return -1;
        out->node.end = name + h.bytes;
        out->name = name + sizeof(h);
        items->p = out->node.end;
        return 1;
    }
    if (out->kind != MEMORY_FILE && out->kind != MEMORY_LINK &&
        out->kind != MEMORY_SHUT)
        return -1;
    if (!(out->name = name_at(name, items->end)))
        return -1;
    items->p = name + strlen(name) + 1;
    return 1;
}

bool
memory_next(struct memory_span *items, struct memory_item *out)
{
    return take_item(items, out) > 0;
}

bool
memory_old_items(const struct memory_span *node, struct memory_span *items)
{
    struct memory_span all;
    struct memory_item item;
    struct head h;
    int rc;

    *items = (struct memory_span){0};
    if (!(all.p = open_node(node, &h)))
        return false;
    all.end = node->p + h.bytes;
    *items = all;
    while ((rc = take_item(&all, &item)) > 0)
        ;
    return rc == 0;
}

bool
memory_items(const struct memory_span *node, const struct stat *st,
             struct memory_span *items)
{
    struct head h;

    return open_node(node, &h) && h.ino == st->st_ino && h.dev == st->st_dev &&
           h.sec == st->st_ctim.tv_sec &&
           h.nsec == (uint32_t)st->st_ctim.tv_nsec &&
           memory_old_items(node, items);
}

/* Whether the next change of the directory is sure to get another time. */
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
memory_begin(struct buf *out, const char *name, const struct stat *st,
             const struct timespec *now)
{
    const struct head h = {.dev = st->st_dev,
                           .ino = is_settled(st, now) ? st->st_ino : 0,
                           .sec = st->st_ctim.tv_sec,
                           .nsec = (uint32_t)st->st_ctim.tv_nsec};
    size_t at = out->len;

    buf_add(out, &h, sizeof(h));
    buf_add(out, name, strlen(name) + 1);
    return at;
}

void
memory_add(struct buf *out, enum memory_kind kind, const char *name)
{
    buf_ch(out, (char)kind);
    if (kind != MEMORY_DIRECTORY)
        buf_add(out, name, strlen(name) + 1);
}

void
memory_end(struct buf *out, size_t node)
{
    uint32_t bytes = (uint32_t)(out->len - node);

    if (!out->bad)
        memcpy(out->p + node + offsetof(struct head, bytes), &bytes,
               sizeof(bytes));
}
