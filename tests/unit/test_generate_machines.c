/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_generate_machines.c - commands for networks and other machines. */
#include "generated.h"
#include "unit.h"

static const struct generated sock_rows[] = {
    {"list all listening tcp ports", "ss -ltn"},
    {"show listening udp ports with the processes", "sudo ss -lun"},
    {"which process is listening on port 8080",
     "sudo ss -ltnp 'sport = :8080'"},
    {"what is using port 443", "sudo ss -ltnp 'sport = :443'"},
    {"show established tcp connections", "ss -tn state established"},
    {"list open ports", "ss -ltun"},
    {"count connections per ip address",
     "ss -Htn state established | awk '{print $4}' | sed 's/:[0-9]*$//' | sort "
     "| uniq -c | sort -rn"},
    {"count tcp connections by state",
     "ss -Htan | awk '{print $1}' | sort | uniq -c | sort -rn"},
    {"list unix sockets", "ss -xn"},
    {"show the ip address of eth0", "ip address show dev eth0"},
    {"show all ipv6 addresses", "ip -6 address"},
    {"bring eth0 down", "sudo ip link set eth0 down"},
    {"bring up the interface wlan0", "sudo ip link set wlan0 up"},
    {"add the address 10.0.0.5/24 to eth0",
     "sudo ip address add 10.0.0.5/24 dev eth0"},
    {"show the routing table", "ip route"},
    {"show the default gateway", "ip route show default"},
    {"add a route to 10.1.0.0/16 via 192.168.1.1",
     "sudo ip route add 10.1.0.0/16 via 192.168.1.1"},
    {"show statistics of the interface eth0", "ip -s link show eth0"},
    {"show the arp table", "ip neighbour"},
    {"list network interfaces", "ip link"},
};

static void
sockets_and_interfaces_are_shown(void **state)
{
    (void)state;
    generated_check(sock_rows, sizeof(sock_rows) / sizeof(sock_rows[0]));
}

static const struct generated rem_rows[] = {
    {"copy notes.txt to example.com", "scp notes.txt example.com:"},
    {"copy report.pdf to /srv/docs on example.com as user bob",
     "scp report.pdf bob@example.com:/srv/docs"},
    {"copy the directory photos/ to bob@example.com:/srv",
     "scp -r photos/ bob@example.com:/srv"},
    {"download /var/log/syslog from example.com",
     "scp example.com:/var/log/syslog ."},
    {"copy backup.tar.gz from example.com to /tmp",
     "scp example.com:backup.tar.gz /tmp"},
    {"ssh to example.com as bob on port 2222", "ssh -p 2222 bob@example.com"},
    {"ssh into 10.0.0.7 with the key ~/.ssh/work",
     "ssh -i ~/.ssh/work 10.0.0.7"},
    {"run \"uptime\" on example.com", "ssh example.com 'uptime'"},
    {"log in to example.com", "ssh example.com"},
    {"forward local port 8080 to port 80 of example.com",
     "ssh -N -L 8080:localhost:80 example.com"},
    {"open a socks proxy on port 1080 through example.com",
     "ssh -N -D 1080 example.com"},
    {"copy my ssh key to example.com", "ssh-copy-id example.com"},
    {"reverse tunnel from remote port 9000 to my local port 3000 via "
     "example.com",
     "ssh -N -R 9000:localhost:3000 example.com"},
};

static void
machines_are_reached(void **state)
{
    (void)state;
    generated_check(rem_rows, sizeof(rem_rows) / sizeof(rem_rows[0]));
}

static const struct generated fetch_rows[] = {
    {"download https://example.com/a.zip", "curl -O https://example.com/a.zip"},
    {"download https://example.com/a.zip and save it as b.zip",
     "curl -o b.zip https://example.com/a.zip"},
    {"resume the download of https://example.com/big.iso",
     "wget -c https://example.com/big.iso"},
    {"show only the headers of https://example.com",
     "curl -I https://example.com"},
    {"show the http status code of https://example.com",
     "curl -s -o /dev/null -w '%{http_code}\\n' https://example.com"},
    {"post the json '{\"a\":1}' to https://example.com/api",
     "curl -d '{\"a\":1}' https://example.com/api"},
    {"send a DELETE request to https://example.com/api/1",
     "curl -X DELETE https://example.com/api/1"},
    {"fetch https://example.com and follow redirects",
     "curl -L https://example.com"},
    {"download https://example.com/x.tar.gz with a limit of 500k",
     "wget --limit-rate=500k https://example.com/x.tar.gz"},
    {"get https://example.com/private with user bob and password secret",
     "curl -u bob:secret https://example.com/private"},
    {"request https://example.com with the header \"Accept: text/html\"",
     "curl -H 'Accept: text/html' https://example.com"},
    {"mirror the website https://example.com",
     "wget -m -k -p https://example.com"},
    {"download https://example.com/big.iso in the background",
     "wget -b https://example.com/big.iso"},
    {"download https://example.com/a.zip into the directory /tmp/dl",
     "wget -P /tmp/dl https://example.com/a.zip"},
    {"continue downloading https://example.com/a.iso with wget",
     "wget -c https://example.com/a.iso"},
    {"how long does https://example.com take to load",
     "curl -s -o /dev/null -w '%{time_total}\\n' https://example.com"},
};

static void
addresses_are_fetched(void **state)
{
    (void)state;
    generated_check(fetch_rows, sizeof(fetch_rows) / sizeof(fetch_rows[0]));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sockets_and_interfaces_are_shown),
        cmocka_unit_test(machines_are_reached),
        cmocka_unit_test(addresses_are_fetched),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
