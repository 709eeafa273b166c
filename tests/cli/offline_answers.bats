#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# offline_answers.bats - requests that no model is asked about: what is proposed, what
# is answered in words, what a script gets.
# shellcheck disable=SC2154,SC2164 # set by bats' run; bats ends at errors
bats_require_minimum_version 1.5.0
load ../lib/common

setup() {
    home_setup
    ai=$top_builddir/ai
}

teardown() {
    home_done
}

# go WORDS...: with neither a terminal nor a model.
go() {
    run --separate-stderr "$ai" "$@" </dev/null
}

# told NAME: a member of the JSON object on standard output.
told() {
    "$PYTHON3" -c 'import json, sys
print(json.loads(sys.argv[1]).get(sys.argv[2]))' "$output" "$1"
}

# unfit: no step is proposed, and the status says so.
unfit() {
    [ "$status" -eq 7 ]
    [ "$(told kind)" = answer_only ]
    [ "$(told exit_status)" = 7 ]
    [[ $output == *'"code":"NOTHING_FITS"'* ]]
    [ -z "$stderr" ]
}

@test "a wish runs what a recipe says, and says who proposed it" {
    mkdir full empty
    touch full/file
    go run -o json --dry-run delete empty directories
    [ "$status" -eq 0 ]
    [ "$(told kind)" = command_sequence ]
    [ "$(told model)" = 'offline engine' ]
    [[ $output == *"find . -type d -empty ! -path '*/.git/*' -delete"* ]]
    [ -d empty ]
}

@test "what only looks runs with --yes, and its output is all there is" {
    printf 'b\na\n' >names.txt
    go run --yes sort the lines of names.txt
    [ "$status" -eq 0 ]
    [ "$output" = $'a\nb' ]
}

@test "without a terminal a proposal is exit 5, and nothing runs" {
    touch old.txt
    go run delete old.txt
    [ "$status" -eq 5 ]
    [ -e old.txt ]
}

@test "a job is a plan of several steps" {
    go 'do' -o json --dry-run free the port 8080
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
    [ "$(told kind)" = plan_and_commands ]
    [[ $output == *'fuser -k'* && $output == *"sport = :8080"* ]]
}

@test "a job that knows only a part of the wish is not proposed as all of it" {
    go 'do' -o json --dry-run set up a git repository with a wiki
    unfit
    go 'do' -o json --dry-run merge the branch dev into main
    [ "$status" -eq 0 ]
    [[ $output != *'branch -d'* ]]
}

@test "a job that is further from the wish than a doubted command is none" {
    go run --offline --dry-run --no-color make 4 directories named a b c
    [ "$status" -eq 7 ]
    [[ $output == *'leaves out "4"'* && $output != *rsync* ]]
}

@test "a host is no file that a job makes" {
    go 'do' -o json --dry-run set up ssh keys for server.example.com
    [ "$status" -eq 0 ]
    [[ $output != *'-f server.example.com'* ]]
}

@test "what the wish leaves open is asked for in words, and is exit 7" {
    go run -o json unpack an archive
    unfit
    go run -y unpack an archive
    [ "$status" -eq 7 ]
    [ -z "$stderr" ]
    [[ $output == *"words in capitals"* ]]
}

@test "a wish that nothing fits is exit 7, and says what is near or nothing" {
    go run xyzzy plugh frotz
    [ "$status" -eq 7 ]
    [ -z "$output" ]
    go run -y -o json block port 80 for user bob
    unfit
    go run -o json --plan-out p.json block port 80 for user bob
    unfit
    [ ! -e p.json ]
    go explain how 'do' I block port 80 for user bob
    [ "$status" -eq 7 ]
}

@test "a question is answered with the command and what its parts mean" {
    go explain how 'do' i count the lines of a file called names.txt
    [ "$status" -eq 0 ]
    [[ $output == *'wc -l'* ]]
    [[ $output == *names.txt* ]]
}

@test "a model that is configured and cannot be reached is still exit 3" {
    OPENAI_API_KEY=x OPENAI_BASE_URL=http://127.0.0.1:9/v1 \
        go run list the files
    [ "$status" -eq 3 ]
    [[ $stderr == *--offline* ]]
}

@test "--offline asks no model though one is configured" {
    OPENAI_API_KEY=x OPENAI_BASE_URL=http://127.0.0.1:9/v1 \
        go run --offline --dry-run list all files
    [ "$status" -eq 0 ]
    [[ $output == *ls* || $output == *find* ]]
}

@test "there is no request to show" {
    go run --offline --show-request list the files
    [ "$status" -eq 2 ]
}

@test "what wants a terminal is shown to be typed, and never run" {
    printf 'a\n' >names.txt
    go run -o json --yes read names.txt page by page
    unfit
    [[ $output == *"Run it yourself"*"less names.txt"* ]]
}

# piped TEXT WORDS...: the text is on standard input.
piped() {
    run --separate-stderr "$ai" "${@:2}" < <(printf '%b' "$1")
}

@test "of an error that is piped in, the lines that look like it are shown" {
    piped 'cc -Werror x.c\nx.c:3: error: no ;\nbye\n' \
        explain what is wrong here
    [ "$status" -eq 0 ]
    [[ $output == *"needs a model"*"Of the 3 lines"*"    x.c:3: error: no ;"* ]]
    [[ $output != *Werror* && $output != *bye* ]]
    [ -z "$stderr" ]
}

# became_ai PID: the program runs, and is not the shell that starts it.
became_ai() {
    local name

    read -r name <"/proc/$1/comm"
    [ "$name" != "${BASH##*/}" ]
}

@test "an error that comes late is waited for" {
    mkfifo pipe
    exec 9<>pipe
    "$ai" explain what went wrong <pipe >out 2>&1 9>&- &
    poll became_ai "$!"
    echo 'x: error: late' >&9
    exec 9>&-
    wait "$!"
    grep -q 'x: error: late' out
}

@test "an error that is piped in without words is none of our commands" {
    piped 'cc1: fatal error: no.c: No such file or directory\n' explain
    [ "$status" -eq 0 ]
    [[ $output == *"needs a model"*"    cc1: fatal error: no.c"* ]]
    piped 'wc -l names.txt\n' explain
    [ "$status" -eq 0 ]
    [[ $output == *"counts"* && $output != *"needs a model"* ]]
}

@test "of the last command its exit status is told, and no other is shown" {
    mkdir -p "$XDG_RUNTIME_DIR/agentsh"
    chmod 700 "$XDG_RUNTIME_DIR/agentsh"
    (umask 077 && printf 'status=1\ncwd=/\ncommand=grep x a.txt' \
        >"$XDG_RUNTIME_DIR/agentsh/last-1-2")
    AGENTSH_SESSION=1-2 go explain what went wrong
    [ "$status" -eq 0 ]
    [[ $output == *"    grep x a.txt"*"Its exit status is 1: no line matched."* ]]
    go run fix it
    [ "$status" -eq 7 ]
    [[ $output == *"needs a model"*"No previous command is recorded."* ]]
}

@test "what no command does, and what is not English, is refused in words" {
    go run order me a pizza
    [ "$status" -eq 7 ]
    [[ $stderr == *"no shell command can get a pizza"* ]]
    go run zeig mir alle offenen ports
    [ "$status" -eq 7 ]
    [[ $stderr == *"reads English"* ]]
    [ -z "$output" ]
}

@test "a home directory that is not there is said, and never made" {
    run --separate-stderr env -u XDG_STATE_HOME -u XDG_CONFIG_HOME \
        -u XDG_CACHE_HOME -u XDG_DATA_HOME HOME="$TEST_ROOT/none/home" \
        "$ai" run --yes 'echo hello' </dev/null
    [ "$status" -eq 0 ]
    [ "$output" = hello ]
    [[ $stderr == *"home directory $TEST_ROOT/none/home is not there"* ]]
    [ ! -e "$TEST_ROOT/none" ]
}
