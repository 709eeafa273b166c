/* SPDX-License-Identifier: GPL-3.0-or-later */
/* prefork_message.c - sends a preforked child its configuration. */
#include "sandbox/launch/prefork_message.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/buf.h"
#include "sandbox/spec.h"

#define LAYER "start"

/* Stands before the strings, each of which ends with a NUL: the words, the
 * variables, the working directory, and for each bind its real and its given
 * path. */
struct prefork_message_head {
    uint32_t words, variables, binds, bytes;
    bool root;
};

/* Stands before such a path and tells its kind. */
#define MARK_YES '1'
#define MARK_NO  '0'

static void
add_string(struct buf *out, const char *text)
{
    buf_add(out, text, strlen(text) + 1);
}

static uint32_t
add_message_strings(struct buf *out, char *const *list)
{
    uint32_t n = 0;

    for (; list[n]; n++)
        add_string(out, list[n]);
    return n;
}

static void
add_binds(struct buf *out, const struct binds *b)
{
    for (size_t i = 0; i < b->n; i++) {
        buf_ch(out, (char)('0' + b->at[i].kind));
        buf_ch(out, b->at[i].directory ? MARK_YES : MARK_NO);
        add_string(out, b->at[i].real);
        add_string(out, b->at[i].given);
    }
}

static void
add_kept(struct buf *out, const struct protect *p)
{
    add_string(out, p->root);
    for (size_t i = 0; i < p->n_paths; i++) {
        buf_ch(out, p->paths[i].writable ? MARK_YES : MARK_NO);
        add_string(out, p->paths[i].path);
    }
    add_string(out, ""); /* the end: no path is empty */
}

static int
send_all(int channel, struct prefork_message_head *head,
         const struct buf *texts, struct err *e)
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
    if (sendmsg(channel, &msg, MSG_NOSIGNAL) !=
        (ssize_t)(sizeof(*head) + texts->len))
        return sandbox_layer_missing(e, LAYER);
    return 0;
}

int
prefork_message_send(int channel, const struct child_config *conf,
                     char *const *words, struct err *e)
{
    CLEANUP_BUF struct buf out = buf_of(PREFORK_MESSAGE_MAX);
    struct prefork_message_head head = {.root = conf->root,
                                        .binds = (uint32_t)conf->binds.n};

    head.words = add_message_strings(&out, words);
    head.variables = add_message_strings(&out, environ);
    add_string(&out, conf->cwd);
    add_binds(&out, &conf->binds);
    head.bytes = (uint32_t)out.len;
    if (buf_ok(&out, "a child's brief", e) < 0)
        return -1;
    return send_all(channel, &head, &out, e);
}

/* Sends the number of bytes, then a root and its paths for each protected
 * directory. */
int
prefork_message_send_kept(int channel, const struct child_config *conf,
                          struct err *e)
{
    CLEANUP_BUF struct buf out = buf_of(PREFORK_MESSAGE_MAX);
    uint32_t bytes;
    struct iovec io[] = {{&bytes, sizeof(bytes)}, {0}};
    struct msghdr msg = {.msg_iov = io, .msg_iovlen = 2};

    if (binds_writable(&conf->binds) == 0)
        return 0;
    for (size_t i = 0; i < conf->n_kept; i++)
        add_kept(&out, &conf->kept[i]);
    if (buf_ok(&out, "a child's brief", e) < 0)
        return -1;
    bytes = (uint32_t)out.len;
    io[1] = (struct iovec){out.p, out.len};
    if (sendmsg(channel, &msg, MSG_NOSIGNAL) !=
        (ssize_t)(sizeof(bytes) + bytes))
        return sandbox_layer_missing(e, LAYER);
    return 0;
}

/* The position while reading; p becomes NULL when something is missing. */
struct prefork_message_reader {
    char *p, *end;
};

static char *
next_string(struct prefork_message_reader *r)
{
    char *text = r->p;
    char *nul = text ? memchr(text, '\0', (size_t)(r->end - text)) : NULL;

    r->p = nul ? nul + 1 : NULL;
    return nul ? text : NULL;
}

static char **
next_strings(struct prefork_message_reader *r, uint32_t n, char **to)
{
    for (uint32_t i = 0; i < n; i++)
        to[i] = next_string(r);
    to[n] = NULL;
    return to + n + 1;
}

static bool
read_binds(struct prefork_message_reader *r, uint32_t n, struct binds *b)
{
    if (n > BINDS_MAX)
        return false;
    for (; b->n < n; b->n++) {
        char *real = next_string(r);

        if (!real || !real[0] || !real[1])
            return false;
        b->at[b->n] = (struct bind){.given = next_string(r),
                                    .real = real + 2,
                                    .kind = (enum bind_kind)(real[0] - '0'),
                                    .directory = real[1] == MARK_YES};
    }
    binds_mark(b);
    return r->p != NULL;
}

static bool
read_kept(struct prefork_message_reader *r, struct protect *p)
{
    struct prefork_message_reader paths;
    char *path;
    size_t n = 0;

    p->root = next_string(r);
    paths = *r;
    while ((path = next_string(r)) != NULL && path[0])
        n++;
    p->paths = calloc(n + 1, sizeof(*p->paths));
    if (!path || !p->paths)
        return false;
    for (; p->n_paths < n; p->n_paths++) {
        path = next_string(&paths);
        p->paths[p->n_paths] = (struct protect_path){path + 1,
                                                     path[0] == MARK_YES};
    }
    return true;
}

static bool
receive_head(int channel, struct prefork_message_head *head, int streams[3])
{
    char control[CMSG_SPACE(3 * sizeof(int))];
    struct iovec io = {head, sizeof(*head)};
    struct msghdr msg = {
        .msg_iov = &io,
        .msg_iovlen = 1,
        .msg_control = control,
        .msg_controllen = sizeof(control),
    };
    ssize_t n = recvmsg(channel, &msg, MSG_CMSG_CLOEXEC | MSG_WAITALL);
    const struct cmsghdr *c = n == sizeof(*head) ? CMSG_FIRSTHDR(&msg) : NULL;

    if (!c || c->cmsg_type != SCM_RIGHTS ||
        c->cmsg_len != CMSG_LEN(3 * sizeof(int)))
        return false;
    memcpy(streams, CMSG_DATA(c), 3 * sizeof(int));
    return head->bytes <= PREFORK_MESSAGE_MAX && head->words <= head->bytes &&
           head->variables <= head->bytes - head->words;
}

static bool
receive_bytes(int channel, const struct prefork_message_head *head,
              struct prefork_message *b)
{
    b->bytes = malloc(head->bytes + 1u);
    b->list = calloc((size_t)head->words + head->variables + 2,
                     sizeof(*b->list));
    return b->bytes && b->list &&
           recv(channel, b->bytes, head->bytes, MSG_WAITALL) ==
               (ssize_t)head->bytes;
}

static bool
install_streams(const int streams[3])
{
    for (int i = 0; i < 3; i++) {
        if (dup2(streams[i], i) < 0)
            return false;
        close(streams[i]);
    }
    return true;
}

int
prefork_message_receive(int channel, struct prefork_message *b, struct err *e)
{
    struct child_config *conf = &b->conf;
    int streams[3], rest;
    struct prefork_message_head head;
    struct prefork_message_reader r;

    if (!receive_head(channel, &head, streams) || !install_streams(streams) ||
        !receive_bytes(channel, &head, b))
        return sandbox_layer_missing(e, LAYER);
    r = (struct prefork_message_reader){b->bytes, b->bytes + head.bytes};
    environ = next_strings(&r, head.words, b->list);
    next_strings(&r, head.variables, environ);
    conf->cwd = next_string(&r);
    if (!read_binds(&r, head.binds, &conf->binds))
        return sandbox_layer_missing(e, LAYER);
    if (spec_read((int)head.words, b->list, &b->spec, &rest, e) < 0)
        return -1;
    conf->spec = &b->spec;
    conf->kept = b->kept;
    conf->argv = b->list + rest;
    conf->root = head.root;
    conf->message = b;
    return 0;
}

int
prefork_message_receive_kept(int channel, struct prefork_message *b,
                             struct err *e)
{
    size_t n = binds_writable(&b->conf.binds);
    CLEANUP(free_p) char *texts = NULL;
    struct prefork_message_reader r;
    uint32_t bytes;

    if (n == 0)
        return 0;
    if (n > sizeof(b->kept) / sizeof(*b->kept) ||
        recv(channel, &bytes, sizeof(bytes), MSG_WAITALL) != sizeof(bytes) ||
        bytes > PREFORK_MESSAGE_MAX || !(texts = malloc(bytes + 1u)) ||
        recv(channel, texts, bytes, MSG_WAITALL) != (ssize_t)bytes)
        return sandbox_layer_missing(e, LAYER);
    r = (struct prefork_message_reader){texts, texts + bytes};
    for (; b->conf.n_kept < n; b->conf.n_kept++) {
        if (!read_kept(&r, &b->kept[b->conf.n_kept]))
            return sandbox_layer_missing(e, LAYER);
    }
    (void)TAKE_PTR(texts);
    return 0;
}
