/* SPDX-License-Identifier: GPL-3.0-or-later */
/* packages.c - apt: packages that come and go. */
#include "offline/compose/composers.h"
#include "offline/compose/form.h"

#define NAMED                                                                  \
    "package|packages ?named|called {name|word}; {name} package; "             \
    "install|uninstall|reinstall|remove|purge|delete|and|for|of|on|about|"     \
    "upgrade|update {name|daemon}"
#define PACK_SAYS(more)                                                        \
    FORM_SAYS("package|packages|apt|apt-get|the|program|list|system|with|"     \
              "software|all|my|" more)
#define PACK_PARTS(NAME, COMMAND, SAID)                                        \
    static const struct form_part NAME[] = {                                   \
        FORM_ALWAYS(COMMAND),                                                  \
        FORM_IF("without|no|not "                                              \
                "asking|question|questions|prompt|confirm|confirmation; yes; " \
                "unattended|automatically",                                    \
                " -y"),                                                        \
        FORM_IF("without|no recommended|recommends|recommendations",           \
                " --no-install-recommends"),                                   \
        FORM_IF("simulate|dry|pretend ?run; simulation", " -s"),               \
        FORM_EACH(NAMED, " {1}"),                                              \
        PACK_SAYS(SAID),                                                       \
        FORM_END,                                                              \
    }
PACK_PARTS(install, "sudo apt install", "install|asking|and|new");
PACK_PARTS(reinstall, "sudo apt install --reinstall", "reinstall|again");
PACK_PARTS(purge, "sudo apt purge",
           "purge|delete|configuration|files|uninstall|completely|its|and");
PACK_PARTS(pack_delete, "sudo apt remove", "delete|uninstall|and");
PACK_PARTS(pack_hold, "sudo apt-mark hold",
           "hold|pin|prevent|upgrade|upgrading|keep|being|version");
PACK_PARTS(pack_unhold, "sudo apt-mark unhold", "unhold");
PACK_PARTS(depends, "apt-cache depends",
           "dependency|dependencies|depend|of|on");
PACK_PARTS(needed_by, "apt-cache rdepends --installed",
           "depend|on|which|need|needs|reverse|what");
PACK_PARTS(versions, "apt-cache policy",
           "version|versions|of|available|which|installed|install|what|free");
PACK_PARTS(pack_show, "apt show",
           "information|details|about|info|description|of");
PACK_PARTS(pack_files, "dpkg -L", "file|files|install|of|which|what|by|did");
PACK_PARTS(pack_download, "apt download", "download|only|deb|installing");

#define NO_PACK                                                                \
    "!pip|npm|snap|flatpak|brew|dnf|yum|pacman|gem|cargo|python|node|apk|"     \
    "zypper|{url}|docker|container|nix|conda|source|go|rpm"
#define APT "package|packages|apt|apt-get|program|software|deb"

static const struct form packages[] = {
    FORM("keep a package as it is", pack_hold,
         "hold|pin; prevent|keep from upgrade|upgrading|being", APT, NO_PACK,
         "!unhold"),
    FORM("let a package change again", pack_unhold, "unhold", NO_PACK),
    FORM("what needs a package", needed_by,
         "package|packages|what depend|need on|of; depend|depends|need|needs "
         "{name}; reverse dependencies",
         "{name}|{daemon}", NO_PACK, APT),
    FORM("what a package needs", depends, "dependency|dependencies", APT,
         NO_PACK, "!broken|fix|install|delete|build|unused"),
    FORM("the files of a package", pack_files, "files", "package",
         "of|by|install|in", NO_PACK),
    FORM("versions of a package", versions, "version|versions", APT,
         "{name}|{daemon}", NO_PACK),
    FORM("about a package", pack_show,
         "detail|details|info|information|about|describe|description",
         "package|apt", NO_PACK, "!install"),
    FORM("fetch a package", pack_download, "download", "package|deb",
         "{name}|{daemon}", NO_PACK),
    FORM("install a package again", reinstall, "reinstall", NO_PACK),
    FORM("delete a package with its settings", purge,
         "purge; delete|uninstall ?package {name|daemon} completely|entirely; "
         "delete|uninstall ?package {name|daemon} ?with|and|including ?its "
         "configuration|config",
         "{name}|{daemon}|package", NO_PACK,
         "!cache|file|{file}|log|logs|queue|unused"),
    FORM("install packages", install, "install", "{name}|{daemon}|package",
         NO_PACK,
         "!installed|list|uninstall|whether|find|file|{file}|when|kernel|os|"
         "how|date|script|count|number|search|key|certificate|driver"),
    FORM("delete packages", pack_delete, "uninstall; delete package",
         "{name}|{daemon}|package", NO_PACK,
         "!unused|file|cache|kernel|list|old|needed|orphan|{file}|search"),
    FORMS_END,
};

int
packages_compose(const struct request *q, struct shortlist *s, struct err *e)
{
    return form_compose(packages, "packages", q, s, e);
}
