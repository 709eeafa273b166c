# SPDX-License-Identifier: GPL-3.0-or-later
# layers.awk - says which #include lines break the order of the folders, and
# which lines ask the process for what each session has of its own.
#
# Its arguments are paths like src/json/json_value.c and plugins/cmd.run/main.c.
# Run it behind code.awk.

BEGIN {
    folders = "base json config term wire record guard sandbox tool model " \
        "offline action ui frontend server"
    n = split(folders, order, " ")
    for (i = 1; i <= n; i++)
        rank[order[i]] = i

    # library headers, by regular expression, and the one room of each
    room["^cjson/"] = "src/json/"
    room["^(c?JSON|cJSON)[.]h$"] = "src/json/"
    room["^ini[.]h$"] = "src/config/"
    room["^md4c(-html)?[.]h$"] = "src/term/"
    room["^sqlite3[.]h$"] = "src/record/"
    room["^seccomp[.]h$"] = "src/sandbox/"
    room["^curl/"] = "src/model/"
    room["^zlib[.]h$"] = "src/offline/"
    room["^readline/"] = "src/frontend/repl/"
    room["^(wslay|openssl|nats)/"] = "src/wire/"
    room["^nats[.]h$"] = "src/wire/"

    # the wings that are handed a seat (src/base/seat.h); the launcher and the
    # model process are programs of their own, and who starts the latter for
    # all seats gives it variables of the process
    seated = "^src/(guard|sandbox|tool|model|offline|action" \
        "|server/[a-z]+)/"
    alone = "^src/(sandbox/launch|model/(process|mcp_http))/" \
        "|^src/model/(model|warm)_process[.]c$"
    n = split("getcwd getwd get_current_dir_name chdir fchdir getenv " \
        "secure_getenv setenv putenv unsetenv clearenv path_home path_of " \
        "path_make_dirs path_find_program seat_of_process",
        names, " ")
    for (i = 1; i <= n; i++)
        asks[names[i]] = 1
    # calls of which "." and "./x" mean the process's directory
    here = "(^|[^A-Za-z0-9_])(open|opendir|stat|lstat|access|realpath" \
        "|readlink|scandir|statfs|statvfs|glob)[(]\"[.](/|\")" \
        "|AT_FDCWD, \"[.](/|\")"
}

function complain(text) {
    printf "%s:%d: %s\n", FILENAME, FNR, text
}

# The folder of src/ that a path lies in; "" for a file of src/ itself.
function folder(path, part) {
    return split(path, part, "/") > 2 ? part[2] : ""
}

# What a way in is called: src/frontend/cli/x.c is of "cli", src/server/acp/x.c
# of "acp".
function way_in(path, part) {
    return split(path, part, "/") > 3 && part[2] ~ /^(frontend|server)$/ ? \
        part[3] : ""
}

function check_library(name, pattern) {
    for (pattern in room) {
        if (name ~ pattern && index(FILENAME, room[pattern]) != 1)
            complain("<" name "> belongs in " room[pattern])
    }
}

function check_wing(path, mine, theirs) {
    mine = folder(FILENAME)
    theirs = folder(path)
    if (!(theirs in rank) || (mine != "" && !(mine in rank)))
        return
    if (mine != "" && rank[theirs] > rank[mine])
        complain(mine "/ stands before " theirs "/")
    else if (way_in(path) != "" && mine ~ /^(frontend|server)$/ && \
        way_in(FILENAME) != "" && way_in(path) != way_in(FILENAME))
        complain("a frontend knows nothing of " theirs "/" way_in(path) "/")
}

# Plugins stand on the ground alone, and nobody stands on them. One is also the
# launcher that waits, and has itself in it.
function check_plugin(path, part, own) {
    split(FILENAME, part, "/")
    own = "plugins/" part[2] "/"
    if (FILENAME !~ /^plugins\//) {
        if (path ~ /^plugins\//)
            complain("nothing includes from plugins/")
    } else if (path ~ /^plugins\//) {
        if (index(path, own) != 1 && path !~ /^plugins\/lib\//)
            complain("a plugin knows its own and plugins/lib/")
    } else if (FILENAME == "plugins/cmd.run/main.c" &&
        path == "src/sandbox/launch/zygote.h") {
        return
    } else if ((folder(path) in rank) && path !~ /^src\/(base|json)\//) {
        complain("a plugin stands on base/ and json/")
    }
}

function check_seat(code, name) {
    while (match(code, /[A-Za-z_][A-Za-z0-9_]*[ \t]*[(]?/)) {
        name = substr(code, RSTART, RLENGTH)
        code = substr(code, RSTART + RLENGTH)
        if (name ~ /^environ[ \t]*$/)
            complain("environ is the process's; the seat has variables")
        if (sub(/[ \t]*[(]$/, "", name) && name in asks)
            complain(name "() is about the process; ask the seat")
    }
}

FNR == 1 { in_comment = 0 }

FILENAME ~ seated && FILENAME !~ alone {
    check_seat(code_of($0))
    if ($0 ~ here)
        complain("\".\" is the process's directory; ask the seat")
}

FNR == 1 && FILENAME ~ /^src\/[^\/]*\// && !(folder(FILENAME) in rank) {
    complain(folder(FILENAME) "/ has no place in the order")
}

/^[ \t]*#[ \t]*include[ \t]*[<"]/ {
    name = $0
    sub(/^[^<"]*[<"]/, "", name)
    sub(/[>"].*/, "", name)
    check_library(name)
    if (name ~ /(^|\/)[.][.]\//) {
        complain("a path with .. hides its folder")
        next
    }
    if (name !~ /^(src|plugins)\//)
        name = "src/" name
    check_plugin(name)
    if (FILENAME ~ /^src\//)
        check_wing(name)
}
