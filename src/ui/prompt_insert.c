/* SPDX-License-Identifier: GPL-3.0-or-later */
/* prompt_insert.c - puts a command on the user's next prompt, not yet entered.
 */
#include "ui/prompt_insert.h"

#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fd.h"
#include "base/file.h"
#include "term/escape.h"
#include "ui/session_file.h"

#define WRITE_MS 1000

/* Length of the quoted part that begins at p; 0: none does. */
static size_t
quoted_size(const char *p)
{
    const char *end = *p == '\'' ? strchr(p + 1, '\'') : NULL;

    return end ? (size_t)(end - p) + 1 : *p == '\\' && p[1] ? 2 : 0;
}

/* Whether the history expansion of bash or zsh would change the line: at `!`,
 * unless a blank, `=` or the end follows, and at `^` in front. '…' and a
 * backslash prevent it; they are trusted only where it is certain what they
 * quote: on one line without "…", comments, $'…' and the like. */
static bool
has_history_expansion(const char *text)
{
    bool plain = !strpbrk(text, "\n\"#`$") && !strstr(text, "<<");

    for (const char *p = text; *p; p++) {
        size_t quoted = plain ? quoted_size(p) : 0;

        if (quoted > 0)
            p += quoted - 1;
        else if (*p == '!' && p[1] && !strchr(" \t\n=", p[1]))
            return true;
        else if (*p == '^' && (p == text || p[-1] == '\n'))
            return true;
    }
    return false;
}

/* A NUL follows the text. */
int
prompt_insert_check(const char *text, size_t n, struct err *e)
{
    if (n == 0 || n > PROMPT_INSERT_MAX)
        return err_set(e, ERR_INVALID, "the command is longer than %u bytes",
                       PROMPT_INSERT_MAX);
    if (!escape_is_clean(text, n))
        return err_set(e, ERR_INVALID, "contains invisible characters");
    if (has_history_expansion(text))
        return err_set(
            e, ERR_INVALID,
            "the shell's history expansion would change it (! or ^)");
    return 0;
}

int
prompt_insert_put(const struct seat *s, const char *text, size_t n,
                  struct err *e)
{
    CLEANUP(fd_close_p) int fd = -1;
    size_t size;

    if (prompt_insert_check(text, n, e) < 0 ||
        (fd = session_file_write(s, SHELL_FILE_INSERT, &size, e)) < 0)
        return -1;
    if (size > 0)
        return err_set(e, ERR_INVALID, "another command waits for the prompt");
    if (fd_write_all(fd, text, n, WRITE_MS, e) == 0)
        return 0;
    (void)!ftruncate(fd, 0); /* a part of the text would be another command */
    return -1;
}

int
prompt_insert_open(const struct seat *s, const char *session, struct err *e)
{
    return session_file_create(s, SHELL_FILE_INSERT, session, e);
}

void
prompt_insert_read(const struct seat *s, const char *session, struct buf *out)
{
    CLEANUP_BUF struct buf text = buf_of(PROMPT_INSERT_MAX);
    size_t size;
    CLEANUP(fd_close_p)
    int fd = session_file_read(s, SHELL_FILE_INSERT, session, &size);

    if (fd < 0 || size == 0)
        return;
    if (file_read_fd(fd, &text, NULL) == 0 &&
        prompt_insert_check(text.p, text.len, NULL) == 0)
        buf_add(out, text.p, text.len);
    (void)!ftruncate(fd, 0);
}

void
prompt_insert_remove(const struct seat *s, const char *session)
{
    shell_file_remove(s, SHELL_FILE_INSERT, session);
}
