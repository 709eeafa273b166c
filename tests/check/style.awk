# SPDX-License-Identifier: GPL-3.0-or-later
# style.awk - says which lines of C break the house rules of HACKING.
#
# Its arguments are paths like src/json/json_value.c and tests/unit/test_json.c. Run
# it behind code.awk and with LC_ALL=C: characters are counted by their first
# byte.

BEGIN {
    FILE_MAX = 800
    HEADER_MAX = 200
    FUNCTION_MAX = 60
    COLUMNS_MAX = 80
    NESTED_TOO_DEEP = 16 # columns: the fourth level within a function

    n = split("strcpy strcat sprintf vsprintf strtok gets atoi atol atoll " \
        "system popen alloca", words, " ")
    for (i = 1; i <= n; i++)
        banned[words[i]] = 1

    # calls that make a descriptor, and what must stand in the statement
    needs["open"] = needs["openat"] = needs["pipe2"] = "O_CLOEXEC"
    needs["dup3"] = needs["mkostemp"] = needs["posix_openpt"] = "O_CLOEXEC"
    needs["socket"] = needs["socketpair"] = needs["accept4"] = "SOCK_CLOEXEC"
    needs["epoll_create1"] = "EPOLL_CLOEXEC"
    needs["eventfd"] = "EFD_CLOEXEC"
    needs["timerfd_create"] = "TFD_CLOEXEC"
    needs["signalfd"] = "SFD_CLOEXEC"
    needs["memfd_create"] = "MFD_CLOEXEC"
    needs["inotify_init1"] = "IN_CLOEXEC"
    n = split("pipe accept dup creat mkstemp epoll_create inotify_init " \
        "tmpfile", words, " ")
    for (i = 1; i <= n; i++)
        leaks[words[i]] = 1
    n = split("getpwnam getpwuid getpwent fgetpwent getgrnam getgrgid " \
        "getmntent gmtime localtime ctime asctime", words, " ")
    for (i = 1; i <= n; i++)
        shares[words[i]] = 1
    split("fork vfork clone clone3 posix_spawn posix_spawnp daemon", words, " ")
    for (i in words)
        forks[words[i]] = 1
}

function complain(line, text) {
    printf "%s:%d: %s\n", path, line, text
}

# Calls each name that is called in the code: name(, but not x.name( .
function check_calls(code, name, before) {
    while (match(code, /[A-Za-z_][A-Za-z0-9_]*\(/)) {
        before = RSTART > 1 ? substr(code, RSTART - 1, 1) : ""
        name = substr(code, RSTART, RLENGTH - 1)
        code = substr(code, RSTART + RLENGTH)
        if (before != "." && before != ">")
            check_call(name)
    }
}

function check_call(name) {
    if (name in banned)
        complain(FNR, name "() is banned")
    if (is_test)
        return
    if ((name in forks) && path !~ /^src\/(base|sandbox)\//)
        complain(FNR, name "() belongs in base/ and sandbox/")
    if (name == "exit" && path !~ /\/main[.]c$/)
        complain(FNR, "exit() belongs in main.c")
    if (name == "dup2" && path !~ /^src\/(base|sandbox)\//)
        complain(FNR, "dup2() belongs in base/ and sandbox/")
    if (name in shares)
        complain(FNR, name "() returns memory that all threads share")
    if (name in leaks)
        complain(FNR, name "() leaves out CLOEXEC")
    if ((name in needs) || name == "fopen")
        made[name] = FNR
}

# At the end of a statement: did what it calls get its flag?
function check_made(name) {
    for (name in made) {
        if (name == "fopen") {
            if (raw !~ /"[rwa][a-z+]*e[a-z+]*"/)
                complain(made[name], "fopen() without \"e\" in its mode")
        } else if (code_so_far !~ needs[name]) {
            complain(made[name], name "() without " needs[name])
        }
        delete made[name]
    }
    raw = code_so_far = ""
}

# Such a buffer is given back at every return: it begins on its own line.
function check_buffer(code) {
    if (code ~ /^ *CLEANUP_BUF / &&
        code !~ /^ *CLEANUP_BUF struct buf [a-z_0-9]+ = [a-z]/)
        complain(FNR, "a CLEANUP_BUF that buf_of() does not begin")
}

function check_shape(code, columns, indent) {
    columns = $0
    gsub(/[\200-\277]/, "", columns)
    if (length(columns) > COLUMNS_MAX)
        complain(FNR, length(columns) " columns")
    if ($0 ~ /^\/\* *[-=*][-=*]/)
        complain(FNR, "a banner: a file of several parts is several files")
    match(code, /^ */)
    indent = RLENGTH
    if (indent >= NESTED_TOO_DEEP &&
        substr(code, indent + 1) ~ /^(if|for|while|switch) \(|^do \{/)
        complain(FNR, "nested deeper than 3")
    # an internals.h declares what another program has
    # POSIX has each program declare environ itself
    if (code ~ /^extern / && code !~ /^extern const / && code !~ /\(/ &&
        code != "extern char **environ;" && FILENAME !~ /\/internals\.h$/)
        complain(FNR, "an extern variable")
}

# Rows of a table within a function are data: they do not make it long.
function check_function(code) {
    if (code ~ /^[A-Za-z_][A-Za-z0-9_]*\(/ && code !~ /^DEFINE_CLEANUP\(/) {
        head = FNR
        rows = 0
    }
    in_table = in_table ? code !~ /^    \};/ : code ~ /^    .* = \{$/
    rows += in_table
    if (code ~ /^\}/ && head) {
        if (FNR - head - rows + 1 > FUNCTION_MAX)
            complain(head, "a function of " FNR - head - rows + 1 " lines")
        head = 0
    }
}

# A header of generated rows is as long as they are many.
function check_file(max, counted) {
    max = path ~ /[.]h$/ ? HEADER_MAX : FILE_MAX
    counted = path ~ /[.]h$/ ? lines - data : lines
    if (path != "" && counted > max)
        complain(lines, "a file of more than " max " lines")
}

FNR == 1 {
    check_file()
    path = FILENAME
    is_test = path ~ /^tests\//
    in_comment = in_table = in_data = head = data = 0
    raw = code_so_far = ""
    if ($0 != "/* SPDX-License-Identifier: GPL-3.0-or-later */")
        complain(1, "no SPDX line")
}

FNR == 2 {
    base = path
    sub(/.*\//, "", base)
    if (index($0, "/* " base " - ") != 1)
        complain(2, "no \"/* " base " - one sentence. */\"")
}

{
    lines = FNR
    in_data = in_data ? $0 !~ /^\};/ : $0 ~ /^[a-z].* = \{$/
    data += in_data
    code = code_of($0)
    check_shape(code)
    check_buffer(code)
    check_function(code)
    check_calls(code)
    raw = raw $0
    code_so_far = code_so_far code
    if (code ~ /[;{}][ ]*$/)
        check_made()
}

END {
    check_file()
}
