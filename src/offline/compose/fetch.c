/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fetch.c - curl and wget: what is behind an address. */
#include "offline/compose/composers.h"
#include "offline/compose/form.h"

#define PAGE                                                                   \
    FORM_ONE('u', "{url}", " {1}"),                                            \
        FORM_LAST('u', "from|of|to|at|on|get|download|fetch {machine}",        \
                  " {1}", "-")
#define SAYS(more)                                                             \
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
    SAYS("status|code|only|what|does|return|just|response|print"),
    FORM_END,
};

static const struct form_part duration[] = {
    FORM_ALWAYS("curl -s -o /dev/null -w '%{{time_total}\\n'"),  COMMON,   PAGE,
    SAYS("long|time|take|takes|load|measure|response|how|does"), FORM_END,
};

static const struct form_part headers[] = {
    FORM_ALWAYS("curl -I"),
    COMMON,
    PAGE,
    SAYS("header|headers|only|response|just|what|are"),
    FORM_END,
};

static const struct form_part send[] = {
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
    SAYS("post|put|patch|delete|json|data|body|method|content|form|make"),
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
    SAYS("upload|form|transfer|field"),
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
    SAYS("save|resume|continue|content|print|open|make|name|as|source|html|"
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
    SAYS("mirror|whole|entire|site|recursive|offline|copy|browse|for|local|"
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
    SAYS(
        "save|continue|resume|directory|folder|limit|rate|kb|into|only|and|in"),
    FORM_END,
};

#define NO_FETCH "!git|clone|ping|repository|docker|traceroute|certificate of"

static const struct form forms[] = {
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
    FORM("send a request", send, "{url}",
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
fetch_compose(const struct request *q, struct shortlist *s, struct err *e)
{
    return form_compose(forms, "fetch", q, s, e);
}
