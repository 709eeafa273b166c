/* SPDX-License-Identifier: GPL-3.0-or-later */
/* zread.c - a file's bytes, unpacked when gzip packed them. */
#include "offline/manual/zread.h"

#include <dlfcn.h>
#include <stdint.h>
#include <string.h>
#include <zlib.h>

#include "base/cleanup.h"
#include "base/file.h"

#define PACKED_MAX  (4 * 1024 * 1024) /* bash's page, the largest, has 100 K */
#define CHUNK_BYTES 65536
#define GZIP_WINDOW (16 + MAX_WBITS) /* zlib.h: 16 more reads gzip's header */

/* zlib as far as it is used here. */
struct zlib {
    void *handle;
    int (*init)(z_streamp, int, const char *, int);
    int (*inflate)(z_streamp, int);
    int (*end)(z_streamp);
};

static void
zlib_close(struct zlib *z)
{
    if (z->handle)
        dlclose(z->handle);
}

static int
zlib_open(struct zlib *z, struct err *e)
{
    z->handle = dlopen("libz.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!z->handle)
        return err_set(e, ERR_UNSUPPORTED, "libz.so.1 is not installed");
    /* POSIX's way to make a function of what dlsym gives */
    *(void **)&z->init = dlsym(z->handle, "inflateInit2_");
    *(void **)&z->inflate = dlsym(z->handle, "inflate");
    *(void **)&z->end = dlsym(z->handle, "inflateEnd");
    if (!z->init || !z->inflate || !z->end)
        return err_set(e, ERR_UNSUPPORTED, "libz.so.1 is not zlib");
    return 0;
}

/* Runs the stream to its end, a chunk at a time. */
static int
unpack(const struct zlib *z, z_stream *s, struct buf *out, struct err *e)
{
    int rc = Z_OK;

    while (rc != Z_STREAM_END) {
        size_t room = out->max - out->len;

        if (room > CHUNK_BYTES)
            room = CHUNK_BYTES;
        if (room == 0 || buf_room(out, room) < 0)
            return err_set(e, ERR_NOMEM, "unpacks to more than %zu bytes",
                           out->max);
        s->next_out = (Bytef *)out->p + out->len;
        s->avail_out = (uInt)room;
        rc = z->inflate(s, Z_NO_FLUSH);
        if (rc != Z_OK && rc != Z_STREAM_END)
            return err_set(e, ERR_PARSE, "is damaged");
        out->len += room - s->avail_out;
        out->p[out->len] = '\0';
        if (rc == Z_OK && s->avail_in == 0 && s->avail_out > 0)
            return err_set(e, ERR_PARSE, "is cut off");
    }
    return 0;
}

int
zread_bytes(const void *bytes, size_t n, struct buf *out, struct err *e)
{
    CLEANUP(zlib_close) struct zlib z = {0};
    z_stream s = {0};
    int rc;

    if (n < 2 || memcmp(bytes, "\x1f\x8b", 2) != 0) {
        buf_add(out, bytes, n);
        return buf_ok(out, "the file", e);
    }
    if (zlib_open(&z, e) < 0)
        return -1;
    if (z.init(&s, GZIP_WINDOW, ZLIB_VERSION, (int)sizeof(s)) != Z_OK)
        return err_set(e, ERR_NOMEM, "zlib");
    s.next_in = (Bytef *)(uintptr_t)bytes;
    s.avail_in = (uInt)n;
    rc = unpack(&z, &s, out, e);
    z.end(&s);
    return rc;
}

int
zread_file(const char *path, struct buf *out, struct err *e)
{
    CLEANUP_BUF struct buf packed = buf_of(PACKED_MAX);

    if (file_read(path, &packed, e) < 0)
        return -1;
    if (zread_bytes(packed.p, packed.len, out, e) < 0)
        return err_wrap(e, "%s", path);
    return 0;
}
