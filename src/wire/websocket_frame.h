/* SPDX-License-Identifier: GPL-3.0-or-later */
/* websocket_frame.h - the heads of WebSocket's frames (RFC 6455, 5.2).
 *
 * A codec of our own: a context of the library wslay takes 8.8 KiB per
 * connection, seven times as much as the rest of an idle one. */
#ifndef WIRE_WEBSOCKET_FRAME_H
#define WIRE_WEBSOCKET_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WEBSOCKET_HEAD_MAX    14  /* bytes of a head */
#define WEBSOCKET_CONTROL_MAX 125 /* bytes of what a control frame holds */

enum websocket_opcode {
    WEBSOCKET_MORE = 0, /* goes on with a message */
    WEBSOCKET_TEXT = 1,
    WEBSOCKET_BINARY = 2,
    WEBSOCKET_CLOSE = 8,
    WEBSOCKET_PING = 9,
    WEBSOCKET_PONG = 10,
};

struct websocket_frame {
    enum websocket_opcode opcode;
    bool fin; /* the last frame of its message */
    bool masked;
    unsigned char mask[4];
    uint64_t length; /* bytes that follow the head */
};

/* Reads the head at the front of n bytes. Returns its size; 0: more bytes are
 * needed; -1: it is invalid, and *why says what is wrong. A length in more
 * bytes than it needs is invalid, and so are reserved bits. */
int websocket_frame_read(const char *bytes, size_t n,
                         struct websocket_frame *out, const char **why);

/* Writes a head, and returns its size. */
size_t websocket_frame_put(char out[WEBSOCKET_HEAD_MAX],
                           const struct websocket_frame *f);

/* Masks n bytes, or unmasks them; the first is byte `at` of the frame. */
void websocket_frame_mask(char *bytes, size_t n, const unsigned char mask[4],
                          uint64_t at);

/* Whether a peer may close with this status (RFC 6455, 7.4). */
bool websocket_frame_status_is_valid(unsigned status);

#endif
