/* SPDX-License-Identifier: GPL-3.0-or-later */
/* zread.h - a file's bytes, unpacked when gzip packed them.
 *
 * zlib is opened when the first packed file is met and never linked: most
 * runs of the program need none of it. */
#ifndef OFFLINE_ZREAD_H
#define OFFLINE_ZREAD_H

#include "base/buf.h"

/* Appends the file's bytes to out, at most out->max of them, whatever they
 * were packed to. ERR_UNSUPPORTED when zlib is not on this machine. */
int zread_file(const char *path, struct buf *out, struct err *e);

/* The same from memory: bytes that do not begin as gzip does are taken as
 * they are. */
int zread_bytes(const void *bytes, size_t n, struct buf *out, struct err *e);

#endif
