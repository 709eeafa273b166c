/* SPDX-License-Identifier: GPL-3.0-or-later */
/* brief.c - what a child that is there already has to know. */
#include "sandbox/launch/brief.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/buf.h"
#include "sandbox/layer.h"

#define LAYER "start"

/* Before the texts, each of which ends with a NUL: the words, the variables,
 * the working directory, a real and a given path a bind. */
struct head {
    uint32_t words, variables, binds, bytes;
    bool root;
};

/* Before each path of these: what it is. */
#define MARK_YES '1'
#define MARK_NO  '0'

static void
put(struct buf *out, const char *text)
{
    buf_add(out, text, strlen(text) + 1);
}

static uint32_t
put_all(struct buf *out, char *const *list)
{
    uint32_t n = 0;

    for (; list[n]; n++)
        put(out, list[n]);
    return n;
}

static void
put_binds(struct buf *out, const struct binds *b)
{
    for (size_t i = 0; i < b->n; i++) {
        buf_ch(out, (char)('0' + b->at[i].kind));
        buf_ch(out, b->at[i].directory ? MARK_YES : MARK_NO);
        put(out, b->at[i].real);
        put(out, b->at[i].given);
    }
}

static void
put_kept(struct buf *out, const struct protect *p)
{
    put(out, p->root);
    for (size_t i = 0; i < p->n_paths; i++) {
        buf_ch(out, p->paths[i].writable ? MARK_YES : MARK_NO);
        put(out, p->paths[i].path);
    }
    put(out, ""); /* no path is empty */
}

static int
send_all(int line, struct head *head, const struct buf *texts, struct err *e)
{
    static const int streams[] = {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO};
    char control[CMSG_SPACE(sizeof(streams))] = {0};
    struct iovec io[] = {{head, sizeof(*head)}, {texts->p, texts->len}};
    struct msghdr msg = {
        .msg_iov = io,
        .msg_iovlen = 2,
        .msg_control = control,
        .msg_controllen = sizeof(control),
    };
    struct cmsghdr *c = CMSG_FIRSTHDR(&msg);

    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(sizeof(streams));
    memcpy(CMSG_DATA(c), streams, sizeof(streams));
    if (sendmsg(line, &msg, MSG_NOSIGNAL) !=
        (ssize_t)(sizeof(*head) + texts->len))
        return layer_missing(e, LAYER);
    return 0;
}

int
brief_send(int line, const struct inside *in, char *const *words, struct err *e)
{
    CLEANUP_BUF struct buf out = buf_of(BRIEF_MAX);
    struct head head = {.root = in->root, .binds = (uint32_t)in->binds.n};

    head.words = put_all(&out, words);
    head.variables = put_all(&out, environ);
    put(&out, in->cwd);
    put_binds(&out, &in->binds);
    head.bytes = (uint32_t)out.len;
    if (buf_ok(&out, "a child's brief", e) < 0)
        return -1;
    return send_all(line, &head, &out, e);
}

/* The number of bytes; a root and its paths for each that is kept. */
int
brief_send_kept(int line, const struct inside *in, struct err *e)
{
    CLEANUP_BUF struct buf out = buf_of(BRIEF_MAX);
    uint32_t bytes;
    struct iovec io[] = {{&bytes, sizeof(bytes)}, {0}};
    struct msghdr msg = {.msg_iov = io, .msg_iovlen = 2};

    if (binds_writable(&in->binds) == 0)
        return 0;
    for (size_t i = 0; i < in->n_kept; i++)
        put_kept(&out, &in->kept[i]);
    if (buf_ok(&out, "a child's brief", e) < 0)
        return -1;
    bytes = (uint32_t)out.len;
    io[1] = (struct iovec){out.p, out.len};
    if (sendmsg(line, &msg, MSG_NOSIGNAL) != (ssize_t)(sizeof(bytes) + bytes))
        return layer_missing(e, LAYER);
    return 0;
}

/* Where it reads: p is NULL once something was missing. */
struct reader {
    char *p, *end;
};

static char *
next(struct reader *r)
{
    char *text = r->p;
    char *nul = text ? memchr(text, '\0', (size_t)(r->end - text)) : NULL;

    r->p = nul ? nul + 1 : NULL;
    return nul ? text : NULL;
}

static char **
next_all(struct reader *r, uint32_t n, char **to)
{
    for (uint32_t i = 0; i < n; i++)
        to[i] = next(r);
    to[n] = NULL;
    return to + n + 1;
}

static bool
take_binds(struct reader *r, uint32_t n, struct binds *b)
{
    if (n > BINDS_MAX)
        return false;
    for (; b->n < n; b->n++) {
        char *real = next(r);

        if (!real || !real[0] || !real[1])
            return false;
        b->at[b->n] = (struct bind){.given = next(r),
                                    .real = real + 2,
                                    .kind = (enum bind_kind)(real[0] - '0'),
                                    .directory = real[1] == MARK_YES};
    }
    binds_mark(b);
    return r->p != NULL;
}

static bool
take_kept(struct reader *r, struct protect *p)
{
    struct reader paths;
    char *path;
    size_t n = 0;

    p->root = next(r);
    paths = *r;
    while ((path = next(r)) != NULL && path[0])
        n++;
    p->paths = calloc(n + 1, sizeof(*p->paths));
    if (!path || !p->paths)
        return false;
    for (; p->n_paths < n; p->n_paths++) {
        path = next(&paths);
        p->paths[p->n_paths] = (struct protect_path){path + 1,
                                                     path[0] == MARK_YES};
    }
    return true;
}

static bool
hear_head(int line, struct head *head, int streams[3])
{
    char control[CMSG_SPACE(3 * sizeof(int))];
    struct iovec io = {head, sizeof(*head)};
    struct msghdr msg = {
        .msg_iov = &io,
        .msg_iovlen = 1,
        .msg_control = control,
        .msg_controllen = sizeof(control),
    };
    ssize_t n = recvmsg(line, &msg, MSG_CMSG_CLOEXEC | MSG_WAITALL);
    const struct cmsghdr *c = n == sizeof(*head) ? CMSG_FIRSTHDR(&msg) : NULL;

    if (!c || c->cmsg_type != SCM_RIGHTS ||
        c->cmsg_len != CMSG_LEN(3 * sizeof(int)))
        return false;
    memcpy(streams, CMSG_DATA(c), 3 * sizeof(int));
    return head->bytes <= BRIEF_MAX && head->words <= head->bytes &&
           head->variables <= head->bytes - head->words;
}

static bool
hear_bytes(int line, const struct head *head, struct brief *b)
{
    b->bytes = malloc(head->bytes + 1u);
    b->list = calloc((size_t)head->words + head->variables + 2,
                     sizeof(*b->list));
    return b->bytes && b->list &&
           recv(line, b->bytes, head->bytes, MSG_WAITALL) ==
               (ssize_t)head->bytes;
}

static bool
take_streams(const int streams[3])
{
    for (int i = 0; i < 3; i++) {
        if (dup2(streams[i], i) < 0)
            return false;
        close(streams[i]);
    }
    return true;
}

int
brief_hear(int line, struct brief *b, struct err *e)
{
    struct inside *in = &b->in;
    int streams[3], rest;
    struct head head;
    struct reader r;

    if (!hear_head(line, &head, streams) || !take_streams(streams) ||
        !hear_bytes(line, &head, b))
        return layer_missing(e, LAYER);
    r = (struct reader){b->bytes, b->bytes + head.bytes};
    environ = next_all(&r, head.words, b->list);
    next_all(&r, head.variables, environ);
    in->cwd = next(&r);
    if (!take_binds(&r, head.binds, &in->binds))
        return layer_missing(e, LAYER);
    if (spec_read((int)head.words, b->list, &b->spec, &rest, e) < 0)
        return -1;
    in->spec = &b->spec;
    in->kept = b->kept;
    in->argv = b->list + rest;
    in->root = head.root;
    in->brief = b;
    return 0;
}

int
brief_hear_kept(int line, struct brief *b, struct err *e)
{
    size_t n = binds_writable(&b->in.binds);
    CLEANUP(free_p) char *texts = NULL;
    struct reader r;
    uint32_t bytes;

    if (n == 0)
        return 0;
    if (n > sizeof(b->kept) / sizeof(*b->kept) ||
        recv(line, &bytes, sizeof(bytes), MSG_WAITALL) != sizeof(bytes) ||
        bytes > BRIEF_MAX || !(texts = malloc(bytes + 1u)) ||
        recv(line, texts, bytes, MSG_WAITALL) != (ssize_t)bytes)
        return layer_missing(e, LAYER);
    r = (struct reader){texts, texts + bytes};
    for (; b->in.n_kept < n; b->in.n_kept++) {
        if (!take_kept(&r, &b->kept[b->in.n_kept]))
            return layer_missing(e, LAYER);
    }
    (void)TAKE_PTR(texts);
    return 0;
}
