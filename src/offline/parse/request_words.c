/* SPDX-License-Identifier: GPL-3.0-or-later */
/* request_words.c - finds words and values in a request, and adds values. */
#include "offline/parse/request_parser.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/path.h"
#include "offline/parse/lexicon.h"
#include "offline/parse/slot.h"

static const char *const names[SLOT_TYPES] = {
    [SLOT_PATH] = "path",     [SLOT_GLOB] = "glob", [SLOT_EXT] = "ext",
    [SLOT_SIZE] = "size",     [SLOT_AGE] = "age",   [SLOT_DATE] = "date",
    [SLOT_NUMBER] = "number", [SLOT_PORT] = "port", [SLOT_USER] = "user",
    [SLOT_GROUP] = "group",   [SLOT_HOST] = "host", [SLOT_URL] = "url",
    [SLOT_MODE] = "mode",     [SLOT_NAME] = "name", [SLOT_TEXT] = "text",
};

const char *
slot_name(enum slot_type type)
{
    return (unsigned)type < SLOT_TYPES ? names[type] : "";
}

int
slot_find(const char *name, size_t n)
{
    for (int i = 0; i < SLOT_TYPES; i++)
        if (strlen(names[i]) == n && memcmp(names[i], name, n) == 0)
            return i;
    return -1;
}

void
request_done(struct request *q)
{
    if (!q)
        return;
    for (size_t i = 0; i < q->n_values; i++)
        free(q->values[i].text);
    free(q->values);
    free(q->text);
    memset(q, 0, sizeof(*q));
}

/* The next word of a list with blanks, or NULL at its end. */
static const char *
next_stem(const char **list, size_t *n)
{
    const char *s = *list + strspn(*list, " ");

    *n = strcspn(s, " ");
    *list = s + *n;
    return *n ? s : NULL;
}

static bool
is_stem(const struct request_word *w, const char *s, size_t n)
{
    return strncmp(w->stem, s, n) == 0 && w->stem[n] == '\0';
}

size_t
request_find(const struct request *q, const char *stems)
{
    for (size_t i = 0; i < q->n; i++)
        if (lexicon_listed(q->words[i].stem, stems))
            return i;
    return REQUEST_NONE;
}

bool
request_has(const struct request *q, const char *stems)
{
    return request_find(q, stems) != REQUEST_NONE;
}

/* Whether the row stands at word i. */
static bool
word_row_at(const struct request *q, size_t i, const char *row)
{
    bool first = true;
    const char *s;
    size_t n;

    while ((s = next_stem(&row, &n))) {
        while (!first && i < q->n && q->words[i].weak &&
               !is_stem(&q->words[i], s, n))
            i++;
        if (i >= q->n || n >= REQUEST_STEM_MAX || !is_stem(&q->words[i], s, n))
            return false;
        first = false;
        i++;
    }
    return !first;
}

size_t
request_find_row(const struct request *q, const char *row)
{
    for (size_t i = 0; i < q->n; i++)
        if (word_row_at(q, i, row))
            return i;
    return REQUEST_NONE;
}

const struct request_value *
request_value_of(const struct request *q, size_t word)
{
    if (word >= q->n || q->words[word].value < 0)
        return NULL;
    return &q->values[q->words[word].value];
}

uint64_t
request_set(const struct request *q, const char *stems)
{
    uint64_t set = 0;

    for (size_t i = 0; i < q->n; i++)
        if (lexicon_listed(q->words[i].stem, stems))
            set |= (uint64_t)1 << i;
    return set;
}

/* The most questions to the file system per request: it may be slow. */
#define LOOKUPS_MAX 16

static bool
machine_path(const struct seat *s, const char *path, bool *is_dir)
{
    CLEANUP(free_p) char *full = s ? seat_expand_home(s, path) : NULL;
    struct stat st;

    if (!full || seat_stat(s, full, 0, &st) < 0)
        return false;
    *is_dir = S_ISDIR(st.st_mode);
    return true;
}

bool
request_path_exists(struct request_parser *r, const char *path, bool *is_dir)
{
    if (r->lookups++ >= LOOKUPS_MAX)
        return false;
    if (r->world && r->world->path)
        return r->world->path(r->world->arg, path, is_dir);
    return machine_path(r->q->seat, path, is_dir);
}

struct request_value *
request_give(struct request *q, size_t i, const char *s, size_t n,
             struct err *e)
{
    struct request_value *v = &q->values[q->n_values];

    memset(v, 0, sizeof(*v));
    v->text = strndup(s, n);
    if (!v->text) {
        err_sys(e, "a word of the request");
        return NULL;
    }
    q->words[i].value = (int)q->n_values++;
    return v;
}

size_t
request_span(const char *s, size_t n, const char *set)
{
    size_t i = 0;

    while (i < n && strchr(set, s[i]))
        i++;
    return i;
}

bool
request_has_byte(const char *s, size_t n, char c)
{
    return memchr(s, c, n) != NULL;
}
