/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compose.c - the table of composers. */
#include "offline/compose/composers.h"

static const struct composer composers[] = {
    {"find", find_compose},
    {"grep", grep_compose},
    {"ls", ls_compose},
    {"archive", archive_compose},
    {"copy", copy_compose},
    {"link", link_compose},
    {"make", make_compose},
    {"remove", remove_compose},
    {"lines", lines_compose},
    {"sort", sort_compose},
    {"columns", columns_compose},
    {"letters", letters_compose},
    {"edit", edit_compose},
    {"usage", usage_compose},
    {"rights", rights_compose},
    {"compare", compare_compose},
    {"pieces", pieces_compose},
    {"sync", sync_compose},
    {"loops", loops_compose},
    {"git-log", git_log_compose},
    {"git-branch", git_branch_compose},
    {"git-commit", git_commit_compose},
    {"processes", processes_compose},
    {"services", services_compose},
    {"media", media_compose},
    {"picture", picture_compose},
    {"containers", containers_compose},
    {"fetch", fetch_compose},
    {"sockets", sockets_compose},
    {"remote", remote_compose},
    {"accounts", accounts_compose},
    {"packages", packages_compose},
    {NULL, NULL},
};

const struct composer *
composer_all(void)
{
    return composers;
}
