/* SPDX-License-Identifier: GPL-3.0-or-later */
/* form_containers.c - forms for docker and podman: containers and images. */
#include "offline/generate/form.h"
#include "offline/generate/generate.h"

#define PROGRAM                                                                \
    FORM_ELSE("podman", "podman", "docker"), FORM_SAYS("docker|podman")
#define CONTAINER                                                              \
    "container ?named|called|name {word}; {name|daemon} container; "           \
    "in|inside|into|of|from|for|on {name|daemon}"
#define SAYS(more)                                                             \
    FORM_SAYS("container|containers|docker|podman|all|every|" more)

static const struct form_part run[] = {
    PROGRAM,
    FORM_ALWAYS(" run"),
    FORM_IF("detached|background|daemon", " -d"),
    FORM_ONE('i', "interactive|interactively|shell; terminal|tty", " -it"),
    FORM_IF("delete ?it ?container after|afterwards|when|exit; "
            "throwaway|disposable|temporary; clean up; removed; remove ?it "
            "after|when",
            " --rm"),
    FORM_IF("restart always; always restart; restart ?automatically",
            " --restart unless-stopped"),
    FORM_IF("named|called|as {word}; name {word}", " --name {1}"),
    FORM_EACH("port {ports}; {ports}", " -p {1}"),
    FORM_ONE('p',
             "port|ports {port|number} to|on|as|of ?host|container ?port "
             "{port|number}",
             " -p {1:n}:{2:n}"),
    FORM_ONE('p', "port|publish|expose {port|number}", " -p {1:n}:{1:n}"),
    FORM_IF(
        "mount|volume|directory|share|with {path} to|at|as|on|under|in {path}",
        " -v {1}:{2}"),
    FORM_IF("current directory ?mounted to|at|as|on|under|in {path}",
            " -v \"$PWD\":{1}"),
    FORM_IF("memory ?limit ?of|to {size}; {size} memory", " -m {1:size}"),
    FORM_IF("env|environment|variable ?variable {text|name|path}", " -e {1}"),
    FORM_IF("network {word}; on ?the {name} network", " --network {1}"),
    FORM_ELSE("image ?named|called {word}; run|start|launch ?a|new|an "
              "{name|daemon|path}; {name|daemon} image|container; from|of "
              "{name|daemon|path}; ubuntu|debian|alpine|fedora|python|node",
              " {1}", "!IMAGE"),
    SAYS("run|start|launch|image|new|with|port|mount|delete|it|map|publish|"
         "create|that|exits|exit|after|when|shell|mounted|and"),
    FORM_END,
};

static const struct form_part shell[] = {
    PROGRAM,
    FORM_ALWAYS(" exec -it"),
    FORM_IF("as ?user root", " -u root"),
    FORM_IF("as user {name|user}", " -u {1}"),
    FORM_ELSE(CONTAINER, " {1}", "! CONTAINER"),
    FORM_ELSE("bash", " bash", " sh"),
    SAYS("shell|open|terminal|get|list|enter|inside|into|in|start|attach|run|"
         "go|log|login|interactive|prompt|session"),
    FORM_END,
};

static const struct form_part exec[] = {
    PROGRAM,
    FORM_ALWAYS(" exec"),
    FORM_IF("as user {name|user}; as root", " -u {1}"),
    FORM_MUST(CONTAINER, " {1}"),
    FORM_MUST("run|execute|command ?the ?command {text|name}", " {1:command}"),
    SAYS("run|exec|execute|command|inside|in"),
    FORM_END,
};

static const struct form_part logs[] = {
    PROGRAM,
    FORM_ALWAYS(" logs"),
    FORM_IF("follow|watch|live|tail|stream", " -f"),
    FORM_IF("last|newest {number}; {number} line|lines", " --tail {1:n}"),
    FORM_ONE('s', "since|from|within|in {age}", " --since {1:span}"),
    FORM_ONE('s', "since {date}", " --since {1}"),
    FORM_IF("timestamps|timestamp|times", " -t"),
    FORM_ELSE(CONTAINER, " {1}", "! CONTAINER"),
    SAYS("log|logs|output|list|line|lines|last|of|from|with|messages"),
    FORM_END,
};

static const struct form_part list[] = {
    PROGRAM,
    FORM_ALWAYS(" ps"),
    FORM_IF("all|every; stopped|exited|also; not run", " -a"),
    FORM_ONE('f',
             "also|too|including|include|even|plus|and ?the|those ?that "
             "stopped|exited; stopped|exited ?one|container also|too|include",
             ""),
    FORM_IF("only ?the ?container id|ids; ids|id only; ids", " -q"),
    FORM_IF("size|sizes", " -s"),
    FORM_ONE('f', "exited|stopped; not run", " -f status=exited"),
    FORM_ONE('f', "paused", " -f status=paused"),
    FORM_IF("from|of|use|using image {word}", " -f ancestor={1}"),
    FORM_IF("name ?contains|containing|matching {word}", " -f name={1}"),
    SAYS("list|run|what|which|stopped|include|show|that|be"),
    FORM_END,
};

static const struct form_part images[] = {
    PROGRAM,
    FORM_ALWAYS(" images"),
    FORM_IF("all|intermediate", " -a"),
    FORM_IF("id|ids", " -q"),
    FORM_IF("dangling|untagged", " -f dangling=true"),
    SAYS("image|images|list|local|what|which|have"),
    FORM_END,
};

static const struct form_part build[] = {
    PROGRAM,
    FORM_ALWAYS(" build"),
    FORM_IF("without|no ?using|use cache", " --no-cache"),
    FORM_IF("tag|named|called|as|name {path|word}; image {path|name}",
            " -t {1}"),
    FORM_IF("dockerfile|file|using {file}", " -f {1:path}"),
    FORM_IF("platform|for {path}", " --platform {1}"),
    FORM_ELSE("in|from|of directory {path}; in|from {path}", " {1:path}", " ."),
    SAYS("build|image|current|directory|with|from|file|dockerfile|tag|create|"
         "it|here|tagged|here"),
    FORM_END,
};

static const struct form_part copy_in[] = {
    PROGRAM,
    FORM_ALWAYS(" cp"),
    FORM_MUST("copy|put ?the ?file|directory {path}", " {1:path}"),
    FORM_MUST(CONTAINER "; to {name}", " {1}"),
    FORM_ELSE("to|into|in|at|under {path}", ":{1:path}", ":/"),
    SAYS("copy|put|file|into|to|directory"),
    FORM_END,
};

static const struct form_part copy_out[] = {
    PROGRAM,
    FORM_ALWAYS(" cp"),
    FORM_MUST(CONTAINER, " {1}"),
    FORM_MUST("copy|get|list ?the ?file|directory {path}", ":{1:path}"),
    FORM_ELSE("to|into {path}", " {1:path}", " ."),
    SAYS("copy|get|file|from|to|out|here|directory"),
    FORM_END,
};

/* A verb and what it is for. */
#define VERB_PARTS(NAME, VERB, WHICH, WORDS)                                   \
    static const struct form_part NAME[] = {                                   \
        PROGRAM,                                                               \
        FORM_ALWAYS(" " VERB),                                                 \
        FORM_IF("force|forcibly|running", " -f"),                              \
        FORM_EACH("container|image|volume|network ?named|called {word}; "      \
                  "{name|daemon|path}; and {word}",                            \
                  " {1}"),                                                     \
        SAYS(WORDS "|" WHICH),                                                 \
        FORM_END,                                                              \
    }
VERB_PARTS(stop, "stop", "container", "=stop|run");
VERB_PARTS(start, "start", "container", "=start|stopped");
VERB_PARTS(restart, "restart", "container", "restart");
VERB_PARTS(end, "kill", "container", "=kill");
VERB_PARTS(hold, "pause", "container", "pause|freeze");
VERB_PARTS(inspect, "inspect", "container|image",
           "inspect|detail|details|information|list|about|configuration");
VERB_PARTS(rm, "rm", "container", "delete");
VERB_PARTS(rmi, "rmi", "image|images", "delete");
VERB_PARTS(pull, "pull", "image", "pull|download|get|fetch|newest");
VERB_PARTS(push, "push", "image", "push|transfer|registry|to");
VERB_PARTS(volume_rm, "volume rm", "volume", "delete");
VERB_PARTS(volume_new, "volume create", "volume", "create|new");
VERB_PARTS(network_new, "network create", "network", "create|new");

/* What is done with all of a kind at once. */
#define ALL_PARTS(NAME, COMMAND, WORDS)                                        \
    static const struct form_part NAME[] = {                                   \
        PROGRAM,                                                               \
        FORM_ALWAYS(" " COMMAND),                                              \
        SAYS(WORDS),                                                           \
        FORM_END,                                                              \
    }
/* The same with what the program itself lists. */
#define LISTED_PARTS(NAME, COMMAND, LIST, WORDS)                               \
    static const struct form_part NAME[] = {                                   \
        FORM_ELSE("podman", "podman " COMMAND " $(podman " LIST ")",           \
                  "docker " COMMAND " $(docker " LIST ")"),                    \
        FORM_SAYS("docker|podman"),                                            \
        SAYS(WORDS),                                                           \
        FORM_END,                                                              \
    }
LISTED_PARTS(stop_all, "stop", "ps -q", "=stop|run|kill");
LISTED_PARTS(rm_all, "rm -f", "ps -aq", "delete|stop|force");
ALL_PARTS(rmi_unused, "image prune -a", "delete|unused|image|images|clean|up");
ALL_PARTS(rm_dangling, "image prune", "delete|dangling|untagged|image|images");
ALL_PARTS(rm_stopped, "container prune", "delete|stopped|exited|unused");
ALL_PARTS(rm_volumes, "volume prune", "delete|unused|volume|volumes");
ALL_PARTS(prune, "system prune",
          "clean|up|prune|delete|everything|unused|free|space");
ALL_PARTS(stats, "stats",
          "usage|cpu|memory|resource|statistic|statistics|list|live|use|of");
ALL_PARTS(room, "system df", "disk|space|usage|how|much|use|does");
ALL_PARTS(volumes, "volume ls", "volume|volumes|list");
ALL_PARTS(networks, "network ls", "network|networks|list");

#define OURS "docker|podman|container|containers|dockerfile"

static const struct form others[] = {
    FORM("build an image", build, "build",
         "docker|podman|image|dockerfile|container"),
    FORM("how much room docker takes", room, "docker|podman",
         "disk|space ?usage|use; how much", "!free|clean|run"),
    FORM("clean up", prune, "docker|podman",
         "prune|everything|clean|unused ?data|up",
         "!container|containers|image|images|volume|volumes|network"),
    FORM("delete unused volumes", rm_volumes, "docker|podman", "volumes",
         "delete|prune|unused|clean"),
    FORM("delete dangling images", rm_dangling, "images|image",
         "dangling|untagged", "delete|prune|clean"),
    FORM("delete unused images", rmi_unused, "images", "docker|podman",
         "delete|prune|clean", "unused|all|every|prune"),
    FORM("delete stopped containers", rm_stopped, "containers",
         "stopped|exited|unused; not run", "delete|prune|clean"),
    FORM("delete all containers", rm_all, "containers", "delete", "all|every"),
    FORM("stop all containers", stop_all, "containers", "=stop|=kill",
         "all|every|running"),
    FORM("make a volume", volume_new, "volume", "docker|podman", "create|new",
         "!run|mount"),
    FORM("delete a volume", volume_rm, "volume", "docker|podman", "delete"),
    FORM_LIST("the volumes", volumes, "docker|podman", "volumes|volume", "list",
              "!run|mount"),
    FORM("make a network", network_new, "network", "docker|podman",
         "create|new", "!run|container"),
    FORM_LIST("the networks", networks, "docker|podman", "network|networks",
              "list", "!container"),
    FORM("delete an image", rmi, "image", "docker|podman", "delete",
         "!run|container|build"),
    FORM("fetch an image", pull, "pull|download|fetch", "docker|podman",
         "image|{name}|docker", "!run"),
    FORM("publish an image", push, "push|upload", "docker|podman",
         "image|{name|path}"),
    FORM_LIST("the images", images, "images", "docker|podman|container|local",
              "list|what|which|all|number|count", "!delete|{image}|file|run"),
    FORMS_END,
};

static const struct form forms[] = {
    FORM("copy out of a container", copy_out, OURS, "copy|get {path}",
         "from|out ?of ?the ?container|docker {word}; from {name|daemon}",
         "!copy ?file {path} to|into|in ?the container"),
    FORM("copy into a container", copy_in, OURS, "copy|put {path}",
         "to|into|in", "!image"),
    FORM("what a container wrote", logs, OURS, "log|logs|output",
         "!file|login|in|into|size; run {text}"),
    FORM("a shell in a container", shell, OURS,
         "shell|bash|sh|enter|attach|terminal; log into; get into; go into",
         "!new|image|run ?a|an|new "
         "container|{name}|ubuntu|debian|alpine|fedora; {url}"),
    FORM("a command in a container", exec, OURS,
         "run|execute|exec ?the ?command {text|name} in|inside; "
         "run|execute|exec {text} ?command in|inside; exec",
         "container|{name}", "!image|detached|port|background|{ports}"),
    FORM("how much containers use", stats, OURS,
         "usage|statistic|statistics|resource|cpu; memory use",
         "!disk|limit|run"),
    FORM("delete a container", rm, "container", "delete",
         "!run|file|inside|after|when", "{name|daemon}|container {word}"),
    FORM("stop a container", stop, "container", "=stop",
         "!run {path}|process|service"),
    FORM("kill a container", end, "container", "=kill", "!process"),
    FORM("restart a container", restart, "container", "restart",
         "!always|image|run|service"),
    FORM("pause a container", hold, "container", "pause|freeze"),
    FORM("start a container again", start, "container", "=start",
         "!image|new|port|background|detached|run|{ports}|mount|shell"),
    FORM("all about a container", inspect, "container|image",
         "inspect|detail|details|information|configuration",
         "docker|podman|container"),
    FORM_LIST("the containers", list, "containers; docker|podman ps",
              "list|what|which|run|all|docker|number|count|stopped",
              "!delete|=stop|=kill|image "
              "?from|log|logs|port|network|volume|start|restart"),
    FORM("start a new container", run, "run|start|launch|create",
         "docker|podman|container",
         "!inside|compose|images|containers|service|daemon|install|list",
         "{name|daemon|path}|image|ubuntu|debian|alpine|fedora|python|node"),
    FORMS_END,
};

int
generate_containers(const struct request *q, struct shortlist *s, struct err *e)
{
    if (form_generate(others, "containers", q, s, e) < 0)
        return -1;
    return form_generate(forms, "containers", q, s, e);
}
