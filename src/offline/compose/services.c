/* SPDX-License-Identifier: GPL-3.0-or-later */
/* services.c - systemctl and journalctl: services, and what they write. */
#include "offline/compose/composers.h"
#include "offline/compose/form.h"

#define UNIT                                                                   \
    "service|daemon|unit|timer ?name {name|word}; {name|daemon} "              \
    "service|daemon|unit|timer; {daemon}; "                                    \
    "restart|reload|enable|disable|mask|unmask|=start|=stop ?the {name}"
#define SERVICE                                                                \
    FORM_SAYS("service|services|daemon|unit|units|systemd|systemctl|it|and|"   \
              "automatically|list")
#define USER FORM_IF("user service|unit|daemon|timer; as user unit", " --user")

/* One verb, and the unit that it is for. */
#define VERB_PARTS(NAME, ROOT, VERB, SAID)                                     \
    static const struct form_part NAME[] = {                                   \
        FORM_ELSE("user service|unit|daemon|timer", "systemctl --user",        \
                  ROOT "systemctl"),                                           \
        FORM_ALWAYS(" " VERB),                                                 \
        FORM_SAYS(SAID),                                                       \
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
    {.said = UNIT, .put = " {1:unit}", .other = "-", .only = '@'},
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

/* "service" and the names of services, or a verb that is said of them only. */
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
services_compose(const struct request *q, struct shortlist *s, struct err *e)
{
    if (form_compose(logs, "services", q, s, e) < 0)
        return -1;
    return form_compose(verbs, "services", q, s, e);
}
