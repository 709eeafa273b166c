/* SPDX-License-Identifier: GPL-3.0-or-later */
/* api_key.c - finds the API key of a provider. */
#include "model/api_key.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/path.h"
#include "base/proc.h"

#define KEY_MAX 8192u /* far longer than any provider's key */
/* A password manager may ask for a passphrase or a fingerprint. */
#define COMMAND_LIMIT_MS 60000

void
api_key_free(char *key)
{
    if (!key)
        return;
    explicit_bzero(key, strlen(key));
    free(key);
}

/* The name of the variable that holds a key of the provider, or NULL. */
static const char *
key_variable(const struct provider *p)
{
    for (size_t i = 0; i < 2 && p->key_vars[i]; i++) {
        const char *key = getenv(p->key_vars[i]);

        if (key && *key)
            return p->key_vars[i];
    }
    return NULL;
}

const char *
api_key_in_environment(const struct provider *p)
{
    const char *name = key_variable(p);

    return name ? getenv(name) : NULL;
}

/* Copies the first line without the blanks around it. The key becomes part of a
 * header, so it may hold printable ASCII alone. */
static int
parse_key(const char *text, const char *where, char **key, struct err *e)
{
    size_t n;

    text += strspn(text, " \t\r\n");
    n = strcspn(text, "\r\n");
    while (n > 0 && (text[n - 1] == ' ' || text[n - 1] == '\t'))
        n--;
    if (n == 0)
        return err_set(e, ERR_CONFIG, "%s contains no key", where);
    for (size_t i = 0; i < n; i++) {
        if (text[i] <= ' ' || text[i] > '~')
            return err_set(e, ERR_CONFIG,
                           "%s contains characters that are invalid in a key",
                           where);
    }
    *key = strndup(text, n);
    return *key ? 0 : err_sys(e, "key");
}

static int
read_key_file(const char *path, struct buf *out, struct err *e)
{
    /* O_NONBLOCK: a FIFO without a writer must not block */
    CLEANUP(fd_close_p)
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    struct stat st;

    if (fd < 0 || fstat(fd, &st) < 0)
        return err_sys(e, "api_key_file %s", path);
    if (!S_ISREG(st.st_mode))
        return err_set(e, ERR_CONFIG, "api_key_file %s is not a regular file",
                       path);
    if ((st.st_mode & 07177) || (st.st_uid != geteuid() && st.st_uid != 0))
        return err_set(e, ERR_CONFIG,
                       "api_key_file %s is readable by others. To do: chmod "
                       "600 it, and own it",
                       path);
    return file_read_fd(fd, out, e);
}

/* Whether anything but blanks follows the first line: as the manual says, the
 * file has the key and nothing else. */
static bool
has_more_lines(const struct buf *b)
{
    const char *s = b->p + strspn(b->p, " \t\r\n");

    s += strcspn(s, "\r\n");
    s += strspn(s, " \t\r\n");
    return s != b->p + b->len;
}

static int
read_from_file(const char *name, char **key, struct err *e)
{
    CLEANUP_BUF struct buf b = buf_of_secret(KEY_MAX);
    CLEANUP(free_p) char *path = path_expand_home(name);

    if (!path)
        return err_sys(e, "api_key_file");
    if (read_key_file(path, &b, e) == 0) {
        if (has_more_lines(&b))
            return err_set(e, ERR_CONFIG, "%s contains more than a key", path);
        return parse_key(b.p, path, key, e);
    }
    if (e && e->code != ERR_CONFIG)
        e->code = ERR_CONFIG;
    return -1;
}

static int
read_from_command(const char *command, char **key, struct err *e)
{
    CLEANUP_BUF struct buf b = buf_of_secret(KEY_MAX);
    const char *const argv[] = {"/bin/sh", "-c", command, NULL};
    /* on our terminal, where it may ask for a password */
    struct proc_spec spec = {.argv = argv,
                             .fds = {PROC_INHERIT, PROC_PIPE, PROC_INHERIT},
                             .pass_fd = -1,
                             .adopt = true,
                             .foreground = true};
    int status, rc;

    rc = proc_output(&spec, COMMAND_LIMIT_MS, &b, &status, e);
    if (rc < 0) {
        err_wrap(e, "api_key_command");
        if (e && e->code != ERR_TIMEOUT && e->code != ERR_INTERRUPTED)
            e->code = ERR_MODEL;
    } else if (status != 0) {
        rc = err_set(e, ERR_MODEL,
                     "api_key_command ended with status %d: no key. To do: "
                     "fix it, or use --offline",
                     status);
    } else {
        rc = parse_key(b.p, "the output of api_key_command", key, e);
    }
    return rc;
}

int
api_key_find(const struct config *c, const struct provider *p, bool configured,
             char **key, const char **name, struct err *e)
{
    const char *variable = key_variable(p);
    const char *command = config_text(c, CONFIG_MODEL_API_KEY_COMMAND);
    const char *file = config_text(c, CONFIG_MODEL_API_KEY_FILE);

    *key = NULL;
    *name = variable                ? variable
            : configured && command ? "api_key_command"
            : configured && file    ? "api_key_file"
                                    : NULL;
    if (variable)
        return parse_key(getenv(variable), variable, key, e);
    if (configured && command)
        return read_from_command(command, key, e);
    return configured && file ? read_from_file(file, key, e) : 0;
}
