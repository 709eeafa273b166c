/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spaces_message.h - reads and checks a line that an agent sends.
 *
 * A line is an operations message, or says how a run goes on that waits for an
 * approval. It is input from outside: strict JSON without duplicate names. One
 * operation that is wrong makes the whole message wrong, so that nothing of it
 * runs. The limits are those of the protocol (agentsh-protocols(7)). */
#ifndef SERVER_SPACES_SPACES_MESSAGE_H
#define SERVER_SPACES_SPACES_MESSAGE_H

#include "base/buf.h"
#include "json/json.h"

#define SPACES_LINE_MAX       (16u << 20) /* bytes of a line */
#define SPACES_CONTENT_MAX    (10u << 20) /* bytes of a file */
#define SPACES_COMMAND_MAX    4096        /* characters, as the next two */
#define SPACES_TEXT_MAX       100000
#define SPACES_PATH_MAX       255
#define SPACES_TIMEOUT_MS     30000
#define SPACES_TIMEOUT_MIN_MS 1000
#define SPACES_TIMEOUT_MAX_MS 3600000
#define SPACES_VERSION        "1.0"

enum spaces_type {
    SPACES_MESSAGE,
    SPACES_CREATE,
    SPACES_READ,
    SPACES_EDIT,
    SPACES_DELETE,
    SPACES_SHELL,
    SPACES_TYPE_N
};

/* "message", "createFile", … */
const char *spaces_type_name(enum spaces_type t);

/* One operation, which was checked. Texts are borrowed from the message. */
struct spaces_op {
    enum spaces_type type;
    const struct json *v; /* the object */
    const char *id;       /* NULL: it has none; may contain NUL */
    size_t id_len;
    const char *path;    /* of a file operation; cwd of a shell, or NULL */
    const char *command; /* of a shell */
    bool base64;         /* the encoding */
    bool overwrite;
    int64_t timeout_ms;
};

/* Reads an operation of a message that was checked. */
void spaces_op_read(const struct json *v, struct spaces_op *out);

enum spaces_decision { SPACES_UNDECIDED, SPACES_APPROVED, SPACES_DENIED };

struct spaces_line {
    struct json *root;             /* owns what the others point into */
    const struct json *operations; /* NULL: it goes on with a run: */
    const char *run;
    enum spaces_decision decision; /* SPACES_UNDECIDED: whatever it is */
    const char *op;                /* the operation that is decided about */
    size_t op_len;
    const char *reason; /* may be NULL */
};

/* Parses and checks a line. out is released with spaces_line_done in any case.
 * ERR_PARSE: it is no JSON. ERR_INVALID: it is no message of the protocol, and
 * the text says where. */
int spaces_line_parse(const char *line, size_t n, struct spaces_line *out,
                      struct err *e);
void spaces_line_done(struct spaces_line *l); /* accepts NULL */

/* For agentsh spaces --check: appends what a validator says of a line, which is
 * a message, or one operation: {"success":true,"data":…}, with each default
 * filled in and without what the protocol does not know, or
 * {"success":false,"error":{"code","message"}}. Returns whether it is valid. */
bool spaces_line_check(const char *line, size_t n, struct buf *out);

/* The same for a line that was too long to be read. */
void spaces_line_put_error(struct buf *out, const struct err *why);

#endif
