/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fault.c - reads what a server says when it does not answer. */
#include "model/fault.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/redact.h"
#include "base/utf8.h"

#define WAIT_MAX_S (7 * 24 * 3600) /* longer waits are all the same: never */

void
fault_init(struct fault *f, int status, const char *key)
{
    *f = (struct fault){.status = status, .key = key, .retry_ms = -1};
}

/* As much of a message as is looked at: parameters are named in its first
 * words, and a line for a person is far shorter. */
#define MESSAGE_LOOK 2048

/* Blanks for what would break the line. */
static void
add_line(struct buf *out, const char *text)
{
    CLEANUP_BUF struct buf whole = buf_of(3 * MESSAGE_LOOK);

    utf8_mend(&whole, text, strnlen(text, MESSAGE_LOOK));
    for (size_t i = 0; i < whole.len; i++) {
        unsigned char c = (unsigned char)whole.p[i];
        bool blank = c <= ' ' || c == 0x7f;

        if (blank && (out->len == 0 || out->p[out->len - 1] == ' '))
            continue;
        buf_ch(out, blank ? ' ' : (char)c);
    }
    if (out->len > 0 && out->p[out->len - 1] == ' ')
        buf_cut(out, out->len - 1);
}

/* Servers of one's own are given any word for a key ("none", "x"), and taking
 * that out would hide the message, and no secret. So what is shorter than keys
 * are goes only when it is no plain word, and where it stands alone. */
#define KEY_MIN 8
#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

static bool
is_alone(const char *start, const char *at, size_t n)
{
    static const char word[] = LETTERS "0123456789";

    return (at == start || !strchr(word, at[-1])) &&
           (!at[n] || !strchr(word, at[n]));
}

/* Where the key stands in text, or NULL. start: where the whole begins. */
static const char *
find_key(const char *start, const char *text, const char *key, size_t n)
{
    const char *at = text;

    if (n < KEY_MIN && (n == 0 || strspn(key, LETTERS) == n))
        return NULL;
    while ((at = strstr(at, key)) != NULL) {
        if (n >= KEY_MIN || is_alone(start, at, n))
            return at;
        at++;
    }
    return NULL;
}

void
fault_clean(char *to, size_t size, const char *text, const char *key)
{
    CLEANUP_BUF struct buf line = buf_of(16384);
    CLEANUP_BUF struct buf bare = buf_of(16384);
    CLEANUP_BUF struct buf safe = buf_of(65536);
    size_t n = key ? strlen(key) : 0;
    const char *at, *p;

    add_line(&line, text);
    for (p = line.p; (at = find_key(line.p, p, key, n)) != NULL; p = at + n) {
        buf_add(&bare, p, (size_t)(at - p));
        buf_str(&bare, "***");
    }
    buf_str(&bare, p);
    redact(bare.p, bare.len, &safe);
    n = utf8_boundary(safe.p, safe.len,
                      safe.len < size - 1 ? safe.len : size - 1);
    memcpy(to, safe.p, n);
    to[n] = '\0';
}

static void
add_kind(struct fault *f, const struct json *v)
{
    const char *word = json_str(v, NULL);
    size_t n = strlen(f->kind);

    if (word)
        snprintf(f->kind + n, sizeof(f->kind) - n, "%s%s", n ? " " : "", word);
}

/* A status given as a number, or as one in a string ("429"). */
static void
take_status(struct fault *f, const struct json *v)
{
    const char *s = json_str(v, NULL);
    int64_t n = s ? strtoll(s, NULL, 10) : 0;

    if ((s && n) || json_int(v, &n)) {
        if (n >= 400 && n <= 599)
            f->status = (int)n;
    }
}

/* The words that stand for a status where the number is missing. */
static void
status_of_kind(struct fault *f)
{
    static const struct {
        const char *word;
        int status;
    } rows[] = {
        {"overloaded", 529},         {"rate_limit", 429},
        {"RESOURCE_EXHAUSTED", 429}, {"insufficient_quota", 429},
        {"authentication", 401},     {"invalid_api_key", 401},
        {"UNAUTHENTICATED", 401},    {"permission", 403},
        {"PERMISSION_DENIED", 403},  {"not_found", 404},
        {"NOT_FOUND", 404},          {"invalid_request", 400},
        {"INVALID_ARGUMENT", 400},   {"UNAVAILABLE", 503},
        {"api_error", 500},          {"server_error", 500},
        {"INTERNAL", 500},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (strstr(f->kind, rows[i].word)) {
            f->status = rows[i].status;
            return;
        }
    }
}

/* Gemini's "34s", "0.5s". */
static void
take_delay(struct fault *f, const struct json *v)
{
    const char *s = json_str(v, NULL);
    double seconds = s ? strtod(s, NULL) : -1;

    if (seconds >= 0 && seconds < WAIT_MAX_S)
        f->retry_ms = (int64_t)(seconds * 1000);
}

/* Gemini's details: which quota, and when to come again. */
static void
read_details(struct fault *f, const struct json *details)
{
    const struct json *d, *v;

    for (d = json_first(details); d; d = json_next(d)) {
        take_delay(f, json_get(d, "retryDelay"));
        for (v = json_first(json_get(d, "violations")); v; v = json_next(v)) {
            const char *id = json_get_str(v, "quotaId");
            const char *value = json_get_str(v, "quotaValue");

            f->spent |= id && strcasestr(id, "PerDay");
            f->spent |= value && strcmp(value, "0") == 0;
        }
    }
}

static void
take_message(struct fault *f, const struct json *v)
{
    const char *s = json_str(v, NULL);

    if (s && *s && !*f->message)
        fault_clean(f->message, sizeof(f->message), s, f->key);
}

/* Money that is used up, as the providers say it. */
static bool
says_spent(const struct fault *f)
{
    if (strstr(f->kind, "insufficient_quota") || strstr(f->kind, "billing") ||
        f->status == 402)
        return true;
    return f->status == 400 && (strcasestr(f->message, "credit") ||
                                strcasestr(f->message, "billing"));
}

void
fault_read_json(struct fault *f, const struct json *v)
{
    const struct json *err, *first, *loc;

    if (json_type(v) == JSON_ARRAY)
        v = json_at(v, 0); /* Gemini without alt=sse */
    first = json_at(json_get(v, "detail"), 0);
    err = json_get(v, "error");
    if (!err || json_type(err) == JSON_NULL || json_type(err) == JSON_BOOL)
        err = v;
    add_kind(f, json_get(err, "type"));
    add_kind(f, json_get(err, "code"));
    add_kind(f, json_get(err, "status"));
    add_kind(f, json_get(err, "param"));
    for (loc = json_first(json_get(first, "loc")); loc; loc = json_next(loc))
        add_kind(f, loc); /* FastAPI: where the field that it dislikes is */
    if (f->status < 400) {
        f->status = 0;
        status_of_kind(f);
        take_status(f, json_get(err, "code"));
        take_status(f, json_get(err, "status"));
    }
    take_message(f, err);
    take_message(f, json_get(err, "message"));
    take_message(f, json_get(v, "message"));
    take_message(f, json_get(v, "detail"));
    take_message(f, json_get(first, "msg"));
    take_message(f, json_get(json_get(err, "metadata"), "raw"));
    read_details(f, json_get(err, "details"));
    f->spent |= says_spent(f);
}

void
fault_read(struct fault *f, const char *body, size_t n)
{
    CLEANUP(json_free_p) struct json *v = json_parse(body, n, 0, NULL);
    size_t blanks = strspn(body, " \t\r\n\xef\xbb\xbf");

    if (v) {
        fault_read_json(f, v);
        return;
    }
    f->page = body[blanks] == '<';
    if (!f->page)
        fault_clean(f->message, sizeof(f->message), body, f->key);
    f->spent |= says_spent(f);
}

void
fault_read_retry_after(struct fault *f, const char *value, int64_t now)
{
    char *end;
    double seconds = strtod(value, &end);
    time_t date;

    if (end == value) {
        date = clock_parse_http_date(value);
        if (date == (time_t)-1)
            return;
        seconds = (double)((int64_t)date - now);
    }
    if (seconds < 0)
        seconds = 0;
    if (!(seconds <= WAIT_MAX_S))
        seconds = WAIT_MAX_S;
    f->retry_ms = (int64_t)(seconds * 1000);
}

bool
fault_is_passing(const struct fault *f)
{
    static const int passing[] = {429, 500, 502, 503, 529};

    for (size_t i = 0; !f->spent && i < sizeof(passing) / sizeof(int); i++) {
        if (f->status == passing[i])
            return true;
    }
    return false;
}

bool
fault_is_busy(const struct fault *f)
{
    return f->status == 429 || f->status == 529;
}
