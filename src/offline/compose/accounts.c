/* SPDX-License-Identifier: GPL-3.0-or-later */
/* accounts.c - useradd and its kin: users and groups. */
#include "offline/compose/composers.h"
#include "offline/compose/form.h"

#define WHO                                                                    \
    "user|account ?named|called {user|name|word}; named|called|name "          \
    "{user|name|word}; {user|name} user|account; for|of {user|name}; {user}"
#define SAYS(more)                                                             \
    FORM_SAYS(                                                                 \
        "user|account|new|the|system|name|with|and|a|group|of|to|for|" more)

static const struct form_part user_add[] = {
    FORM_ALWAYS("sudo useradd"),
    FORM_ELSE("system user|account", " -r", ""),
    FORM_IF("without|no home", " -M"),
    FORM_IF("home ?directory|at|in|as {path}", " -m -d {1:path}"),
    FORM_IF("home", " -m"),
    FORM_IF("shell ?is|as|of {path|name}; {path} as ?login shell", " -s {1}"),
    FORM_IF("bash shell|as", " -s /bin/bash"),
    FORM_IF("uid|id ?of {number}", " -u {1:n}"),
    FORM_IF("in|to|into|member ?of|the group|groups {group|name|word}; {group} "
            "group; group|groups {group|name}",
            " -G {1}"),
    FORM_IF("sudo|administrator|admin ?rights|group", " -G sudo"),
    FORM_IF("full ?name {text}; comment {text}", " -c {1:quoted}"),
    FORM_IF("expires|expire|until ?on|in {date}", " -e {1}"),
    FORM_ELSE(WHO, " {1}", "! USER"),
    SAYS("add|create|home|directory|shell|login|make|member|her|his|own"),
    FORM_END,
};

static const struct form_part user_delete[] = {
    FORM_ALWAYS("sudo userdel"),
    FORM_IF("home|files|everything|directory", " -r"),
    FORM_IF("force|forcibly|even", " -f"),
    FORM_ELSE(WHO, " {1}", "! USER"),
    SAYS("delete|home|directory|his|her|their|including|all|files"),
    FORM_END,
};

static const struct form_part group_join[] = {
    FORM_ALWAYS("sudo usermod -aG"),
    FORM_ONE('g', "group {group|name|word}; {group|name|daemon} group", " {1}"),
    FORM_ONE('g', "sudo|docker|wheel|audio|video", " sudo"),
    FORM_LAST('g', "to {group|name|word}", " {1}", "! GROUP"),
    FORM_ELSE("add|put|user {user|name|word}; {user|name}", " {1}", "! USER"),
    SAYS("add|put|member|make|groups|in|into"),
    FORM_END,
};

static const struct form_part group_leave[] = {
    FORM_ALWAYS("sudo gpasswd -d"),
    FORM_ELSE("delete|user|take {user|name|word}; {user}", " {1}", "! USER"),
    FORM_ELSE("group {group|name|word}; {group|name|daemon|word} group", " {1}",
              "! GROUP"),
    SAYS("delete|from|take|out"),
    FORM_END,
};

static const struct form_part shell[] = {
    FORM_ALWAYS("sudo usermod -s"),
    FORM_ONE('s', "{path}", " {1:path}"),
    FORM_ONE('s', "zsh", " /usr/bin/zsh"),
    FORM_ONE('s', "fish", " /usr/bin/fish"),
    FORM_LAST('s', "bash", " /bin/bash", "! SHELL"),
    FORM_ELSE(WHO, " {1}", "! USER"),
    SAYS("change|set|login|shell|default"),
    FORM_END,
};

static const struct form_part rename_user[] = {
    FORM_ALWAYS("sudo usermod -l"),
    FORM_MUST("to|into|as {word}", " {1}"),
    FORM_MUST("user|account|rename {user|name|word}", " {1}"),
    SAYS("rename|change"),
    FORM_END,
};

static const struct form_part lock[] = {
    FORM_ELSE("unlock", "sudo usermod -U", "sudo usermod -L"),
    FORM_ELSE(WHO, " {1}", "! USER"),
    SAYS("lock|unlock|disable|login|block"),
    FORM_END,
};

static const struct form users[] = {
    FORM("rename a user", rename_user, "rename", "user|account",
         "!file|directory|git|commit|database"),
    FORM("add a user to a group", group_join, "add|put|make", "group|groups",
         "{user}|{name}|user",
         "!new user|group|account; "
         "create|file|{file}|permission|read|write|owner"),
    FORM("take a user out of a group", group_leave, "delete|take", "from",
         "group", "!file|{file}|permission|docker image"),
    FORM("add a user", user_add, "create|add|new", "user|account",
         "!git|mysql|database|postgres|list|htpasswd|file|samba|ssh|docker|"
         "variable|{url}|crontab|repository|role|password",
         "!{user|name} ?user to ?the ?existing|docker|sudo group"),
    FORM("delete a user", user_delete, "delete", "user|account",
         "!file|mysql|database|{file}|password|group|older|crontab|process|"
         "processes|all|owned|git|from|samba|docker|mail"),
    FORM("another login shell", shell, "change|set", "shell",
         "user|account|{user}; login|default shell", "{path}|zsh|bash|fish"),
    FORM("lock or unlock a user", lock, "lock|unlock", "user|account|{user}",
         "!file|screen|{file}|database|git|package"),
    FORMS_END,
};

int
accounts_compose(const struct request *q, struct shortlist *s, struct err *e)
{
    return form_compose(users, "accounts", q, s, e);
}
