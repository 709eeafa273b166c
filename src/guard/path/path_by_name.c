/* SPDX-License-Identifier: GPL-3.0-or-later */
/* path_by_name.c - places from which something runs that was not named. */
#include "guard/path/path_by_name.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/path.h"
#include "guard/path/path_table.h"
#include "guard/path/secret.h"

#define N_OF(array) (sizeof(array) / sizeof((array)[0]))

/* Below a home directory, each with what is in it. */
static const char *const in_home[] = {".Xsession",
                                      ".asdf/shims",
                                      ".bash_aliases",
                                      ".bash_completion",
                                      ".bash_login",
                                      ".bash_logout",
                                      ".bash_profile",
                                      ".bashrc",
                                      ".bun/bin",
                                      ".cargo/bin",
                                      ".cargo/env",
                                      ".config/autostart",
                                      ".config/autostart-scripts",
                                      ".config/bash_completion.d",
                                      ".config/environment.d",
                                      ".config/fish",
                                      ".config/git",
                                      ".config/nushell",
                                      ".config/nvim",
                                      ".config/plasma-workspace",
                                      ".config/powershell",
                                      ".config/pycodestyle",
                                      ".config/systemd",
                                      ".config/zsh",
                                      ".cshrc",
                                      ".deno/bin",
                                      ".emacs",
                                      ".emacs.d",
                                      ".forward",
                                      ".gdbinit",
                                      ".gitconfig",
                                      ".inputrc",
                                      ".kshrc",
                                      ".local/bin",
                                      ".local/lib",
                                      ".local/share/applications",
                                      ".local/share/autostart",
                                      ".local/share/bash-completion",
                                      ".local/share/dbus-1",
                                      ".local/share/fish",
                                      ".local/share/systemd",
                                      ".local/share/zsh",
                                      ".login",
                                      ".logout",
                                      ".npm-global",
                                      ".oh-my-zsh",
                                      ".pam_environment",
                                      ".procmailrc",
                                      ".profile",
                                      ".pythonrc",
                                      ".rbenv",
                                      ".pyenv",
                                      ".nvm",
                                      ".ssh/authorized_keys",
                                      ".ssh/config",
                                      ".ssh/rc",
                                      ".ssh/environment",
                                      ".tcshrc",
                                      ".tmux.conf",
                                      ".vim",
                                      ".vimrc",
                                      ".xinitrc",
                                      ".xprofile",
                                      ".xsession",
                                      ".xsessionrc",
                                      ".zlogin",
                                      ".zlogout",
                                      ".zprofile",
                                      ".zsh",
                                      ".zshenv",
                                      ".zshrc",
                                      "bin",
                                      "go/bin",
                                      "perl5"};

/* Of the whole machine. */
static const char *const in_system[] = {"/etc/X11",
                                        "/etc/anacrontab",
                                        "/etc/apt/apt.conf.d",
                                        "/etc/bash.bashrc",
                                        "/etc/bash_completion.d",
                                        "/etc/bashrc",
                                        "/etc/cron.d",
                                        "/etc/cron.daily",
                                        "/etc/cron.hourly",
                                        "/etc/cron.monthly",
                                        "/etc/cron.weekly",
                                        "/etc/crontab",
                                        "/etc/dhcp",
                                        "/etc/environment",
                                        "/etc/environment.d",
                                        "/etc/fish",
                                        "/etc/gitconfig",
                                        "/etc/init.d",
                                        "/etc/inittab",
                                        "/etc/ld.so.conf",
                                        "/etc/ld.so.conf.d",
                                        "/etc/ld.so.preload",
                                        "/etc/modules-load.d",
                                        "/etc/network",
                                        "/etc/pam.d",
                                        "/etc/profile",
                                        "/etc/profile.d",
                                        "/etc/rc.local",
                                        "/etc/skel",
                                        "/etc/sudoers",
                                        "/etc/sudoers.d",
                                        "/etc/systemd",
                                        "/etc/udev",
                                        "/etc/update-motd.d",
                                        "/etc/xdg",
                                        "/etc/zsh",
                                        "/usr/lib/systemd",
                                        "/usr/share/applications",
                                        "/usr/share/bash-completion",
                                        "/var/spool/at",
                                        "/var/spool/cron"};

/* Wherever they lie: git's, and what Python loads without being asked to. */
static const char *const anywhere[] = {
    ".git/hooks",       ".git/config",   ".husky",        "sitecustomize.py",
    "usercustomize.py", "site-packages", "dist-packages", ".envrc"};

static void
add_dir(struct path_by_name *p, char *dir)
{
    if (dir && p->n < N_OF(p->dirs)) {
        p->dirs[p->n++] = dir;
        return;
    }
    p->all = true;
    free(dir);
}

/* One element of PATH. Links of the system's own directories are its affair. */
static void
add_element(struct path_by_name *p, const char *text, size_t n,
            const struct risk_place *where)
{
    CLEANUP(free_p) char *one = strndup(text, n);
    char *dir = NULL, *real;

    if (!one) {
        p->all = true;
        return;
    }
    if (one[0] == '/')
        dir = TAKE_PTR(one);
    else if (where->cwd)
        dir = path_join(where->cwd, one);
    if (!dir)
        return;
    path_clean(dir);
    if (path_is(dir, PATH_IS_BIN)) {
        add_dir(p, dir);
        return;
    }
    real = realpath(dir, NULL);
    if (real && strcmp(real, dir) != 0)
        add_dir(p, TAKE_PTR(real));
    free(real);
    add_dir(p, dir);
}

void
path_by_name_init(struct path_by_name *p, const struct risk_place *where)
{
    *p = (struct path_by_name){.where = where};
}

static void
read_path(struct path_by_name *p)
{
    const char *at = p->where->path, *dir;
    size_t n;

    p->read = true;
    while (path_next_dir(&at, &dir, &n))
        add_element(p, dir, n, p->where);
}

void
path_by_name_done(struct path_by_name *p)
{
    if (!p)
        return;
    for (size_t i = 0; i < p->n; i++)
        free(p->dirs[i]);
    *p = (struct path_by_name){0};
}

static bool
meets(const char *path, const char *place, bool below)
{
    return path_is_below(path, place) || (below && path_is_below(place, path));
}

static bool
is_in_home(const struct path_by_name *p, const char *path, bool below)
{
    const char *rest = secret_behind_home(path, p->where->home);

    for (size_t i = 0; rest && i < N_OF(in_home); i++)
        if (meets(rest, in_home[i], below))
            return true;
    return !rest && below && p->where->home &&
           path_is_below(p->where->home, path);
}

bool
path_by_name_is(struct path_by_name *p, const char *path, bool below)
{
    if (!p->read)
        read_path(p);
    if (p->all || is_in_home(p, path, below) || path_is(path, PATH_IS_BIN))
        return true;
    for (size_t i = 0; i < p->n; i++) {
        size_t n = strlen(p->dirs[i]);

        /* what lies deeper runs by no name */
        if (strcmp(path, p->dirs[i]) == 0 ||
            (below && path_is_below(p->dirs[i], path)) ||
            (path_is_below(path, p->dirs[i]) && !strchr(path + n + 1, '/')))
            return true;
    }
    for (size_t i = 0; i < N_OF(in_system); i++)
        if (meets(path, in_system[i], below))
            return true;
    for (size_t i = 0; i < N_OF(anywhere); i++)
        if (path_contains(path, anywhere[i]))
            return true;
    return false;
}
