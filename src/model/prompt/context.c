/* SPDX-License-Identifier: GPL-3.0-or-later */
/* context.c - describes this machine and this shell for the model. */
#include "model/prompt/context.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "base/passwd.h"
#include "base/path.h"
#include "base/redact.h"
#include "guard/guard.h"
#include "model/prompt/last_command.h"
#include "json/write.h"

#define RELEASE_MAX    16384        /* /etc/os-release has under 1 KiB */
#define TEXT_MAX       (256u << 10) /* a command, redacted */
#define NAME_BYTES_MAX 256          /* of a user, a shell, a terminal */
#define PARENTS_MAX    64           /* directories above the working one */

/* Writes a member with its secrets redacted. */
static void
put_redacted(struct json_writer *w, const char *name, const char *p, size_t n)
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

/* Writes PRETTY_NAME of os-release(5), without its quotes. */
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

/* The value of a variable when it is a name; NULL: unset, or other text. */
static const char *
variable_name(const struct seat *s, const char *variable)
{
    const char *name = seat_variable(s, variable);
    size_t n = name ? strspn(name, "0123456789abcdefghijklmnopqrstuvwxyz"
                                   "ABCDEFGHIJKLMNOPQRSTUVWXYZ_.+-/")
                    : 0;

    return n > 0 && n < NAME_BYTES_MAX && !name[n] ? name : NULL;
}

static void
put_user(const struct seat *s, struct json_writer *w)
{
    const char *user = variable_name(s, "USER");
    struct passwd_user own;

    if (!user && passwd_find_uid(geteuid(), &own))
        user = own.name;
    if (user)
        json_member_str(w, "user", user);
}

/* What is looked for, and what it stands for; the first that is there counts.
 */
struct fact_row {
    const char *sought, *name;
};

/* The name of the first of these programs that is in PATH. */
static const char *
find_package_manager(const struct seat *s)
{
    static const struct fact_row rows[] = {
        {"apt-get", "apt"},    {"dnf", "dnf"},           {"yum", "yum"},
        {"zypper", "zypper"},  {"pacman", "pacman"},     {"apk", "apk"},
        {"emerge", "portage"}, {"xbps-install", "xbps"}, {"nix-env", "nix"},
        {"brew", "brew"},
    };

    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        CLEANUP(free_p) char *path = seat_find_program(s, rows[i].sought);

        if (path)
            return rows[i].name;
    }
    return NULL;
}

/* By the marks of svc.manage, so that the model is told what a step of it would
 * use: a directory of runit, say, is there with the package alone. */
static const char *
find_init_system(void)
{
    static const struct fact_row rows[] = {
        {"/run/systemd/system", "systemd"},
        {"/run/openrc", "openrc"},
        {"/etc/init.d", "sysvinit"},
    };

    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        if (access(rows[i].sought, F_OK) == 0)
            return rows[i].name;
    }
    return NULL;
}

/* Whether the user is root, or could ask for its rights; how packages are
 * installed, and what runs the services. */
static void
put_rights(const struct seat *s, struct json_writer *w)
{
    CLEANUP(free_p) char *sudo = seat_find_program(s, "sudo");
    const char *manager = find_package_manager(s);
    const char *init = find_init_system();

    json_member_bool(w, "root", geteuid() == 0);
    json_member_bool(w, "sudo", sudo != NULL);
    if (manager)
        json_member_str(w, "packages", manager);
    if (init)
        json_member_str(w, "init", init);
}

/* $SHELL is the login shell; the shell hook sets AGENTSH_SHELL to the one in
 * use.
 */
static void
put_shell(const struct seat *s, struct json_writer *w)
{
    const char *shell = variable_name(s, "AGENTSH_SHELL");

    if (!shell)
        shell = variable_name(s, "SHELL");
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

/* The name of the working directory may come from another user, and the person
 * who entered it may not have read it. Whether it is in a git repository is a
 * fact, not text. */
static void
put_directory(const struct seat *s, struct json_writer *w, struct origin *o)
{
    const char *cwd = seat_dir(s);
    const char *term = variable_name(s, "TERM");

    if (cwd) {
        put_redacted(w, "cwd", cwd, strlen(cwd));
        if (origin_names_others(cwd))
            origin_note(o, "the name of the working directory");
        json_member_bool(w, "git", in_repository(cwd));
    }
    if (term && isatty(STDERR_FILENO))
        json_member_str(w, "terminal", term);
}

/* Whether the command names a secret file. Its words are checked: the files may
 * be gone by now. */
static bool
names_secret(const struct seat *s, const struct last_command *last)
{
    const struct path_context where = path_context_of(s);

    return guard_names_secret(last->command.p, &where);
}

/* The person typed the command; its output is from outside. */
static void
put_last_command(const struct seat *s, bool shown, const char *seen,
                 struct json_writer *w, struct origin *o)
{
    CLEANUP(last_command_done) struct last_command last;
    const char *text;
    size_t n;

    last_command_read(s, &last);
    if (!last.known)
        return;
    put_redacted(w, "last_command", last.command.p, last.command.len);
    json_member_int(w, "last_exit_code", last.exit_code);
    text = last.captured ? last.shown.p : seen;
    n = last.captured ? last.shown.len : seen ? strlen(seen) : 0;
    if ((last.exit_code == 0 && !shown) || n == 0)
        return;
    if (names_secret(s, &last)) {
        json_member_str(w, "last_stderr", "[redacted:secret-file]");
        return;
    }
    put_redacted(w, "last_stderr", text, n);
    origin_note(o, "what the last command showed");
}

int
context_write(const struct seat *s, bool shown, const char *seen,
              struct buf *out, struct origin *o, struct err *e)
{
    struct json_writer w;

    json_write_init(&w, out);
    json_open_object(&w);
    json_key(&w, "context");
    json_open_object(&w);
    put_os(&w);
    put_distro(&w);
    put_user(s, &w);
    put_rights(s, &w);
    put_shell(s, &w);
    put_directory(s, &w, o);
    put_last_command(s, shown, seen, &w, o);
    json_close_object(&w);
    json_close_object(&w);
    return buf_ok(out, "the context", e);
}
