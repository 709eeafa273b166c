/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_forms.c - any wish: what the tables of forms make of it is a command
 * line that the shell reads, and it runs nothing that the table does not. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "guard/syntax/syntax.h"
#include "offline/compose/composers.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool
nothing_there(void *arg, const char *path, bool *is_dir)
{
    (void)arg;
    (void)path;
    *is_dir = false;
    return false;
}

static void
check(const struct candidate *c)
{
    struct syntax s;
    struct err e;

    if (c->fit < 0 || c->fit > 1)
        abort();
    if (syntax_read(c->command, strlen(c->command), &s, &e) < 0 || s.fault)
        abort();
    syntax_done(&s);
}

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

static void
check_program(const char *command, const char *programs)
{
    size_t n = strcspn(command, " ");
    const char *at = programs;

    while (*at && (strncmp(at + 1, command, n) != 0 || at[n + 1] != '|'))
        at += 1 + strcspn(at + 1, "|");
    if (!n || !*at)
        abort();
}

static void
compose(const struct request *q, size_t i)
{
    struct shortlist list = {.n = 0};
    struct err e;

    if (composers[i].compose(q, &list, &e) == 0)
        for (size_t k = 0; k < list.n; k++) {
            check(&list.v[k]);
            check_program(list.v[k].command, composers[i].programs);
        }
    shortlist_done(&list);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct request_world world = {.path = nothing_there};
    char *wish = strndup((const char *)data, size);
    struct request q = {.n = 0};
    struct err e;

    if (!wish)
        return 0;
    if (request_read(wish, &world, &q, &e) == 0) {
        for (size_t i = 0; i < sizeof(composers) / sizeof(composers[0]); i++)
            compose(&q, i);
        request_done(&q);
    }
    free(wish);
    return 0;
}
