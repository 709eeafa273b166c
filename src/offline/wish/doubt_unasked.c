/* SPDX-License-Identifier: GPL-3.0-or-later */
/* doubt_unasked.c - what a command does beyond what it is for. */
#include <string.h>

#include "offline/compose/compose.h"
#include "offline/request/words.h"
#include "offline/wish/doubt_in.h"

#define ANYHOW                                                                 \
    "without no not ignore ignoring skip skipping insecure insecurely except " \
    "but exclude excluding leave leaving omit omitting disable disabled "      \
    "anyway unverified self-signed trust bypass "
#define UNCHECKED                                                              \
    "check checking verify verifying verification ask asking prompt "          \
    "prompting "                                                               \
    "accept accepting trust trusting blindly confirmation authenticity "       \
    "insecure insecurely known_hosts "
#define FORCE                                                                  \
    "force forced forcibly forcefully hard immediately instantly stubborn "    \
    "running anyway although though despite sigkill 9 never ask without "
#define THROW                                                                  \
    "hard discard throw away lose drop forget delete remove revert clean "     \
    "completely wipe erase abandon destroy uncommitted local "
#define EVERY "all every everything each entire clear whole "
#define OVER  "overwrite overwriting replace replacing over force never ask "

/* Words of a command, where words begin, and those of a wish of which one must
 * be said for them. */
static const struct extra {
    const char *form;
    const char *asked;
} extras[] = {
    {"-o StrictHostKeyChecking=no", " " UNCHECKED},
    {"--no-check-certificate", " " ANYHOW},
    {"--insecure", " " ANYHOW},
    {"--no-verify", " " ANYHOW},
    {"--no-gpg-check", " " ANYHOW},
    {"--allow-root", " " ANYHOW},
    {"kill -9", " " FORCE},
    {"kill -KILL", " " FORCE},
    {"docker kill", " kill " FORCE},
    {"docker rm -f", " all every " FORCE},
    {"docker rmi -f", " all every " FORCE},
    {"prune -a", " unused " EVERY},
    {"--volumes", " volume volumes data "},
    {"down -v", " volume volumes data "},
    {"volume prune", " unused dangling prune clean orphan orphaned "},
    {"system prune", " docker container containers image images "},
    {"stash clear", " " EVERY},
    {"flushall", " " EVERY},
    {"crontab -r", " " EVERY},
    {"reset --hard", " " THROW},
    {"restore --staged --worktree", " " THROW},
    {"push --force", " overwrite " FORCE},
    {"push -f", " overwrite " FORCE},
    {"push origin --delete",
     " remote remotely server origin upstream github gitlab push "},
    {"git push origin", " push pushing pushed publish upload send share remote "
                        "remotely server origin upstream github gitlab "},
    {"git fetch origin",
     " fetch pull get update up-to-date newest latest recent "
     "current fresh sync remote server origin upstream "},
    {"branch -D", " unmerged not even " FORCE},
    {"clean -fdx", " ignored ignore build artifact artifacts " EVERY},
    {"clean -ffdx", " ignored ignore build artifact artifacts " EVERY},
    {"unzip -o", " " OVER},
    {"--overwrite", " " OVER},
    {"--remove-source-files", " move moving remove delete source "},
    {"--delete", " delete deleting remove removing mirror exact exactly "
                 "identical extraneous "},
    {"userdel -r", " home files directory folder everything data "},
    {"--remove-home", " home files directory folder everything data "},
    {"-m http.server", " serve server serving share sharing host http publish "
                       "offer webserver website "},
    {"fsck -y", " yes repair fix automatically answer answering "},
    {"helm rollback", " undo rollback roll back revert previous "},
    {"rollout undo", " undo rollback roll back revert previous "},
};

static bool
is_asked(const struct request *q, const char *asked)
{
    for (size_t i = 0; i < q->n; i++)
        if (words_listed(q->words[i].plain, asked) ||
            words_listed(q->words[i].stem, asked))
            return true;
    return false;
}

/* Whether a command has the words of a row, ends of words apart: --volumes=x
 */
static bool
has_form(const char *command, const char *form)
{
    size_t n = strlen(form);

    for (const char *at = command; (at = strstr(at, form)); at++)
        if ((at == command || strchr(" (;|&\npg", at[-1])) &&
            strchr(" \n;|&)=", at[n]))
            return true;
    return false;
}

/* Words of commands that let others in, and what keeps them out. */
static bool
opens_port(const char *command)
{
    static const char *const forms[] = {"-m http.server", "httpd -f", "ssh -NR",
                                        "ssh -R", "npx serve"};
    bool opens = strstr(command, " -p ") && (strstr(command, "docker run") ||
                                             strstr(command, "podman run"));

    for (size_t i = 0; !opens && i < sizeof(forms) / sizeof(*forms); i++)
        opens = has_form(command, forms[i]);
    return opens && !strstr(command, "127.0.0.1") && !strstr(command, "[::1]");
}

const char *
doubt_exposes(const struct doubt *d)
{
    static const char own[] = " only alone localhost loopback locally private "
                              "privately myself nobody ";
    static const char others[] = " network lan internet outside public others "
                                 "anyone everyone anybody world ";

    if (!opens_port(d->commands))
        return NULL;
    for (size_t i = 0; i < d->q->n; i++) {
        const struct request_word *w = &d->q->words[i];

        if (words_listed(w->plain, own) ||
            (words_listed(w->plain, others) && compose_negated(d->q, i)))
            return w->plain;
    }
    return NULL;
}

const char *
doubt_unasked(const struct doubt *d)
{
    for (size_t i = 0; i < sizeof(extras) / sizeof(extras[0]); i++)
        if (has_form(d->commands, extras[i].form) &&
            !strstr(d->q->text, extras[i].form) &&
            !is_asked(d->q, extras[i].asked))
            return extras[i].form;
    return NULL;
}
