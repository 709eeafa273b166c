/* SPDX-License-Identifier: GPL-3.0-or-later */
/* history.c - the lines that were entered, in this session and before. */
#include "frontend/repl/history.h"

#include <fcntl.h>
#include <readline/history.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/cleanup.h"
#include "base/fd.h"
#include "base/file.h"

#define LOCK_MS    500 /* who holds it writes one entry */
#define LOCK_TRIES 8   /* a file is replaced at most once by each other REPL */
#define TAIL_BYTES (2 * HISTORY_BYTES) /* of a file, no more is read */
#define READ_MAX   (2 * TAIL_BYTES)    /* another shell may be adding to it */

struct history {
    char *path; /* NULL: only in memory */
    struct buf entry;
    char *last;  /* to leave out repetitions */
    ino_t ino;   /* the file as it was read or written last, */
    off_t seen;  /* and so much of it is in the editor */
    bool listed; /* the entry is in the editor's list already */
    bool keep;
};

/* "#" and digits only. */
static bool
is_time(const char *line)
{
    return line[0] == '#' && line[1] &&
           strspn(line + 1, "0123456789") == strlen(line + 1);
}

void
history_parse(char *text, size_t n, void (*each)(void *arg, const char *entry),
              void *arg)
{
    char *entry = NULL; /* under a time */
    char *line = text, *end = text + n;

    while (line < end) {
        char *nl = memchr(line, '\n', (size_t)(end - line));
        char *next = nl ? nl + 1 : end;

        if (nl)
            *nl = '\0';
        if (is_time(line)) {
            if (entry && entry < line && *entry)
                each(arg, entry);
            entry = next;
        } else if (!entry && *line) {
            each(arg, line);
        } else if (entry && line > entry) {
            line[-1] = '\n'; /* it was cut above, but the entry goes on */
        }
        line = next;
    }
    if (entry && entry < end && *entry)
        each(arg, entry);
}

static void
add_to_editor(void *arg, const char *entry)
{
    (void)arg;
    add_history(entry);
}

/* Opens the file as it is now and locks it: while we waited for the lock, it
 * may have been replaced. */
static int
open_locked_history(const char *path, struct err *e)
{
    struct stat ours, now;

    for (int i = 0; i < LOCK_TRIES; i++) {
        CLEANUP(fd_close_p)
        int fd = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0600);

        if (fd < 0)
            return err_sys(e, "%s", path);
        if (fd_lock(fd, LOCK_MS, e) < 0)
            return err_wrap(e, "%s", path);
        if (fstat(fd, &ours) < 0)
            return err_sys(e, "%s", path);
        if (!S_ISREG(ours.st_mode))
            return err_set(e, ERR_IO, "%s is not a regular file", path);
        if (stat(path, &now) == 0 && now.st_ino == ours.st_ino)
            return TAKE_FD(fd);
    }
    return err_set(e, ERR_IO, "%s keeps being replaced", path);
}

/* Drops what is before the first entry from `at` on; where none has a time,
 * before the first line. */
static void
drop_until_entry(struct buf *text, size_t at)
{
    const char *end = text->p + text->len;
    const char *line = memchr(text->p + at, '\n', text->len - at);
    const char *from = line;

    while (from && from[1] != '#') /* the bytes end with a NUL */
        from = memchr(from + 1, '\n', (size_t)(end - from) - 1);
    if (!from)
        from = line;
    buf_drop(text, from ? (size_t)(from + 1 - text->p) : text->len);
}

/* All of the file, or of a larger one the last TAIL_BYTES. */
static int
read_history_tail(int fd, const char *path, struct buf *text, struct err *e)
{
    off_t size = lseek(fd, 0, SEEK_END);
    off_t from = size > TAIL_BYTES ? size - TAIL_BYTES : 0;

    if (size < 0 || lseek(fd, from, SEEK_SET) < 0)
        return err_sys(e, "%s", path);
    if (file_read_fd(fd, text, e) < 0)
        return err_wrap(e, "%s", path);
    if (from > 0)
        drop_until_entry(text, 0);
    return 0;
}

/* Keeps the newer half of a text, which is in the editor. */
static int
shorten(struct history *h, const char *path, struct buf *text, struct err *e)
{
    struct stat st;

    drop_until_entry(text, text->len / 2);
    if (file_save(path, text->p, text->len, 0600, e) < 0)
        return -1;
    h->ino = stat(path, &st) == 0 ? st.st_ino : 0;
    h->seen = (off_t)text->len;
    return 0;
}

/* A long session cuts its file too, not only the session after it. */
static int
bound(struct history *h, int fd, struct err *e)
{
    CLEANUP_BUF struct buf text = buf_of(READ_MAX);

    if (lseek(fd, 0, SEEK_END) <= TAIL_BYTES)
        return 0;
    if (read_history_tail(fd, h->path, &text, e) < 0)
        return -1;
    return shorten(h, h->path, &text, e);
}

/* All that the open file holds by now is in the editor. */
static void
note_seen(struct history *h, int fd)
{
    struct stat st;

    if (fstat(fd, &st) < 0)
        return;
    h->ino = st.st_ino;
    h->seen = st.st_size;
}

static int
load(struct history *h, const char *path, struct err *e)
{
    CLEANUP(fd_close_p) int fd = open_locked_history(path, e);
    CLEANUP_BUF struct buf text = buf_of(READ_MAX);

    if (fd < 0)
        return -1;
    (void)fchmod(fd, 0600);
    if (read_history_tail(fd, path, &text, e) < 0)
        return -1;
    note_seen(h, fd);
    if (text.len > HISTORY_BYTES && shorten(h, path, &text, e) < 0)
        return -1;
    history_parse(text.p, text.len, add_to_editor, NULL);
    return 0;
}

static void
note_last(struct history *h)
{
    if (history_length > 0)
        h->last = strdup(history_get(history_base + history_length - 1)->line);
}

struct history *
history_new(const char *path, struct err *e)
{
    struct history *h = calloc(1, sizeof(*h));

    if (!h) {
        err_sys(e, "history");
        return NULL;
    }
    buf_init(&h->entry, HISTORY_BYTES / 4);
    using_history();
    stifle_history(HISTORY_ENTRIES);
    if (path && load(h, path, e) == 0)
        h->path = strdup(path);
    note_last(h);
    return h;
}

/* Puts another shell's lines into the file, which is empty unless another REPL
 * was first. Where that fails, they are there for this session. */
static void
adopt(struct history *h, const struct buf *text)
{
    CLEANUP(fd_close_p)
    int fd = h->path ? open_locked_history(h->path, NULL) : -1;

    if (fd < 0)
        return;
    if (lseek(fd, 0, SEEK_END) == 0 && text->len > 0 &&
        fd_write_all(fd, text->p, text->len, -1, NULL) == 0 &&
        text->p[text->len - 1] != '\n')
        (void)fd_write_all(fd, "\n", 1, -1, NULL);
    note_seen(h, fd);
}

void
history_borrow(struct history *h, const char *path)
{
    /* a FIFO would have us wait */
    CLEANUP(fd_close_p)
    int fd = history_length > 0
                 ? -1
                 : open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    CLEANUP_BUF struct buf text = buf_of(READ_MAX);
    struct stat st;

    if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) ||
        read_history_tail(fd, path, &text, NULL) < 0)
        return;
    adopt(h, &text);
    history_parse(text.p, text.len, add_to_editor, NULL);
    note_last(h);
}

static void
show_entry(struct history *h)
{
    HIST_ENTRY *old;

    if (h->listed) {
        old = replace_history_entry(history_length - 1, h->entry.p, NULL);
        if (old)
            free_history_entry(old);
    } else {
        add_history(h->entry.p);
    }
    h->listed = true;
}

void
history_enter(struct history *h, const char *line, bool more)
{
    if (!more) {
        (void)history_keep(h, NULL);
        h->keep = *line && *line != ' ' && *line != '\t' &&
                  (!h->last || strcmp(line, h->last) != 0);
    }
    if (!h->keep)
        return;
    if (more)
        buf_ch(&h->entry, '\n');
    buf_str(&h->entry, line);
    show_entry(h);
}

/* Others' lines are before the entry of ours that is still open, as they are in
 * the file: so Up gives our own line first. */
static void
add_before_entry(const struct history *h, struct buf *text)
{
    HIST_ENTRY *ours = h->listed ? remove_history(history_length - 1) : NULL;

    history_parse(text->p, text->len, add_to_editor, NULL);
    if (!ours)
        return;
    add_history(ours->line);
    free_history_entry(ours);
}

/* Takes what others appended to the locked file. */
static int
take_others(struct history *h, int fd, struct err *e)
{
    CLEANUP_BUF struct buf text = buf_of(READ_MAX);
    struct stat st;
    off_t from;

    if (fstat(fd, &st) < 0)
        return err_sys(e, "%s", h->path);
    from = st.st_ino == h->ino ? h->seen : st.st_size;
    h->ino = st.st_ino;
    h->seen = st.st_size;
    if (from >= st.st_size || st.st_size - from > TAIL_BYTES)
        return 0;
    if (lseek(fd, from, SEEK_SET) < 0)
        return err_sys(e, "%s", h->path);
    if (file_read_fd(fd, &text, e) < 0)
        return err_wrap(e, "%s", h->path);
    add_before_entry(h, &text);
    return 0;
}

void
history_follow(struct history *h)
{
    CLEANUP(fd_close_p) int fd = -1;
    struct stat st;

    if (!h->path || stat(h->path, &st) < 0 ||
        (st.st_ino == h->ino && st.st_size == h->seen))
        return;
    fd = open_locked_history(h->path, NULL);
    if (fd >= 0)
        (void)take_others(h, fd, NULL);
}

/* Behind what others appended meanwhile. */
static int
append(struct history *h, const struct buf *out, struct err *e)
{
    CLEANUP(fd_close_p) int fd = open_locked_history(h->path, e);
    int rc;

    if (fd < 0 || take_others(h, fd, e) < 0)
        return -1;
    rc = fd_write_all(fd, out->p, out->len, -1, e);
    note_seen(h, fd);
    return rc < 0 ? -1 : bound(h, fd, e);
}

int
history_keep(struct history *h, struct err *e)
{
    CLEANUP_BUF struct buf out = buf_of(h->entry.len + 32);
    int rc = 0;

    if (h->entry.bad) { /* it was too long; the next one is kept again */
        buf_clear(&h->entry);
        h->listed = h->keep = false;
    }
    if (h->entry.len == 0)
        return 0;
    buf_printf(&out, "#%lld\n%s\n", (long long)time(NULL), h->entry.p);
    if (h->path)
        rc = append(h, &out, e);
    free(h->last);
    h->last = strdup(h->entry.p);
    buf_clear(&h->entry);
    h->listed = h->keep = false;
    return rc;
}

void
history_free(struct history *h)
{
    if (!h)
        return;
    (void)history_keep(h, NULL);
    buf_done(&h->entry);
    free(h->path);
    free(h->last);
    free(h);
}
