/* SPDX-License-Identifier: GPL-3.0-or-later */
/* operand_order.c - checks that operands are in the order of the request. */
#include "offline/engine/operand_order.h"

#include <string.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "guard/risk/risk.h"
#include "offline/parse/lexicon.h"

/* The last operand is where it goes; and those that compare, which name what
 * they find by the order. */
static const char goes[] = " cp mv ln rsync scp install ";
static const char compares[] = " diff cmp sdiff vimdiff colordiff ";

/* Before a value, weak words apart: what it says is where it goes, or where it
 * comes from. */
static const char ends[] = " to into onto in inside as called named name over ";
static const char begins[] = " from of ";
static const char between[] =
    " the a an my file files folder directory new container disk drive stick "
    "device usb image card partition ";

static bool
is_same_operand(const char *operand, const char *value)
{
    size_t n = strlen(operand), m = strlen(value);

    if (strncmp(operand, "./", 2) == 0 && strncmp(value, "./", 2) != 0) {
        operand += 2;
        n -= 2;
    }
    while (n > 1 && operand[n - 1] == '/')
        n--;
    while (m > 1 && value[m - 1] == '/')
        m--;
    return n == m && memcmp(operand, value, n) == 0;
}

/* The word of the request that the operand is; REQUEST_NONE. */
static size_t
word_of(const struct request *q, const char *operand)
{
    for (size_t i = 0; i < q->n; i++) {
        const struct request_value *v = request_value_of(q, i);

        if (v && is_same_operand(operand, v->text))
            return i;
    }
    return REQUEST_NONE;
}

/* Whether one of the list is about the word. */
static bool
is_word_of_list(const struct request *q, size_t i, const char *list)
{
    while (i-- > 0) {
        if (lexicon_listed(q->words[i].plain, list))
            return true;
        if (!lexicon_listed(q->words[i].plain, between))
            return false;
    }
    return false;
}

/* "a link called x that points to y", "a shortcut to y in x" */
static bool
is_link_to(const struct request *q)
{
    return request_has(q, "point link symlink symbolic shortcut alias");
}

static bool
is_swapped(const struct request *q, const struct risk_call *c, size_t first,
           size_t last)
{
    bool a = is_word_of_list(q, first, ends),
         b = is_word_of_list(q, last, ends);

    if (lexicon_listed(c->name, compares))
        return first > last;
    if (is_word_of_list(q, last, begins) != is_word_of_list(q, first, begins))
        return is_word_of_list(q, last, begins);
    if (strcmp(c->name, "ln") == 0 && is_link_to(q))
        return false;
    return a != b ? a : first > last;
}

/* dd if=x of=y */
static bool
dd_is_swapped(const struct request *q, const struct risk_call *c)
{
    size_t from = REQUEST_NONE, to = REQUEST_NONE;

    for (size_t i = 1; i < c->n; i++) {
        if (strncmp(c->argv[i], "if=", 3) == 0)
            from = word_of(q, c->argv[i] + 3);
        if (strncmp(c->argv[i], "of=", 3) == 0)
            to = word_of(q, c->argv[i] + 3);
    }
    if (from != REQUEST_NONE && to != REQUEST_NONE)
        return is_swapped(q, c, from, to);
    return (from != REQUEST_NONE && is_word_of_list(q, from, ends)) ||
           (to != REQUEST_NONE && is_word_of_list(q, to, begins));
}

/* The word of the container in CONTAINER:PATH; REQUEST_NONE. */
static size_t
container_of(const struct request *q, const char *operand)
{
    size_t n = strcspn(operand, ":");

    for (size_t i = 0; operand[n] && i < q->n; i++) {
        const struct request_word *w = &q->words[i];

        if (w->to - w->from == n && memcmp(q->text + w->from, operand, n) == 0)
            return i;
    }
    return REQUEST_NONE;
}

/* docker cp CONTAINER:PATH HERE, or the other way round. */
static bool
container_is_swapped(const struct request *q, const struct risk_call *c)
{
    size_t from, to;

    if (c->n < 4 || strcmp(c->argv[1], "cp") != 0)
        return false;
    from = container_of(q, c->argv[c->n - 2]);
    to = container_of(q, c->argv[c->n - 1]);
    return (from != REQUEST_NONE && is_word_of_list(q, from, ends)) ||
           (to != REQUEST_NONE && is_word_of_list(q, to, begins));
}

/* cp -t where what… */
static bool
says_where_first(const struct risk_call *c)
{
    for (size_t i = 1; i < c->n; i++)
        if (strcmp(c->argv[i], "-t") == 0 ||
            strncmp(c->argv[i], "--target-directory",
                    strlen("--target-directory")) == 0)
            return true;
    return false;
}

static bool
call_is_swapped(const struct request *q, const struct risk_call *c)
{
    size_t words[2], n = 0;

    if (strcmp(c->name, "dd") == 0)
        return dd_is_swapped(q, c);
    if (lexicon_listed(c->name, " docker podman "))
        return container_is_swapped(q, c);
    if (!lexicon_listed(c->name, goes) && !lexicon_listed(c->name, compares))
        return false;
    for (size_t i = 1; i < c->n; i++) {
        size_t word = c->argv[i][0] == '-' ? REQUEST_NONE
                                           : word_of(q, c->argv[i]);

        if (word == REQUEST_NONE)
            continue;
        if (n < 2)
            words[n++] = word;
        else
            words[1] = word;
    }
    if (n == 2 && words[0] == words[1]) /* mv x x */
        return lexicon_listed(c->name, goes);
    /* "copy it to x": x is not what is copied */
    if (n == 1 && lexicon_listed(c->name, " cp mv rsync scp ") &&
        !says_where_first(c) && word_of(q, c->argv[c->n - 1]) == REQUEST_NONE)
        return is_word_of_list(q, words[0], " to into onto ");
    return n == 2 && is_swapped(q, c, words[0], words[1]);
}

/* "lines of a that are not in b": grep -vf b a. */
static bool
grep_is_swapped(const struct request *q, const struct risk_call *c)
{
    size_t pattern, file;

    if (strcmp(c->name, "grep") != 0 || c->n != 4 || c->argv[1][0] != '-' ||
        c->argv[1][strlen(c->argv[1]) - 1] != 'f' || !strchr(c->argv[1], 'v') ||
        request_has(q, "from"))
        return false;
    pattern = word_of(q, c->argv[2]);
    file = word_of(q, c->argv[3]);
    return pattern != REQUEST_NONE && file != REQUEST_NONE && pattern < file;
}

/* Whether one of those programs may be there: reading a line takes time. */
static bool
names_one(const char *command)
{
    static const char *const names[] = {"cp ",   "mv ",     "ln ",
                                        "rsync", "install", "diff ",
                                        "cmp ",  "grep -",  "dd "};

    for (size_t i = 0; i < ARRAY_SIZE(names); i++)
        if (strstr(command, names[i]))
            return true;
    return false;
}

bool
operand_order_is_swapped(const struct request *q, const char *command)
{
    static const struct path_context nowhere;
    CLEANUP(syntax_done) struct syntax s = {0};
    CLEANUP(risk_done) struct risk r = {0};
    bool turned = false;
    size_t n = 0;

    if (!names_one(command) ||
        syntax_read(command, strlen(command), &s, NULL) < 0 ||
        risk_read(&s, &nowhere, &r, NULL) < 0)
        return false;
    for (size_t i = 0; i < r.n_calls; i++) {
        turned = turned || call_is_swapped(q, &r.calls[i]) ||
                 grep_is_swapped(q, &r.calls[i]);
        n += lexicon_listed(r.calls[i].name, goes);
    }
    return turned && n < 2; /* several may swap the words */
}
