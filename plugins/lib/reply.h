/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reply.h - what every built-in plugin says, in the Plugin Tool API's shape.
 *
 * A plugin reads one request a line on standard input and writes one response
 * a line on standard output, after as many events as it likes when the
 * request has "stream": true. Standard error is its log. Plugins stand on
 * base/ and json/ alone. */
#ifndef PLUGINS_LIB_REPLY_H
#define PLUGINS_LIB_REPLY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "plugins/lib/request.h"
#include "json/json.h"
#include "json/write.h"

#define REPLY_TEXT_MAX   (1u << 20)  /* stdout, stderr of a plain response */
#define REPLY_TAIL_MAX   (64u << 10) /* the same after streaming */
#define REPLY_LINE_MAX   (16u << 20) /* a request or response line */
#define REPLY_TIMEOUT_MS 30000       /* a tool call's, unless it says */

/* Begins {"id":…,"ok":…,"stdout":…,"stderr":…,"meta":{"duration_ms":… in
 * `out`; the caller adds members of meta and calls reply_send, which closes
 * and writes the line. The texts need not be UTF-8. r is what is answered. */
void reply_begin(const struct request *r, struct json_writer *w,
                 struct buf *out, bool ok, const char *text, size_t n,
                 const char *err_text, size_t err_n);
int reply_send(struct json_writer *w, struct err *e);

/* A whole response that says why not: stderr is e->text, meta.error_code from
 * e->code. */
int reply_error(const struct request *r, const struct err *why);

/* One {"event":"output",…} line. */
int reply_event(const struct request *r, const char *stream, const char *bytes,
                size_t n, struct err *e);

/* Calls handle for each request line until the end of standard input: the
 * whole of a plugin's main. Returns main's status. */
int plugin_serve(const char *tool, void (*handle)(const struct request *r));

#endif
