/* SPDX-License-Identifier: GPL-3.0-or-later */
/* websocket_message.h - makes messages of the bytes that a WebSocket's peer
 * sends (RFC 6455, 5.4): frames in any pieces, messages in any frames.
 *
 * It knows no connection: the caller brings the bytes as they come, and acts on
 * what they are. */
#ifndef WIRE_WEBSOCKET_MESSAGE_H
#define WIRE_WEBSOCKET_MESSAGE_H

#include "base/buf.h"
#include "wire/websocket_frame.h"

/* The members are of websocket_message.c. */
struct websocket_reader {
    bool client; /* the peer is a server, whose frames are not masked */
    bool drops;  /* messages are dropped: we have closed */
    bool in_frame, in_message, text;
    size_t max;                   /* bytes of a message */
    struct buf message;           /* the parts that have come of one */
    struct websocket_frame frame; /* whose bytes are being read */
    uint64_t taken;               /* bytes of it */
};

enum websocket_piece_kind {
    WEBSOCKET_PIECE_PART,    /* of something that has not ended */
    WEBSOCKET_PIECE_MESSAGE, /* a whole one; text is valid UTF-8 */
    WEBSOCKET_PIECE_CONTROL, /* a close, a ping or a pong */
    WEBSOCKET_PIECE_FAULT,   /* the peer has broken a rule */
};

/* What the first bytes are. */
struct websocket_piece {
    enum websocket_piece_kind kind;
    size_t used; /* how many bytes it is; 0: more are needed to see */
    char *bytes; /* what a message or a control frame holds, unmasked in its */
    size_t n;    /* place, or in `whole`; the byte behind it may be written */
    struct buf whole;             /* the caller's to free */
    bool text;                    /* of a message */
    enum websocket_opcode opcode; /* of a control frame */
    unsigned status;              /* of a fault: a close has it */
    const char *why;
};

/* message_bytes: of one message of the peer's; a larger one is a fault. */
void websocket_reader_init(struct websocket_reader *r, size_t message_bytes,
                           bool client);
void websocket_reader_done(struct websocket_reader *r);

/* Frees what has come of a message, and drops those that end later: the caller
 * has closed, and waits for the close of the peer alone. */
void websocket_reader_drop(struct websocket_reader *r);

/* Reads what is at the front of n bytes, more than 0. Behind a fault nothing
 * can be read any more. */
void websocket_reader_take(struct websocket_reader *r, char *bytes, size_t n,
                           struct websocket_piece *out);

#endif
