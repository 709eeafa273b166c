/* SPDX-License-Identifier: GPL-3.0-or-later */
/* websocket.c - one WebSocket connection, of a server or a client. */
#include "wire/websocket.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "base/fd.h"
#include "base/utf8.h"
#include "wire/sender.h"
#include "wire/websocket_message.h"

/* Of work on the frames of one peer, in one turn of the loop. */
#define HOLD_US   2000
#define CLOSE_MS  5000 /* for a peer to close too */
#define LINGER_MS 2000 /* for it to read what was sent last */
#define KEPT_MAX  (2u * READ_BUFFER_BYTES)
/* Where so many bytes are queued, pings are not answered. */
#define PONG_QUEUE   (64u << 10)
#define QUEUE_BEYOND (1u << 10) /* bytes for the frames that close */
#define PARTS_MAX    4          /* of a message that is sent */
/* Of messages that are written at once; a larger one is written alone. */
#define BATCH_BYTES (64u << 10)
#define NO_SENDER   UINT64_MAX /* as what it has written */

enum websocket_phase {
    OPEN,
    CLOSING,   /* our close is sent, the peer's has not come */
    LINGERING, /* nothing more is sent, and what comes is dropped */
    OVER,      /* over, which the timer reports from the loop */
};

struct websocket {
    struct websocket_shared *sh;
    struct websocket *next, **at; /* in sh->first; *at is this one */
    const struct websocket_events *events;
    void *owner;
    int fd;
    struct tls *tls; /* NULL: plain */
    enum websocket_phase phase;
    struct watch *socket;
    struct watch *timer; /* for silence; for the end of a close; for frames left
                            to read */
    struct sender *sender; /* NULL: nothing is queued */
    struct buf batch;      /* frames that wait for websocket_release */
    struct websocket *next_held, **at_held; /* in sh->first_held */
    struct buf kept; /* an incomplete frame, or frames not processed yet */
    struct websocket_reader reader;
    struct buf *whole; /* that is being handed out; NULL: it is not its own */
    bool client, paused;
    bool resumes;       /* `kept` has frames for the next turn of the loop */
    bool heard, pinged; /* since the timer was armed; a pong is awaited */
    uint64_t written;   /* by this sender when the timer was armed */
    int64_t until_ms;   /* of a close */
    unsigned status;    /* of the end */
    unsigned number;    /* 0: it has none */
    char *reason;
};

static void
await_peer(struct websocket *ws)
{
    unsigned events = LOOP_READ;

    if (ws->phase == OVER || ws->resumes)
        events = 0;
    else if (ws->paused && ws->phase == OPEN)
        events = LOOP_LEFT;
    watch_events(ws->socket, events);
}

static void
end_websocket(struct websocket *ws)
{
    if (ws->phase == OVER)
        return;
    ws->phase = OVER;
    watch_events(ws->socket, 0);
    watch_again(ws->timer, 0);
}

static void
lose_peer(struct websocket *ws)
{
    if (ws->phase == OPEN)
        ws->status = WEBSOCKET_LOST;
    end_websocket(ws);
}

static void
leave_held_list(struct websocket *ws)
{
    if (!ws->at_held)
        return;
    *ws->at_held = ws->next_held;
    if (ws->next_held)
        ws->next_held->at_held = ws->at_held;
    ws->at_held = NULL;
}

static void
enter_held_list(struct websocket *ws)
{
    if (ws->at_held)
        return;
    ws->next_held = ws->sh->first_held;
    ws->at_held = &ws->sh->first_held;
    if (ws->next_held)
        ws->next_held->at_held = &ws->next_held;
    ws->sh->first_held = ws;
}

/* Takes it out of the shared list, after which it no longer uses sh. */
static void
leave_shared(struct websocket *ws)
{
    leave_held_list(ws);
    if (ws->at) {
        *ws->at = ws->next;
        if (ws->next)
            ws->next->at = ws->at;
        ws->at = NULL;
        ws->sh->n--;
    }
    if (ws->number > 0)
        ws->sh->freed(ws->sh->arg, ws->number);
    ws->number = 0;
}

static void
free_websocket(struct websocket *ws)
{
    if (!ws)
        return;
    leave_shared(ws);
    watch_free(ws->socket);
    watch_free(ws->timer);
    sender_free(ws->sender);
    buf_done(&ws->batch);
    buf_done(&ws->kept);
    websocket_reader_done(&ws->reader);
    free(ws->reason);
    if (ws->tls)
        tls_shut(ws->tls, ws->fd);
    tls_free(ws->tls);
    fd_close_p(&ws->fd);
    free(ws);
}

DEFINE_CLEANUP(struct websocket, free_websocket)

size_t
websocket_queued(const struct websocket *ws)
{
    size_t queued = ws->sender ? ws->sh->limits.queued_bytes + QUEUE_BEYOND -
                                     sender_room(ws->sender)
                               : 0;

    return queued + ws->batch.len;
}

static void
on_websocket_sender(void *arg, enum sender_state state)
{
    struct websocket *ws = arg;

    if (state == SENDER_GONE)
        lose_peer(ws);
    else if (ws->phase == OPEN && ws->events->full)
        ws->events->full(ws->owner, ws, state == SENDER_FULL);
}

/* Ends the output, and waits for the peer before the socket is closed: a close
 * with unread input would reset the connection, and the peer might lose what we
 * sent last. */
static void
shut_output(struct websocket *ws)
{
    tls_shut(ws->tls, ws->fd);
    watch_again(ws->timer, LINGER_MS);
}

static void
on_websocket_empty(void *arg)
{
    struct websocket *ws = arg;

    sender_free(TAKE_PTR(ws->sender));
    ws->written = NO_SENDER;
    if (ws->phase == LINGERING)
        shut_output(ws);
}

static void
queue_rest_of_frame(struct websocket *ws, const char *bytes, size_t n)
{
    if (!ws->sender) {
        ws->sender = sender_new(ws->sh->loop, ws->fd,
                                ws->sh->limits.queued_bytes + QUEUE_BEYOND,
                                on_websocket_sender, ws, NULL);
        if (!ws->sender) {
            lose_peer(ws);
            return;
        }
        sender_use_tls(ws->sender, ws->tls);
        sender_on_empty(ws->sender, on_websocket_empty, ws);
    }
    sender_add(ws->sender, bytes, n);
}

/* Writes what the socket has room for, and queues the rest. */
static void
write_now(struct websocket *ws, struct iovec *parts, size_t n)
{
    ssize_t done = 0;

    if (!ws->sender)
        done = tls_send(ws->tls, ws->fd, parts, n);
    if (done < 0 && errno != EAGAIN && errno != EINTR) {
        lose_peer(ws);
        return;
    }
    done = done < 0 ? 0 : done;
    for (size_t i = 0; i < n && ws->phase != OVER; i++) {
        size_t part = (size_t)done < parts[i].iov_len ? (size_t)done
                                                      : parts[i].iov_len;

        done -= (ssize_t)part;
        if (part < parts[i].iov_len)
            queue_rest_of_frame(ws, (const char *)parts[i].iov_base + part,
                                parts[i].iov_len - part);
    }
    if (!ws->sender && tls_unsent(ws->tls) > 0)
        queue_rest_of_frame(ws, NULL, 0);
}

static void
write_batch(struct websocket *ws)
{
    CLEANUP_BUF struct buf bytes = ws->batch;

    leave_held_list(ws);
    buf_init(&ws->batch, ws->batch.max);
    if (bytes.len > 0 && ws->phase != OVER)
        write_now(ws, &(struct iovec){bytes.p, bytes.len}, 1);
}

/* Writes the frame at once, or adds it to the batch while frames are held. */
static void
write_parts(struct websocket *ws, struct iovec *parts, size_t n)
{
    size_t size = 0;

    for (size_t i = 0; i < n; i++)
        size += parts[i].iov_len;
    if (ws->batch.len + size > BATCH_BYTES)
        write_batch(ws);
    if (ws->sh->held == 0 || size > BATCH_BYTES) {
        write_now(ws, parts, n);
        return;
    }
    for (size_t i = 0; i < n; i++)
        buf_add(&ws->batch, parts[i].iov_base, parts[i].iov_len);
    if (ws->batch.bad)
        lose_peer(ws);
    else
        enter_held_list(ws);
}

void
websocket_hold(struct websocket *ws)
{
    ws->sh->held++;
}

void
websocket_release(struct websocket *ws)
{
    struct websocket_shared *sh = ws->sh;

    if (--sh->held > 0)
        return;
    while (sh->first_held)
        write_batch(sh->first_held);
}

/* A client's frames are masked, by an unpredictable number (RFC 6455, 5.3). */
static void
write_masked(struct websocket *ws, struct websocket_frame *f,
             const struct iovec *parts, size_t n)
{
    CLEANUP_BUF struct buf bytes = buf_of((size_t)f->length +
                                          WEBSOCKET_HEAD_MAX);
    char head[WEBSOCKET_HEAD_MAX];
    size_t size;

    f->masked = true;
    if (getrandom(f->mask, sizeof(f->mask), 0) != (ssize_t)sizeof(f->mask)) {
        lose_peer(ws);
        return;
    }
    size = websocket_frame_put(head, f);
    buf_add(&bytes, head, size);
    for (size_t i = 0; i < n; i++)
        buf_add(&bytes, parts[i].iov_base, parts[i].iov_len);
    if (bytes.bad) {
        lose_peer(ws);
        return;
    }
    websocket_frame_mask(bytes.p + size, bytes.len - size, f->mask, 0);
    write_parts(ws, &(struct iovec){bytes.p, bytes.len}, 1);
}

static void
write_frame(struct websocket *ws, enum websocket_opcode opcode,
            const struct iovec *parts, size_t n)
{
    struct websocket_frame f = {.opcode = opcode, .fin = true};
    struct iovec all[PARTS_MAX + 1];
    char head[WEBSOCKET_HEAD_MAX];

    for (size_t i = 0; i < n; i++)
        f.length += parts[i].iov_len;
    if (ws->client) {
        write_masked(ws, &f, parts, n);
        return;
    }
    all[0] = (struct iovec){head, websocket_frame_put(head, &f)};
    for (size_t i = 0; i < n; i++)
        all[i + 1] = parts[i];
    write_parts(ws, all, n + 1);
}

static void
write_close(struct websocket *ws, unsigned status, const char *reason)
{
    char bytes[2 + WEBSOCKET_REASON_MAX];
    size_t n = reason ? strlen(reason) : 0, size = 0;

    if (status != WEBSOCKET_NO_STATUS) {
        if (n > WEBSOCKET_REASON_MAX)
            n = utf8_boundary(reason, n, WEBSOCKET_REASON_MAX);
        bytes[0] = (char)(status >> 8);
        bytes[1] = (char)status;
        if (n > 0)
            memcpy(bytes + 2, reason, n);
        size = 2 + n;
    }
    write_frame(ws, WEBSOCKET_CLOSE, &(struct iovec){bytes, size}, 1);
}

/* The last frame has been sent, or is queued. */
static void
begin_lingering(struct websocket *ws)
{
    write_batch(ws);
    if (ws->phase == OVER)
        return;
    ws->phase = LINGERING;
    ws->resumes = false;
    if (ws->sender)
        watch_again(ws->timer, CLOSE_MS);
    else
        shut_output(ws);
}

void
websocket_close(struct websocket *ws, unsigned status, const char *reason)
{
    if (ws->phase != OPEN)
        return;
    ws->status = status;
    ws->phase = CLOSING;
    websocket_reader_drop(&ws->reader);
    ws->paused = false;
    ws->until_ms = clock_ms() + CLOSE_MS;
    write_close(ws, status, reason);
    if (ws->phase != OVER && !ws->resumes)
        watch_again(ws->timer, CLOSE_MS);
    await_peer(ws);
}

void
websocket_leave(struct websocket *ws, unsigned status, const char *reason)
{
    websocket_close(ws, status, reason);
    ws->events = NULL;
}

/* The peer has broken a rule, and nothing it sends can be read any more. */
static void
refuse_frames(struct websocket *ws, unsigned status, const char *why)
{
    if (ws->phase == OPEN) {
        ws->sh->refused++;
        ws->status = status;
        write_close(ws, status, why);
    }
    begin_lingering(ws);
}

void
websocket_send(struct websocket *ws, const struct iovec *parts, size_t n,
               bool text)
{
    size_t size = WEBSOCKET_HEAD_MAX;

    if (ws->phase != OPEN || n > PARTS_MAX)
        return;
    for (size_t i = 0; i < n; i++)
        size += parts[i].iov_len;
    if (size + websocket_queued(ws) > ws->sh->limits.queued_bytes) {
        ws->sh->refused++;
        websocket_close(ws, WEBSOCKET_TRY_LATER, "you read too slowly");
        return;
    }
    ws->sh->sent++;
    write_frame(ws, text ? WEBSOCKET_TEXT : WEBSOCKET_BINARY, parts, n);
}

void
websocket_send_text(struct websocket *ws, const char *text, size_t n)
{
    struct iovec part = {.iov_base = (char *)text, .iov_len = n};

    websocket_send(ws, &part, 1, true);
}

static void
take_close(struct websocket *ws, const char *bytes, size_t n)
{
    const unsigned char *p = (const unsigned char *)bytes;
    unsigned status = n >= 2 ? (unsigned)p[0] << 8 | p[1] : WEBSOCKET_NO_STATUS;

    if (n == 1 || (n >= 2 && !websocket_frame_status_is_valid(status))) {
        refuse_frames(ws, WEBSOCKET_VIOLATION,
                      "a close without a valid status");
        return;
    }
    if (n > 2 && !utf8_valid(bytes + 2, n - 2)) {
        refuse_frames(ws, WEBSOCKET_NOT_UTF8, "a reason that is no UTF-8");
        return;
    }
    if (ws->phase == OPEN) {
        ws->status = status;
        ws->reason = n > 2 ? strndup(bytes + 2, n - 2) : NULL;
        write_close(ws, status, NULL);
    }
    begin_lingering(ws);
}

static void
take_control_frame(struct websocket *ws, enum websocket_opcode opcode,
                   char *bytes, size_t n)
{
    if (opcode == WEBSOCKET_CLOSE)
        take_close(ws, bytes, n);
    else if (opcode == WEBSOCKET_PING && ws->phase == OPEN &&
             websocket_queued(ws) < PONG_QUEUE)
        write_frame(ws, WEBSOCKET_PONG, &(struct iovec){bytes, n}, 1);
}

/* The byte behind a message is a NUL while its owner has it. */
static void
hand_out_message(struct websocket *ws, char *bytes, size_t n, bool text)
{
    char behind = bytes[n];

    ws->sh->received++;
    if (behind)
        bytes[n] = '\0';
    ws->events->message(ws->owner, ws, bytes, n, text);
    if (behind)
        bytes[n] = behind;
}

bool
websocket_take_message(struct websocket *ws, struct buf *out)
{
    if (!ws->whole)
        return false;
    *out = *ws->whole;
    buf_init(ws->whole, 0);
    return true;
}

/* Returns how many bytes were used; 0: more are needed. bytes[n] may be
 * changed. */
static size_t
take_piece(struct websocket *ws, char *bytes, size_t n)
{
    struct websocket_piece p;

    websocket_reader_take(&ws->reader, bytes, n, &p);
    switch (p.kind) {
    case WEBSOCKET_PIECE_PART:
        break;
    case WEBSOCKET_PIECE_MESSAGE:
        /* cppcheck-suppress autoVariables ; taken back before we return */
        ws->whole = p.whole.cap > 0 ? &p.whole : NULL;
        hand_out_message(ws, p.bytes, p.n, p.text);
        ws->whole = NULL;
        break;
    case WEBSOCKET_PIECE_CONTROL:
        take_control_frame(ws, p.opcode, p.bytes, p.n);
        break;
    case WEBSOCKET_PIECE_FAULT:
        refuse_frames(ws, p.status, p.why);
        p.used = n;
        break;
    }
    buf_done(&p.whole);
    return p.used;
}

/* Processes the frames in n bytes, and keeps the rest: an incomplete frame, or
 * frames for the next turn of the loop. bytes[n] may be changed. */
static void
take_frames(struct websocket *ws, char *bytes, size_t n)
{
    int64_t until_us = clock_us() + HOLD_US;
    size_t used = 1;

    while (n > 0 && used > 0 && ws->phase < LINGERING && !ws->paused &&
           clock_us() < until_us) {
        used = take_piece(ws, bytes, n);
        bytes += used;
        n -= used;
    }
    if (n == 0 || ws->phase >= LINGERING)
        return;
    if (buf_add(&ws->kept, bytes, n) < 0)
        lose_peer(ws);
    else if (used > 0 && !ws->paused) {
        ws->resumes = true;
        watch_again(ws->timer, 0);
    }
}

static void
take_kept_frames(struct websocket *ws)
{
    CLEANUP_BUF struct buf bytes = ws->kept;

    buf_init(&ws->kept, KEPT_MAX);
    take_frames(ws, bytes.p, bytes.len);
}

static void
read_peer(struct websocket *ws)
{
    char *bytes = read_buffer_borrow(ws->sh->buffer, NULL);
    ssize_t n;

    if (!bytes) {
        lose_peer(ws);
        return;
    }
    n = tls_read(ws->tls, ws->fd, bytes, READ_BUFFER_BYTES - 1);
    if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
        lose_peer(ws);
    if (n > 0 && ws->phase < LINGERING) {
        ws->heard = true;
        websocket_hold(ws);
        if (ws->kept.len == 0) {
            take_frames(ws, bytes, (size_t)n);
        } else if (buf_add(&ws->kept, bytes, (size_t)n) < 0) {
            lose_peer(ws);
        } else {
            take_kept_frames(ws);
        }
        websocket_release(ws);
    }
    read_buffer_give_back(ws->sh->buffer, bytes);
}

void
websocket_pause(struct websocket *ws, bool paused)
{
    if (ws->paused == paused || ws->phase != OPEN)
        return;
    ws->paused = paused;
    if (!paused && ws->kept.len > 0 && !ws->resumes) {
        ws->resumes = true;
        watch_again(ws->timer, 0);
    }
    await_peer(ws);
}

static void
on_websocket_socket(void *arg, unsigned events)
{
    struct websocket *ws = arg;

    if (ws->paused && ws->phase == OPEN) {
        if (events & LOOP_HUP)
            lose_peer(ws);
        return;
    }
    read_peer(ws);
    await_peer(ws);
}

static void
arm_silence(struct websocket *ws, int64_t ms)
{
    ws->heard = false;
    ws->written = ws->sender ? sender_written(ws->sender) : NO_SENDER;
    watch_again(ws->timer, ms);
}

/* The timer: the peer was silent, or has not read what it was sent. */
static void
check_silence(struct websocket *ws)
{
    bool stalls = ws->sender && sender_written(ws->sender) == ws->written;

    if ((ws->pinged && !ws->heard && !ws->paused) || (ws->pinged && stalls)) {
        ws->sh->refused++;
        lose_peer(ws);
        return;
    }
    if (ws->heard && !stalls) {
        ws->pinged = false;
        arm_silence(ws, ws->sh->limits.ping_ms);
        return;
    }
    ws->pinged = true;
    arm_silence(ws, ws->sh->limits.pong_ms);
    write_frame(ws, WEBSOCKET_PING, NULL, 0);
}

/* `ended` may free all connections of sh, so this one leaves the list before.
 */
static void
report_close(struct websocket *ws)
{
    leave_shared(ws);
    if (ws->events)
        ws->events->ended(ws->owner, ws, ws->status,
                          ws->reason ? ws->reason : "");
    free_websocket(ws);
}

static void
on_websocket_timer(void *arg, unsigned events)
{
    struct websocket *ws = arg;

    (void)events;
    if (ws->phase == OVER) {
        report_close(ws);
        return;
    }
    if (ws->resumes) {
        int64_t left_ms = ws->phase == OPEN ? ws->sh->limits.ping_ms
                                            : ws->until_ms - clock_ms();

        ws->resumes = false;
        ws->heard = true;
        watch_again(ws->timer, left_ms > 0 ? left_ms : 0);
        websocket_hold(ws);
        take_kept_frames(ws);
        websocket_release(ws);
    } else if (ws->phase == OPEN) {
        check_silence(ws);
    } else {
        end_websocket(ws);
    }
    await_peer(ws);
}

struct websocket *
websocket_new(struct websocket_shared *sh, int fd, const struct buf *begun,
              bool client, const struct websocket_events *ev, void *owner,
              struct err *e)
{
    CLEANUP(free_websocket_p) struct websocket *ws = calloc(1, sizeof(*ws));

    if (!ws) {
        fd_close_p(&fd);
        err_nomem(e);
        return NULL;
    }
    ws->sh = sh;
    ws->fd = fd;
    ws->client = client;
    ws->events = ev;
    ws->owner = owner;
    ws->written = NO_SENDER;
    buf_init(&ws->batch, BATCH_BYTES);
    buf_init(&ws->kept, KEPT_MAX);
    websocket_reader_init(&ws->reader, sh->limits.message_bytes, client);
    if (!(ws->socket = loop_fd(sh->loop, fd, LOOP_READ, on_websocket_socket, ws,
                               e)) ||
        !(ws->timer = loop_timer(sh->loop, sh->limits.ping_ms,
                                 on_websocket_timer, ws, e)))
        return NULL;
    if (begun && begun->len > 0) {
        if (buf_add(&ws->kept, begun->p, begun->len) < 0) {
            err_nomem(e);
            return NULL;
        }
        ws->resumes = true;
        watch_again(ws->timer, 0);
        await_peer(ws);
    }
    ws->next = sh->first;
    ws->at = &sh->first;
    if (sh->first)
        sh->first->at = &ws->next;
    sh->first = ws;
    sh->n++;
    sh->opened++;
    return TAKE_PTR(ws);
}

void
websocket_use_tls(struct websocket *ws, struct tls *t)
{
    ws->tls = t;
}

void
websocket_use_number(struct websocket *ws, unsigned number)
{
    ws->number = ws->sh->freed ? number : 0;
}

void
websocket_close_all(struct websocket_shared *sh, unsigned status,
                    const char *reason)
{
    for (struct websocket *ws = sh->first; ws; ws = ws->next)
        websocket_close(ws, status, reason);
}

void
websocket_drop_all(struct websocket_shared *sh)
{
    while (sh->first)
        free_websocket(sh->first);
}
