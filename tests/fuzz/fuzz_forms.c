/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_forms.c - any wish: what the tables of forms make of it is a command
 * line that the shell reads, and it runs nothing that the table does not. */
#include "offline/generate/generate.h"
#include "tests/fuzz/wish_composed.h"

/* What each table's lines begin with, between bars. */
static const struct {
    int (*generate)(const struct request *q, struct shortlist *s,
                    struct err *e);
    const char *programs;
} generators[] = {
    {generate_git_log, "|git|"},
    {generate_git_branch, "|git|"},
    {generate_git_commit, "|git|"},
    {generate_processes, "|ps|pgrep|pkill|kill|"},
    {generate_services, "|sudo|systemctl|journalctl|"},
    {generate_media, "|ffmpeg|"},
    {generate_picture, "|convert|mogrify|"},
    {generate_containers, "|docker|podman|"},
    {generate_fetch, "|curl|wget|"},
    {generate_sockets, "|sudo|ss|ip|"},
    {generate_remote, "|ssh|scp|ssh-copy-id|"},
    {generate_accounts, "|sudo|"},
    {generate_packages, "|sudo|apt|apt-cache|dpkg|"},
};

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    for (size_t i = 0; i < sizeof(generators) / sizeof(generators[0]); i++)
        try_wish(data, size, generators[i].generate, generators[i].programs);
    return 0;
}
