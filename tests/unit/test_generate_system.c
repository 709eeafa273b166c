/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_generate_system.c - commands for processes and services. */
#include "generated.h"
#include "unit.h"

static const struct generated proc_rows[] = {
    {"show the top 5 processes by memory", "ps aux --sort=-%mem | head -n 6"},
    {"which process uses the most memory", "ps aux --sort=-%mem | head -n 2"},
    {"list the 10 processes using the most cpu",
     "ps aux --sort=-%cpu | head -n 11"},
    {"list all running processes", "ps aux"},
    {"show processes of user bob", "ps -u bob -f"},
    {"show the process tree", "ps -ef --forest"},
    {"list the threads of process 1234", "ps -Lf -p 1234"},
    {"show processes with pid, user and full command line",
     "ps -e -o pid,user,args"},
    {"processes owned by root", "ps -u root -f"},
    {"how many nginx processes are running", "pgrep -c nginx"},
    {"find the pid of firefox", "pgrep firefox"},
    {"processes running for more than 2 days",
     "ps -eo pid,etimes,comm | awk '$2 > 172800'"},
    {"show details about process 4242", "ps -f -p 4242"},
    {"list child processes of pid 777", "ps -f --ppid 777"},
    {"kill the process using most memory",
     "kill \"$(ps -eo pid= --sort=-%mem | head -n 1)\""},
    {"kill process 1234", "kill 1234"},
    {"force kill process 1234", "kill -KILL 1234"},
    {"kill all firefox processes", "pkill -x firefox"},
    {"kill firefox", "pkill -x firefox"},
    {"kill the process on port 8080", "kill $(lsof -ti tcp:8080 -sTCP:LISTEN)"},
    {"forcefully kill whatever is listening on port 3000",
     "kill -KILL $(lsof -ti tcp:3000 -sTCP:LISTEN)"},
    {"kill all processes of user bob", "pkill -u bob"},
    {"send the signal USR1 to process 99", "kill -USR1 99"},
    {"pause process 4321", "kill -STOP 4321"},
    {"resume process 4321", "kill -CONT 4321"},
    {"kill the newest python3 process", "pkill -n -x python3"},
    {"kill chrome processes older than 2 hours",
     "pkill --older 7200 -x chrome"},
    {"terminate processes 10, 11 and 12", "kill 10 11 12"},
};

static void
processes_are_listed_and_ended(void **state)
{
    (void)state;
    generated_check(proc_rows, sizeof(proc_rows) / sizeof(proc_rows[0]));
}

static const struct generated serv_rows[] = {
    {"restart apache and enable it at boot",
     "sudo systemctl restart apache2 && sudo systemctl enable apache2"},
    {"restart nginx", "sudo systemctl restart nginx"},
    {"start the nginx service and enable it at boot",
     "sudo systemctl enable --now nginx"},
    {"stop and disable cups now", "sudo systemctl disable --now cups"},
    {"enable ssh at boot", "sudo systemctl enable ssh"},
    {"disable bluetooth", "sudo systemctl disable bluetooth"},
    {"check whether mysql is running", "systemctl is-active mysql"},
    {"status of the postgresql service", "systemctl status postgresql"},
    {"reload the nginx configuration", "sudo systemctl reload nginx"},
    {"stop the redis service", "sudo systemctl stop redis-server"},
    {"start my user service syncthing", "systemctl --user start syncthing"},
    {"list failed services",
     "systemctl list-units --type=service --state=failed"},
    {"which services are enabled at boot",
     "systemctl list-unit-files --type=service --state=enabled"},
    {"list running services",
     "systemctl list-units --type=service --state=running"},
    {"show all timers", "systemctl list-timers --all"},
    {"mask the cups service", "sudo systemctl mask cups"},
    {"follow the nginx log", "journalctl -u nginx -f"},
    {"errors in the journal since yesterday",
     "journalctl -p err --since yesterday"},
    {"show kernel messages of this boot", "journalctl -k -b"},
    {"show warnings from the nginx service in the last hour",
     "journalctl -u nginx -p warning --since '1 hour ago'"},
    {"shrink the journal to 200 MB", "sudo journalctl --vacuum-size=200M"},
    {"delete journal entries older than 2 weeks",
     "sudo journalctl --vacuum-time=336h"},
    {"journal entries containing \"out of memory\"",
     "journalctl --grep='out of memory'"},
    {"show the journal in json newest first", "journalctl -r -o json"},
};

static void
services_are_handled_and_their_logs_read(void **state)
{
    (void)state;
    generated_check(serv_rows, sizeof(serv_rows) / sizeof(serv_rows[0]));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(processes_are_listed_and_ended),
        cmocka_unit_test(services_are_handled_and_their_logs_read),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
