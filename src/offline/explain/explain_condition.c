/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_condition.c - what test, [ and [[ look at, in words. */
#include <string.h>

#include "base/cleanup.h"
#include "offline/explain/explain_args.h"
#include "offline/explain/explain_phrase.h"

#define CONDITION_MAX 300 /* bytes: most of a sentence */
#define DEEPEST       8   /* brackets and ! inside one another */

/* Behind the word; with ! in front. */
struct look {
    const char *name, *is, *is_not;
};

static const struct look unary[] = {
    {"-e", "exists", "does not exist"},
    {"-a", "exists", "does not exist"},
    {"-f", "is a file", "is not a file"},
    {"-d", "is a directory", "is not a directory"},
    {"-L", "is a symbolic link", "is not a symbolic link"},
    {"-h", "is a symbolic link", "is not a symbolic link"},
    {"-p", "is a named pipe", "is not a named pipe"},
    {"-S", "is a socket", "is not a socket"},
    {"-b", "is a block device", "is not a block device"},
    {"-c", "is a character device", "is not a character device"},
    {"-r", "can be read", "cannot be read"},
    {"-w", "can be written", "cannot be written"},
    {"-x", "can be run or entered", "cannot be run or entered"},
    {"-s", "has something in it", "is missing or has nothing in it"},
    {"-t", "is a terminal", "is not a terminal"},
    {"-O", "belongs to you", "does not belong to you"},
    {"-u", "has the set-user-ID bit", "has no set-user-ID bit"},
    {"-g", "has the set-group-ID bit", "has no set-group-ID bit"},
    {"-k", "has the sticky bit", "has no sticky bit"},
    {"-z", "is empty", "is not empty"},
    {"-n", "is not empty", "is empty"},
    {"-v", "is set", "is not set"},
    {"-o", "is a shell option that is on", "is a shell option that is off"},
};

static const struct look binary[] = {
    {"-eq", "is", "is not"},
    {"-ne", "is not", "is"},
    {"-lt", "is less than", "is not less than"},
    {"-gt", "is greater than", "is not greater than"},
    {"-le", "is at most", "is more than"},
    {"-ge", "is at least", "is less than"},
    {"-nt", "is newer than", "is not newer than"},
    {"-ot", "is older than", "is not older than"},
    {"-ef", "is the same file as", "is another file than"},
    {"=", "is", "is not"},
    {"==", "is", "is not"},
    {"!=", "is not", "is"},
    {"=~", "matches the regular expression",
     "does not match the regular expression"},
    {"<", "sorts before", "does not sort before"},
    {">", "sorts behind", "does not sort behind"},
};

struct condition {
    const struct call *c;
    size_t i, end;
    struct buf *out;
    bool bad;
};

#define N_OF(array) (sizeof(array) / sizeof((array)[0]))

static const struct look *
find(const struct look *rows, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(rows[i].name, name) == 0)
            return &rows[i];
    return NULL;
}

static const char *
text_at(const struct condition *k, size_t i)
{
    return i < k->end ? k->c->argv[i]->text : "";
}

static void
add_word(struct condition *k, const struct syntax_word *w)
{
    if (w->len == 0)
        buf_str(k->out, "the empty text");
    else
        phrase_word(k->c->s->x, k->c->s->base, w, k->out);
}

/* "$x is less than 3"; [[ $x == *.c ]] looks at a pattern. */
static void
say_binary(struct condition *k, const struct look *op, bool no)
{
    const struct syntax_word *right = k->c->argv[k->i + 2];
    bool equals = strcmp(op->name, "=") == 0 || strcmp(op->name, "==") == 0;
    bool differs = strcmp(op->name, "!=") == 0;
    bool pattern = strcmp(k->c->argv[0]->text, "[[") == 0 &&
                   right->flags & SYNTAX_PATTERN;

    add_word(k, k->c->argv[k->i]);
    buf_ch(k->out, ' ');
    if ((equals || differs) && right->len == 0) {
        buf_str(k->out, equals == no ? "is not empty" : "is empty");
    } else {
        if ((equals || differs) && pattern)
            buf_str(k->out, equals == no ? "does not match" : "matches");
        else
            buf_str(k->out, no ? op->is_not : op->is);
        buf_ch(k->out, ' ');
        add_word(k, right);
    }
    k->i += 3;
}

static void say_either(struct condition *k, unsigned depth);

static void
say_one(struct condition *k, bool no, unsigned depth)
{
    const char *t = text_at(k, k->i);
    const struct look *op = k->i + 2 < k->end ? find(binary, N_OF(binary),
                                                     text_at(k, k->i + 1))
                                              : NULL;

    if (k->i >= k->end || depth > DEEPEST) {
        k->bad = true;
    } else if (op) {
        say_binary(k, op, no);
    } else if (strcmp(t, "!") == 0 && k->i + 1 < k->end) {
        k->i++;
        say_one(k, !no, depth + 1);
    } else if (strcmp(t, "(") == 0) {
        k->i++;
        buf_str(k->out, no ? "it is not true that (" : "(");
        say_either(k, depth + 1);
        k->bad = k->bad || strcmp(text_at(k, k->i), ")") != 0;
        k->i++;
        buf_ch(k->out, ')');
    } else {
        op = k->i + 1 < k->end ? find(unary, N_OF(unary), t) : NULL;
        k->i += op != NULL;
        if (op && strcmp(op->name, "-t") == 0)
            buf_str(k->out, "descriptor ");
        add_word(k, k->c->argv[k->i++]);
        buf_printf(k->out, " %s",
                   op   ? no ? op->is_not : op->is
                   : no ? "is empty"
                        : "is not empty");
    }
}

/* Takes one of two joints off the words. */
static bool
take(struct condition *k, const char *a, const char *b)
{
    const char *t = text_at(k, k->i);

    if (strcmp(t, a) != 0 && strcmp(t, b) != 0)
        return false;
    k->i++;
    return true;
}

static void
say_both(struct condition *k, unsigned depth)
{
    say_one(k, false, depth);
    while (!k->bad && take(k, "-a", "&&")) {
        buf_str(k->out, " and ");
        say_one(k, false, depth);
    }
}

static void
say_either(struct condition *k, unsigned depth)
{
    say_both(k, depth);
    while (!k->bad && take(k, "-o", "||")) {
        buf_str(k->out, ", or ");
        say_both(k, depth);
    }
}

char *
explain_condition(const struct call *c)
{
    CLEANUP_BUF struct buf out = buf_of(CONDITION_MAX);
    struct condition k = {.c = c, .i = 1, .end = c->n, .out = &out};

    if (c->n > 1 && *c->argv[0]->text == '[' && *c->argv[c->n - 1]->text == ']')
        k.end--;
    if (k.end < 2)
        return NULL;
    say_either(&k, 0);
    if (k.bad || out.bad || k.i != k.end)
        return NULL;
    return buf_take(&out);
}
