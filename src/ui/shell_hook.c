/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shell_hook.c - prints the hook of `agentsh init` and removes the files of
 * shells that have ended. */
#include "ui/shell_hook.h"

#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include "base/array.h"
#include "base/ascii.h"
#include "base/cleanup.h"
#include "base/owner.h"
#include "base/path.h"
#include "config/key_sequence.h"
#include "ui/hook_text.h"
#include "ui/session_file.h"

#define SESSION_SIZE 32

/* Appends the script hooks/KIND.SHELL. */
static int
put_script(const char *kind, const char *shell, struct buf *out, struct err *e)
{
    size_t n = strlen(kind);

    for (const struct hook_text *t = hook_texts(); t->file; t++) {
        if (strncmp(t->file, kind, n) == 0 && t->file[n] == '.' &&
            strcmp(t->file + n + 1, shell) == 0) {
            buf_str(out, t->text);
            return buf_ok(out, "the script", e);
        }
    }
    return err_set(e, ERR_USAGE, "unsupported shell %.40s: bash, zsh or fish",
                   shell);
}

/* What the hooks are given: they begin with an array of it. */

struct hook_shell {
    const char *name;
    const char *begin, *end; /* around the words of the array */
    const char *line_key, *explain_key;
};

static const struct hook_shell *
find_hook_shell(const char *name)
{
    static const struct hook_shell shells[] = {
        {"bash", "__agentsh_init=(", ")\n", "Ctrl-X Ctrl-A", "Ctrl-X Ctrl-Y"},
        {"zsh", "typeset -ga __agentsh_init=(", ")\n", "Ctrl-X Ctrl-A",
         "Ctrl-X Ctrl-Y"},
        {"fish", "set -g __agentsh_init", "\n", "Alt-A", "Alt-X"},
    };

    for (size_t i = 0; i < ARRAY_SIZE(shells); i++) {
        if (strcmp(shells[i].name, name) == 0)
            return &shells[i];
    }
    return NULL;
}

/* Appends a word of the array: keys as the shell's own builtin names them. */
static void
put_key_word(const struct hook_shell *sh, const struct config *c,
             enum config_key key, struct buf *out)
{
    const char *text = config_text(c, key);
    const char *fallback = key == CONFIG_SHELL_LINE_KEY ? sh->line_key
                                                        : sh->explain_key;
    struct key_sequence k = {.n = 0};
    bool fish = sh->name[0] == 'f';

    (void)key_sequence_read(text ? text : fallback, &k, NULL);
    buf_str(out, fish && k.n > 0 ? " " : " '");
    for (size_t i = 0; i < k.n; i++) {
        unsigned char b = (unsigned char)k.bytes[i];

        if (fish)
            buf_printf(out, "\\x%02x", b);
        else if (b == ASCII_ESC)
            buf_str(out, sh->name[0] == 'b' ? "\\e" : "^[");
        else if (b < 0x20)
            buf_printf(out, "%s%c", sh->name[0] == 'b' ? "\\C-" : "^",
                       b + (sh->name[0] == 'b' ? 'a' : 'A') - 1);
        else
            buf_ch(out, (char)b);
    }
    buf_str(out, fish && k.n > 0 ? "" : "'");
}

/* Appends a path in quotes, which mean the same to the three shells; an empty
 * word where they would not. */
static void
put_path_word(const char *path, struct buf *out)
{
    bool plain = path && *path == '/' && !strpbrk(path, "'\\\n");

    buf_printf(out, " '%s'", plain ? path : "");
}

/* Whether the directory is there, or may be made: nothing is made in another
 * user's, which su leaves in XDG_RUNTIME_DIR. */
static bool
may_be_made(const char *dir)
{
    CLEANUP(free_p) char *above = strdup(dir);
    char *slash = above ? strrchr(above, '/') : NULL;
    struct stat st;

    if (lstat(dir, &st) == 0)
        return true;
    if (!slash)
        return false;
    *slash = '\0';
    return stat(above, &st) == 0 &&
           (st.st_uid == geteuid() || (st.st_mode & S_ISVTX) != 0);
}

/* Makes the files of the session of the parent process, and appends their
 * directory, the process, the session's name, and whether they are in memory.
 */
static void
put_session_words(const struct hook_shell *sh, const struct seat *s,
                  struct buf *out)
{
    static const enum shell_file kinds[] = {SHELL_FILE_LAST, SHELL_FILE_INSERT,
                                            SHELL_FILE_CHANGE, SHELL_FILE_LINE};
    bool scratch = sh->name[0] == 'b'; /* line-SESSION, which bash alone has */
    CLEANUP(free_p) char *dir = seat_place(s, PATH_RUNTIME, NULL, NULL);
    char session[SESSION_SIZE];
    struct statfs fs;
    unsigned random = 0;

    if (!dir || strpbrk(dir, "'\\\n") || !may_be_made(dir) ||
        getrandom(&random, sizeof(random), 0) < 0)
        return;
    snprintf(session, sizeof(session), "%d-%u", (int)getppid(), random);
    for (size_t i = 0; i < ARRAY_SIZE(kinds) - !scratch; i++) {
        if (session_file_create(s, kinds[i], session, NULL) < 0)
            return;
    }
    buf_printf(out, " '%s' %d %s '%s'", dir, (int)getppid(), session,
               statfs(dir, &fs) == 0 && fs.f_type == TMPFS_MAGIC ? "memory"
                                                                 : "");
}

int
shell_hook_print(const char *shell, const struct shell_hook_params *p,
                 struct buf *out, struct err *e)
{
    const struct hook_shell *sh = find_hook_shell(shell);
    char program[PATH_MAX] = "";

    if (sh) {
        ssize_t n = readlink("/proc/self/exe", program, sizeof(program) - 1);

        program[n > 0 ? n : 0] = '\0';
        buf_str(out, sh->begin);
        put_key_word(sh, p->config, CONFIG_SHELL_LINE_KEY, out);
        put_key_word(sh, p->config, CONFIG_SHELL_EXPLAIN_KEY, out);
        buf_printf(out, " '%s'",
                   config_bool(p->config, CONFIG_SHELL_NOT_FOUND) ? "yes" : "");
        put_path_word(program, out);
        if (p->for_parent)
            put_session_words(sh, p->seat, out);
        buf_str(out, sh->end);
    }
    return put_script("agentsh", shell, out, e);
}

int
shell_hook_print_completion(const char *shell, struct buf *out, struct err *e)
{
    return put_script("completion", shell, out, e);
}

/* The process that a file of a shell belongs to, by its name; 0: it is another
 * file. */
static pid_t
session_owner(const char *name)
{
    for (int kind = 0; kind < SHELL_FILE_KINDS; kind++) {
        const char *session = shell_file_session(name, kind);

        if (session)
            return shell_file_pid(session);
    }
    return 0;
}

/* The runtime directory; NULL where others could write in it. */
static DIR *
open_runtime(void)
{
    CLEANUP(free_p) char *path = path_of(PATH_RUNTIME, NULL, NULL);
    CLEANUP(fd_close_p) int fd = -1;
    struct stat st;
    DIR *dir;

    if (!path)
        return NULL;
    fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &st) != 0 || st.st_uid != geteuid() ||
        (st.st_mode & 077) != 0 || owner_check_file(fd, path, NULL) < 0)
        return NULL;
    dir = fdopendir(fd);
    if (dir)
        fd = -1;
    return dir;
}

void
shell_hook_sweep(void)
{
    CLEANUP(dir_close_p) DIR *dir = open_runtime();
    const struct dirent *d;
    pid_t pid;

    while (dir && (d = readdir(dir))) {
        pid = session_owner(d->d_name);
        if (pid > 0 && kill(pid, 0) != 0 && errno == ESRCH)
            (void)unlinkat(dirfd(dir), d->d_name, 0);
    }
}
