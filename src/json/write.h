/* SPDX-License-Identifier: GPL-3.0-or-later */
/* write.h - writing JSON, compact, straight into a buffer.
 *
 * Like the buffer's, calls need no check each: buf_ok() says at the end
 * whether something was lost. Commas and colons are the writer's business.
 * Strings are escaped; bytes in them that are no UTF-8 become U+FFFD. */
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
/* The same with names sorted by their bytes: one text for one value, except
 * that numbers keep their digits (1 and 1.0 differ). */
void json_put_canonical(struct json_writer *w, const struct json *v);
/* Text that is known to be one JSON value already. */
void json_put_raw(struct json_writer *w, const char *text, size_t n);

/* key and value at once, for objects */
void json_member_str(struct json_writer *w, const char *name, const char *s);
void json_member_int(struct json_writer *w, const char *name, int64_t v);
void json_member_bool(struct json_writer *w, const char *name, bool v);

#endif
