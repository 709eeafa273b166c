/* SPDX-License-Identifier: GPL-3.0-or-later */
/* init.c - systemd, OpenRC, sysvinit and launchd as rows of a table. */
#include "plugins/svc.manage/init.h"

#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "plugins/svc.manage/look.h"

static const char *const action_names[ASK_ACTIONS] = {
    [ASK_START] = "start",   [ASK_STOP] = "stop",     [ASK_RESTART] = "restart",
    [ASK_RELOAD] = "reload", [ASK_ENABLE] = "enable", [ASK_DISABLE] = "disable",
    [ASK_STATUS] = "status", [ASK_STATE] = "state",   [ASK_REVERSE] = "reverse",
};

#define SYSTEMCTL(verb)                                                        \
    {                                                                          \
        "systemctl", "--no-ask-password", verb, "--", "%s"                     \
    }
#define SHOWN "LoadState,ActiveState,SubState,UnitFileState,CanReload,MainPID"

/* What init scripts are told, whoever has them started at boot. */
#define BY_SCRIPT                                                              \
    [ASK_START] = {"service", "%s", "start"},                                  \
    [ASK_STOP] = {"service", "%s", "stop"},                                    \
    [ASK_RESTART] = {"service", "%s", "restart"},                              \
    [ASK_RELOAD] = {"service", "%s", "reload"},                                \
    [ASK_STATUS] = {"service", "%s", "status"}

/* The first that is here runs the system. Marks: sd_booted(3); openrc(8),
 * whose state is there once it has run; init scripts are there for it too,
 * and under systemd, so that sysvinit stands behind both. */
static const struct init inits[] =
    {
        {
            .name = "systemd",
            .mark = "/run/systemd/system",
            .look = look_systemd,
            .row =
                {
                    [ASK_START] = SYSTEMCTL("start"),
                    [ASK_STOP] = SYSTEMCTL("stop"),
                    [ASK_RESTART] = SYSTEMCTL("restart"),
                    [ASK_RELOAD] = SYSTEMCTL("reload"),
                    [ASK_ENABLE] = SYSTEMCTL("enable"),
                    [ASK_DISABLE] = SYSTEMCTL("disable"),
                    [ASK_STATUS] = {"systemctl", "--no-pager", "show", "-p",
                                    SHOWN, "--", "%s"},
                    /* on disk: no manager is asked */
                    [ASK_BOOT] = {"systemctl", "--root=/", "is-enabled", "--",
                                  "%s"},
                },
        },
        {
            .name = "openrc",
            .mark = "/run/openrc",
            .look = look_openrc,
            .row =
                {
                    [ASK_START] = {"rc-service", "%s", "start"},
                    [ASK_STOP] = {"rc-service", "%s", "stop"},
                    [ASK_RESTART] = {"rc-service", "%s", "restart"},
                    [ASK_RELOAD] = {"rc-service", "%s", "reload"},
                    [ASK_ENABLE] = {"rc-update", "add", "%s", "default"},
                    [ASK_DISABLE] = {"rc-update", "delete", "%s", "default"},
                    [ASK_STATUS] = {"rc-service", "%s", "status"},
                    [ASK_EXISTS] = {"rc-service", "--exists", "%s"},
                    [ASK_BOOT] = {"rc-update", "show"},
                },
        },
        {
            .name = "sysvinit",
            .mark = "/etc/init.d",
            .lsb = true,
            .look = look_sysvinit,
            .row =
                {
                    BY_SCRIPT,
                    [ASK_REGISTER] = {"update-rc.d", "%s", "defaults"},
                    [ASK_ENABLE] = {"update-rc.d", "%s", "enable"},
                    [ASK_DISABLE] = {"update-rc.d", "%s", "disable"},
                },
        },
        {
            /* the same where there is chkconfig(8) */
            .name = "sysvinit",
            .mark = "/etc/init.d",
            .lsb = true,
            .look = look_sysvinit,
            .row =
                {
                    BY_SCRIPT,
                    [ASK_ENABLE] = {"chkconfig", "%s", "on"},
                    [ASK_DISABLE] = {"chkconfig", "%s", "off"},
                },
        },
        {
            .name = "launchd",
            .mark = "/sbin/launchd",
            .look = look_launchd,
            .row =
                {
                    [ASK_START] = {"launchctl", "kickstart", "%t"},
                    [ASK_STOP] = {"launchctl", "kill", "SIGTERM", "%t"},
                    [ASK_RESTART] = {"launchctl", "kickstart", "-k", "%t"},
                    [ASK_RELOAD] = {"launchctl", "kill", "SIGHUP", "%t"},
                    [ASK_ENABLE] = {"launchctl", "enable", "%t"},
                    [ASK_DISABLE] = {"launchctl", "disable", "%t"},
                    [ASK_STATUS] = {"launchctl", "print", "%t"},
                    [ASK_BOOT] = {"launchctl", "print-disabled", "system"},
                },
        },
};

#define N_INITS (sizeof(inits) / sizeof(*inits))

const char *
init_action_name(enum init_ask ask)
{
    return action_names[ask];
}

/* Two programs may be one, but both have to be here. */
static bool
is_here(const struct init *i, bool of_system)
{
    CLEANUP(free_p) char *runs = words_program(i->row[ASK_START][0]);
    CLEANUP(free_p) char *boots = words_program(i->row[ASK_ENABLE][0]);

    return runs && boots && (!of_system || access(i->mark, F_OK) == 0);
}

const struct init *
init_find(const char *name, struct err *e)
{
    CLEANUP_BUF struct buf tried = buf_of(sizeof(e->text));

    for (const struct init *i = inits; i < inits + N_INITS; i++) {
        if (name && strcmp(i->name, name) != 0)
            continue;
        if (is_here(i, !name))
            return i;
        if (!strstr(tried.p, i->name)) /* sysvinit has two rows */
            buf_printf(&tried, "%s%s", tried.len ? ", " : "", i->name);
    }
    if (tried.len == 0)
        err_set(e, ERR_INVALID, "args.manager: unknown manager \"%.40s\"",
                name);
    else
        err_set(e, ERR_UNSUPPORTED, "no service manager found: looked for %s",
                tried.p);
    return NULL;
}
