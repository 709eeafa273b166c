/* SPDX-License-Identifier: GPL-3.0-or-later */
/* profile_keys.c - whether a line uses the person's keys. */
#include "guard/profile_keys.h"

#include <string.h>

#include "guard/profile_git.h"

#define N_OF(array) (sizeof(array) / sizeof((array)[0]))

enum keys_when {
    KEYS_ALWAYS,
    KEYS_VERB,   /* when its first argument is row.verb */
    KEYS_REMOTE, /* when an address is reached through ssh */
};

struct keys_row {
    const char *name;
    enum keys_when when;
    const char *verb;
    bool carries; /* what it runs there is a command of the line */
};

static const struct keys_row rows[] = {
    {"ansible", KEYS_ALWAYS, NULL, true},
    {"ansible-playbook", KEYS_ALWAYS, NULL, false},
    {"autossh", KEYS_ALWAYS, NULL, true},
    {"aws", KEYS_ALWAYS, NULL, false},
    {"az", KEYS_ALWAYS, NULL, false},
    {"borg", KEYS_REMOTE, NULL, false},
    {"gcloud", KEYS_ALWAYS, NULL, false},
    {"gh", KEYS_ALWAYS, NULL, false},
    {"glab", KEYS_ALWAYS, NULL, false},
    {"gpg", KEYS_ALWAYS, NULL, false},
    {"gpg2", KEYS_ALWAYS, NULL, false},
    {"gsutil", KEYS_ALWAYS, NULL, false},
    {"helm", KEYS_ALWAYS, NULL, false},
    {"hg", KEYS_REMOTE, NULL, false},
    {"kubectl", KEYS_ALWAYS, NULL, false},
    {"mosh", KEYS_ALWAYS, NULL, true},
    {"npm", KEYS_VERB, "publish", false},
    {"parallel-ssh", KEYS_ALWAYS, NULL, true},
    {"pass", KEYS_ALWAYS, NULL, false},
    {"pssh", KEYS_ALWAYS, NULL, true},
    {"rclone", KEYS_REMOTE, NULL, false},
    {"restic", KEYS_REMOTE, NULL, false},
    {"rsync", KEYS_REMOTE, NULL, false},
    {"scp", KEYS_ALWAYS, NULL, false},
    {"sftp", KEYS_ALWAYS, NULL, false},
    {"ssh", KEYS_ALWAYS, NULL, true},
    {"ssh-add", KEYS_ALWAYS, NULL, false},
    {"ssh-copy-id", KEYS_ALWAYS, NULL, false},
    {"sshfs", KEYS_ALWAYS, NULL, false},
    {"svn", KEYS_REMOTE, NULL, false},
    {"twine", KEYS_ALWAYS, NULL, false},
    {"unison", KEYS_REMOTE, NULL, false},
};

static const struct keys_row *
find_row(const char *name)
{
    for (size_t i = 0; i < N_OF(rows); i++)
        if (strcmp(rows[i].name, name) == 0)
            return &rows[i];
    return NULL;
}

bool
profile_is_over_ssh(const char *address)
{
    static const char *const schemes[] = {
        "ssh://", "git+ssh://", "ssh+git://", "svn+ssh://", "sftp://", "sftp:",
    };
    size_t n = strcspn(address, ":/ ");

    for (size_t i = 0; i < N_OF(schemes); i++)
        if (strncmp(address, schemes[i], strlen(schemes[i])) == 0)
            return true;
    /* host::module is rsync's own protocol, or a helper of git's */
    return n > 0 && address[n] == ':' && address[n + 1] != ':' &&
           strncmp(address + n, "://", 3) != 0;
}

/* An address is a word of its own or the value of an option. */
static const char *
address_in(const char *word)
{
    const char *equals = strchr(word, '=');

    return word[0] == '-' && equals ? equals + 1 : word;
}

static bool
has_ssh_address(const struct risk_call *call)
{
    for (size_t i = 1; i < call->n; i++)
        if (call->expands[i] || profile_is_over_ssh(address_in(call->argv[i])))
            return true;
    return false;
}

static bool
has_verb(const struct risk_call *call, const char *verb)
{
    for (size_t i = 1; i < call->n; i++)
        if (call->argv[i][0] != '-')
            return strcmp(call->argv[i], verb) == 0;
    return false;
}

bool
profile_call_uses_keys(const struct risk_call *call, const struct risk *r,
                       const struct risk_place *where)
{
    const struct keys_row *row = find_row(call->name);

    if (strcmp(call->name, "git") == 0)
        return profile_git_uses_keys(call, r, where);
    if (!row)
        return false;
    if (row->when == KEYS_ALWAYS)
        return true;
    return row->when == KEYS_VERB ? has_verb(call, row->verb)
                                  : has_ssh_address(call);
}

const char *
profile_carrier_with_keys(const struct risk *r)
{
    const struct keys_row *row;

    for (size_t i = 0; i < r->n_reasons; i++) {
        row = find_row(r->reasons[i].program);
        if (row && row->when == KEYS_ALWAYS &&
            r->reasons[i].fact == RISK_NETWORK)
            return row->name;
    }
    for (size_t i = 0; i < r->n_hosts; i++) {
        row = find_row(r->hosts[i].program);
        if (row && row->carries)
            return row->name;
    }
    return NULL;
}
