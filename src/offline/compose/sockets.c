/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sockets.c - ss and ip: sockets, addresses, routes and interfaces. */
#include "offline/compose/composers.h"
#include "offline/compose/form.h"

#define SAYS(more)                                                             \
    FORM_SAYS("list|which|what|port|ports|socket|sockets|connection|"          \
              "connections|connect|all|on|of|is|the|open|current|" more)

static const struct form_part holder[] = {
    FORM_ALWAYS("sudo ss -ltnp"),
    FORM_MUST("port {port|number}; on {port}", " 'sport = :{1:n}'"),
    SAYS("process|program|listen|listening|use|using|hold|occupy|run|who|"
         "service"),
    FORM_END,
};

static const struct form_part sockets[] = {
    FORM_ELSE("process|processes|program|programs|pid|pids|who", "sudo ss -",
              "ss -"),
    FORM_ONE('l', "listen|listening; open port|ports", "l"),
    FORM_ONE('k', "tcp udp", "tu"),
    FORM_ONE('k', "tcp", "t"),
    FORM_ONE('k', "udp", "u"),
    FORM_ONE('k', "unix", "x"),
    FORM_LAST('k', "raw", "w", "tu"),
    FORM_ONE('l', "all", "a"),
    FORM_ALWAYS("n"),
    FORM_IF("process|processes|program|programs|pid|pids|who", "p"),
    FORM_IF("ipv4", " -4"),
    FORM_IF("ipv6", " -6"),
    FORM_IF("timer|timers", " -o"),
    FORM_ONE('s', "establish|established", " state established"),
    FORM_ONE('s', "time-wait; time wait", " state time-wait"),
    FORM_ONE('s', "close-wait; close wait", " state close-wait"),
    FORM_IF("to|from|with {machine}", " dst {1}"),
    FORM_ONE('p', "to|remote|destination port {port|number}",
             " 'dport = :{1:n}'"),
    FORM_ONE('p', "port {port|number}", " 'sport = :{1:n}'"),
    SAYS("listen|listening|program|with|pid|numeric|numeric|state|network|tcp|"
         "udp|in|their|establish"),
    FORM_END,
};

static const struct form_part per_address[] = {
    FORM_ALWAYS("ss -Htn state established"),
    FORM_IF("port {port|number}", " 'sport = :{1:n}'"),
    FORM_ALWAYS(" | awk '{{print $4}' | sed 's/:[0-9]*$//' | sort | uniq -c | "
                "sort -rn"),
    SAYS("count|number|per|each|by|ip|address|remote|client|many|how|every"),
    FORM_END,
};

static const struct form_part by_state[] = {
    FORM_ALWAYS("ss -Htan | awk '{{print $1}' | sort | uniq -c | sort -rn"),
    SAYS("count|number|per|each|by|state|many|tcp|every"),
    FORM_END,
};

#define INTERFACE "{iface}; interface|device {name|word}"
#define IP(more)                                                               \
    FORM_SAYS("list|ip|address|addresses|interface|interfaces|network|of|my|"  \
              "device|the|what|which|all|" more)

static const struct form_part addresses[] = {
    FORM_ALWAYS("ip"),
    FORM_ONE('v', "ipv4", " -4"),
    FORM_ONE('v', "ipv6", " -6"),
    FORM_IF("brief|short|compact", " -br"),
    FORM_ALWAYS(" address"),
    FORM_IF(INTERFACE, " show dev {1}"),
    IP("ipv4|ipv6"),
    FORM_END,
};

static const struct form_part address_set[] = {
    FORM_ALWAYS("sudo ip address"),
    FORM_ELSE("delete", " del", " add"),
    FORM_MUST("{machine|path}", " {1}"),
    FORM_ELSE(INTERFACE, " dev {1}", "! dev INTERFACE"),
    IP("add|assign|give|set|to|from|delete"),
    FORM_END,
};

static const struct form_part link_set[] = {
    FORM_ALWAYS("sudo ip link set"),
    FORM_ELSE(INTERFACE, " {1}", "! INTERFACE"),
    FORM_ONE('u', "mtu ?of|to {number}", " mtu {1:n}"),
    FORM_ONE('u', "down; disable; deactivate; off", " down"),
    FORM_LAST('u', "up; enable; activate; on", " up", "-"),
    IP("bring|take|turn|set|link|shut|put|mtu"),
    FORM_END,
};

static const struct form_part links[] = {
    FORM_ALWAYS("ip"),
    FORM_IF("statistic|statistics|traffic|counters|packets|bytes|errors",
            " -s"),
    FORM_IF("brief|short|compact", " -br"),
    FORM_ALWAYS(" link"),
    FORM_IF(INTERFACE, " show {1}"),
    FORM_IF("up|active", " show up"),
    IP("link|links|are|be|state|mac|have|i|statistic"),
    FORM_END,
};

static const struct form_part routes[] = {
    FORM_ALWAYS("ip"),
    FORM_IF("ipv6", " -6"),
    FORM_ALWAYS(" route"),
    FORM_ONE('r', "to {machine}", " get {1}"),
    FORM_ONE('r', "default", " show default"),
    FORM_IF(INTERFACE, " show dev {1}"),
    IP("route|routes|routing|table|gateway|default|through|packet|take|is"),
    FORM_END,
};

static const struct form_part route_set[] = {
    FORM_ALWAYS("sudo ip route"),
    FORM_ELSE("delete", " del", " add"),
    FORM_ONE('t', "to|for {machine|path}", " {1}"),
    FORM_ONE('t', "default", " default"),
    FORM_LAST('t', "route {machine|path}", " {1}", "-"),
    FORM_IF("through|via|over|by|gateway {machine|path}", " via {1}"),
    FORM_IF(INTERFACE, " dev {1}"),
    IP("add|route|via|gateway|default|set|network|through|delete|to"),
    FORM_END,
};

static const struct form_part neighbours[] = {
    FORM_ALWAYS("ip neighbour"),
    FORM_IF(INTERFACE, " show dev {1}"),
    IP("arp|table|neighbours|neighbors|cache|neighbour"),
    FORM_END,
};

static const struct form forms[] = {
    FORM_LIST("connections of each address", per_address,
              "connection|connections|connect|client|clients",
              "per|each|by|every ?remote|client|source ip|address|client|host",
              "!ssh|docker|limit|{url}|drop|block"),
    FORM_LIST("connections in each state", by_state,
              "connections|sockets|connection", "per|each|by state"),
    FORM("who listens on a port", holder,
         "process|program|what|which|who|service|use|listen|hold|using",
         "port {port|number}",
         "listen|listening|use|using|hold|occupy|run|on|open",
         "!kill|=stop|free|forward|docker|ssh|scan|{machine}|allow|block|"
         "firewall|connect|end|start|ufw|capture|terminate|change|remote|"
         "connections|serve|{url}"),
    FORM_LIST("sockets", sockets,
              "port|ports|sockets|socket|connections|connection",
              "listening|listen|established|tcp|udp|open|unix|time-wait|close-"
              "wait|sockets; network connections; active connections",
              "list|what|which|all|count|number|listening|established|open|"
              "current|sockets",
              "!kill|{url}|scan|firewall|forward|ssh|close|test|allow|block|"
              "check|if|whether|speed|capture|database|file|files|drop|wifi|"
              "tunnel|socks|proxy|each|nmap|nc|lsof|netstat|create"),
    FORMS_END,
};

static const struct form networks[] = {
    FORM("a route", route_set, "add|delete|set", "route|gateway",
         "{machine}|{path}|default", "!table|list|wifi|router"),
    FORM_LIST("routes", routes, "route|routes|routing|gateway",
              "list|what|which|routing|table|default|is|take",
              "!traceroute|trace|add|delete|flush|page|web|app"),
    FORM("an address of an interface", address_set,
         "add|assign|delete|give|set", "{machine}|{path}", "{iface}|interface",
         "!mac|hardware|mtu|route|gateway|dns|firewall|block|allow|ssh|proxy|"
         "hosts|name"),
    FORM("an interface up or down", link_set, "{iface}|interface",
         "up|down|disable|enable|mtu|activate|deactivate|off|on",
         "bring|take|turn|set|shut|put|disable|enable|change|activate|"
         "deactivate",
         "!{machine}|wifi|monitor|address|speed|list|promiscuous|mac"),
    FORM_LIST("neighbours", neighbours, "arp|neighbours|neighbors|neighbour",
              "!delete|add|ping|scan|flush"),
    FORM_LIST(
        "addresses", addresses, "address|addresses|ip",
        "{iface}|interface|interfaces; ipv4|ipv6 addresses|address; my ip "
        "addresses|address; ip addresses; local ip",
        "!public|external|dns|add|delete|set|mac|connection|connections|ping|"
        "block|log|file|{file}|per|each|website|name|{url}|firewall|grep|find|"
        "sort|valid|match|geo|{machine}|up|down|domain|host|hostname|resolve"),
    FORM_LIST("interfaces", links, "interface|interfaces|{iface}",
              "list|what|which|statistic|traffic|packets|up|link|state|brief",
              "!capture|speed|route|address|dns|wireshark|tcpdump|file|mac|"
              "graphical|command|watch|bandwidth"),
    FORMS_END,
};

int
sockets_compose(const struct request *q, struct shortlist *s, struct err *e)
{
    if (form_compose(forms, "sockets", q, s, e) < 0)
        return -1;
    return form_compose(networks, "sockets", q, s, e);
}
