/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bus_quick.c - reads the two messages that a bus gets all the time, quickly.
 */
#include "server/bus/bus_quick.h"

#include <string.h>

#include "server/bus/bus_topic.h"

#define DEPTH_MAX  16 /* of a payload; deeper ones are left to others */
#define NAMES_MAX  16 /* in one object */
#define VALUES_MAX 4096
#define ID_MAX     256

struct quick_text {
    const char *at; /* the text ends in a NUL, at which every rule stops */
    unsigned depth, values;
};

static void
skip_quick_blanks(struct quick_text *t)
{
    while (*t->at == ' ' || *t->at == '\n' || *t->at == '\r' || *t->at == '\t')
        t->at++;
}

/* Whether this byte comes next, blanks aside, which is then read. */
static bool
take_quick_byte(struct quick_text *t, char c)
{
    skip_quick_blanks(t);
    if (*t->at != c)
        return false;
    t->at++;
    return true;
}

static bool
is_hex(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') ||
           (c >= 'A' && c <= 'F');
}

/* Behind a backslash. Halves of a pair are left to others. */
static bool
take_quick_escape(struct quick_text *t)
{
    if (*t->at && strchr("\"\\/bfnrt", *t->at)) {
        t->at++;
        return true;
    }
    if (t->at[0] != 'u' || !is_hex(t->at[1]) || !is_hex(t->at[2]) ||
        !is_hex(t->at[3]) || !is_hex(t->at[4]) ||
        ((t->at[1] == 'd' || t->at[1] == 'D') && t->at[2] >= '8'))
        return false;
    t->at += 5;
    return true;
}

/* What is between the quotes; *plain: nothing in it is escaped. */
static bool
take_string(struct quick_text *t, struct bus_slice *out, bool *plain)
{
    if (!take_quick_byte(t, '"'))
        return false;
    out->p = t->at;
    *plain = true;
    for (;;) {
        unsigned char c = (unsigned char)*t->at;

        if (c == '"')
            break;
        if (c < 0x20)
            return false;
        t->at++;
        if (c == '\\') {
            *plain = false;
            if (!take_quick_escape(t))
                return false;
        }
    }
    out->n = (size_t)(t->at - out->p);
    t->at++;
    return true;
}

static bool
take_plain_string(struct quick_text *t, struct bus_slice *out)
{
    bool plain;

    return take_string(t, out, &plain) && plain;
}

static bool
take_digits(struct quick_text *t)
{
    const char *from = t->at;

    while (*t->at >= '0' && *t->at <= '9')
        t->at++;
    return t->at > from;
}

static bool
take_integer(struct quick_text *t)
{
    t->at += *t->at == '-';
    if (*t->at != '0')
        return take_digits(t);
    t->at++;
    return *t->at < '0' || *t->at > '9';
}

static bool
take_number(struct quick_text *t)
{
    if (!take_integer(t))
        return false;
    if (*t->at == '.') {
        t->at++;
        if (!take_digits(t))
            return false;
    }
    if (*t->at != 'e' && *t->at != 'E')
        return true;
    t->at++;
    t->at += *t->at == '+' || *t->at == '-';
    return take_digits(t);
}

static bool
take_word(struct quick_text *t, const char *word)
{
    size_t n = strlen(word);

    skip_quick_blanks(t);
    if (strncmp(t->at, word, n) != 0)
        return false;
    t->at += n;
    return true;
}

static bool take_quick_value(struct quick_text *t);

/* The name of a member, and its colon: none comes twice. */
static bool
take_name(struct quick_text *t, struct bus_slice *names, size_t n)
{
    struct bus_slice name;

    if (n == NAMES_MAX || !take_plain_string(t, &name) ||
        !take_quick_byte(t, ':'))
        return false;
    for (size_t i = 0; i < n; i++)
        if (names[i].n == name.n && memcmp(names[i].p, name.p, name.n) == 0)
            return false;
    names[n] = name;
    return true;
}

static bool
take_object(struct quick_text *t)
{
    struct bus_slice names[NAMES_MAX];
    size_t n = 0;

    if (!take_quick_byte(t, '{'))
        return false;
    if (take_quick_byte(t, '}'))
        return true;
    do {
        if (!take_name(t, names, n++) || !take_quick_value(t))
            return false;
    } while (take_quick_byte(t, ','));
    return take_quick_byte(t, '}');
}

static bool
take_array(struct quick_text *t)
{
    if (!take_quick_byte(t, '['))
        return false;
    if (take_quick_byte(t, ']'))
        return true;
    do {
        if (!take_quick_value(t))
            return false;
    } while (take_quick_byte(t, ','));
    return take_quick_byte(t, ']');
}

static bool
take_inner(struct quick_text *t)
{
    struct bus_slice s;
    bool plain;

    skip_quick_blanks(t);
    switch (*t->at) {
    case '{':
        return take_object(t);
    case '[':
        return take_array(t);
    case '"':
        return take_string(t, &s, &plain);
    case 't':
        return take_word(t, "true");
    case 'f':
        return take_word(t, "false");
    case 'n':
        return take_word(t, "null");
    default:
        return take_number(t);
    }
}

static bool
take_quick_value(struct quick_text *t)
{
    bool ok;

    if (t->depth == DEPTH_MAX || ++t->values > VALUES_MAX)
        return false;
    t->depth++;
    ok = take_inner(t);
    t->depth--;
    return ok;
}

static bool
take_truth(struct quick_text *t, bool *out)
{
    *out = take_word(t, "true");
    return *out || take_word(t, "false");
}

/* A string or an integer, as it is written. */
static bool
take_id(struct quick_text *t, struct bus_slice *out)
{
    struct bus_slice s;
    bool plain;

    skip_quick_blanks(t);
    out->p = t->at;
    if (*t->at == '"' ? !take_string(t, &s, &plain) : !take_integer(t))
        return false;
    out->n = (size_t)(t->at - out->p);
    return out->n <= ID_MAX && *t->at != '.' && *t->at != 'e' && *t->at != 'E';
}

static bool
is_member_name(const struct bus_slice *s, const char *name)
{
    return strlen(name) == s->n && memcmp(s->p, name, s->n) == 0;
}

static bool
take_exactly(struct quick_text *t, const char *text)
{
    struct bus_slice s;

    return take_plain_string(t, &s) && is_member_name(&s, text);
}

/* The params of a sendMessage: a topic and a payload alone. */
static bool
take_params(struct quick_text *t, struct bus_quick *q)
{
    struct bus_slice names[NAMES_MAX];
    size_t n = 0;

    if (!take_quick_byte(t, '{'))
        return false;
    do {
        if (!take_name(t, names, n))
            return false;
        if (is_member_name(&names[n], "topic")) {
            if (!take_plain_string(t, &q->topic) || q->topic.n == 0 ||
                q->topic.n > BUS_TOPIC_MAX)
                return false;
        } else if (is_member_name(&names[n], "payload")) {
            skip_quick_blanks(t);
            q->payload.p = t->at;
            if (!take_object(t))
                return false;
            q->payload.n = (size_t)(t->at - q->payload.p);
        } else {
            return false;
        }
        n++;
    } while (take_quick_byte(t, ','));
    return n == 2 && take_quick_byte(t, '}');
}

static bool
take_result(struct quick_text *t, struct bus_quick *q)
{
    struct bus_slice names[NAMES_MAX];
    size_t n = 0;

    q->success = true;
    if (!take_quick_byte(t, '{'))
        return false;
    if (take_quick_byte(t, '}'))
        return true;
    do {
        bool *out = NULL;

        if (!take_name(t, names, n))
            return false;
        if (is_member_name(&names[n], "success"))
            out = &q->success;
        else if (is_member_name(&names[n], "stopPropagation"))
            out = &q->stop;
        if (!out || !take_truth(t, out))
            return false;
        n++;
    } while (take_quick_byte(t, ','));
    return take_quick_byte(t, '}');
}

enum quick_member {
    HAS_VERSION = 1,
    HAS_ID = 2,
    HAS_METHOD = 4,
    HAS_PARAMS = 8,
    HAS_RESULT = 16
};

/* One member of a message; which it is, or 0. */
static unsigned
take_member(struct quick_text *t, const struct bus_slice *name,
            struct bus_quick *q)
{
    if (is_member_name(name, "jsonrpc"))
        return take_exactly(t, "2.0") ? HAS_VERSION : 0;
    if (is_member_name(name, "id"))
        return take_id(t, &q->id) ? HAS_ID : 0;
    if (is_member_name(name, "method"))
        return take_exactly(t, "sendMessage") ? HAS_METHOD : 0;
    if (is_member_name(name, "params"))
        return take_params(t, q) ? HAS_PARAMS : 0;
    if (is_member_name(name, "result"))
        return take_result(t, q) ? HAS_RESULT : 0;
    return 0;
}

enum bus_quick_kind
bus_quick_read(const char *bytes, size_t n, struct bus_quick *out)
{
    struct quick_text t = {.at = bytes};
    struct bus_slice names[NAMES_MAX];
    unsigned has = 0, one;
    size_t count = 0;

    *out = (struct bus_quick){0};
    if (!take_quick_byte(&t, '{'))
        return BUS_QUICK_OTHER;
    do {
        if (!take_name(&t, names, count) ||
            !(one = take_member(&t, &names[count], out)))
            return BUS_QUICK_OTHER;
        has |= one;
        count++;
    } while (take_quick_byte(&t, ','));
    if (!take_quick_byte(&t, '}'))
        return BUS_QUICK_OTHER;
    skip_quick_blanks(&t);
    if (t.at != bytes + n)
        return BUS_QUICK_OTHER;
    if (has == (HAS_VERSION | HAS_ID | HAS_METHOD | HAS_PARAMS))
        return BUS_QUICK_SEND;
    return has == (HAS_VERSION | HAS_ID | HAS_RESULT) ? BUS_QUICK_ANSWER
                                                      : BUS_QUICK_OTHER;
}
