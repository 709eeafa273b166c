/* SPDX-License-Identifier: GPL-3.0-or-later */
/* profile_programs.c - knows programs that work in no confined profile. */
#include "guard/profile/profile_programs.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"

struct program_row {
    const char *name;
    const char *why;
};

static const char service[] = "uses a service of this machine";
static const char root_only[] = "reads files that only root may read";
static const char changes_owner[] = "changes the owner of files";
static const char screen[] = "uses your desktop or terminal server";

static const struct program_row rows[] = {
    {"apache2ctl", root_only}, {"apachectl", root_only},
    {"at", service},           {"atq", service},
    {"buildah", service},      {"busctl", service},
    {"chage", root_only},      {"chgrp", changes_owner},
    {"chown", changes_owner},  {"createdb", service},
    {"createuser", service},   {"crictl", service},
    {"crontab", root_only},    {"ctr", service},
    {"docker", service},       {"docker-compose", service},
    {"dropdb", service},       {"dropuser", service},
    {"flatpak", service},      {"hostnamectl", service},
    {"localectl", service},    {"loginctl", service},
    {"lxc", service},          {"machinectl", service},
    {"mysql", service},        {"mysqladmin", service},
    {"mysqldump", service},    {"nerdctl", service},
    {"nginx", root_only},      {"nmcli", service},
    {"notify-send", screen},   {"passwd", root_only},
    {"pg_dump", service},      {"pg_dumpall", service},
    {"podman", service},       {"psql", service},
    {"resolvectl", service},   {"screen", screen},
    {"snap", service},         {"sshd", root_only},
    {"systemctl", service},    {"timedatectl", service},
    {"tmux", screen},          {"virsh", service},
    {"wl-copy", screen},       {"wl-paste", screen},
    {"xclip", screen},         {"xdg-open", screen},
    {"xsel", screen},
};

/* They read /run/utmp or /proc/locks, or probe any process with signal 0. */
static const char *const lookers[] = {
    "finger", "kill",   "last",  "lastlog", "lslocks", "lsns",
    "pinky",  "swapon", "users", "w",       "who",
};

const char *
profile_name_needs_full(const char *name)
{
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
        if (strcmp(rows[i].name, name) == 0)
            return rows[i].why;
    return NULL;
}

/* Modes of chmod(1): [ugoa]*([-+=]([rwxXst]*|[ugo]))+, or a number with such a
 * sign, separated by commas. */
static bool
sets_ids(const char *mode)
{
    bool gives = true; /* a number without a sign sets bits */

    for (; *mode; mode++) {
        if (strchr("+=-,", *mode))
            gives = *mode == '+' || *mode == '=';
        else if (gives && *mode == 's')
            return true;
        else if (gives && isdigit((unsigned char)*mode))
            return strtol(mode, NULL, 8) & (S_ISUID | S_ISGID);
    }
    return false;
}

/* GNU chmod accepts modes that begin with "-" anywhere: chmod file -x,u+s. The
 * word "--" is none. */
static bool
is_dashed_mode(const char *word)
{
    return word[0] == '-' && word[1] && word[1] != '-' &&
           !word[strspn(word, "rwxXstugoa,+=-01234567")];
}

bool
profile_call_sets_ids(const struct risk_call *call)
{
    bool only_files = false; /* a mode, or a word without a "-", came before */

    if (strcmp(call->name, "chmod") != 0)
        return false;
    for (size_t i = 1; i < call->n; i++) {
        const char *word = call->argv[i];
        bool mode = word[0] == '-' ? is_dashed_mode(word) : !only_files;

        if (mode && sets_ids(word))
            return true;
        only_files |= mode || word[0] != '-';
    }
    return false;
}

bool
profile_program_looks(const struct risk_call *call)
{
    for (size_t i = 0; i < ARRAY_SIZE(lookers); i++)
        if (strcmp(lookers[i], call->name) == 0)
            return true;
    return false;
}
