/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plain.c - is this command line a plain call of programs that only look? */
#include "guard/plain.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/utf8.h"
#include "guard/plain_paths.h"
#include "guard/plain_table.h"
#include "guard/sudo.h"
#include "guard/words.h"
#include "term/escape.h"

/* A plan's command has at most 16 KiB; what is longer nobody reads. */
#define LINE_MAX_BYTES (64 * 1024)

#define ARGS_MAX 256 /* of one command; a person does not review more */

/* One simple command as it is read. */
struct call {
    const char *argv[ARGS_MAX];
    size_t n;
    bool writes; /* it has its one redirection to a file */
};

struct judge {
    const struct words *w;
    const char *line, *cwd;
    struct call call;
    struct guard_finding *out;
};

/* How each expansion is named in a reason. */
static const struct {
    unsigned flag;
    const char *what;
} expansions[] = {
    {WORD_COMMAND, "uses $(…)"},
    {WORD_PROCESS, "uses <(…) or >(…)"},
    {WORD_ARITH, "uses $((…))"},
    {WORD_VARIABLE, "uses a variable"},
    {WORD_GLOB, "uses a pattern of file names"},
    {WORD_BRACE, "uses {…}"},
    {WORD_TILDE, "uses ~"},
    {WORD_ANSI, "uses $'…'"},
};

static bool
is_plain_word(const struct judge *j, const struct word *w)
{
    for (size_t i = 0; i < sizeof(expansions) / sizeof(expansions[0]); i++)
        if (w->flags & expansions[i].flag)
            return plain_ask(j->out, "%s: %.*s", expansions[i].what,
                             (int)(w->to - w->from), j->line + w->from);
    return true;
}

/* A word of the command that is being read. */
static bool
take_word(struct judge *j, const struct word *w)
{
    struct call *c = &j->call;

    if (c->n == 0 && w->flags & WORD_ASSIGN)
        return plain_ask(j->out, "sets a variable: %s", w->text);
    if (!is_plain_word(j, w))
        return false;
    if (c->n == ARGS_MAX)
        return plain_ask(j->out, "has over %d arguments", ARGS_MAX);
    c->argv[c->n++] = w->text;
    return true;
}

/* >&1, 2>&1: one of the three streams onto another. */
static bool
is_stream_copy(const struct word *op, const char *target)
{
    return strcmp(op->text, ">&") == 0 && op->fd <= 2 &&
           (strcmp(target, "1") == 0 || strcmp(target, "2") == 0);
}

static bool
take_output(struct judge *j, const struct word *op, const char *target)
{
    bool append = strstr(op->text, ">>") != NULL;

    if (strcmp(target, "/dev/null") == 0)
        return true;
    if (j->call.writes)
        return plain_ask(j->out, "writes to more than one file");
    j->call.writes = true;
    return plain_may_write(target, j->cwd, append, j->out);
}

static bool
take_redirect(struct judge *j, const struct word *op, const struct word *to)
{
    if (op->fd == WORD_FD_NAMED || op->fd > 2)
        return plain_ask(j->out, "opens another descriptor: %s", to->text);
    if (!is_plain_word(j, to))
        return false;
    if (strncmp(op->text, "<<", 2) == 0)
        return true; /* text; a body comes as a word of its own */
    if (strcmp(op->text, "<") == 0)
        return plain_may_read(to->text, j->cwd, j->out);
    if (strcmp(op->text, "<>") == 0 || strcmp(op->text, "<&") == 0)
        return plain_ask(j->out, "uses the redirection %s", op->text);
    if (strcmp(op->text, ">&") == 0 && strspn(to->text, "0123456789-") > 0)
        return is_stream_copy(op, to->text) ||
               plain_ask(j->out, "uses the redirection >&%s", to->text);
    return take_output(j, op, to->text);
}

/* The end of a command: what was gathered is judged. */
static bool
take_call(struct judge *j)
{
    struct call *c = &j->call;
    bool ok = true;

    if (c->n > 0)
        ok = plain_may_call(c->argv, c->n, j->cwd, j->out);
    else if (c->writes)
        ok = plain_ask(j->out, "only makes a file");
    c->n = 0;
    c->writes = false;
    return ok;
}

static bool
take_operator(struct judge *j, const struct word *w)
{
    static const char *const joins[] = {"|", "&&", "||", ";", "\n"};

    for (size_t i = 0; i < sizeof(joins) / sizeof(joins[0]); i++)
        if (word_is_op(w, joins[i]))
            return take_call(j);
    return plain_ask(j->out, "uses %s", w->text);
}

static bool
judge_words(struct judge *j)
{
    bool ok = true;

    for (size_t i = 0; ok && i < j->w->n; i++) {
        const struct word *w = &j->w->v[i];

        switch (w->kind) {
        case WORD_PLAIN:
            ok = take_word(j, w);
            break;
        case WORD_OPERATOR:
            ok = take_operator(j, w);
            break;
        case WORD_REDIRECT: /* its target follows: else there is a fault */
            ok = take_redirect(j, w, w + 1);
            break;
        case WORD_HEREDOC:
            ok = is_plain_word(j, w);
            break;
        case WORD_TARGET:
        case WORD_COMMENT:
            break;
        }
    }
    return ok && take_call(j);
}

/* What differs between what is shown and what runs is never plain. */
static bool
is_clean(const char *line, size_t n, struct guard_finding *out)
{
    CLEANUP_BUF struct buf seen = buf_of(64);
    size_t i = 0;

    if (escape_is_clean(line, n))
        return true;
    while (i < n) {
        uint32_t cp = 0;
        size_t len = utf8_decode(line + i, n - i, &cp);

        if (len == 0 ||
            (escape_is_hidden(cp) && line[i] != '\n' && line[i] != '\t')) {
            escape_text(&seen, NULL, line + i, len ? len : 1, 0);
            break;
        }
        i += len;
    }
    return plain_ask(out, "holds what the eye does not see: %s", seen.p);
}

static bool
judge_line(const char *line, size_t n, const char *cwd,
           struct guard_finding *out)
{
    CLEANUP(words_done) struct words w = {0};
    struct judge j = {.w = &w, .line = line, .cwd = cwd, .out = out};
    struct err e;

    if (!is_clean(line, n, out))
        return false;
    if (words_split(line, n, &w, &e) < 0)
        return plain_ask(out, "%s", e.text);
    if (w.fault)
        return plain_ask(out, "has %s", w.fault);
    if (!cwd)
        return plain_ask(out, "the working directory is not known");
    return judge_words(&j);
}

void
plain_judge(const char *command, const char *cwd, struct guard_finding *out)
{
    size_t n = strlen(command);

    *out = (struct guard_finding){.decision = GUARD_ALLOW};
    if (n > LINE_MAX_BYTES) {
        plain_ask(out, "is too long to be read");
        out->needs_sudo = true; /* who can tell */
        return;
    }
    judge_line(command, n, cwd, out);
    out->needs_sudo = sudo_is_called(command, n);
    if (out->needs_sudo)
        plain_ask(out, "asks for another user's rights");
}
