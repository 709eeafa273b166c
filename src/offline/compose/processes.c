/* SPDX-License-Identifier: GPL-3.0-or-later */
/* processes.c - ps, pgrep, kill: what runs, and its end. */
#include "offline/compose/composers.h"
#include "offline/compose/form.h"

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
processes_compose(const struct request *q, struct shortlist *s, struct err *e)
{
    if (form_compose(listing, "processes", q, s, e) < 0)
        return -1;
    return form_compose(ending, "processes", q, s, e);
}
