/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trust.c - who may write a plugin, and which ones were agreed to. */
#include "tool/trust.h"

#include <string.h>

#include "base/file.h"
#include "base/path.h"
#include "config/config_file.h"

#define FILE_NAME "trusted"
#define LOCK_MS   5000 /* for another that adds a note, which takes far less */

int
trust_read(struct buf *notes, struct err *e)
{
    CLEANUP(free_p) char *path = path_of(PATH_STATE, FILE_NAME, e);
    bool there;

    if (!path)
        return -1;
    return config_file_read(path, CONFIG_FILE_ANYONE, notes, &there, e);
}

/* The next line of the notes: its hash and its path. */
struct note {
    const char *hash, *path;
    size_t path_len;
    const char *line; /* with its newline */
    size_t len;
};

static bool
next_note(const struct buf *notes, size_t *at, struct note *out)
{
    const size_t hash = SHA256_HEX_SIZE - 1;

    while (*at < notes->len) {
        const char *line = notes->p + *at;
        size_t left = notes->len - *at, n;
        const char *end = memchr(line, '\n', left);

        n = end ? (size_t)(end - line) : left;
        *at += end ? n + 1 : n;
        if (!end || n <= hash + 1 || line[hash] != ' ')
            continue; /* cut short: it says nothing */
        *out = (struct note){line, line + hash + 1, n - hash - 1, line, n + 1};
        return true;
    }
    return false;
}

static bool
is_about(const struct note *n, const char *path)
{
    return strlen(path) == n->path_len &&
           memcmp(path, n->path, n->path_len) == 0;
}

enum tool_trust
trust_find(const struct buf *notes, const char *path, const char *hash)
{
    enum tool_trust found = TOOL_NEW;
    struct note n;
    size_t at = 0;

    while (next_note(notes, &at, &n)) {
        if (!is_about(&n, path))
            continue;
        if (memcmp(n.hash, hash, SHA256_HEX_SIZE - 1) == 0)
            return TOOL_TRUSTED;
        found = TOOL_CHANGED;
    }
    return found;
}

/* The notes without those about the path, and the new one. */
static int
compose(const struct buf *old, const char *path, const char *hash,
        struct buf *out, struct err *e)
{
    struct note n;
    size_t at = 0;

    while (next_note(old, &at, &n))
        if (!is_about(&n, path))
            buf_add(out, n.line, n.len);
    buf_printf(out, "%s %s\n", hash, path);
    return buf_ok(out, "the trusted plugins", e);
}

int
trust_write(const char *path, const char *hash, struct err *e)
{
    CLEANUP(free_p) char *dir = path_of(PATH_STATE, NULL, e);
    CLEANUP(free_p) char *file = path_of(PATH_STATE, FILE_NAME, e);
    CLEANUP(fd_close_p) int lock = -1;
    CLEANUP_BUF struct buf old = buf_of(TRUST_NOTES_MAX);
    CLEANUP_BUF struct buf notes = buf_of(TRUST_NOTES_MAX);

    if (!dir || !file || path_make_dirs(dir, 0700, e) < 0 ||
        (lock = file_lock_dir(dir, LOCK_MS, e)) < 0 ||
        trust_read(&old, e) < 0 || compose(&old, path, hash, &notes, e) < 0)
        return -1;
    return file_write(file, notes.p, notes.len, 0600, e);
}
