/* SPDX-License-Identifier: GPL-3.0-or-later */
/* summary_stream.c - decodes the text of an answer while its JSON streams. */
#include "action/summary_stream.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/utf8.h"

#define WORD_MAX 32 /* "plan_and_commands" and every name we look for fit */
#define TEXT_MAX (1u << 20)

enum state {
    START,  /* before the object */
    NAME,   /* before or in a member's name */
    COLON,  /* after it */
    VALUE,  /* before its value */
    AFTER,  /* after it */
    SILENT, /* not such an answer, or done */
};

struct summary_stream {
    summary_stream_cb *cb;
    void *arg;
    enum state state;
    bool in_string, answer; /* kind was answer_only */
    int escape;        /* 0; 1 after a backslash; 2-5 digits of \u to come */
    uint32_t unit;     /* the digits of \u so far */
    uint32_t high;     /* a surrogate that waits for its other half */
    struct buf string; /* the decoded part of the current string */
    char name[WORD_MAX];
};

struct summary_stream *
summary_stream_new(summary_stream_cb *cb, void *arg, struct err *e)
{
    struct summary_stream *s = calloc(1, sizeof(*s));

    if (!s) {
        err_nomem(e);
        return NULL;
    }
    s->cb = cb;
    s->arg = arg;
    buf_init(&s->string, TEXT_MAX);
    return s;
}

void
summary_stream_free(struct summary_stream *s)
{
    if (!s)
        return;
    buf_done(&s->string);
    free(s);
}

/* Whether the current string is the summary. */
static bool
is_shown(const struct summary_stream *s)
{
    return s->state == VALUE && s->answer && strcmp(s->name, "summary") == 0;
}

static void
flush_summary(struct summary_stream *s)
{
    size_t n = s->string.len - utf8_incomplete_tail(s->string.p, s->string.len);

    if (n == 0 || s->string.bad)
        return;
    s->cb(s->arg, s->string.p, n);
    buf_drop(&s->string, n);
}

static void
end_unit(struct summary_stream *s)
{
    if (s->unit >= 0xD800 && s->unit < 0xDC00) {
        s->high = s->unit;
        return;
    }
    if (s->high && s->unit >= 0xDC00 && s->unit < 0xE000)
        s->unit = 0x10000 + ((s->high - 0xD800) << 10) + (s->unit - 0xDC00);
    s->high = 0;
    utf8_encode(&s->string, s->unit);
}

static void
read_hex_digit(struct summary_stream *s, char c)
{
    static const char digits[] = "0123456789abcdef";
    const char *at = c ? strchr(digits, c >= 'A' && c <= 'F' ? c | 32 : c)
                       : NULL;

    if (!at) {
        s->state = SILENT;
        return;
    }
    s->unit = s->unit << 4 | (uint32_t)(at - digits);
    if (s->escape++ == 5) {
        s->escape = 0;
        end_unit(s);
    }
}

static void
read_json_escape(struct summary_stream *s, char c)
{
    static const char from[] = "\"\\/bfnrt";
    static const char to[] = "\"\\/\b\f\n\r\t";
    const char *at = c ? strchr(from, c) : NULL;

    s->escape = c == 'u' ? 2 : 0;
    s->unit = 0;
    if (at)
        buf_ch(&s->string, to[at - from]);
    else if (c != 'u')
        s->state = SILENT;
}

static void
end_string(struct summary_stream *s)
{
    s->in_string = false;
    if (s->state == NAME) {
        if (s->string.len < WORD_MAX)
            memcpy(s->name, s->string.p, s->string.len + 1);
        else
            s->name[0] = '\0';
        s->state = COLON;
        return;
    }
    if (is_shown(s))
        flush_summary(s);
    if (strcmp(s->name, "kind") == 0)
        s->answer = strcmp(s->string.p, "answer_only") == 0;
    s->state = strcmp(s->name, "summary") == 0 ? SILENT : AFTER;
}

static void
read_string_char(struct summary_stream *s, char c)
{
    if (s->escape > 1)
        read_hex_digit(s, c);
    else if (s->escape == 1)
        read_json_escape(s, c);
    else if (c == '\\')
        s->escape = 1;
    else if (c == '"')
        end_string(s);
    else
        buf_ch(&s->string, c);
}

/* Outside of strings. An object is followed as long as its members are strings;
 * anything else ends the display. */
static void
read_punctuation(struct summary_stream *s, char c)
{
    static const struct {
        enum state in;
        char c;
        enum state to;
    } rows[] = {{START, '{', NAME}, {COLON, ':', VALUE}, {AFTER, ',', NAME}};

    if (c == ' ' || c == '\n' || c == '\t' || c == '\r')
        return;
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        if (s->state == rows[i].in && c == rows[i].c) {
            s->state = rows[i].to;
            return;
        }
    }
    if (c == '"' && (s->state == NAME || s->state == VALUE)) {
        s->in_string = true;
        buf_clear(&s->string);
        return;
    }
    s->state = SILENT;
}

void
summary_stream_add(struct summary_stream *s, const char *bytes, size_t n)
{
    for (size_t i = 0; i < n && s->state != SILENT; i++) {
        if (s->in_string)
            read_string_char(s, bytes[i]);
        else
            read_punctuation(s, bytes[i]);
    }
    if (s->in_string && is_shown(s))
        flush_summary(s);
}
