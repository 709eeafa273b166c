/* SPDX-License-Identifier: GPL-3.0-or-later */
/* write.h - writes JSON text, compact, into a buffer.
 *
 * As with the buffer's functions, no call needs a check: buf_ok() says at the
 * end whether something was lost. The writer adds commas and colons, and
 * escapes strings; bytes in them that are no UTF-8 become U+FFFD. */
#ifndef JSON_WRITE_H
#define JSON_WRITE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "json/json.h"

struct json_writer {
    struct buf *out; /* borrowed */
    bool comma;      /* the next value or key is not the first */
};

void json_write_init(struct json_writer *w, struct buf *out);

void json_open_object(struct json_writer *w);
void json_close_object(struct json_writer *w);
void json_open_array(struct json_writer *w);
void json_close_array(struct json_writer *w);
void json_key(struct json_writer *w, const char *name);
void json_keyn(struct json_writer *w, const char *name, size_t n);

void json_put_str(struct json_writer *w, const char *s); /* NULL: null */
void json_put_strn(struct json_writer *w, const char *s, size_t n);
void json_put_int(struct json_writer *w, int64_t v);
void json_put_num(struct json_writer *w, double v); /* reads back the same;
                                                infinite or no number: null */
void json_put_bool(struct json_writer *w, bool v);
void json_put_null(struct json_writer *w);
void json_put_value(struct json_writer *w, const struct json *v);
/* The canonical form: names sorted by their bytes, so that equal values have
 * equal texts, except that numbers keep their digits (1 and 1.0 differ). */
void json_put_canonical(struct json_writer *w, const struct json *v);
/* Adds text that is known to be one JSON value. */
void json_put_raw(struct json_writer *w, const char *text, size_t n);

/* Appends what stands between the quotes of a string, for one that is written
 * in parts. s is valid UTF-8. */
void json_escape(struct buf *out, const char *s, size_t n);

/* Appends a value for a message: a scalar as JSON, a long one cut, or "an
 * object", "an array". */
void json_describe(struct buf *out, const struct json *v);
void json_describe_string(struct buf *out, const char *s, size_t len);

/* A name and its value at once, in an object. */
void json_member_str(struct json_writer *w, const char *name, const char *s);
void json_member_int(struct json_writer *w, const char *name, int64_t v);
void json_member_bool(struct json_writer *w, const char *name, bool v);

#endif
