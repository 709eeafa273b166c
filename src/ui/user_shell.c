/* SPDX-License-Identifier: GPL-3.0-or-later */
/* user_shell.c - writes a plan as a command for the user's own shell. */
#include "ui/user_shell.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/shell_quote.h"
#include "base/str.h"
#include "term/clipboard.h"
#include "term/escape.h"
#include "ui/app.h"
#include "ui/prompt_insert.h"
#include "ui/shell_change.h"

/* Whether it is a builtin whose whole effect is in the shell that runs it. */
static bool
changes_shell(const char *name)
{
    static const char *const names[] = {
        ".",      "alias",  "bg",      "bind",    "cd",    "declare", "dirs",
        "export", "fg",     "hash",    "history", "popd",  "pushd",   "set",
        "shopt",  "source", "typeset", "ulimit",  "umask", "unalias", "unset",
    };

    return STR_IN(name, names);
}

/* Whether it is a builtin that is not a program too, which sudo could run. */
static bool
is_shell_builtin(const char *name)
{
    static const char *const names[] = {
        ":",         "break",    "builtin",  "caller", "command", "compgen",
        "complete",  "compopt",  "continue", "coproc", "disown",  "enable",
        "eval",      "exec",     "exit",     "fc",     "getopts", "help",
        "jobs",      "let",      "local",    "logout", "mapfile", "read",
        "readarray", "readonly", "return",   "shift",  "suspend", "times",
        "trap",      "type",     "wait",
    };

    return changes_shell(name) || STR_IN(name, names);
}

/* Whether `sudo COMMAND` runs the whole command as root. */
static bool
is_one_program(const struct syntax *s)
{
    const struct syntax_node *top = s->top;
    const struct syntax_word *name = top ? top->words : NULL;

    if (s->fault || s->comments || !name || top->kind != SYNTAX_CALL ||
        top->join != SYNTAX_NONE || top->negated || top->timed ||
        top->assigns || top->redirects || top->after)
        return false;
    return syntax_word_is_literal(name) && !(name->flags & SYNTAX_QUOTED) &&
           name->text[0] != '-' && !strchr(name->text, '=') &&
           !is_shell_builtin(name->text);
}

bool
user_shell_sudo(struct buf *out, const struct seat *seat, const char *command,
                const struct syntax *s)
{
    const char *home = seat_variable(seat, "HOME");

    if (is_one_program(s)) {
        buf_printf(out, "sudo %s", command);
        return false;
    }
    buf_str(out, "sudo -- ");
    if (home && (strchr(command, '~') || strstr(command, "HOME"))) {
        CLEANUP_BUF struct buf b = buf_of(USER_SHELL_MAX);

        buf_printf(&b, "HOME=%s", home);
        buf_str(out, "env ");
        shell_quote_word(out, b.p);
        buf_ch(out, ' ');
    }
    buf_str(out, "bash -c ");
    shell_quote_word(out, command);
    return true;
}

/* The builtin at the end of the line that changes the shell, or NULL. Only the
 * last call decides: `cd x && make` is an ordinary step. */
static const char *
last_change(const struct risk *r)
{
    const struct risk_call *last = NULL;

    for (size_t i = 0; i < r->n_calls; i++) {
        if (!last || r->calls[i].from >= last->from)
            last = &r->calls[i];
    }
    return last && !last->wrapper[0] && changes_shell(last->name) ? last->name
                                                                  : NULL;
}

bool
user_shell_is_needed(const struct aiaction *a, const struct plan *p,
                     char why[256])
{
    bool possible = shell_change_is_possible(plan_seat(p));

    for (size_t i = 0; i < a->n; i++) {
        const struct step_verdict *v = plan_step_verdict(p, i);
        const char *change = last_change(&v->found.risk);

        if (v->decision == GUARD_DENY || v->hosts)
            continue;
        if (v->needs_sudo)
            snprintf(why, 256, "step %zu needs sudo: run it yourself", i + 1);
        else if (v->terminal)
            snprintf(why, 256,
                     "step %zu needs a terminal, which a step does not have",
                     i + 1);
        else if (change && !v->tool &&
                 (!possible || !shell_change_of(&a->steps[i], v, NULL, NULL)))
            snprintf(
                why, 256,
                "step %zu: %s affects only the shell that runs it, not yours",
                i + 1, change);
        else
            continue;
        return true;
    }
    return false;
}

/* Whether `x && COMMAND && y` runs COMMAND as a whole between the others. */
static bool
is_joinable(const char *command)
{
    size_t n = strlen(command);

    return !strpbrk(command, ";&#\n") && !strstr(command, "||") &&
           !strstr(command, "<<") && n > 0 && command[n - 1] != '\\';
}

/* Appends the command without the newlines at its end. */
static void
put_step_command(const struct seat *seat, const struct step *s,
                 const struct step_verdict *v, bool joined, struct buf *out)
{
    CLEANUP_BUF struct buf command = buf_of(USER_SHELL_MAX);
    size_t n = strlen(s->command);

    while (n > 0 && s->command[n - 1] == '\n')
        n--;
    buf_add(&command, s->command, n);
    if (command.bad)
        out->bad = true;
    else if (v->needs_sudo && !v->calls_sudo)
        user_shell_sudo(out, seat, command.p, &v->found.syntax);
    else if (joined && !is_joinable(command.p))
        buf_printf(out, "{\n%s\n}", command.p);
    else
        buf_str(out, command.p);
}

/* Appends the command in its directory: in a subshell, unless it is meant to
 * change the shell. */
static void
put_step_in_directory(const struct seat *seat, const struct step *s,
                      const struct step_verdict *v, bool joined, bool stays,
                      struct buf *out)
{
    buf_str(out, stays ? "cd -- " : "(cd -- ");
    shell_quote_word(out, v->directory);
    buf_str(out, " &&\n");
    put_step_command(seat, s, v, joined || !is_joinable(s->command), out);
    if (!stays)
        buf_str(out, "\n)");
}

void
user_shell_text(const struct aiaction *a, const struct plan *p, struct buf *out)
{
    bool moved = false; /* an earlier step has changed the directory */

    for (size_t i = 0; i < a->n; i++) {
        const struct step *s = &a->steps[i];
        const struct step_verdict *v = plan_step_verdict(p, i);
        bool stays = last_change(&v->found.risk) && !v->needs_sudo;

        if (i > 0)
            buf_str(out, " &&\n");
        if (moved || (s->directory && s->directory[0])) {
            put_step_in_directory(plan_seat(p), s, v, a->n > 1, stays, out);
            moved |= stays;
        } else {
            put_step_command(plan_seat(p), s, v, a->n > 1, out);
        }
    }
}

/* Prints the command, every byte of it visible. */
static void
print_alone(struct app *a, const struct buf *text)
{
    const struct term *t = a->output == OUTPUT_TEXT ? &a->result : &a->screen;
    CLEANUP_BUF struct buf b = buf_of(4 * USER_SHELL_MAX);
    struct err e = {0};

    escape_text(&b, t, text->p, text->len, 0);
    buf_ch(&b, '\n');
    if (buf_ok(&b, "the command", &e) < 0) {
        app_print_err(a, &e);
        return;
    }
    if (a->output == OUTPUT_TEXT)
        app_put_result(a, &b);
    else
        (void)term_put(&a->screen, &b, NULL);
}

void
user_shell_insert(struct app *a, const struct buf *text)
{
    enum clipboard_result end;
    struct err e = {0};

    if (buf_ok(text, "the command", &e) < 0) {
        app_print_err(a, &e); /* a part of it would be another command */
        return;
    }
    if (!a->screen.moves)
        err_set(&e, ERR_UNSUPPORTED, "this terminal cannot do it");
    else if (prompt_insert_put(a->seat, text->p, text->len, &e) == 0)
        return;
    app_note(a, "not on your prompt: %s", e.text);
    if (clipboard_copy(&a->screen, text->p, text->len, &end, &e) == 0)
        app_note(a, "%s", clipboard_result_text(end));
    print_alone(a, text);
}
