/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_condition.c - explains the conditions of test, [ and [[. */
#include <string.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/message.h"
#include "offline/explain/explain_args.h"
#include "offline/explain/explain_phrase.h"
#include "offline/explain/explain_state.h"

#define CONDITION_MAX 300 /* bytes of a condition in words */
#define DEEPEST       8   /* depth of nested brackets and ! */

/* the words behind the operand, and the same with ! */
struct test_operator {
    const char *name, *is, *is_not;
};

static const struct test_operator unary[] = {
    {"-e", N_("exists"), N_("does not exist")},
    {"-a", N_("exists"), N_("does not exist")},
    {"-f", N_("is a file"), N_("is not a file")},
    {"-d", N_("is a directory"), N_("is not a directory")},
    {"-L", N_("is a symbolic link"), N_("is not a symbolic link")},
    {"-h", N_("is a symbolic link"), N_("is not a symbolic link")},
    {"-p", N_("is a named pipe"), N_("is not a named pipe")},
    {"-S", N_("is a socket"), N_("is not a socket")},
    {"-b", N_("is a block device"), N_("is not a block device")},
    {"-c", N_("is a character device"), N_("is not a character device")},
    {"-r", N_("can be read"), N_("cannot be read")},
    {"-w", N_("can be written"), N_("cannot be written")},
    {"-x", N_("can be run or entered"), N_("cannot be run or entered")},
    {"-s", N_("has something in it"), N_("is missing or has nothing in it")},
    {"-t", N_("is a terminal"), N_("is not a terminal")},
    {"-O", N_("belongs to you"), N_("does not belong to you")},
    {"-u", N_("has the set-user-ID bit"), N_("has no set-user-ID bit")},
    {"-g", N_("has the set-group-ID bit"), N_("has no set-group-ID bit")},
    {"-k", N_("has the sticky bit"), N_("has no sticky bit")},
    {"-z", N_("is empty"), N_("is not empty")},
    {"-n", N_("is not empty"), N_("is empty")},
    {"-v", N_("is set"), N_("is not set")},
    {"-o", N_("is a shell option that is on"),
     N_("is a shell option that is off")},
};

static const struct test_operator binary[] = {
    {"-eq", N_("is"), N_("is not")},
    {"-ne", N_("is not"), N_("is")},
    {"-lt", N_("is less than"), N_("is not less than")},
    {"-gt", N_("is greater than"), N_("is not greater than")},
    {"-le", N_("is at most"), N_("is more than")},
    {"-ge", N_("is at least"), N_("is less than")},
    {"-nt", N_("is newer than"), N_("is not newer than")},
    {"-ot", N_("is older than"), N_("is not older than")},
    {"-ef", N_("is the same file as"), N_("is another file than")},
    {"=", N_("is"), N_("is not")},
    {"==", N_("is"), N_("is not")},
    {"!=", N_("is not"), N_("is")},
    {"=~", N_("matches the regular expression"),
     N_("does not match the regular expression")},
    {"<", N_("sorts before"), N_("does not sort before")},
    {">", N_("sorts behind"), N_("does not sort behind")},
};

struct condition {
    const struct explain_command *c;
    size_t i, end;
    struct buf *out;
    bool bad;
};

static const struct test_operator *
find_test(const struct test_operator *rows, size_t n, const char *name)
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
add_condition_word(struct condition *k, const struct syntax_word *w)
{
    if (w->len == 0)
        buf_str(k->out, explain_words(k->c->s->x, "the empty text"));
    else
        phrase_word(k->c->s->x, k->c->s->base, w, k->out);
}

/* Appends a condition with two operands: "$x is less than 3". [[ $x == *.c ]]
 * compares with a pattern. */
static void
describe_binary(struct condition *k, const struct test_operator *op, bool no)
{
    const struct syntax_word *right = k->c->argv[k->i + 2];
    bool equals = strcmp(op->name, "=") == 0 || strcmp(op->name, "==") == 0;
    bool differs = strcmp(op->name, "!=") == 0;
    bool pattern = strcmp(k->c->argv[0]->text, "[[") == 0 &&
                   right->flags & SYNTAX_PATTERN;

    add_condition_word(k, k->c->argv[k->i]);
    buf_ch(k->out, ' ');
    if ((equals || differs) && right->len == 0) {
        buf_str(k->out, equals == no ? explain_words(k->c->s->x, "is not empty")
                                     : explain_words(k->c->s->x, "is empty"));
    } else {
        if ((equals || differs) && pattern)
            buf_str(k->out, equals == no
                                ? explain_words(k->c->s->x, "does not match")
                                : explain_words(k->c->s->x, "matches"));
        else
            buf_str(k->out,
                    explain_words(k->c->s->x, no ? op->is_not : op->is));
        buf_ch(k->out, ' ');
        add_condition_word(k, right);
    }
    k->i += 3;
}

static void describe_either(struct condition *k, unsigned depth);

static void
describe_test(struct condition *k, bool no, unsigned depth)
{
    const char *t = text_at(k, k->i);
    const struct test_operator *op = k->i + 2 < k->end
                                         ? find_test(binary, ARRAY_SIZE(binary),
                                                     text_at(k, k->i + 1))
                                         : NULL;

    if (k->i >= k->end || depth > DEEPEST) {
        k->bad = true;
    } else if (op) {
        describe_binary(k, op, no);
    } else if (strcmp(t, "!") == 0 && k->i + 1 < k->end) {
        k->i++;
        describe_test(k, !no, depth + 1);
    } else if (strcmp(t, "(") == 0) {
        k->i++;
        buf_str(k->out,
                no ? explain_words(k->c->s->x, "it is not true that (") : "(");
        describe_either(k, depth + 1);
        k->bad = k->bad || strcmp(text_at(k, k->i), ")") != 0;
        k->i++;
        buf_ch(k->out, ')');
    } else {
        op = k->i + 1 < k->end ? find_test(unary, ARRAY_SIZE(unary), t) : NULL;
        k->i += op != NULL;
        if (op && strcmp(op->name, "-t") == 0)
            buf_str(k->out, explain_words(k->c->s->x, "descriptor "));
        add_condition_word(k, k->c->argv[k->i++]);
        buf_printf(k->out, " %s",
                   explain_words(k->c->s->x, op   ? no ? op->is_not : op->is
                                             : no ? N_("is empty")
                                                  : N_("is not empty")));
    }
}

/* Consumes the next word when it is a or b. */
static bool
take_test_operator(struct condition *k, const char *a, const char *b)
{
    const char *t = text_at(k, k->i);

    if (strcmp(t, a) != 0 && strcmp(t, b) != 0)
        return false;
    k->i++;
    return true;
}

static void
describe_both(struct condition *k, unsigned depth)
{
    describe_test(k, false, depth);
    while (!k->bad && take_test_operator(k, "-a", "&&")) {
        buf_str(k->out, explain_words(k->c->s->x, " and "));
        describe_test(k, false, depth);
    }
}

static void
describe_either(struct condition *k, unsigned depth)
{
    describe_both(k, depth);
    while (!k->bad && take_test_operator(k, "-o", "||")) {
        buf_str(k->out, explain_words(k->c->s->x, ", or "));
        describe_both(k, depth);
    }
}

char *
explain_condition(const struct explain_command *c)
{
    CLEANUP_BUF struct buf out = buf_of(CONDITION_MAX);
    struct condition k = {.c = c, .i = 1, .end = c->n, .out = &out};

    if (c->n > 1 && *c->argv[0]->text == '[' && *c->argv[c->n - 1]->text == ']')
        k.end--;
    if (k.end < 2)
        return NULL;
    describe_either(&k, 0);
    if (k.bad || out.bad || k.i != k.end)
        return NULL;
    return buf_take(&out);
}
