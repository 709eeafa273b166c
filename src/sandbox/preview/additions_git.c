/* SPDX-License-Identifier: GPL-3.0-or-later */
/* additions_git.c - what git believes of a repository that a step adds. */
#include "sandbox/preview/additions_git.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "guard/path/git_config.h"
#include "guard/path/git_trusted.h"
#include "sandbox/preview/beneath.h"

#define HOOKS  "hooks"
#define SAMPLE ".sample" /* git runs no hook of such a name */

const char *
additions_git_below(const char *path)
{
    static const char mark[] = GIT_DIR "/";

    for (const char *p = path; (p = strstr(p, mark)) != NULL; p++)
        if (p == path || p[-1] == '/')
            return p + strlen(mark);
    return NULL;
}

/* A new file's bytes; NULL: it is none that we could vouch for. */
static char *
read_new(const struct changes_spec *spec, const struct change *c, size_t *n)
{
    CLEANUP(fd_close_p)
    int fd = beneath_open(spec->upper, c->path, O_RDONLY | O_NONBLOCK);
    CLEANUP(free_p) char *text = NULL;
    struct stat st;
    ssize_t got;

    if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) ||
        st.st_size >= (off_t)GIT_CONFIG_MAX || !(text = malloc(GIT_CONFIG_MAX)))
        return NULL;
    got = read(fd, text, GIT_CONFIG_MAX);
    if (got != st.st_size)
        return NULL;
    *n = (size_t)got;
    return TAKE_PTR(text);
}

static bool
ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);

    return n > m && strcmp(text + n - m, end) == 0;
}

bool
additions_git_is_data(const struct changes_spec *spec, const struct change *c)
{
    const char *name = additions_git_below(c->path);
    CLEANUP(free_p) char *text = NULL;
    size_t n = 0;

    if (!name)
        return false;
    if (strcmp(name, HOOKS) == 0)
        return S_ISDIR(c->after.st_mode);
    if (strncmp(name, HOOKS "/", strlen(HOOKS "/")) == 0)
        return S_ISREG(c->after.st_mode) && ends_with(name, SAMPLE);
    if (strcmp(name, "config") != 0)
        return false;
    text = read_new(spec, c, &n);
    return text && git_config_is_data(text, n, 0);
}

bool
additions_git_is_lent(const struct changes_spec *spec, const struct change *c)
{
    const char *name = additions_git_below(c->path);
    CLEANUP(free_p) char *text = NULL;
    size_t n = 0;

    if (!name)
        return false;
    for (const struct git_trusted *row = git_trusted_paths(); row->name;
         row++) {
        if (row->missing != GIT_PLACEHOLDER || !row->text ||
            strcmp(row->name, name) != 0)
            continue;
        text = read_new(spec, c, &n);
        return text && n == strlen(row->text) &&
               memcmp(text, row->text, n) == 0;
    }
    return false;
}
