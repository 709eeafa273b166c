/* SPDX-License-Identifier: GPL-3.0-or-later */
/* jsonrpc.h - parses and writes messages of JSON-RPC 2.0, one a line.
 *
 * The folder wire/ holds protocols between programs. It must not know their
 * methods: no method has a name here. A message is input from outside: strict
 * JSON (json.h) without duplicate names, "jsonrpc" is "2.0", no batches. An id
 * is a string or an integer of at most JSONRPC_ID_MAX bytes; it is kept as
 * written, so that it is returned byte for byte. base/linebuf.h or
 * line_reader.h splits the input into lines; a written message is a line
 * without its newline. What can fail is parsing: ERR_PARSE, ERR_INVALID. */
#ifndef WIRE_JSONRPC_H
#define WIRE_JSONRPC_H

#include "base/buf.h"
#include "json/json.h"
#include "json/write.h"

#define JSONRPC_ID_MAX 4096 /* bytes as written; no peer needs longer ones */

enum jsonrpc_code {
    JSONRPC_PARSE = -32700,
    JSONRPC_INVALID_REQUEST = -32600,
    JSONRPC_NO_METHOD = -32601,
    JSONRPC_INVALID_PARAMS = -32602,
    JSONRPC_INTERNAL = -32603,
};

enum jsonrpc_kind {
    JSONRPC_REQUEST,
    JSONRPC_NOTIFICATION, /* a request without an id: it has no response */
    JSONRPC_RESULT,
    JSONRPC_ERROR,
};

struct jsonrpc {
    enum jsonrpc_kind kind;
    char *id;                  /* as written; NULL: none, or null in an error */
    const char *method;        /* of a request or notification */
    const struct json *params; /* an object or array; NULL: none */
    const struct json *result; /* of a JSONRPC_RESULT */
    int64_t code;              /* of a JSONRPC_ERROR, with its message */
    const char *message;
    int fault;         /* after a failure: the code for the response */
    struct json *root; /* owns what all the others but id point into */
};

/* Parses a line of n bytes without its newline. m needs jsonrpc_done in any
 * case. On failure ERR_PARSE (m->fault is JSONRPC_PARSE) or ERR_INVALID
 * (JSONRPC_INVALID_REQUEST or JSONRPC_INVALID_PARAMS); m->id is then the id of
 * the request, if that has a valid one, for jsonrpc_put_error. */
int jsonrpc_parse(const char *line, size_t n, struct jsonrpc *m, struct err *e);
void jsonrpc_done(struct jsonrpc *m); /* accepts NULL */

/* How many members of that name, up to `most`, the text of an object has, which
 * is valid JSON, maybe with a name twice; and the text of the first's value. */
size_t jsonrpc_find(const char *text, size_t size, const char *name,
                    size_t most, const char **value, size_t *n);

/* Whether the id is this integer. */
bool jsonrpc_has_id(const struct jsonrpc *m, int64_t id);

/* Writes the start of a message. The caller then calls jsonrpc_params and puts
 * the params, and ends with jsonrpc_end. buf_ok() has the error. */
void jsonrpc_begin_request(struct json_writer *w, struct buf *out, int64_t id,
                           const char *method);
void jsonrpc_begin_notification(struct json_writer *w, struct buf *out,
                                const char *method);
void jsonrpc_params(struct json_writer *w); /* before params, if any */
void jsonrpc_end(struct json_writer *w);

/* Writes the start of a response: the result and a brace end it. id has the
 * form of m->id. */
void jsonrpc_begin_result(struct buf *out, const char *id);

/* Writes a whole error response; id NULL: null. data is one JSON value, or
 * NULL.
 */
void jsonrpc_put_error(struct buf *out, const char *id, int code,
                       const char *message, const struct buf *data);

#endif
