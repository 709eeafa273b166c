/* SPDX-License-Identifier: GPL-3.0-or-later */
/* form_network.c - forms for ssh, scp, rsync, curl, wget, ss and ip. */
#include "offline/generate/form.h"
#include "offline/generate/generate.h"

#define AT "server|host|machine|box|computer ?named|called {machine|host|name}"
#define HOST                                                                   \
    FORM_ONE('u', "as ?user root; root@", "root@"),                            \
        FORM_ONE('u', "as ?user {name|user}; user {name|user}; {user}",        \
                 "{1}@"),                                                      \
        FORM_ELSE("to|into|on|from|at|of|onto|with|ssh|through|via ?the "      \
                  "?server|host|machine {machine|host}; " AT                   \
                  "; {machine}; ssh ?to|into {name}",                          \
                  "{1}", "!HOST")
#define OPTIONS(PORT)                                                          \
    FORM_IF("port {port|number}", " -" PORT " {1:n}"),                         \
        FORM_IF("key|identity ?file {file|name|path}; identity {path}",        \
                " -i {1:path}"),                                               \
        FORM_IF("jump|jumping ?host {machine|name}", " -J {1}"),               \
        FORM_IF("compress|compression", " -C")
#define REMOTE_SAYS(more)                                                      \
    FORM_SAYS("ssh|server|host|machine|computer|remote|with|using|key|port|"   \
              "on|to|over|user|the|as|" more)

static const struct form_part shell[] = {
    FORM_ALWAYS("ssh"),
    OPTIONS("p"),
    FORM_IF("x11|graphical|display; x forwarding", " -X"),
    FORM_IF("agent", " -A"),
    FORM_IF("verbose|verbosely|debug", " -v"),
    FORM_ALWAYS(" "),
    HOST,
    FORM_ONE('c', "run|execute|command ?the ?command {text}", " {1:quoted}"),
    FORM_ONE('c', "and run|execute {rest}", " {1:quoted}"),
    REMOTE_SAYS(
        "connect|login|log|open|in|into|shell|session|run|command|execute|"
        "forwarding|agent|in"),
    FORM_END,
};

#define TUNNEL                                                                 \
    FORM_SAYS("forward|tunnel|local|remote|port|my|background|of|through|"     \
              "forwarding|create|open|this|set|up|make|reverse")

static const struct form_part tunnel[] = {
    FORM_ALWAYS("ssh -N"),
    FORM_IF("background", " -f"),
    FORM_ONE(
        't',
        "socks|dynamic|proxy ?on|at|proxy|local ?local|port|on {port|number}",
        " -D {1:n}"),
    FORM_ONE('t', "socks|dynamic", " -D 1080"),
    FORM_ONE('r', "reverse; expose", " -R "),
    FORM_ONE('r', "remote port {port|number} ?to ?my|the local", " -R "),
    FORM_LAST('r', "forward|tunnel", " -L ", " -L "),
    FORM_IF(
        "port {port|number} to|at|on|of ?my ?remote|local ?port {port|number}",
        "{1:n}:localhost:{2:n} "),
    FORM_IF("port {port|number}", "{1:n}:localhost:{1:n} "),
    HOST,
    TUNNEL,
    REMOTE_SAYS("socks|dynamic|proxy"),
    FORM_END,
};

static const struct form_part socks[] = {
    FORM_ALWAYS("ssh -N"),
    FORM_IF("background", " -f"),
    FORM_ELSE("port {port|number}", " -D {1:n} ", " -D 1080 "),
    HOST,
    TUNNEL,
    REMOTE_SAYS("socks|dynamic|proxy|socks5"),
    FORM_END,
};

static const struct form_part copy_key[] = {
    FORM_ALWAYS("ssh-copy-id"),
    FORM_IF("port {port|number}", " -p {1:n}"),
    FORM_IF("key {file}; {file}", " -i {1:path}"),
    FORM_ALWAYS(" "),
    HOST,
    REMOTE_SAYS("copy|public|my|install|put|send|add|transfer"),
    FORM_END,
};

#define COPY_SAYS                                                              \
    REMOTE_SAYS(                                                               \
        "copy|send|upload|transfer|put|download|get|file|files|directory|"     \
        "from|push|pull|list|all|into|folder|fetch|recursive|scp")
#define WHAT                                                                   \
    "copy|send|upload|transfer|put|push|download|get|fetch|pull|scp "          \
    "?file|files|directory|all {file|glob|ext|path|name}"
#define SCP                                                                    \
    FORM_ALWAYS("scp"),                                                        \
        FORM_IF("directory|directories|recursive|recursively|everything",      \
                " -r"),                                                        \
        OPTIONS("P"),                                                          \
        FORM_IF("preserve|preserving|keep|keeping "                            \
                "?its|time|times|attributes|permissions",                      \
                " -p"),                                                        \
        FORM_IF("limit|limited|bandwidth|at|most ?to|of {size|number}",        \
                " -l {1:n}")

static const struct form_part send_file[] = {
    SCP,
    FORM_MUST(WHAT, " {1:path}"),
    FORM_EACH("and {file}", " {1:path}"),
    FORM_ALWAYS(" "),
    HOST,
    FORM_ALWAYS(":"),
    FORM_IF("to|into|in|under|at ?the ?directory|folder {path}", "{1:path}"),
    COPY_SAYS,
    FORM_END,
};

/* "bob@example.com:/srv" says all of it. */
static const struct form_part send_whole[] = {
    SCP,
    FORM_MUST(WHAT, " {1:path}"),
    FORM_EACH("and {file}", " {1:path}"),
    FORM_MUST("{target}", " {1}"),
    COPY_SAYS,
    FORM_END,
};

static const struct form_part fetch[] = {
    SCP,
    FORM_ALWAYS(" "),
    HOST,
    FORM_ALWAYS(":"),
    FORM_MUST(WHAT, "{1:path}"),
    FORM_ELSE("to|into|in|as ?my|local|the ?directory {path}", " {1:path}",
              " ."),
    COPY_SAYS,
    FORM_END,
};

#define NO_COPY                                                                \
    "!key|rsync|sync|synchronize|mirror|backup|git|docker|container|link|{"    \
    "url}|ping|image|database"

static const struct form remote_forms[] = {
    FORM("let a key in on another machine", copy_key,
         "copy|install|put|send|add|transfer ?my|the ?public ?ssh key", "key",
         "{machine}|{host}|server|host|machine", "!generate|create|gpg"),
    FORM("a proxy through another machine", socks, "socks|socks5|dynamic",
         "ssh|tunnel|proxy|through|via", "!curl|browser"),
    FORM("a port by way of another machine", tunnel,
         "forward|tunnel|forwarding|expose", "port|ssh",
         "{machine}|{host}|server|ssh|host",
         "!socks|docker|container|iptables|firewall|router|x11|agent"),
    FORM("bring files from another machine", fetch,
         "copy|get|download|fetch|transfer|pull|scp",
         "from ?the ?server|host|machine {machine|host}", WHAT, NO_COPY),
    FORM("bring files to another machine", send_whole,
         "copy|send|upload|transfer|put|push|scp", "to|onto {target}", WHAT,
         NO_COPY),
    FORM("bring files to another machine", send_file,
         "copy|send|upload|transfer|put|push|scp",
         "to|onto|on|at ?the ?server|host|machine {machine|host}", WHAT,
         NO_COPY),
    FORM("a shell on another machine", shell,
         "ssh; log|connect|login ?in to|into|on ?the ?server|host|machine "
         "{machine|host}; run|execute {text} on ?the ?server|host|machine "
         "{machine|host}",
         "{machine|host}|server|host; ssh {name|user}",
         "!rsync|copy|mount|sshfs|service|daemon|restart|status|config|scp|"
         "install|list|who|failed|wifi|vpn",
         "!{url}|database|mysql|postgres|psql|redis|ftp|telnet|tunnel|files|="
         "start|=stop|enable|disable|running|keys|generate|attempts"),
    FORMS_END,
};

int
generate_remote(const struct request *q, struct shortlist *s, struct err *e)
{
    return form_generate(remote_forms, "remote", q, s, e);
}

/* Downloads. */

#define PAGE                                                                   \
    FORM_ONE('u', "{url}", " {1}"),                                            \
        FORM_LAST('u', "from|of|to|at|on|get|download|fetch {machine}",        \
                  " {1}", "-")
#define FETCH_SAYS(more)                                                       \
    FORM_SAYS("download|request|page|website|url|http|with|file|to|send|list|" \
              "curl|wget|fetch|from|of|all|a|the|get|it|" more)
#define COMMON                                                                 \
    FORM_IF("follow ?all|any redirect|redirects|redirection; redirects",       \
            " -L"),                                                            \
        FORM_IF("quiet|quietly|silent|silently; no|without progress", " -s"),  \
        FORM_IF("verbose|verbosely", " -v"),                                   \
        FORM_IF("ignore|ignoring|without|no|insecure ?checking|verifying "     \
                "certificate|certificates|ssl|tls; insecure",                  \
                " -k"),                                                        \
        FORM_IF("user|login|as {name|user} and|with ?the password "            \
                "{name|word|text}",                                            \
                " -u {1}:{2}"),                                                \
        FORM_IF("user|login|authenticate ?as {name|user}", " -u {1}"),         \
        FORM_IF("token {name|word|text}", " -H 'Authorization: Bearer '{1}"),  \
        FORM_EACH("header ?of {text}", " -H {1:quoted}"),                      \
        FORM_IF("user agent {text|name}; agent {text|name}",                   \
                " -A {1:quoted}"),                                             \
        FORM_IF("cookie {text|name}", " -b {1:quoted}"),                       \
        FORM_IF("proxy {url|machine|path}", " -x {1}"),                        \
        FORM_IF("timeout ?of {age}; within|after|most {age}", " -m {1:s}"),    \
        FORM_IF(                                                               \
            "retry|retrying|times {number}; {number} retries|times|attempts",  \
            " --retry {1:n}"),                                                 \
        FORM_IF("limit|rate|speed|bandwidth|at|most ?limit|rate|speed ?to|of " \
                "{size}",                                                      \
                " --limit-rate {1:size}")

static const struct form_part status[] = {
    FORM_ALWAYS("curl -s -o /dev/null -w '%{{http_code}\\n'"),
    COMMON,
    PAGE,
    FETCH_SAYS("status|code|only|what|does|return|just|response|print"),
    FORM_END,
};

static const struct form_part duration[] = {
    FORM_ALWAYS("curl -s -o /dev/null -w '%{{time_total}\\n'"),
    COMMON,
    PAGE,
    FETCH_SAYS("long|time|take|takes|load|measure|response|how|does"),
    FORM_END,
};

static const struct form_part headers[] = {
    FORM_ALWAYS("curl -I"),
    COMMON,
    PAGE,
    FETCH_SAYS("header|headers|only|response|just|what|are"),
    FORM_END,
};

static const struct form_part send_data[] = {
    FORM_ALWAYS("curl"),
    FORM_ONE('m', "put", " -X PUT"),
    FORM_ONE('m', "patch", " -X PATCH"),
    FORM_ONE('m', "=delete", " -X DELETE"),
    FORM_ONE('m', "json|data|form|{text}", ""),
    FORM_LAST('m', "post", " -X POST", " -X POST"),
    FORM_IF("json", " -H 'Content-Type: application/json'"),
    COMMON,
    FORM_ONE('d',
             "file {file}; data|json|body|content from|of|in {file}; "
             "post|send|put|upload {file}",
             " -d @{1:path}"),
    FORM_ONE('d', "{text}", " -d {1:quoted}"),
    FORM_ONE('d', "data|json|body {rest}", " -d {1:quoted}"),
    PAGE,
    FETCH_SAYS("post|put|patch|delete|json|data|body|method|content|form|make"),
    FORM_END,
};

static const struct form_part upload[] = {
    FORM_ALWAYS("curl"),
    COMMON,
    FORM_ONE('f', "form", " -F"),
    FORM_ONE('f', "put", " -T"),
    FORM_LAST('f', "upload", " -F", " -F"),
    FORM_MUST("{file}", " file=@{1:path}"),
    PAGE,
    FETCH_SAYS("upload|form|transfer|field"),
    FORM_END,
};

static const struct form_part curl_get[] = {
    FORM_ALWAYS("curl"),
    FORM_IF("resume|continue|resuming; partial|interrupted", " -C -"),
    COMMON,
    FORM_ONE('o', "save|to|as|into|in|called|named|output ?it ?file {file}",
             " -o {1:path}"),
    FORM_ONE('o',
             "save|remote|same|original ?it ?with ?name|file; download; "
             "resume|continue",
             " -O"),
    PAGE,
    FETCH_SAYS(
        "save|resume|continue|content|print|open|make|name|as|source|html|"
        "json|web|call|redirects"),
    FORM_END,
};

static const struct form_part mirror[] = {
    FORM_ALWAYS("wget -m -k -p"),
    FORM_IF("depth ?of|level ?of {number}; {number} level|levels", " -l {1:n}"),
    FORM_IF("no|without|not parent; below", " -np"),
    FORM_IF("into|to|in|under ?directory|folder {path}", " -P {1:path}"),
    FORM_IF("wait|pause {age}", " -w {1:s}"),
    PAGE,
    FETCH_SAYS(
        "mirror|whole|entire|site|recursive|offline|copy|browse|for|local|"
        "recursively|links|complete"),
    FORM_END,
};

static const struct form_part wget[] = {
    FORM_ALWAYS("wget"),
    FORM_IF("continue|resume|resuming; partial|interrupted", " -c"),
    FORM_IF("background", " -b"),
    FORM_IF("quiet|quietly|silent|silently", " -q"),
    FORM_IF("limit|rate|speed|bandwidth ?rate|speed|download ?to|of {size}; at "
            "most {size}",
            " --limit-rate={1:size}"),
    FORM_IF("recursive|recursively", " -r"),
    FORM_IF("newer|changed|update|timestamping", " -N"),
    FORM_IF("ignore|without|no ?checking|check certificate|certificates",
            " --no-check-certificate"),
    FORM_IF("try|retry|tries {number}; {number} tries|times|attempts",
            " -t {1:n}"),
    FORM_IF("user {name|user} and|with password {word}",
            " --user={1} --password={2}"),
    FORM_IF("agent {text|name}", " -U {1:quoted}"),
    FORM_IF("urls|url|addresses|links ?listed in|from ?the ?file {file}",
            " -i {1:path}"),
    FORM_ONE('o', "into|to|in|under ?directory|folder {path}", " -P {1:path}"),
    FORM_ONE('o', "as|named|called|file {file}", " -O {1:path}"),
    FORM_EACH("{url}", " {1}"),
    FETCH_SAYS(
        "save|continue|resume|directory|folder|limit|rate|kb|into|only|and|in"),
    FORM_END,
};

#define NO_FETCH "!git|clone|ping|repository|docker|traceroute|certificate of"

static const struct form fetch_forms[] = {
    FORM("mirror a site", mirror, "{url}|{machine}",
         "mirror|recursively|entire|whole|complete|recursive",
         "website|site|mirror|web|page|{url}", "!rsync|copy|ssh|ftp"),
    FORM("the status of an answer", status, "{url}|{machine}",
         "status|code ?code|of; http code", NO_FETCH,
         "!service|server|source|{file}|port"),
    FORM("how long an answer takes", duration, "{url}",
         "long|time ?does|take|takes; response|load time", NO_FETCH),
    FORM("the headers of an answer", headers, "{url}|{machine}",
         "headers; header of|from|only; only header", NO_FETCH,
         "!send|post|put|with|{text}"),
    FORM("send a file", upload, "{url}", "upload|form", "{file}", NO_FETCH),
    FORM("send a request", send_data, "{url}",
         "post|put|patch|json; =delete request; data", NO_FETCH,
         "!download|save|jq|parse|pretty|format"),
    FORM("download with wget", wget, "{url}|urls",
         "background|wget|directory|folder|urls|limit|continue|resume|tries; "
         "into|in|under {path}; to {folder}",
         "!curl|headers|post|git|clone|docker|open"),
    FORM("fetch with curl", curl_get, "{url}|{machine}",
         "curl|download|fetch|get|request|save|follow|redirects|header|content|"
         "source",
         NO_FETCH,
         "!copy|ssh|scp|rsync|sync|port|address|ssl; download|get|fetch {path} "
         "from {machine}"),
    FORMS_END,
};

int
generate_fetch(const struct request *q, struct shortlist *s, struct err *e)
{
    return form_generate(fetch_forms, "fetch", q, s, e);
}

/* Sockets, addresses, routes. */

#define SOCKETS_SAYS(more)                                                     \
    FORM_SAYS("list|which|what|port|ports|socket|sockets|connection|"          \
              "connections|connect|all|on|of|is|the|open|current|" more)

static const struct form_part holder[] = {
    FORM_ALWAYS("sudo ss -ltnp"),
    FORM_MUST("port {port|number}; on {port}", " 'sport = :{1:n}'"),
    SOCKETS_SAYS(
        "process|program|listen|listening|use|using|hold|occupy|run|who|"
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
    SOCKETS_SAYS(
        "listen|listening|program|with|pid|numeric|numeric|state|network|tcp|"
        "udp|in|their|establish"),
    FORM_END,
};

static const struct form_part per_address[] = {
    FORM_ALWAYS("ss -Htn state established"),
    FORM_IF("port {port|number}", " 'sport = :{1:n}'"),
    FORM_ALWAYS(" | awk '{{print $4}' | sed 's/:[0-9]*$//' | sort | uniq -c | "
                "sort -rn"),
    SOCKETS_SAYS(
        "count|number|per|each|by|ip|address|remote|client|many|how|every"),
    FORM_END,
};

static const struct form_part by_state[] = {
    FORM_ALWAYS("ss -Htan | awk '{{print $1}' | sort | uniq -c | sort -rn"),
    SOCKETS_SAYS("count|number|per|each|by|state|many|tcp|every"),
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

static const struct form sockets_forms[] = {
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
generate_sockets(const struct request *q, struct shortlist *s, struct err *e)
{
    if (form_generate(sockets_forms, "sockets", q, s, e) < 0)
        return -1;
    return form_generate(networks, "sockets", q, s, e);
}
