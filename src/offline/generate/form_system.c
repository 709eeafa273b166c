/* SPDX-License-Identifier: GPL-3.0-or-later */
/* form_system.c - forms for users, packages, services and processes. */
#include "offline/generate/form.h"
#include "offline/generate/generate.h"

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
generate_accounts(const struct request *q, struct shortlist *s, struct err *e)
{
    return form_generate(users, "accounts", q, s, e);
}

/* Packages. */

#define NAMED                                                                  \
    "package|packages ?named|called {name|word}; {name} package; "             \
    "install|uninstall|reinstall|remove|purge|delete|and|for|of|on|about|"     \
    "upgrade|update {name|daemon}"
#define PACK_SAYS(more)                                                        \
    FORM_SAYS("package|packages|apt|apt-get|the|program|list|system|with|"     \
              "software|all|my|" more)
#define PACK_PARTS(NAME, COMMAND, WORDS)                                       \
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
        PACK_SAYS(WORDS),                                                      \
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
generate_packages(const struct request *q, struct shortlist *s, struct err *e)
{
    return form_generate(packages, "packages", q, s, e);
}

/* Services and their logs. */

#define UNIT                                                                   \
    "service|daemon|unit|timer ?name {name|word}; {name|daemon} "              \
    "service|daemon|unit|timer; {daemon}; "                                    \
    "restart|reload|enable|disable|mask|unmask|=start|=stop ?the {name}"
#define SERVICE                                                                \
    FORM_SAYS("service|services|daemon|unit|units|systemd|systemctl|it|and|"   \
              "automatically|list")
#define USER FORM_IF("user service|unit|daemon|timer; as user unit", " --user")

/* One verb, and the unit that it is for. */
#define VERB_PARTS(NAME, ROOT, VERB, WORDS)                                    \
    static const struct form_part NAME[] = {                                   \
        FORM_ELSE("user service|unit|daemon|timer", "systemctl --user",        \
                  ROOT "systemctl"),                                           \
        FORM_ALWAYS(" " VERB),                                                 \
        FORM_SAYS(WORDS),                                                      \
        FORM_MUST(UNIT, " {1:unit}"),                                          \
        FORM_EACH("and {daemon}; {daemon}", " {1:unit}"),                      \
        SERVICE,                                                               \
        FORM_END,                                                              \
    }

VERB_PARTS(
    enable_now, "sudo ", "enable --now",
    "enable|start|run|now|immediately|boot|startup|at|on|every|login|begin");
VERB_PARTS(disable_now, "sudo ", "disable --now",
           "disable|=stop|now|immediately|boot|startup|at|on");
VERB_PARTS(enable, "sudo ", "enable",
           "enable|=start|boot|startup|at|on|every|login|make|begin|starts");
VERB_PARTS(disable, "sudo ", "disable",
           "disable|prevent|not|=start|starting|boot|startup|at|on");
VERB_PARTS(restart, "sudo ", "restart", "restart|bounce|again");
VERB_PARTS(reload, "sudo ", "reload",
           "reload|configuration|reread|without|restart|restarting");
VERB_PARTS(start, "sudo ", "start", "=start|begin|run|launch|up|bring");
VERB_PARTS(stop, "sudo ", "stop", "=stop|shutdown|halt|down|take|bring");
VERB_PARTS(mask, "sudo ", "mask", "mask|forbid");
VERB_PARTS(unmask, "sudo ", "unmask", "unmask");
VERB_PARTS(is_enabled, "", "is-enabled",
           "enable|enabled|check|whether|is|be|boot|if|at|on|start|starts");
VERB_PARTS(is_active, "", "is-active",
           "check|whether|is|be|run|active|alive|up|if|still");
VERB_PARTS(status, "", "status", "status|state|list|of|how|check|doing|what");
VERB_PARTS(unit_file, "", "cat", "unit|file|content|definition|list|print|of");

static const struct form_part restart_enable[] = {
    FORM_ALWAYS("sudo systemctl restart"),
    {.words = UNIT, .put = " {1:unit}", .other = "-", .only = '@'},
    FORM_ALWAYS(" && sudo systemctl enable {0:unit}"),
    FORM_SAYS("restart|enable|boot|startup|at|on"),
    SERVICE,
    FORM_END,
};

static const struct form_part units[] = {
    FORM_ALWAYS("systemctl"),
    USER,
    FORM_ONE('w', "timer|timers", " list-timers"),
    FORM_ONE('w', "enabled|enable; at boot|startup; disabled|disable",
             " list-unit-files --type=service"),
    FORM_LAST('w', "service|services|unit|units|daemon|daemons",
              " list-units --type=service", "-"),
    FORM_ONE('s', "enable|enabled|boot|startup", " --state=enabled"),
    FORM_ONE('s', "disable|disabled", " --state=disabled"),
    FORM_ONE('s', "fail|failed|broken|crashed", " --state=failed"),
    FORM_ONE('s', "run|running|active", " --state=running"),
    FORM_ONE('s', "all|every|inactive", " --all"),
    FORM_SAYS("which|what|systemd|timer|timers|start|run|be|have|of|by"),
    SERVICE,
    FORM_END,
};

/* "service" and the names of services, or a verb that takes them only. */
#define OF_SERVICE                                                             \
    "service|daemon|unit|systemctl|systemd|timer|{daemon}; "                   \
    "restart|reload|enable|disable|mask|unmask ?the {name}"
#define NO_SERVICE                                                             \
    "!container|containers|podman|network|computer|machine|log|logs|"          \
    "journal|process|interface|{iface}|{file}|ssh-agent|list|install|{url}|{"  \
    "machine}|swap|repository|job|config|pod|kubernetes|compose"

static const struct form verbs[] = {
    FORM("restart a service, also at boot", restart_enable, "=restart",
         "enable; at|on boot|startup", OF_SERVICE, NO_SERVICE),
    FORM("start a service now and at boot", enable_now,
         "enable ?it and|at|on|boot =start|now|immediately; =start enable; "
         "=start at boot and|now; =start boot; enable now; =start ?the "
         "?{name|daemon} ?service and enable; =start {name|daemon} enable; "
         "=start {name|daemon} service enable",
         "boot|startup|enable|now", OF_SERVICE, NO_SERVICE),
    FORM("stop a service now and at boot", disable_now,
         "=stop and disable; =stop ?{name|daemon} disable; disable and =stop; "
         "disable ?{name|daemon} now",
         OF_SERVICE, NO_SERVICE),
    FORM("whether a service starts at boot", is_enabled, "is|whether|if|check",
         "enabled; start|starts at|on boot|startup", OF_SERVICE, NO_SERVICE),
    FORM("a service at boot", enable,
         "enable; =start at|on boot|startup|login; =starts at|on boot",
         OF_SERVICE, NO_SERVICE, "!not|prevent|disable|is|module|site"),
    FORM("no service at boot", disable,
         "disable; not|prevent start|starting at|on|boot", OF_SERVICE,
         NO_SERVICE, "!site|module"),
    FORM("reload a service's configuration", reload,
         "reload; reread configuration", OF_SERVICE, NO_SERVICE,
         "!shell|bashrc|daemon-reload|bash|page"),
    FORM("restart a service", restart, "=restart|=bounce", OF_SERVICE,
         NO_SERVICE),
    FORM("no start of a service by anyone", mask, "mask", OF_SERVICE,
         NO_SERVICE),
    FORM("let a service start again", unmask, "unmask", OF_SERVICE, NO_SERVICE),
    FORM("stop a service", stop, "=stop|=shutdown|=halt; take down", OF_SERVICE,
         NO_SERVICE),
    FORM("whether a service runs", is_active,
         "is|whether|if|check|be ?the ?{name|daemon} ?service|daemon "
         "run|running|active|up|alive; {daemon} be run",
         OF_SERVICE, NO_SERVICE),
    FORM("the status of a service", status, "status|state|doing", OF_SERVICE,
         NO_SERVICE, "!port|git"),
    FORM("the file of a unit", unit_file,
         "list|content|cat ?the unit file ?of; unit file of", UNIT),
    FORM("start a service", start, "=start|=launch; bring up", OF_SERVICE,
         NO_SERVICE),
    FORM_LIST(
        "the services there are", units,
        "list|what|which|all|failed|running|enabled|number|count",
        "services|units|daemons|timers; service be; failed service|unit",
        "!log|logs|port|ports|docker|container|{daemon}|compose|cron|network"),
    FORMS_END,
};

static const struct form_part journal[] = {
    FORM_ALWAYS("journalctl"),
    FORM_ONE('k', "kernel", " -k"),
    FORM_ONE('u', "{daemon}", " -u {1:unit}"),
    FORM_ONE('u',
             "service|daemon|unit|of|for|from ?service|unit {name}; {name} "
             "service|daemon|unit|log|logs|journal",
             " -u {1:unit}"),
    FORM_IF("follow|watch|live|tail|stream; as they come; real time; new "
            "line|entry|message",
            " -f"),
    FORM_ONE('b', "previous|last boot; boot before", " -b -1"),
    FORM_ONE('b', "current|this|since|last|from boot|reboot|startup; boot",
             " -b"),
    FORM_IF("error|errors; critical; priority err", " -p err"),
    FORM_IF("warning|warnings", " -p warning"),
    FORM_IF("last|newest|recent {number}; {number} "
            "line|lines|entry|entries|message|messages",
            " -n {1:n}"),
    FORM_ONE('s',
             "since|after|from {age|date|day}; in|within|during|of {age|date}",
             " --since {1:when}"),
    FORM_IF("until|before|to {age|date|day}", " --until {1:when}"),
    FORM_ONE('s', "{age|date}", " --since {1:when}"),
    FORM_IF("contain|match|mention|about|containing|mentioning|with ?word|text "
            "{text}; for {text}",
            " --grep={1}"),
    FORM_IF("newest first; reverse", " -r"),
    FORM_IF("as|in json", " -o json"),
    FORM_IF("without|no pager", " --no-pager"),
    FORM_SAYS("journal|journalctl|log|logs|message|messages|entry|entries|list|"
              "service|systemd|line|lines|system|last|all|unit|of|from|for"),
    FORM_END,
};

static const struct form_part vacuum[] = {
    FORM_ALWAYS("sudo journalctl"),
    FORM_ONE('v', "{size}", " --vacuum-size={1:size}"),
    FORM_LAST('v', "{age}", " --vacuum-time={1:span}", "-"),
    FORM_SAYS("journal|log|logs|entries|delete|shrink|clean|older|than|limit|"
              "clear|reduce|to|systemd|vacuum|keep|only"),
    FORM_END,
};

static const struct form logs[] = {
    FORM("shrink the journal", vacuum, "journal|journald",
         "shrink|delete|clean|vacuum|limit|reduce|clear|keep"),
    FORM_LIST(
        "what services wrote", journal,
        "journal|journald|journalctl; {daemon|name} ?service|daemon|unit "
        "log|logs|message; log|logs|message|messages|errors|error|warnings "
        "?entries of|for|from|by ?the ?service|daemon|unit {daemon}; log|logs "
        "of|for service|unit; kernel log|logs|message|messages; boot "
        "log|logs|messages",
        "!{file}|container|podman|git|commit|access|shrink|rotate|size|"
        "file|delete|clean|directory|disk|configuration"),
    FORMS_END,
};

int
generate_services(const struct request *q, struct shortlist *s, struct err *e)
{
    if (form_generate(logs, "services", q, s, e) < 0)
        return -1;
    return form_generate(verbs, "services", q, s, e);
}

/* Processes. */

#define PROCESS                                                                \
    FORM_SAYS("process|processes|program|run|list|which|what|current|all")

static const struct form_part hungriest[] = {
    FORM_ALWAYS("ps aux"),
    FORM_ONE('s', "memory|ram|rss|mem ?usage", " --sort=-%mem"),
    FORM_LAST('s', "cpu|processor ?time|usage", " --sort=-%cpu",
              " --sort=-%cpu"),
    FORM_SAYS("use|usage|using|consume|eat|take|most|biggest|top|sort|by|"
              "highest|hungriest|heaviest|first"),
    PROCESS,
    FORM_ONE('n', "top|first|biggest|most {number}; {number} process|processes",
             " | head -n {1:more}"),
    FORM_LAST('n', "all; sort process; process sort", "", " | head -n 2"),
    FORM_END,
};

static const struct form_part columns[] = {
    FORM_ALWAYS("ps"),
    FORM_LAST('u', "of|by|for|run ?user {name|user}", " -u {1}", " -e"),
    FORM_ALWAYS(" -o pid"),
    FORM_SAYS("pid|pids|id|ids|column|with|their|only"),
    FORM_IF("parent ?process ?id|pid; ppid", ",ppid"),
    FORM_IF("user|owner", ",user"),
    FORM_IF("cpu ?usage", ",%cpu"),
    FORM_IF("memory ?usage", ",%mem"),
    FORM_IF("state|status|stat", ",stat"),
    FORM_IF("priority|nice ?value", ",ni"),
    FORM_IF("elapsed ?time; how long; run time; age", ",etime"),
    FORM_IF("start|started ?time|when", ",lstart"),
    FORM_IF("number|count ?of threads; threads", ",nlwp"),
    FORM_ELSE("argument|arguments; full ?command|line; command line; args",
              ",args", ",comm"),
    FORM_SAYS("command|name|names"),
    FORM_IF("sort by cpu", " --sort=-%cpu"),
    FORM_IF("sort by memory", " --sort=-%mem"),
    FORM_IF("sort by start|age ?time", " --sort=start_time"),
    PROCESS,
    FORM_END,
};

static const struct form_part of_user[] = {
    FORM_ALWAYS("ps"),
    FORM_ELSE("of|by|for|owned|run|belong|started|owner|root's ?the|by ?user "
              "{name|user}; user {name|user}; {user} process",
              " -u {1}", " -u root"),
    FORM_ALWAYS(" -f"),
    FORM_SAYS("root|owned|owner|belong|start"),
    PROCESS,
    FORM_END,
};

static const struct form_part tree[] = {
    FORM_ALWAYS("ps -ef --forest"),
    FORM_SAYS("tree|forest|hierarchy|parent|child|children"),
    PROCESS,
    FORM_END,
};

static const struct form_part threads[] = {
    FORM_ALWAYS("ps -L"),
    FORM_ELSE("of|process ?id|pid|with {number}; {number}", "f -p {1:n}", "ef"),
    FORM_SAYS("thread|threads|pid|id|process|processes|list|all|every"),
    FORM_END,
};

static const struct form_part children[] = {
    FORM_ALWAYS("ps -f"),
    FORM_MUST("of|process|pid {number}; {number}", " --ppid {1:n}"),
    FORM_SAYS("child|children|process|processes|pid|list|id"),
    FORM_END,
};

static const struct form_part named[] = {
    FORM_ALWAYS("pgrep"),
    FORM_ONE('f', "count; number; many", " -c"),
    FORM_ONE('f', "pid|pids|id|ids", ""),
    FORM_LAST('f', "command line; with argument", " -a", " -a"),
    FORM_IF("exactly|exact", " -x"),
    FORM_IF("newest", " -n"),
    FORM_IF("oldest", " -o"),
    FORM_IF("of|by|owned user {name|user}", " -u {1}"),
    FORM_MUST("name {name|word}; match|matching|contain {name|word}; "
              "pid|pids|id|ids ?of|process {name}; process|processes ?of "
              "{name}; {name} process|processes|instance|instances",
              " {1}"),
    FORM_SAYS("find|of|instance|instances"),
    PROCESS,
    FORM_END,
};

static const struct form_part one[] = {
    FORM_ALWAYS("ps -f"),
    FORM_MUST("process|pid ?id|pid {number}", " -p {1:n}"),
    FORM_SAYS("detail|details|info|information|about|pid"),
    PROCESS,
    FORM_END,
};

static const struct form_part old[] = {
    FORM_ALWAYS("ps -eo pid,etimes,comm"),
    FORM_MUST("run|older|longer ?more|longer|for ?than {age}; {age}",
              " | awk '$2 > {1:s}'"),
    FORM_SAYS("older|longer|more|than|run"),
    PROCESS,
    FORM_END,
};

static const struct form_part every[] = {
    FORM_ALWAYS("ps aux"),
    FORM_SAYS("every|detail|details|system|user|users"),
    PROCESS,
    FORM_END,
};

static const struct form listing[] = {
    FORM("the processes that use most", hungriest, "process|processes|program",
         "memory|ram|cpu|processor|mem",
         "most|top|biggest|sort|highest|hungriest|heaviest|hog|hungry",
         "!kill|column|columns|pid|user|name|watch|live|renice"),
    FORM("processes as a tree", tree, "process|processes",
         "tree|forest|hierarchy", "!kill"),
    FORM_LIST("the threads of processes", threads, "threads|thread",
              "process|processes|{number}|list", "!count|many|kill|top|cpu"),
    FORM_LIST("the children of a process", children, "child|children",
              "process|processes|pid", "!kill|tree"),
    FORM_LIST("processes that run for long", old, "process|processes", "{age}",
              "older|longer|run", "!kill|file|every"),
    FORM("one process", one, "process|pid ?id|pid {number}",
         "list|detail|details|info|information|about",
         "!kill|command|port|files|file|thread|child|children|environment|"
         "memory|directory|limit"),
    FORM_LIST("processes with some columns", columns, "process|processes",
              "pid|pids|ppid|user|owner|command|name|names|elapsed|state|"
              "priority|start",
              "with|column|columns|their|only",
              "!kill|{name}|name|contain|most|port|file|files|{port}|zombie|"
              "memory|match"),
    FORM_LIST("processes by name", named,
              "process|processes|pid|pids|instance|instances",
              "name {name|word}; match|matching {name|word}; pid|pids|id "
              "?of|process {name}; process|processes ?of {name}; {name} "
              "process|processes|instance|instances",
              "!kill|signal|=stop|=pause|user|port|file|files|owner|priority|"
              "nice|zombie|wait|by|watch|limit|depth|memory|cpu|open|start|"
              "restart|stop|every"),
    FORM_LIST("the processes of a user", of_user, "process|processes",
              "user {name|user}; by|of|owned {user}; owned|run|started by "
              "{name}; owned by root; {user} process",
              "!kill|file|port|most|every|other"),
    FORM_LIST(
        "all processes", every,
        "list|what|which ?all|the|every run process|processes; run "
        "process|processes; list ?all|every process|processes",
        "!kill|port|file|files|user|name|most|memory|cpu|zombie|{port}|thread|{"
        "path}|wait|deleted|swap|nice|docker|container|service|background|job|"
        "jobs|open|using|use|by|in|stopped|signal|network|pid"),
    FORMS_END,
};

#define SIGNAL                                                                 \
    FORM_ONE('s', "force|forcefully|forcibly|immediately|hard; signal 9; -9",  \
             " -KILL"),                                                        \
        FORM_ONE('s', "signal {signal}; {signal} signal; with|send {signal}",  \
                 " -{1:signal}"),                                              \
        FORM_ONE('s', "signal {number}", " -{1:n}"),                           \
        FORM_ONE('s', "pause|suspend|freeze", " -STOP"),                       \
        FORM_ONE('s', "continue|resume|unfreeze", " -CONT"),                   \
        FORM_ONE('s', "gracefully|nicely|politely", " -TERM")
#define ENDS                                                                   \
    FORM_SAYS("kill|terminate|end|stop|signal|send|process|processes|all|"     \
              "every|with|pid|id|program")
#define ENDING                                                                 \
    "=kill|=killall|=terminate|=pause|=suspend|=freeze|=resume|=killing; "     \
    "=end|=stop|=continue ?all|every process|processes; send signal; signal "  \
    "to process; =stop|=end|=finish whatever|what"

static const struct form_part kill_hungriest[] = {
    FORM_ALWAYS("kill"),
    SIGNAL,
    FORM_ALWAYS(" \"$(ps -eo pid="),
    FORM_ONE('m', "memory|ram", " --sort=-%mem"),
    FORM_ONE('m', "cpu|processor", " --sort=-%cpu"),
    FORM_ONE('m', "newest; started last", " --sort=-start_time"),
    FORM_ALWAYS(" | head -n 1)\""),
    FORM_SAYS("most|biggest|highest|top|use|using|usage|consume|eat|take|"
              "hungriest|that"),
    ENDS,
    FORM_END,
};

static const struct form_part kill_port[] = {
    FORM_ALWAYS("kill"),
    SIGNAL,
    FORM_MUST("port {port|number}", " $(lsof -ti tcp:{1:n} -sTCP:LISTEN)"),
    FORM_SAYS("listen|listening|use|using|hold|holding|occupy|run|on|port|"
              "whatever|what|bound"),
    ENDS,
    FORM_END,
};

static const struct form_part kill_pid[] = {
    FORM_ALWAYS("kill"),
    SIGNAL,
    FORM_MUST("process|pid|processes|id|kill|and|to {number}", " {1:n}"),
    FORM_EACH("{number}", " {1:n}"),
    ENDS,
    FORM_END,
};

static const struct form_part kill_name[] = {
    FORM_ALWAYS("pkill"),
    SIGNAL,
    FORM_IF("newest", " -n"),
    FORM_IF("oldest", " -o"),
    FORM_IF("older|more|longer ?than {age}", " --older {1:s}"),
    FORM_IF("of|by|from|owned ?by user {name|user}; user {name|user}; of|by "
            "{user}; owned by {name}",
            " -u {1}"),
    FORM_ONE('x',
             "command line contain|match|containing|matching; full command "
             "line; whose command|argument",
             " -f"),
    FORM_ONE('x', "contain|match|containing|matching|start|begin|like", ""),
    FORM_LAST('x', "exactly|exact", " -x", " -x"),
    FORM_MUST("name|called {name|word}; contain|match {name|word|text}; "
              "process|processes|instances|program ?of {name}; {name} "
              "process|processes|instance|instances; "
              "kill|pause|resume|suspend|freeze|killall|terminate ?all|every "
              "{name}; to {name|daemon}",
              " {1}"),
    FORM_SAYS("instance|instances|of|older|by|user"),
    ENDS,
    FORM_END,
};

static const struct form_part kill_user[] = {
    FORM_ALWAYS("pkill"),
    SIGNAL,
    FORM_MUST("user {name|user}; of|by {user}; owned by {name}; {user} process",
              " -u {1}"),
    FORM_SAYS("of|owned|by|user|run"),
    ENDS,
    FORM_END,
};

static const struct form ending[] = {
    FORM("end the process that uses most", kill_hungriest, ENDING,
         "most|biggest|highest|top|hungriest|newest",
         "memory|ram|cpu|processor", "!{number}|{port}"),
    FORM("end what holds a port", kill_port, ENDING, "port {port|number}",
         "!ssh|container|docker|tunnel"),
    FORM("signal processes by number", kill_pid, ENDING,
         "process|pid|processes|id|kill|to {number}",
         "!port|minute|{age}|most|name|newest|oldest|job|container|session"),
    FORM("signal processes by name", kill_name, ENDING,
         "{name}|{user}|{daemon}; name {word}",
         "!port|container|containers|docker|service|daemon|unit|session|tmux|"
         "screen|job|{url}|{port}|line|lines|connection|file|files|window|{"
         "file}|zombie"),
    FORM("signal all processes of a user", kill_user, ENDING,
         "process|processes|everything", "user|{user}",
         "!port|session|container|service|file|files|{age}"),
    FORMS_END,
};

int
generate_processes(const struct request *q, struct shortlist *s, struct err *e)
{
    if (form_generate(listing, "processes", q, s, e) < 0)
        return -1;
    return form_generate(ending, "processes", q, s, e);
}
