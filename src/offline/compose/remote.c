/* SPDX-License-Identifier: GPL-3.0-or-later */
/* remote.c - ssh, scp and rsync: what is done on and with other machines. */
#include "offline/compose/composers.h"
#include "offline/compose/form.h"

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
#define SAYS(more)                                                             \
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
    SAYS("connect|login|log|open|in|into|shell|session|run|command|execute|"
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
    SAYS("socks|dynamic|proxy"),
    FORM_END,
};

static const struct form_part socks[] = {
    FORM_ALWAYS("ssh -N"),
    FORM_IF("background", " -f"),
    FORM_ELSE("port {port|number}", " -D {1:n} ", " -D 1080 "),
    HOST,
    TUNNEL,
    SAYS("socks|dynamic|proxy|socks5"),
    FORM_END,
};

static const struct form_part copy_key[] = {
    FORM_ALWAYS("ssh-copy-id"),
    FORM_IF("port {port|number}", " -p {1:n}"),
    FORM_IF("key {file}; {file}", " -i {1:path}"),
    FORM_ALWAYS(" "),
    HOST,
    SAYS("copy|public|my|install|put|send|add|transfer"),
    FORM_END,
};

#define COPY_SAYS                                                              \
    SAYS("copy|send|upload|transfer|put|download|get|file|files|directory|"    \
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

static const struct form_part send[] = {
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

static const struct form forms[] = {
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
    FORM("bring files to another machine", send,
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
remote_compose(const struct request *q, struct shortlist *s, struct err *e)
{
    return form_compose(forms, "remote", q, s, e);
}
