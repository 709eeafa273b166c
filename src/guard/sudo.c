/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sudo.c - does a command line ask for another user's rights? */
#include "guard/sudo.h"

#include <string.h>

#include "base/path.h"
#include "guard/words.h"

/* Substitutions and shells' texts inside one another; below it the bare word
 * is enough. */
#define DEPTH_MAX 6

static const char *const privileged[] = {
    "sudo", "doas", "su", "pkexec", "sudoedit", "run0", NULL,
};

/* Their arguments are a command, after arguments of their own. */
static const char *const wrappers[] = {
    "builtin", "busybox",  "chroot",      "chrt",    "command",     "coproc",
    "env",     "exec",     "flock",       "ionice",  "ltrace",      "nice",
    "nohup",   "nsenter",  "parallel",    "prlimit", "script",      "setpriv",
    "setsid",  "ssh",      "stdbuf",      "strace",  "systemd-run", "taskset",
    "time",    "timeout",  "unbuffer",    "unshare", "watch",       "xargs",
    "entr",    "torsocks", "proxychains", NULL,
};

/* They read commands in an argument. */
static const char *const texts[] = {
    "env", "eval", "script", "ssh", "trap", "watch", NULL,
};

/* They read commands in an argument, a here-document or a pipe. */
static const char *const shells[] = {
    "sh",     "bash",  "dash", "zsh",      "ksh",     "fish",
    "ash",    "ssh",   "mksh", "parallel", "at",      "batch",
    "expect", "rbash", "su",   "rksh",     "busybox", NULL,
};

/* After these a command's name is still to come. */
static const char *const prefixes[] = {
    "if", "then", "elif", "else", "while", "until", "do", "time", NULL,
};

static const char *const finds[] = {"find", "fd", "fdfind", NULL};
static const char *const find_actions[] = {
    "-exec", "-execdir", "-ok", "-okdir", "-x", "--exec", "-X", NULL,
};

struct state {
    bool start;   /* the next word names a command */
    bool asks;    /* `command`: with -v it only says what would run */
    bool find;    /* a command follows -exec */
    bool wrapped; /* any word of this command may name one */
    bool text;    /* any word of this command may be a text of commands */
    bool shell;   /* a shell was seen: any text in the line may reach it */
};

static bool called(const char *line, size_t n, unsigned depth);

static bool
is_in(const char *const *rows, const char *word)
{
    const char *base = path_base(word);

    for (; *rows; rows++)
        if (strcmp(*rows, base) == 0)
            return true;
    return false;
}

/* Whether one of the names stands in a text as a word of its own. */
static bool
is_mentioned(const char *text, size_t n)
{
    static const char ends[] = " \t\r\n'\"`$;|&()<>{}\\/,=";
    size_t i = 0;

    while (i < n) {
        size_t from = i;

        while (i < n && text[i] && !strchr(ends, text[i]))
            i++;
        for (const char *const *p = privileged; *p; p++)
            if (strlen(*p) == i - from && !memcmp(*p, text + from, i - from))
                return true;
        i++;
    }
    return false;
}

static bool
text_calls(const char *text, unsigned depth)
{
    return called(text, strlen(text), depth + 1);
}

static void
note_shell(struct state *st, const char *word)
{
    st->text = st->text || is_in(texts, word) || is_in(shells, word);
    st->shell = st->shell || is_in(shells, word);
}

static bool
word_calls(struct state *st, const struct word *w, unsigned depth)
{
    if (!st->start) {
        if (st->wrapped && is_in(privileged, w->text))
            return true;
        if (strcmp(w->text, "-v") == 0 || strcmp(w->text, "-V") == 0)
            st->wrapped = st->wrapped && !st->asks; /* command -v sudo */
        if (st->find && is_in(find_actions, w->text))
            st->wrapped = true;
        if (st->wrapped)
            note_shell(st, w->text);
        return st->text && text_calls(w->text, depth);
    }
    if (w->flags & WORD_ASSIGN || is_in(prefixes, w->text))
        return false;
    st->start = false;
    st->wrapped = is_in(wrappers, w->text);
    st->asks = strcmp(w->text, "command") == 0;
    st->find = is_in(finds, w->text);
    note_shell(st, w->text);
    return is_in(privileged, w->text);
}

static bool
split_calls(const struct words *w, const char *line, unsigned depth)
{
    struct state st = {.start = true};

    for (size_t i = 0; i < w->n; i++) {
        const struct word *word = &w->v[i];

        if (word->kind == WORD_OPERATOR)
            st = (struct state){.start = true, .shell = st.shell};
        else if (word->kind == WORD_PLAIN && word_calls(&st, word, depth))
            return true;
    }
    for (size_t i = 0; i < w->n_parts; i++) {
        const struct word_part *p = &w->parts[i];

        if (p->flag & (WORD_COMMAND | WORD_PROCESS) &&
            called(line + p->in, p->in_to - p->in, depth + 1))
            return true;
    }
    /* echo 'sudo x' | sh, bash <<E, sh -c "$(cat <<E…)" */
    for (size_t i = 0; st.shell && i < w->n; i++)
        if (w->v[i].kind != WORD_COMMENT &&
            is_mentioned(w->v[i].text, strlen(w->v[i].text)))
            return true;
    return false;
}

static bool
called(const char *line, size_t n, unsigned depth)
{
    struct words w;
    bool found;

    if (depth > DEPTH_MAX || words_split(line, n, &w, NULL) < 0)
        return is_mentioned(line, n);
    found = split_calls(&w, line, depth);
    words_done(&w);
    return found;
}

bool
sudo_is_called(const char *line, size_t n)
{
    return called(line, n, 0);
}
