/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_form.c - any request: a command of a table of forms is one that bash
 * reads, and begins with a program of that table.
 *
 * fuzz_generate.c runs these tables too, but cannot know whose command it
 * sees. */
#include "offline/generate/generate.h"
#include "tests/fuzz/generator_check.h"

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
        try_request(data, size, generators[i].generate, generators[i].programs);
    return 0;
}
