/* SPDX-License-Identifier: GPL-3.0-or-later */
/* generate.c - the table of command generators. */
#include "offline/generate/generate.h"

static const struct generator generators[] = {
    {"find", generate_find},
    {"grep", generate_grep},
    {"ls", generate_ls},
    {"archive", generate_archive},
    {"copy", generate_copy},
    {"link", generate_link},
    {"make", generate_make},
    {"remove", generate_remove},
    {"lines", generate_lines},
    {"sort", generate_sort},
    {"columns", generate_columns},
    {"letters", generate_letters},
    {"edit", generate_edit},
    {"usage", generate_usage},
    {"rights", generate_permissions},
    {"compare", generate_compare},
    {"pieces", generate_split},
    {"sync", generate_sync},
    {"loops", generate_loops},
    {"git-log", generate_git_log},
    {"git-branch", generate_git_branch},
    {"git-commit", generate_git_commit},
    {"processes", generate_processes},
    {"services", generate_services},
    {"media", generate_media},
    {"picture", generate_picture},
    {"containers", generate_containers},
    {"fetch", generate_fetch},
    {"sockets", generate_sockets},
    {"remote", generate_remote},
    {"accounts", generate_accounts},
    {"packages", generate_packages},
    {NULL, NULL},
};

const struct generator *
generator_all(void)
{
    return generators;
}
