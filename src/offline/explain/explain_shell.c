/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_shell.c - explains operators, reserved words, redirections,
 * assignments and signals. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/message.h"
#include "guard/path/path_table.h"
#include "offline/explain/explain_state.h"

struct shell_sign {
    const char *text, *meaning;
};

static const struct shell_sign operators[] = {
    {"|", N_("what the command before writes is what the next one reads")},
    {"|&", N_("what the command before writes, error messages too, is what the "
              "next one reads")},
    {"&&", N_("the next command runs only if the one before succeeded")},
    {"||", N_("the next command runs only if the one before failed")},
    {";", N_("then the next command runs")},
    {"&", N_("the command before runs in the background")},
    {"(", N_("begins commands that run in a shell of their own")},
    {")", N_("ends them")},
    {"{", N_("begins a group of commands")},
    {"}", N_("ends the group")},
    {"-p", N_("in the form that POSIX wants")}, /* of time */
    {"!", N_("success becomes failure, and failure success")},
    {";;", N_("ends what belongs to the pattern")},
    {";&", N_("goes on with what belongs to the next pattern")},
    {";;&", N_("goes on with the next pattern that matches")},
};

static const struct shell_sign keywords[] = {
    {"if", N_("runs what follows, and tests whether it succeeds")},
    {"then", N_("if so, these commands run")},
    {"elif", N_("if not, tests whether this succeeds")},
    {"else", N_("if nothing before did, these commands run")},
    {"fi", N_("ends the if")},
    {"for", N_("runs commands once for each value")},
    {"select", N_("lets a person choose a value, again and again")},
    {"while", N_("as long as what follows succeeds")},
    {"until", N_("as long as what follows fails")},
    {"do", N_("these commands run")},
    {"done", N_("ends the loop")},
    {"case", N_("runs what belongs to the pattern that matches")},
    {"esac", N_("ends the case")},
    {"in", N_("the values follow")},
    {"function", N_("makes a function")},
    {"time", N_("measures how long the commands take")},
    {"coproc", N_("runs a command in the background, joined by pipes")},
};

/* %s is the target. */
static const struct {
    enum syntax_redirect_kind kind;
    int fd; /* SYNTAX_FD_DEFAULT: the operator without a number */
    const char *meaning;
} redirects[] = {
    {SYNTAX_WRITE, SYNTAX_FD_DEFAULT,
     N_("what is written goes to %s, which is emptied first")},
    {SYNTAX_WRITE, 1, N_("what is written goes to %s, which is emptied first")},
    {SYNTAX_WRITE, 2, N_("error messages go to %s, which is emptied first")},
    {SYNTAX_APPEND, SYNTAX_FD_DEFAULT,
     N_("what is written is added at the end of %s")},
    {SYNTAX_APPEND, 1, N_("what is written is added at the end of %s")},
    {SYNTAX_APPEND, 2, N_("error messages are added at the end of %s")},
    {SYNTAX_CLOBBER, SYNTAX_FD_DEFAULT,
     N_("what is written goes to %s, emptied first even "
        "where the shell guards files")},
    {SYNTAX_WRITE_BOTH, SYNTAX_FD_DEFAULT,
     N_("all that is written, error messages too, goes to "
        "%s, which is emptied first")},
    {SYNTAX_APPEND_BOTH, SYNTAX_FD_DEFAULT,
     N_("all that is written, error messages too, is "
        "added at the end of %s")},
    {SYNTAX_READ, SYNTAX_FD_DEFAULT, N_("input is read from %s")},
    {SYNTAX_READ, 0, N_("input is read from %s")},
    {SYNTAX_READ_WRITE, SYNTAX_FD_DEFAULT,
     N_("%s is opened for reading and writing")},
    {SYNTAX_HERE_STRING, SYNTAX_FD_DEFAULT, N_("the text %s is the input")},
    {SYNTAX_HEREDOC, SYNTAX_FD_DEFAULT, N_("the lines up to %s are the input")},
    {SYNTAX_DUP_IN, SYNTAX_FD_DEFAULT, N_("input comes from descriptor %s")},
};

/* The reserved word, or the longest operator, at the begin of s[0..n). */
static const struct shell_sign *
find_sign(const char *s, size_t n)
{
    const struct shell_sign *found = NULL;
    size_t len = 0;

    while (len < n && isalpha((unsigned char)s[len]))
        len++;
    for (size_t i = 0; len > 0 && i < ARRAY_SIZE(keywords); i++)
        if (strlen(keywords[i].text) == len &&
            memcmp(keywords[i].text, s, len) == 0)
            return &keywords[i];
    for (size_t i = 0; len == 0 && i < ARRAY_SIZE(operators); i++) {
        size_t k = strlen(operators[i].text);

        if (k <= n && memcmp(operators[i].text, s, k) == 0 &&
            (!found || k > strlen(found->text)))
            found = &operators[i];
    }
    return found;
}

/* Whether a bracket or bar only delimits a name or a pattern. */
static bool
is_punctuation(const struct syntax_node *node, char c)
{
    if (!node || !strchr("()|", c))
        return false;
    return node->kind == SYNTAX_CASE_ITEM || node->kind == SYNTAX_FUNCTION ||
           node->kind == SYNTAX_FOR_ARITH;
}

bool
explain_operator(const struct explain_scope *s, const struct syntax_node *node,
                 size_t from, size_t *to)
{
    const char *text = s->x->line + s->base + from;
    const struct shell_sign *sign = find_sign(text, *to - from);
    const char *meaning = sign ? sign->meaning : "";
    size_t n;

    if (!sign)
        return false;
    n = strlen(sign->text);
    *to = from + n;
    if (is_punctuation(node, *text))
        return true;
    if (node && node->kind == SYNTAX_CASE && strcmp(sign->text, "in") == 0)
        meaning = N_("the patterns follow");
    explain_add(s->x,
                isalpha((unsigned char)*text) ? EXPLAIN_KEYWORD
                : *text == '-'                ? EXPLAIN_OPTION
                                              : EXPLAIN_OPERATOR,
                s->base + from, s->base + from + n, NULL, "%s",
                explain_words(s->x, meaning));
    return true;
}

bool
explain_is_keyword(const char *text)
{
    for (size_t i = 0; i < ARRAY_SIZE(keywords); i++)
        if (strcmp(keywords[i].text, text) == 0)
            return true;
    return false;
}

bool
explain_is_assignment(const struct syntax_word *w)
{
    size_t n = strcspn(w->text, "=");

    if (n == 0 || !w->text[n] || isdigit((unsigned char)w->text[0]))
        return false;
    for (size_t i = 0; i < n; i++)
        if (!isalnum((unsigned char)w->text[i]) && w->text[i] != '_')
            return false;
    return true;
}

void
explain_assignment(const struct explain_scope *s, const struct syntax_assign *a)
{
    explain_add(s->x, EXPLAIN_ASSIGNMENT, s->base + a->from, s->base + a->to,
                NULL, "sets the variable %.200s", a->name);
}

/* Appends the name of a descriptor: "error messages" for 2, "descriptor 5" for
 * 5. */
static void
name_stream(const struct explainer *x, int fd, struct buf *out)
{
    if (fd == 1 || fd == SYNTAX_FD_DEFAULT)
        buf_str(out, explain_words(x, "what is written"));
    else if (fd == 2)
        buf_str(out, explain_words(x, "error messages"));
    else if (fd == SYNTAX_FD_NAMED)
        buf_str(out, explain_words(x, "a new descriptor"));
    else
        buf_printf(out, explain_words(x, "descriptor %d"), fd);
}

/* Describes 2>&1, >&2, 3>&-, >&file. */
static void
describe_copy(const struct explainer *x, const struct syntax_redirect *op,
              const char *to, struct buf *out)
{
    bool is_fd = *to && strspn(to, "0123456789-") == strlen(to);

    if (!is_fd && op->fd == SYNTAX_FD_DEFAULT) {
        buf_printf(
            out,
            explain_words(x, "all that is written, error messages too, goes to "
                             "%.200s, which is emptied first"),
            to);
        return;
    }
    name_stream(x, op->fd, out);
    if (strcmp(to, "-") == 0)
        buf_str(out, op->fd == 2 ? explain_words(x, " are thrown away")
                                 : explain_words(x, " is closed"));
    else if (strcmp(to, "1") == 0)
        buf_str(out,
                op->fd == 2
                    ? explain_words(x, " go where what is written goes")
                    : explain_words(x, " goes where what is written goes"));
    else if (strcmp(to, "2") == 0)
        buf_str(out, explain_words(x, " goes where error messages go"));
    else
        buf_printf(out, explain_words(x, " goes to descriptor %.200s"), to);
}

static void
describe_redirect(const struct explainer *x, const struct syntax_redirect *r,
                  const char *to, struct buf *out)
{
    bool both = r->kind == SYNTAX_WRITE_BOTH || r->kind == SYNTAX_APPEND_BOTH;
    bool writes = both || r->kind == SYNTAX_WRITE ||
                  r->kind == SYNTAX_CLOBBER || r->kind == SYNTAX_APPEND;

    if (r->kind == SYNTAX_DUP_OUT) {
        describe_copy(x, r, to, out);
        return;
    }
    if (writes && path_is(to, PATH_IS_NULL)) {
        if (both)
            buf_str(out, explain_words(
                             x, "all that is written, error messages too,"));
        else
            name_stream(x, r->fd, out);
        buf_str(out, r->fd == 2 ? explain_words(x, " are thrown away")
                                : explain_words(x, " is thrown away"));
        return;
    }
    for (size_t i = 0; i < ARRAY_SIZE(redirects); i++) {
        const char *form = explain_words(x, redirects[i].meaning),
                   *mark = strstr(form, "%s");

        if (redirects[i].kind != r->kind || redirects[i].fd != r->fd)
            continue;
        buf_add(out, form, (size_t)(mark - form));
        buf_printf(out, "%.200s%s", to, mark + 2);
        return;
    }
    name_stream(x, r->fd, out);
    buf_printf(out, explain_words(x, " is connected with %.200s"), to);
}

static void
explain_heredoc(const struct explain_scope *s, const struct syntax_word *w)
{
    size_t lines = 0, first = strcspn(w->text, "\n");
    CLEANUP_BUF struct buf what = buf_of(256);

    for (const char *p = w->text; *p; p++)
        lines += *p == '\n';
    buf_add(&what, w->text, first < 40 ? first : 40);
    if (lines > 1 || first >= 40)
        buf_str(&what, " \342\200\246");
    explain_add(
        s->x, EXPLAIN_REDIRECT, s->base + w->from, s->base + w->to, what.p,
        lines == 1 ? N_("the input: %zu line") : N_("the input: %zu lines"),
        lines);
}

void
explain_redirect(const struct explain_scope *s, const struct syntax_redirect *r)
{
    CLEANUP_BUF struct buf meaning = buf_of(1024);

    describe_redirect(s->x, r, r->target->text, &meaning);
    explain_add(s->x, EXPLAIN_REDIRECT, s->base + r->from, s->base + r->to,
                s->mapped ? r->target->text : NULL, "%s", meaning.p);
    if (r->heredoc)
        explain_heredoc(s, r->heredoc);
}

/* Signals. */

static const struct {
    const char *name, *number, *meaning;
} signals[] = {
    {"HUP", "1", N_("the terminal was closed, or: read the settings again")},
    {"INT", "2", N_("Ctrl-C was typed")},
    {"QUIT", "3", N_("Ctrl-\\ was typed")},
    {"ABRT", "6", N_("the program aborted")},
    {"KILL", "9", N_("kill at once; cannot be ignored")},
    {"USR1", "10", N_("defined by the program")},
    {"SEGV", "11", N_("segmentation fault")},
    {"USR2", "12", N_("defined by the program")},
    {"PIPE", "13", N_("broken pipe")},
    {"ALRM", "14", N_("a timer ran out")},
    {"TERM", "15", N_("terminate")},
    {"CHLD", "17", N_("a child process ended")},
    {"CONT", "18", N_("continue")},
    {"STOP", "19", N_("stop; cannot be ignored")},
    {"TSTP", "20", N_("Ctrl-Z was typed")},
    {"WINCH", "28", N_("the window size changed")},
    {"EXIT", "", N_("the shell ends")},
    {"ERR", "", N_("a command fails")},
    {"DEBUG", "", N_("before each command")},
    {"RETURN", "", N_("a function or sourced script ends")},
};

const char *
explain_signal(const char *name)
{
    if (strncasecmp(name, "SIG", 3) == 0)
        name += 3;
    for (size_t i = 0; i < ARRAY_SIZE(signals); i++)
        if (strcasecmp(signals[i].name, name) == 0 ||
            (*name && strcmp(signals[i].number, name) == 0))
            return signals[i].meaning;
    return NULL;
}
