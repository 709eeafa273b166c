/* SPDX-License-Identifier: GPL-3.0-or-later */
/* profile_programs.c - programs that no confined profile can serve. */
#include "guard/profile_programs.h"

#include <string.h>

#define N_OF(array) (sizeof(array) / sizeof((array)[0]))

struct row {
    const char *name;
    const char *first; /* its first argument that is no option; NULL: any */
    const char *why;
};

static const char keys[] = "uses your keys";
static const char service[] = "talks to a service of this machine";
static const char screen[] = "talks to your desktop or terminal server";

static const struct row rows[] = {
    {"aws", NULL, keys},
    {"az", NULL, keys},
    {"buildah", NULL, service},
    {"busctl", NULL, service},
    {"crictl", NULL, service},
    {"ctr", NULL, service},
    {"docker", NULL, service},
    {"docker-compose", NULL, service},
    {"flatpak", NULL, service},
    {"gcloud", NULL, keys},
    {"gh", NULL, keys},
    {"git", "push", keys},
    {"glab", NULL, keys},
    {"gpg", NULL, keys},
    {"gpg2", NULL, keys},
    {"gsutil", NULL, keys},
    {"helm", NULL, keys},
    {"hostnamectl", NULL, service},
    {"kubectl", NULL, keys},
    {"localectl", NULL, service},
    {"loginctl", NULL, service},
    {"lxc", NULL, service},
    {"machinectl", NULL, service},
    {"mosh", NULL, keys},
    {"mysql", NULL, service},
    {"nerdctl", NULL, service},
    {"nmcli", NULL, service},
    {"notify-send", NULL, screen},
    {"npm", "publish", keys},
    {"pass", NULL, keys},
    {"podman", NULL, service},
    {"psql", NULL, service},
    {"resolvectl", NULL, service},
    {"scp", NULL, keys},
    {"screen", NULL, screen},
    {"sftp", NULL, keys},
    {"snap", NULL, service},
    {"ssh", NULL, keys},
    {"ssh-add", NULL, keys},
    {"ssh-copy-id", NULL, keys},
    {"systemctl", NULL, service},
    {"timedatectl", NULL, service},
    {"tmux", NULL, screen},
    {"twine", NULL, keys},
    {"virsh", NULL, service},
    {"wl-copy", NULL, screen},
    {"wl-paste", NULL, screen},
    {"xclip", NULL, screen},
    {"xdg-open", NULL, screen},
    {"xsel", NULL, screen},
};

/* /run/utmp, /proc/locks, and with signal 0 any process. */
static const char *const lookers[] = {
    "finger", "kill",   "last",  "lastlog", "lslocks", "lsns",
    "pinky",  "swapon", "users", "w",       "who",
};

static const char *
first_argument(const struct risk_call *call)
{
    for (size_t i = 1; i < call->n; i++)
        if (call->argv[i][0] != '-')
            return call->argv[i];
    return "";
}

const char *
profile_program_needs_full(const struct risk_call *call)
{
    for (size_t i = 0; i < N_OF(rows); i++) {
        if (strcmp(rows[i].name, call->name) != 0)
            continue;
        if (!rows[i].first || strcmp(rows[i].first, first_argument(call)) == 0)
            return rows[i].why;
    }
    return NULL;
}

const char *
profile_name_needs_full(const char *name)
{
    for (size_t i = 0; i < N_OF(rows); i++)
        if (!rows[i].first && strcmp(rows[i].name, name) == 0)
            return rows[i].why;
    return NULL;
}

bool
profile_program_looks(const struct risk_call *call)
{
    for (size_t i = 0; i < N_OF(lookers); i++)
        if (strcmp(lookers[i], call->name) == 0)
            return true;
    return false;
}
