/* SPDX-License-Identifier: GPL-3.0-or-later */
/* piece.h - a part of a file, as a text: its own, or base64. */
#ifndef PLUGINS_FS_READ_FILE_PIECE_H
#define PLUGINS_FS_READ_FILE_PIECE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/base64.h"
#include "base/buf.h"
#include "base/err.h"
#include "plugins/lib/reply.h"

#define PIECE_BYTES     102400         /* unless the request says */
#define PIECE_BYTES_MAX REPLY_TEXT_MAX /* what a response may hold */
/* of it in base64 */
#define PIECE_BASE64_MAX BASE64_BYTES_SIZE(REPLY_TEXT_MAX)

/* A range of bytes loses at its ends what is only a part of a character, unless
 * it comes as base64. */
struct piece_wanted {
    int64_t max_bytes;
    int64_t offset;      /* the first byte */
    int64_t line, lines; /* the first line, from 1, and how many; 0: by bytes */
    int64_t until_ms;    /* clock_ms() when looking for the line ends; -1 */
    bool base64;
};

struct piece {
    struct buf text; /* valid UTF-8 or base64, at most REPLY_TEXT_MAX */
    int64_t offset;  /* of its first byte in the file */
    int64_t bytes;   /* of the file that are in it */
    bool more;       /* the file goes on after it */
};

/* ERR_IO, or ERR_TIMEOUT while it looked for a line. out needs piece_done in
 * any case. */
int piece_read(int fd, const struct piece_wanted *want, struct piece *out,
               struct err *e);
void piece_done(struct piece *p);

#endif
