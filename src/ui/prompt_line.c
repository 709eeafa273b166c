/* SPDX-License-Identifier: GPL-3.0-or-later */
/* prompt_line.c - one command, or an answer, for a line that is edited. */
#include "ui/prompt_line.h"

#include <string.h>

#include "offline/engine/subcommand.h"
#include "term/escape.h"
#include "ui/prompt_insert.h"
#include "ui/user_shell.h"

#define TEXT_MAX  (1u << 20)
#define SHOWN_MAX (4u << 20)
/* Aliases in one another; a shell stops at the first repeated one. */
#define ALIASES_MAX 16

/* The text of an alias, n bytes; NULL: there is none of that name. */
static const char *
find_alias(const char *aliases, const char *name, size_t len, size_t *n)
{
    for (const char *p = aliases; p && *p; p += strcspn(p, "\n")) {
        p += *p == '\n';
        if (strncmp(p, name, len) == 0 && p[len] == '=') {
            *n = strcspn(p + len + 1, "\n");
            return p + len + 1;
        }
    }
    return NULL;
}

int
prompt_line_expand(const char *words, const char *aliases, struct buf *out,
                   struct err *e)
{
    CLEANUP_BUF struct buf now = buf_of(TEXT_MAX);
    const char *taken[ALIASES_MAX];
    size_t n_taken = 0;

    buf_str(&now, words);
    while (n_taken < ALIASES_MAX && !now.bad) {
        CLEANUP_BUF struct buf next = buf_of(TEXT_MAX);
        size_t n = 0, len = strcspn(now.p, " \t");
        const char *text = len ? find_alias(aliases, now.p, len, &n) : NULL;
        bool again = false;

        for (size_t i = 0; i < n_taken; i++)
            again = again || taken[i] == text;
        if (!text || again)
            break;
        taken[n_taken++] = text;
        buf_add(&next, text, n);
        buf_str(&next, now.p + len);
        buf_clear(&now);
        buf_str(&now, next.p);
        now.bad = now.bad || next.bad;
    }
    if (buf_ok(&now, "the line", e) < 0)
        return -1;
    buf_str(out, now.p);
    return buf_ok(out, "the line", e);
}

/* Joins what stands on several lines only for the reader. No command of a step
 * has a newline itself. */
static void
join_lines(const char *text, struct buf *out)
{
    static const char and[] = " &&\n";

    for (const char *p = text; *p; p++) {
        if (strncmp(p, and, sizeof(and) - 1) == 0) {
            buf_str(out, " && ");
            p += sizeof(and) - 2;
        } else if (*p != '\n' || p[1] != ')') {
            buf_ch(out, *p);
        }
    }
}

static int
put_as_one_line(const struct aiaction *action, const struct plan *plan,
                struct buf *out, struct err *e)
{
    CLEANUP_BUF struct buf text = buf_of(USER_SHELL_MAX);

    for (size_t i = 0; i < action->n; i++) {
        if (strchr(action->steps[i].command, '\n'))
            return err_set(e, ERR_ANSWER,
                           "the command has several lines: the words go to "
                           "ai run");
        if (action->steps[i].tool)
            return err_set(e, ERR_ANSWER,
                           "a tool would do that, and no command: the words "
                           "go to ai do");
    }
    user_shell_text(action, plan, &text);
    if (buf_ok(&text, "the command", e) < 0)
        return -1;
    join_lines(text.p, out);
    if (buf_ok(out, "the command", e) < 0)
        return -1;
    if (strpbrk(out->p, "\n\t"))
        return err_set(e, ERR_ANSWER, "the command has several lines");
    if (prompt_insert_check(out->p, out->len, e) < 0) {
        e->code = ERR_ANSWER;
        return err_wrap(e, "the command");
    }
    return 0;
}

/* Appends in one line why the step is dangerous; nothing where it is not. */
static void
put_danger(struct buf *out, const struct step_verdict *v)
{
    const char *what = v->destructive  ? "destructive"
                       : v->privileged ? "as root"
                                       : NULL;

    if (!what)
        return;
    buf_printf(out, "%s%s%s", what, v->reason[0] ? ": " : "", v->reason);
}

int
prompt_line_print(struct app *a, const struct aiaction *action,
                  const struct plan *plan, struct err *e)
{
    CLEANUP_BUF struct buf line = buf_of(USER_SHELL_MAX);

    for (size_t i = 0; i < action->n; i++) {
        const struct step_verdict *v = plan_step_verdict(plan, i);

        if (v->decision == GUARD_DENY)
            return err_set(e, ERR_DENIED, "denied: %.200s", v->reason);
    }
    if (put_as_one_line(action, plan, &line, e) < 0)
        return -1;
    buf_ch(&line, '\n');
    app_put_result(a, &line);
    for (size_t i = 0; i < action->n; i++) {
        CLEANUP_BUF struct buf why = buf_of(TEXT_MAX);

        put_danger(&why, plan_step_verdict(plan, i));
        if (why.len > 0)
            app_print(a, why.p);
    }
    return 0;
}

/* Markdown, in which nothing is hidden. */
static void
print_words(struct app *a, const char *words)
{
    CLEANUP_BUF struct buf out = buf_of(SHOWN_MAX);
    size_t n = strlen(words);

    escape_str(&out, NULL, words, ESCAPE_PROSE);
    if (n == 0 || words[n - 1] != '\n')
        buf_ch(&out, '\n');
    app_put_result(a, &out);
}

int
prompt_line_answer(struct app *a, const struct proposal *p,
                   enum aiaction_mode mode)
{
    CLEANUP_BUF struct buf why = buf_of(TEXT_MAX);
    const char *first = aiaction_shown(p->action);

    if (mode == AIACTION_EXPLAIN) {
        print_words(a, first);
        return 0;
    }
    if (p->n_choices > 0) {
        buf_printf(&why, "no command is certain; the nearest: %s",
                   p->choices[0].command);
    } else {
        first += strspn(first, " \n");
        buf_str(&why, "no command: ");
        buf_add(&why, first, strcspn(first, "\n"));
    }
    app_print(a, why.p);
    return err_exit_status(ERR_ANSWER);
}

bool
prompt_line_mend(struct app *a, const char *words)
{
    CLEANUP_BUF struct buf line = buf_of(TEXT_MAX);

    if (!subcommand_mend(a->seat, words, &line) ||
        prompt_insert_check(line.p, line.len, NULL) < 0)
        return false;
    buf_ch(&line, '\n');
    app_put_result(a, &line);
    return true;
}
