/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_forms.c - any wish: what the tables of forms make of it is a command
 * line that the shell reads, and it runs nothing that the table does not. */
#include "offline/compose/composers.h"
#include "tests/fuzz/wish_composed.h"

/* What each table's lines begin with, between bars. */
static const struct {
    int (*compose)(const struct request *q, struct shortlist *s, struct err *e);
    const char *programs;
} composers[] = {
    {git_log_compose, "|git|"},
    {git_branch_compose, "|git|"},
    {git_commit_compose, "|git|"},
    {processes_compose, "|ps|pgrep|pkill|kill|"},
    {services_compose, "|sudo|systemctl|journalctl|"},
    {media_compose, "|ffmpeg|"},
    {picture_compose, "|convert|mogrify|"},
    {containers_compose, "|docker|podman|"},
    {fetch_compose, "|curl|wget|"},
    {sockets_compose, "|sudo|ss|ip|"},
    {remote_compose, "|ssh|scp|ssh-copy-id|"},
    {accounts_compose, "|sudo|"},
    {packages_compose, "|sudo|apt|apt-cache|dpkg|"},
};

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    for (size_t i = 0; i < sizeof(composers) / sizeof(composers[0]); i++)
        try_wish(data, size, composers[i].compose, composers[i].programs);
    return 0;
}
