/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_shell.c - operators, redirections and words of the shell itself. */
#include <string.h>

#include "offline/explain_state.h"

struct sign {
    const char *text, *meaning;
};

static const struct sign operators[] = {
    {"|", "what the command before writes is what the next one reads"},
    {"|&", "what the command before writes, error messages too, is what the "
           "next one reads"},
    {"&&", "the next command runs only if the one before succeeded"},
    {"||", "the next command runs only if the one before failed"},
    {";", "then the next command runs"},
    {"&", "the command before runs in the background"},
    {"(", "begins commands that run in a shell of their own"},
    {")", "ends them"},
    {"{", "begins a group of commands"},
    {"}", "ends the group"},
    {"!", "success becomes failure, and failure success"},
    {";;", "ends what belongs to the pattern"},
    {";&", "goes on with what belongs to the next pattern"},
    {";;&", "goes on with the next pattern that matches"},
};

static const struct sign keywords[] = {
    {"if", "runs what follows, and looks whether it succeeds"},
    {"then", "if so, these commands run"},
    {"elif", "if not, looks whether this succeeds"},
    {"else", "if nothing before did, these commands run"},
    {"fi", "ends the if"},
    {"for", "runs commands once for each value"},
    {"select", "lets a person choose a value, again and again"},
    {"while", "as long as what follows succeeds"},
    {"until", "as long as what follows fails"},
    {"do", "these commands run"},
    {"done", "ends the loop"},
    {"case", "runs what belongs to the pattern that matches"},
    {"esac", "ends the case"},
    {"in", "the values follow"},
    {"function", "makes a function"},
    {"time", "measures how long the commands take"},
    {"coproc", "runs a command in the background, joined by pipes"},
};

/* %s is the target. */
static const struct {
    const char *op;
    int fd; /* WORD_FD_DEFAULT stands for what the operator means alone */
    const char *meaning;
} redirects[] = {
    {">", WORD_FD_DEFAULT,
     "what is written goes to %s, which is emptied first"},
    {">", 1, "what is written goes to %s, which is emptied first"},
    {">", 2, "error messages go to %s, which is emptied first"},
    {">>", WORD_FD_DEFAULT, "what is written is added at the end of %s"},
    {">>", 1, "what is written is added at the end of %s"},
    {">>", 2, "error messages are added at the end of %s"},
    {">|", WORD_FD_DEFAULT,
     "what is written goes to %s, emptied first even "
     "where the shell guards files"},
    {"&>", WORD_FD_DEFAULT,
     "all that is written, error messages too, goes to "
     "%s, which is emptied first"},
    {"&>>", WORD_FD_DEFAULT,
     "all that is written, error messages too, is "
     "added at the end of %s"},
    {"<", WORD_FD_DEFAULT, "input is read from %s"},
    {"<", 0, "input is read from %s"},
    {"<>", WORD_FD_DEFAULT, "%s is opened for reading and writing"},
    {"<<<", WORD_FD_DEFAULT, "the text %s is the input"},
    {"<<", WORD_FD_DEFAULT, "the lines up to %s are the input"},
    {"<<-", WORD_FD_DEFAULT,
     "the lines up to %s are the input, tabs in front "
     "of them left out"},
    {"<&", WORD_FD_DEFAULT, "input comes from descriptor %s"},
};

#define N_OF(array) (sizeof(array) / sizeof((array)[0]))

void
explain_operator(const struct scope *s, const struct word *w)
{
    for (size_t i = 0; i < N_OF(operators); i++)
        if (word_is_op(w, operators[i].text))
            explain_add_word(s, w, EXPLAIN_OPERATOR, "%s",
                             operators[i].meaning);
}

const char *
explain_keyword(const struct word *w)
{
    for (size_t i = 0; i < N_OF(keywords); i++)
        if (word_is(w, keywords[i].text))
            return keywords[i].meaning;
    return NULL;
}

void
explain_assignment(const struct scope *s, const struct word *w)
{
    size_t n = strcspn(w->text, "=+[");

    explain_add_word(s, w, EXPLAIN_ASSIGNMENT, "sets the variable %.*s",
                     (int)(n < 200 ? n : 200), w->text);
}

/* "error messages" for 2, "descriptor 5" for 5. */
static void
name_stream(int fd, struct buf *out)
{
    if (fd == 1 || fd == WORD_FD_DEFAULT)
        buf_str(out, "what is written");
    else if (fd == 2)
        buf_str(out, "error messages");
    else if (fd == WORD_FD_NAMED)
        buf_str(out, "a new descriptor");
    else
        buf_printf(out, "descriptor %d", fd);
}

/* 2>&1, >&2, 3>&-, >&file. */
static void
say_copy(const struct word *op, const char *to, struct buf *out)
{
    bool is_fd = *to && strspn(to, "0123456789-") == strlen(to);

    if (!is_fd && op->fd == WORD_FD_DEFAULT) {
        buf_printf(out,
                   "all that is written, error messages too, goes to "
                   "%.200s, which is emptied first",
                   to);
        return;
    }
    name_stream(op->fd, out);
    if (strcmp(to, "-") == 0)
        buf_str(out, op->fd == 2 ? " are thrown away" : " is closed");
    else if (strcmp(to, "1") == 0)
        buf_printf(out, " %s where what is written goes",
                   op->fd == 2 ? "go" : "goes");
    else if (strcmp(to, "2") == 0)
        buf_str(out, " goes where error messages go");
    else
        buf_printf(out, " goes to descriptor %.200s", to);
}

static void
say_redirect(const struct word *op, const char *to, struct buf *out)
{
    bool writes = strchr(op->text, '>') && strcmp(op->text, "<>") != 0;

    if (strcmp(op->text, ">&") == 0) {
        say_copy(op, to, out);
        return;
    }
    if (writes && strcmp(to, "/dev/null") == 0) {
        if (op->text[0] == '&')
            buf_str(out, "all that is written, error messages too,");
        else
            name_stream(op->fd, out);
        buf_printf(out, " %s thrown away", op->fd == 2 ? "are" : "is");
        return;
    }
    for (size_t i = 0; i < N_OF(redirects); i++) {
        const char *form = redirects[i].meaning, *mark = strstr(form, "%s");

        if (strcmp(redirects[i].op, op->text) != 0 || redirects[i].fd != op->fd)
            continue;
        buf_add(out, form, (size_t)(mark - form));
        buf_printf(out, "%.200s%s", to, mark + 2);
        return;
    }
    name_stream(op->fd, out);
    buf_printf(out, " is connected with %.200s by %s", to, op->text);
}

void
explain_redirect(const struct scope *s, const struct word *op,
                 const struct word *target)
{
    CLEANUP_BUF struct buf meaning = buf_of(1024);
    const struct word *last = target ? target : op;

    say_redirect(op, target ? target->text : "nothing", &meaning);
    explain_add(s->x, EXPLAIN_REDIRECT, s->base + op->from, s->base + last->to,
                NULL, "%s", meaning.p);
}

void
explain_heredoc(const struct scope *s, const struct word *w)
{
    size_t lines = 0, first = strcspn(w->text, "\n");
    CLEANUP_BUF struct buf what = buf_of(256);

    for (const char *p = w->text; *p; p++)
        lines += *p == '\n';
    buf_add(&what, w->text, first < 40 ? first : 40);
    if (lines > 1 || first >= 40)
        buf_str(&what, " \342\200\246");
    explain_add(s->x, EXPLAIN_REDIRECT, s->base + w->from, s->base + w->to,
                what.p, "the input: %zu %s", lines,
                lines == 1 ? "line" : "lines");
}
