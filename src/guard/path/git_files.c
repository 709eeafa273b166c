/* SPDX-License-Identifier: GPL-3.0-or-later */
/* git_files.c - knows where git looks for its files. */
#include "guard/path/git_files.h"

#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/path.h"

/* The directory at which a row begins. */
enum files_base {
    FILES_ROOT,
    FILES_HOME,
    FILES_XDG, /* $XDG_CONFIG_HOME */
};

static const struct {
    unsigned kind;
    enum files_base base;
    const char *name;
} files[] = {
    {GIT_FILES_SYSTEM, FILES_ROOT, "etc/gitconfig"},
    {GIT_FILES_PERSON, FILES_HOME, ".gitconfig"},
    {GIT_FILES_PERSON, FILES_HOME, ".config/git/config"},
    {GIT_FILES_PERSON, FILES_XDG, "git/config"},
    {GIT_FILES_IGNORE, FILES_HOME, ".config/git/ignore"},
    {GIT_FILES_IGNORE, FILES_XDG, "git/ignore"},
};

/* $XDG_CONFIG_HOME; NULL: it is not set, or names the usual directory. */
static const char *
other_config_home(const struct git_person *who)
{
    const char *config = who->config_home;
    const char *rest;

    if (!config || config[0] != '/')
        return NULL;
    rest = who->home ? path_behind(config, who->home) : NULL;
    return rest && strcmp(rest, ".config") == 0 ? NULL : config;
}

static const char *
base_directory(enum files_base base, const struct git_person *who)
{
    switch (base) {
    case FILES_HOME:
        return who->home;
    case FILES_XDG:
        return other_config_home(who);
    default:
        return "";
    }
}

bool
git_files_next(unsigned kinds, const struct git_person *who, size_t *at,
               char out[PATH_MAX])
{
    while (*at < ARRAY_SIZE(files)) {
        size_t i = (*at)++;
        const char *base = base_directory(files[i].base, who);

        if (files[i].kind & kinds && base &&
            snprintf(out, PATH_MAX, "%s/%s", base, files[i].name) < PATH_MAX)
            return true;
    }
    return false;
}

const char *
git_files_link(char *text)
{
    static const char mark[] = "gitdir: ";
    const size_t n = sizeof(mark) - 1;

    if (strncmp(text, mark, n) != 0)
        return NULL;
    text += n;
    text[strcspn(text, "\r\n")] = '\0';
    return *text ? text : NULL;
}
