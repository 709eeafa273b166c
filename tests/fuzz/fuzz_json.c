/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_json.c - any bytes: parse, write, parse again gives the same. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "json/write.h"

#define TEXT_MAX (16u << 20)

typedef void put_fn(struct json_writer *w, const struct json *v);

static void
must(bool truth)
{
    if (!truth)
        abort();
}

static void
write_with(put_fn *put, struct buf *out, const struct json *v)
{
    struct json_writer w;

    json_write_init(&w, out);
    put(&w, v);
    must(!out->bad && utf8_valid(out->p, out->len));
}

/* What put writes is read back, and written again to the same bytes. */
static void
check_stable(put_fn *put, const struct json *v)
{
    CLEANUP_BUF struct buf once = buf_of(TEXT_MAX);
    CLEANUP_BUF struct buf twice = buf_of(TEXT_MAX);
    CLEANUP(json_free_p) struct json *again = NULL;

    write_with(put, &once, v);
    again = json_parse(once.p, once.len, JSON_UNIQUE, NULL);
    must(again != NULL);
    write_with(put, &twice, again);
    must(once.len == twice.len && memcmp(once.p, twice.p, once.len) == 0);
}

static void
check_tree(const struct json *v)
{
    size_t n = 0, len;
    const char *s = json_str(v, &len);
    double d;

    if (s)
        must(s[len] == '\0' && utf8_valid(s, len));
    json_num(v, &d);
    for (const struct json *c = json_first(v); c; c = json_next(c), n++)
        check_tree(c);
    must(n == json_count(v));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    CLEANUP(json_free_p) struct json *v = NULL;
    CLEANUP(json_free_p) struct json *strict = NULL;
    struct err e = {0};
    size_t span = json_span(text, size, NULL);

    v = json_parse(text, size, 0, &e);
    if (!v) {
        must(e.code == ERR_PARSE && e.text[0] != '\0');
        return 0;
    }
    must(span > 0 && span <= size && utf8_valid(text, size));
    strict = json_parse(text, size, JSON_UNIQUE, &e);
    must(strict || e.code == ERR_INVALID);
    check_tree(v);
    check_stable(json_put_value, v);
    check_stable(json_put_canonical, v);
    return 0;
}
