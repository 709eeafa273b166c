/* SPDX-License-Identifier: GPL-3.0-or-later */
/* websocket_frame.c - the heads of WebSocket's frames. */
#include "wire/websocket_frame.h"

#include <string.h>

#define FIN_BIT       0x80u
#define RESERVED_BITS 0x70u
#define MASK_BIT      0x80u
#define LENGTH_16     126u /* the length is in two bytes more */
#define LENGTH_64     127u /* in eight */

static uint64_t
read_big_endian(const unsigned char *p, size_t n)
{
    uint64_t v = 0;

    for (size_t i = 0; i < n; i++)
        v = v << 8 | p[i];
    return v;
}

/* -1, for a return. */
static int
wrong_frame(const char **why, const char *text)
{
    *why = text;
    return -1;
}

static int
check_frame(const struct websocket_frame *f, size_t digits, const char **why)
{
    if (digits == 2 && f->length < LENGTH_16)
        return wrong_frame(why, "a length in more bytes than it needs");
    if (digits == 8 && (f->length <= UINT16_MAX || f->length > INT64_MAX))
        return wrong_frame(why, "a length in more bytes than it needs, or "
                                "beyond what there can be");
    if (f->opcode < WEBSOCKET_CLOSE)
        return 0;
    if (!f->fin)
        return wrong_frame(why, "a control frame in parts");
    if (f->length > WEBSOCKET_CONTROL_MAX)
        return wrong_frame(why, "a control frame of more than 125 bytes");
    return 0;
}

int
websocket_frame_read(const char *bytes, size_t n, struct websocket_frame *out,
                     const char **why)
{
    const unsigned char *p = (const unsigned char *)bytes;
    size_t digits, size;
    unsigned opcode;

    if (n < 2)
        return 0;
    opcode = p[0] & 0xfu;
    if (p[0] & RESERVED_BITS)
        return wrong_frame(why, "a bit that no extension has given a meaning");
    if ((opcode > WEBSOCKET_BINARY && opcode < WEBSOCKET_CLOSE) ||
        opcode > WEBSOCKET_PONG)
        return wrong_frame(why, "an opcode without meaning");
    out->opcode = (enum websocket_opcode)opcode;
    out->fin = p[0] & FIN_BIT;
    out->masked = p[1] & MASK_BIT;
    out->length = p[1] & ~MASK_BIT;
    digits = out->length == LENGTH_64 ? 8 : out->length == LENGTH_16 ? 2 : 0;
    size = 2 + digits + (out->masked ? sizeof(out->mask) : 0);
    if (n < size)
        return 0;
    if (digits > 0)
        out->length = read_big_endian(p + 2, digits);
    if (out->masked)
        memcpy(out->mask, p + 2 + digits, sizeof(out->mask));
    return check_frame(out, digits, why) < 0 ? -1 : (int)size;
}

size_t
websocket_frame_put(char out[WEBSOCKET_HEAD_MAX],
                    const struct websocket_frame *f)
{
    size_t digits = f->length < LENGTH_16 ? 0 : f->length <= UINT16_MAX ? 2 : 8;
    unsigned short_length = digits == 0   ? (unsigned)f->length
                            : digits == 2 ? LENGTH_16
                                          : LENGTH_64;
    size_t n = 0;

    out[n++] = (char)(f->opcode | (f->fin ? FIN_BIT : 0));
    out[n++] = (char)(short_length | (f->masked ? MASK_BIT : 0));
    while (digits > 0)
        out[n++] = (char)(f->length >> 8 * --digits);
    if (f->masked) {
        memcpy(out + n, f->mask, sizeof(f->mask));
        n += sizeof(f->mask);
    }
    return n;
}

/* Eight bytes at once, where the mask begins anew at each of them. */
void
websocket_frame_mask(char *bytes, size_t n, const unsigned char mask[4],
                     uint64_t at)
{
    unsigned char turned[8];
    uint64_t wide;

    for (size_t i = 0; i < sizeof(turned); i++)
        turned[i] = mask[(at + i) & 3];
    memcpy(&wide, turned, sizeof(wide));
    for (; n >= sizeof(wide); n -= sizeof(wide), bytes += sizeof(wide)) {
        uint64_t part;

        memcpy(&part, bytes, sizeof(part));
        part ^= wide;
        memcpy(bytes, &part, sizeof(part));
    }
    for (size_t i = 0; i < n; i++)
        bytes[i] = (char)((unsigned char)bytes[i] ^ turned[i]);
}

bool
websocket_frame_status_is_valid(unsigned status)
{
    if (status >= 3000 && status <= 4999)
        return true;
    return status >= 1000 && status <= 1014 && status != 1004 &&
           status != 1005 && status != 1006;
}
