/* SPDX-License-Identifier: GPL-3.0-or-later */
/* context.c - what the model is told about this machine and this shell. */
#include "model/context.h"

#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/path.h"
#include "base/redact.h"
#include "guard/guard.h"
#include "model/last_command.h"
#include "json/write.h"

#define RELEASE_MAX    16384        /* /etc/os-release has under 1 KiB */
#define TEXT_MAX       (256u << 10) /* a command, redacted */
#define NAME_BYTES_MAX 256          /* of a user, a shell, a terminal */
#define PARENTS_MAX    64           /* directories above the working one */

/* A member whose text has its secrets taken out. */
static void
put_text(struct json_writer *w, const char *name, const char *p, size_t n)
{
    CLEANUP_BUF struct buf clean = buf_of(TEXT_MAX);

    if (redact(p, n, &clean) < 0)
        return;
    json_key(w, name);
    json_put_strn(w, clean.p, clean.len);
}

static void
put_os(struct json_writer *w)
{
    struct utsname u;
    char os[3 * sizeof(u.sysname)];

    if (uname(&u) < 0)
        return;
    snprintf(os, sizeof(os), "%s %s %s", u.sysname, u.release, u.machine);
    json_member_str(w, "os", os);
}

/* The value of PRETTY_NAME, without its quotes (os-release(5)). */
static void
put_distro(struct json_writer *w)
{
    static const char name[] = "\nPRETTY_NAME=";
    CLEANUP_BUF struct buf text = buf_of(RELEASE_MAX);
    const char *at;
    size_t n;

    buf_ch(&text, '\n');
    if (file_read("/etc/os-release", &text, NULL) < 0)
        return;
    at = strstr(text.p, name);
    if (!at)
        return;
    at += strlen(name);
    n = strcspn(at, "\n");
    if (n >= 2 && (at[0] == '"' || at[0] == '\'')) {
        at++;
        n -= 2;
    }
    json_key(w, "distro");
    json_put_strn(w, at, n);
}

/* The name that a variable holds; NULL: none, or a text that is no name. */
static const char *
name_in(const char *variable)
{
    const char *name = getenv(variable);
    size_t n = name ? strspn(name, "0123456789abcdefghijklmnopqrstuvwxyz"
                                   "ABCDEFGHIJKLMNOPQRSTUVWXYZ_.+-/")
                    : 0;

    return n > 0 && n < NAME_BYTES_MAX && !name[n] ? name : NULL;
}

static void
put_user(struct json_writer *w)
{
    const char *user = name_in("USER");
    const struct passwd *pw;

    if (!user) {
        pw = getpwuid(geteuid());
        user = pw ? pw->pw_name : NULL;
    }
    if (user)
        json_member_str(w, "user", user);
}

/* $SHELL says the login shell; the hook knows the one that is in use. */
static void
put_shell(struct json_writer *w)
{
    const char *shell = name_in("AGENTSH_SHELL");

    if (!shell)
        shell = name_in("SHELL");
    if (shell)
        json_member_str(w, "shell", path_base(shell));
}

/* Whether this directory or one above it holds .git. */
static bool
in_repository(const char *cwd)
{
    char path[PATH_MAX + sizeof("/.git")];
    size_t n = strlen(cwd);

    for (int i = 0; i < PARENTS_MAX && n < PATH_MAX; i++) {
        struct stat st;

        snprintf(path, sizeof(path), "%.*s/.git", (int)n, cwd);
        if (stat(path, &st) == 0)
            return true;
        while (n > 0 && cwd[n - 1] != '/')
            n--;
        if (n == 0)
            return false;
        n--; /* the slash */
    }
    return false;
}

/* Whether a directory is there is no text; its name is one. Who moves into a
 * directory that another named may not have read the name. */
static void
put_place(struct json_writer *w, struct origin *o)
{
    CLEANUP(free_p) char *cwd = getcwd(NULL, 0);
    const char *term = name_in("TERM");

    if (cwd) {
        put_text(w, "cwd", cwd, strlen(cwd));
        if (origin_names_others(cwd))
            origin_note(o, "the name of the working directory");
        json_member_bool(w, "git", in_repository(cwd));
    }
    if (term && isatty(STDERR_FILENO))
        json_member_str(w, "terminal", term);
}

/* By its words: what they named may be gone by now. */
static bool
names_secret(const struct last_command *last)
{
    CLEANUP(free_p) char *cwd = getcwd(NULL, 0);
    const struct risk_place where = risk_place_here(cwd);

    return guard_names_secret(last->command.p, &where);
}

/* The command was typed; what it showed came from anywhere. */
static void
put_last(struct json_writer *w, struct origin *o)
{
    CLEANUP(last_command_done) struct last_command last;

    last_command_read(&last);
    if (!last.known)
        return;
    put_text(w, "last_command", last.command.p, last.command.len);
    json_member_int(w, "last_exit_code", last.exit_code);
    if (!last.captured || last.exit_code == 0 || last.shown.len == 0)
        return;
    if (names_secret(&last)) {
        json_member_str(w, "last_stderr", "[redacted:secret-file]");
        return;
    }
    put_text(w, "last_stderr", last.shown.p, last.shown.len);
    origin_note(o, "what the last command showed");
}

int
context_write(struct buf *out, struct origin *o, struct err *e)
{
    struct json_writer w;

    json_write_init(&w, out);
    json_open_object(&w);
    json_key(&w, "context");
    json_open_object(&w);
    put_os(&w);
    put_distro(&w);
    put_user(&w);
    put_shell(&w);
    put_place(&w, o);
    put_last(&w, o);
    json_close_object(&w);
    json_close_object(&w);
    return buf_ok(out, "the context", e);
}
