/* SPDX-License-Identifier: GPL-3.0-or-later */
/* installed.c - knows which programs are installed on this machine. */
#include "offline/engine/installed.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/path.h"

#define DIRS_MAX    32  /* of PATH; most have six */
#define ANSWERS_MAX 512 /* that are kept, a power of two */
#define NAME_SIZE   24  /* of a program; longer ones are searched each time */

struct installed_answer {
    char name[NAME_SIZE]; /* "": none yet */
    bool here;
};

struct installed {
    const struct seat *seat;
    int dirs[DIRS_MAX];
    size_t n_dirs;
    struct installed_answer answers[ANSWERS_MAX];
};

/* Builtins of bash, and reserved words that begin commands. */
static const char builtins[] =
    " . : [ alias bg bind break builtin caller cd command compgen complete"
    " continue declare dirs disown echo enable eval exec exit export false fc"
    " fg getopts hash help history if for while until case jobs kill let local"
    " logout mapfile popd printf pushd pwd read readarray readonly return set"
    " shift shopt source suspend test time times trap true type typeset ulimit"
    " umask unalias unset wait { ( [[ ! ";

static void
open_program_dir(struct installed *m, const char *name, size_t n)
{
    char path[4096];
    int len = snprintf(path, sizeof(path), "%.*s", (int)n, name);
    int fd;

    if (len <= 0 || (size_t)len >= sizeof(path) || m->n_dirs == DIRS_MAX)
        return;
    fd = openat(seat_fd(m->seat), path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0)
        m->dirs[m->n_dirs++] = fd;
}

struct installed *
installed_new(const struct seat *s, struct err *e)
{
    struct installed *m = calloc(1, sizeof(*m));
    const char *path = seat_path(s), *dir;
    size_t n;

    if (!m) {
        err_sys(e, "what is installed");
        return NULL;
    }
    m->seat = s;
    while (path_next_dir(&path, &dir, &n))
        open_program_dir(m, dir, n);
    return m;
}

void
installed_free(struct installed *m)
{
    if (!m)
        return;
    for (size_t i = 0; i < m->n_dirs; i++)
        close(m->dirs[i]);
    free(m);
}

static bool
is_bash_builtin(const char *name)
{
    size_t n = strlen(name);
    const char *at = n ? builtins : NULL;

    while (at && (at = strstr(at, name)) != NULL) {
        if (at > builtins && at[-1] == ' ' && at[n] == ' ')
            return true;
        at += n;
    }
    return false;
}

static bool
find_installed(const struct installed *m, const char *name)
{
    if (is_bash_builtin(name))
        return true;
    if (strchr(name, '/'))
        return seat_has(m->seat, name);
    for (size_t i = 0; i < m->n_dirs; i++) {
        if (faccessat(m->dirs[i], name, X_OK, AT_EACCESS) == 0)
            return true;
    }
    return false;
}

static uint32_t
hash_name(const char *name)
{
    uint32_t h = 2166136261u; /* FNV-1a */

    for (; *name; name++)
        h = (h ^ (unsigned char)*name) * 16777619u;
    return h;
}

bool
installed_has(struct installed *m, const char *program)
{
    struct installed_answer *a = &m->answers[hash_name(program) % ANSWERS_MAX];

    if (strlen(program) >= sizeof(a->name) || strchr(program, '/'))
        return find_installed(m, program);
    if (strcmp(a->name, program) != 0 || !a->name[0]) {
        snprintf(a->name, sizeof(a->name), "%s", program);
        a->here = find_installed(m, program);
    }
    return a->here;
}
