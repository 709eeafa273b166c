/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shell_change.c - carries what a plan did back to the user's shell. */
#include "ui/shell_change.h"

#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/ascii.h"
#include "base/cleanup.h"
#include "base/fd.h"
#include "base/file.h"
#include "base/path.h"
#include "base/shell_quote.h"
#include "term/escape.h"
#include "ui/session_file.h"

#define WRITE_MS 1000
#define WORD_MAX (32u << 10)

/* Characters by which an unquoted value would become other words. */
#define SPLITS " \t\n*?[\\"

bool
shell_change_is_possible(const struct seat *s)
{
    size_t size;
    CLEANUP(fd_close_p)
    int fd = session_file_write(s, SHELL_FILE_CHANGE, &size, NULL);

    return fd >= 0;
}

static bool
is_shell_name(const char *s, size_t n)
{
    if (n == 0 || ascii_is_digit(*s))
        return false;
    for (size_t i = 0; i < n; i++) {
        if (!ascii_is_alnum(s[i]) && s[i] != '_')
            return false;
    }
    return true;
}

/* A variable of ours or of the hook is not for a plan to set. Nor are those of
 * the shell itself that no program needs: IFS changes what lines mean, and a
 * prompt is expanded, its substitutions too, as often as it is shown. */
static bool
is_change_variable(const char *text)
{
    static const char *const names[] = {
        "IFS=",     "PS0=",    "PS1=",     "PS2=",     "PS3=",
        "PS4=",     "PROMPT=", "RPROMPT=", "RPS1=",    "RPS2=",
        "SPROMPT=", "PROMPT_", "AGENTSH",  "__agentsh"};
    const char *eq = strchr(text, '=');

    if (!eq || !is_shell_name(text, (size_t)(eq - text)))
        return false;
    for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
        if (strncmp(text, names[i], strlen(names[i])) == 0)
            return false;
    }
    return true;
}

/* Appends what a part of a word becomes, if it is known. assigned: a value
 * that is not split. */
static bool
put_part(const struct seat *s, const struct syntax_part *p, bool assigned,
         struct buf *out)
{
    const char *value = NULL;

    if (p->kind == SYNTAX_TEXT) {
        /* the shell would expand ~ there too */
        if (assigned && !p->quoted &&
            (strstr(p->text, "=~") || strstr(p->text, ":~")))
            return false;
        buf_str(out, p->text);
        return true;
    }
    if (p->kind == SYNTAX_TILDE && strcmp(p->text, "~") == 0)
        value = seat_home(s);
    else if (p->kind == SYNTAX_PARAMETER && !p->op[0] && !p->kids &&
             is_shell_name(p->text, strlen(p->text)))
        value = seat_variable(s, p->text);
    if (!value || (!p->quoted && !assigned && strpbrk(value, SPLITS)))
        return false;
    buf_str(out, value);
    return true;
}

static bool
put_word(const struct seat *s, const struct syntax_word *w, bool assigned,
         struct buf *out)
{
    for (const struct syntax_part *p = w->parts; p; p = p->next) {
        if (!put_part(s, p, assigned, out))
            return false;
    }
    return !out->bad && escape_is_clean(out->p, out->len);
}

static void
put_record(struct buf *out, enum shell_change_kind kind, const char *text)
{
    if (!out)
        return;
    buf_ch(out, (char)kind);
    buf_str(out, text);
    buf_ch(out, '\0');
}

static void
put_change_text(struct buf *out, const char *command, const char *word)
{
    if (!out)
        return;
    buf_printf(out, "%s%s ", out->len ? "; " : "", command);
    shell_quote_word(out, word);
}

static bool
read_cd(const struct step_verdict *v, const struct syntax_word *w,
        struct buf *records, struct buf *text)
{
    CLEANUP_BUF struct buf to = buf_of(WORD_MAX);
    CLEANUP(free_p) char *path = NULL;

    if (w && strcmp(w->text, "--") == 0)
        w = w->next;
    if (!w)
        buf_str(&to, seat_home(v->seat) ? seat_home(v->seat) : "");
    else if (w->next || !put_word(v->seat, w, false, &to))
        return false;
    if (to.len == 0 || to.p[0] == '-')
        return false;
    path = path_join(to.p[0] == '/' ? "/" : v->directory, to.p);
    if (!path)
        return false;
    put_record(records, SHELL_CHANGE_DIRECTORY, to.p[0] == '/' ? to.p : path);
    put_change_text(text, "cd", to.p);
    return true;
}

static bool
read_export(const struct step_verdict *v, const struct syntax_word *w,
            struct buf *records, struct buf *text)
{
    if (!w)
        return false;
    for (; w; w = w->next) {
        CLEANUP_BUF struct buf value = buf_of(WORD_MAX);

        if (!put_word(v->seat, w, true, &value) || !is_change_variable(value.p))
            return false;
        put_record(records, SHELL_CHANGE_VARIABLE, value.p);
        put_change_text(text, "export", value.p);
    }
    return true;
}

bool
shell_change_of(const struct step *step, const struct step_verdict *v,
                struct buf *records, struct buf *text)
{
    const struct syntax *s = &v->found.syntax;
    const struct syntax_node *top = s->top;
    const struct syntax_word *name = top ? top->words : NULL;

    if (step->tool || v->hosts || s->fault || !name ||
        top->kind != SYNTAX_CALL || top->join != SYNTAX_NONE || top->negated ||
        top->timed || top->assigns || top->redirects || top->after ||
        !syntax_word_is_literal(name))
        return false;
    if (strcmp(name->text, "cd") == 0)
        return read_cd(v, name->next, records, text);
    return strcmp(name->text, "export") == 0 &&
           read_export(v, name->next, records, text);
}

/* The command as it would be typed again: in the step's directory. */
static void
put_history_line(const struct seat *s, const struct step *step,
                 const struct step_verdict *v, struct buf *out)
{
    size_t n = strlen(step->command);
    CLEANUP_BUF struct buf line = buf_of(SHELL_CHANGE_MAX);

    while (n > 0 && step->command[n - 1] == '\n')
        n--;
    if (strcmp(v->directory, seat_dir(s)) != 0) {
        /* a comment or a here-document ends at a line's end */
        const char *end = strpbrk(step->command, "#\n") ? "\n)" : ")";

        buf_str(&line, "(cd -- ");
        shell_quote_word(&line, v->directory);
        buf_printf(&line, " && %.*s%s", (int)n, step->command, end);
    } else {
        buf_add(&line, step->command, n);
    }
    if (!line.bad && escape_is_clean(line.p, line.len))
        put_record(out, SHELL_CHANGE_LINE, line.p);
}

int
shell_change_put(const struct seat *s, const struct step *step,
                 const struct step_verdict *v, bool success, struct err *e)
{
    CLEANUP_BUF struct buf records = buf_of(SHELL_CHANGE_MAX);
    size_t size;
    CLEANUP(fd_close_p)
    int fd = session_file_write(s, SHELL_FILE_CHANGE, &size, NULL);

    if (fd < 0 || step->tool || v->hosts)
        return 0;
    put_history_line(s, step, v, &records);
    if (success)
        (void)shell_change_of(step, v, &records, NULL);
    put_record(&records, SHELL_CHANGE_END, "");
    if (records.bad || size + records.len > SHELL_CHANGE_MAX)
        return err_set(e, ERR_INVALID, "it is longer than %u bytes",
                       SHELL_CHANGE_MAX);
    if (fd_write_all(fd, records.p, records.len, WRITE_MS, e) == 0)
        return 0;
    (void)!ftruncate(fd, (off_t)size);
    return -1;
}

int
shell_change_open(const struct seat *s, const char *session, struct err *e)
{
    return session_file_create(s, SHELL_FILE_CHANGE, session, e);
}

static bool
is_record(enum shell_change_kind kind, const char *text)
{
    switch (kind) {
    case SHELL_CHANGE_LINE:
        return *text != '\0';
    case SHELL_CHANGE_DIRECTORY:
        return *text == '/';
    case SHELL_CHANGE_VARIABLE:
        return is_change_variable(text);
    case SHELL_CHANGE_END:
        return false;
    }
    return false;
}

static bool
is_whole(const struct buf *all)
{
    static const char end[] = {'\0', SHELL_CHANGE_END, '\0'};

    return all->len > sizeof(end) &&
           memcmp(all->p + all->len - sizeof(end), end, sizeof(end)) == 0;
}

void
shell_change_read(const struct seat *s, const char *session,
                  void (*each)(void *arg, enum shell_change_kind kind,
                               const char *text),
                  void *arg)
{
    CLEANUP_BUF struct buf all = buf_of(SHELL_CHANGE_MAX);
    size_t size;
    CLEANUP(fd_close_p)
    int fd = session_file_read(s, SHELL_FILE_CHANGE, session, &size);

    if (fd < 0 || size == 0)
        return;
    if (file_read_fd(fd, &all, NULL) == 0 && is_whole(&all)) {
        for (size_t at = 0; at < all.len; at += strlen(all.p + at) + 1) {
            const char *record = all.p + at;
            enum shell_change_kind kind = (unsigned char)*record;

            if (*record && escape_is_clean(record, strlen(record)) &&
                is_record(kind, record + 1))
                each(arg, kind, record + 1);
        }
    }
    (void)!ftruncate(fd, 0);
}

void
shell_change_remove(const struct seat *s, const char *session)
{
    shell_file_remove(s, SHELL_FILE_CHANGE, session);
}
