/* SPDX-License-Identifier: GPL-3.0-or-later */
/* server_token.c - reads the file with the token, and compares tokens. */
#include "server/server_token.h"

#include <limits.h>
#include <string.h>
#include <sys/prctl.h>

#include "base/ascii.h"
#include "base/file.h"
#include "base/owner.h"
#include "base/percent.h"

/* The length of the first line, without blanks at its end. */
static size_t
first_line_length(const char *text)
{
    size_t n = strcspn(text, "\r\n");

    while (n > 0 && ascii_is_blank(text[n - 1]))
        n--;
    return n;
}

/* Whether a header can carry it: RFC 9110, 5.5. */
static bool
is_token_text(const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if ((unsigned char)text[i] < ' ' || text[i] == 127)
            return false;
    return true;
}

/* Whoever can put another file in its place can choose the token; so can the
 * owner of a symbolic link, which may lie where all can make one. */
static int
read_token_file(const char *path, struct buf *out, bool *seen, struct err *e)
{
    CLEANUP(fd_close_p) int fd = -1;

    if (!*path)
        return err_set(e, ERR_USAGE,
                       "its name is empty. To do: name a file with a long "
                       "random text, or leave the option out");
    fd = file_open_private(path, seen, e);
    if (fd < 0 || owner_check_path(path, OWNER_OURS, e) < 0 ||
        owner_check_file(fd, path, e) < 0)
        return -1;
    return file_read_fd(fd, out, e);
}

int
server_token_read(const char *path, struct buf *out, const char **seen,
                  struct err *e)
{
    bool others = false;
    size_t n;

    if (!path)
        return 0;
    if (read_token_file(path, out, &others, e) < 0) {
        e->code = ERR_USAGE;
        return err_wrap(e, "--token-file");
    }
    n = first_line_length(out->p);
    if (n == 0)
        return err_set(e, ERR_USAGE,
                       "--token-file %.100s: its first line is no token. To "
                       "do: write a long random text into it",
                       path);
    if (strlen(out->p) != out->len || !is_token_text(out->p, n))
        return err_set(e, ERR_USAGE,
                       "--token-file %.100s: it holds control characters, "
                       "which no client can send. To do: write a long random "
                       "text into it",
                       path);
    buf_cut(out, n);
    if (seen && others)
        *seen = path;
    return 0;
}

void
server_token_log_seen(const char *path,
                      void (*log)(void *arg, const char *line), void *arg)
{
    CLEANUP_BUF struct buf line = buf_of(PATH_MAX + 128);

    if (!path)
        return;
    buf_printf(&line,
               "%s: other users can read the file of the token. To do: chmod "
               "600 it",
               path);
    log(arg, line.p);
}

void
server_token_show_process(const struct buf *token)
{
    if (token->len == 0)
        (void)prctl(PR_SET_DUMPABLE, 1);
}

bool
server_token_decode(const char *text, bool form, struct buf *out)
{
    return percent_decode(text, strcspn(text, "&"), form, out);
}

bool
server_token_is(const char *token, const char *shown, size_t n)
{
    size_t len = strlen(token);
    unsigned char differs = len != n;

    for (size_t i = 0; i < n; i++)
        differs |= (unsigned char)shown[i] ^
                   (unsigned char)token[i % (len + 1)];
    return !differs;
}

int
server_token_do_without(struct listener *l, const char *address, struct err *e)
{
    if (listener_is_open(l))
        return err_set(e, ERR_DENIED,
                       "%s: other machines could reach it without a token. To "
                       "do: add --token-file, or listen at 127.0.0.1",
                       address);
    return listener_keep_to_user(l, e);
}
