/* SPDX-License-Identifier: GPL-3.0-or-later */
/* jsonrpc.h - the messages of JSON-RPC 2.0, one a line.
 *
 * wire/ frames and reads what peers say to each other. It must not know what
 * is said: no method has a name here. A message is bytes from outside: strict
 * JSON (json.h), no name twice, "jsonrpc" is "2.0", no batches. An id is a
 * string or an integer of any size, and is kept as it was written, so that it
 * comes back byte for byte. Lines are framed by base/linebuf.h; what is
 * written here is a line without its newline. */
#ifndef WIRE_JSONRPC_H
#define WIRE_JSONRPC_H

#include "base/buf.h"
#include "json/json.h"
#include "json/write.h"

enum jsonrpc_code {
    JSONRPC_PARSE = -32700,
    JSONRPC_INVALID_REQUEST = -32600,
    JSONRPC_NO_METHOD = -32601,
    JSONRPC_INVALID_PARAMS = -32602,
    JSONRPC_INTERNAL = -32603,
};

enum jsonrpc_kind {
    JSONRPC_REQUEST,
    JSONRPC_NOTIFICATION, /* a request without an id: nobody answers it */
    JSONRPC_RESULT,
    JSONRPC_ERROR,
};

struct jsonrpc {
    enum jsonrpc_kind kind;
    char *id;                  /* as written; NULL: none, or an error's null */
    const char *method;        /* of a request or notification */
    const struct json *params; /* an object or array; NULL: none */
    const struct json *result; /* of a JSONRPC_RESULT */
    int64_t code;              /* of a JSONRPC_ERROR, and */
    const char *message;
    int fault;         /* after a failure: the code to answer with */
    struct json *root; /* owns what the others but id point into */
};

/* n bytes, without the newline. m needs jsonrpc_done in any case. On failure
 * ERR_PARSE (m->fault is JSONRPC_PARSE) or ERR_INVALID (JSONRPC_INVALID_REQUEST
 * or JSONRPC_INVALID_PARAMS); m->id is then that of a request which has a
 * usable one, to be answered by jsonrpc_put_error. */
int jsonrpc_parse(const char *line, size_t n, struct jsonrpc *m, struct err *e);
void jsonrpc_done(struct jsonrpc *m); /* accepts NULL */

/* Whether the id is this integer. */
bool jsonrpc_has_id(const struct jsonrpc *m, int64_t id);

/* A message up to its params or result, which is the next value that the
 * caller puts into w; or jsonrpc_end comes at once, for no params. Errors are
 * the buffer's (buf_ok). id as m->id has it. */
void jsonrpc_begin_request(struct json_writer *w, struct buf *out, int64_t id,
                           const char *method);
void jsonrpc_begin_notification(struct json_writer *w, struct buf *out,
                                const char *method);
void jsonrpc_begin_result(struct json_writer *w, struct buf *out,
                          const char *id);
void jsonrpc_params(struct json_writer *w); /* the key, when there are some */
void jsonrpc_end(struct json_writer *w);

/* A whole error; id NULL: null. */
void jsonrpc_put_error(struct buf *out, const char *id, int code,
                       const char *message);

#endif
