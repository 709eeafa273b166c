#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# remembered.bats - a rule of the person's is for what it was given for: for
# that program, those bytes, and a line that loses nothing.
# shellcheck disable=SC2154,SC2164,SC2016 # set by bats' run; bats ends at
# errors; commands in quotes are for the program
bats_require_minimum_version 1.5.0
load ../lib/common

setup() {
    home_setup
    ai=$top_builddir/ai
    mkdir "$XDG_CONFIG_HOME/agentsh"
    rules=$XDG_CONFIG_HOME/agentsh/policy
    echo 'preset permissive' >"$rules"
    usual=$PATH
}

teardown() {
    PATH=$usual
    home_done
}

plan() {
    COMMAND=$1 DIRECTORY=${2:-} "$PYTHON3" -c '
import json, os
step = {"id": "1", "description": "It", "shell_command": os.environ["COMMAND"]}
if os.environ["DIRECTORY"]:
    step["working_directory"] = os.environ["DIRECTORY"]
print(json.dumps({"kind": "command_sequence", "summary": "s",
                  "steps": [step]}))' >"$TEST_ROOT/p.json"
    chmod 600 "$TEST_ROOT/p.json"
}

# go PATH COMMAND [DIRECTORY]: a plan of this step, with --yes and this PATH.
go() {
    plan "$2" "${3:-}"
    run --separate-stderr env PATH="$1" "$ai" run --yes \
        --plan "$TEST_ROOT/p.json" </dev/null
}

# A program of this name that shows that it ran, and where it could write.
put_program() {
    printf '#!/bin/sh\necho evil ran\necho x >planted\n' >"$1"
    chmod +x "$1"
}

@test "an empty element of PATH is the current directory, to bash as to us" {
    echo 'allow command make test' >>"$rules"
    put_program make
    for path in ":$PATH" "/nowhere::$PATH" ".:$PATH" "/nowhere:" "" ":"; do
        # control: bash runs it
        [[ $(PATH=$path /bin/bash -c 'make test') == 'evil ran' ]]
        rm planted
        go "$path" 'make test'
        [ "$status" -eq 5 ]
        [ ! -e planted ]
    done
    # behind the system's own it is not what runs
    printf 'test:\n\ttouch made\n' >Makefile
    go "$PATH:" 'make test'
    [ "$status" -eq 0 ]
    [ -e made ]
}

@test "what only looks is asked about where another program has its name" {
    echo 'preset standard' >"$rules"
    put_program ls
    go ":$PATH" 'ls'
    [ "$status" -eq 5 ]
    [[ $output != *evil* ]]
    [[ $stderr == *"ls is no program of the system's own"* ]]
    go "$PATH:" 'ls'
    [ "$status" -eq 0 ]
}

@test "a relative element of PATH begins where the line is by then" {
    echo 'allow command make test' >>"$rules"
    echo 'allow command cd *' >>"$rules"
    mkdir -p sub/bin
    put_program sub/make
    put_program sub/bin/make
    for path in ":$PATH" "bin:$PATH"; do
        go "$path" 'make test' sub
        [ "$status" -eq 5 ]
        for line in 'cd sub && make test' '(cd sub; make test)' \
            'cd "$(echo sub)"; make test'; do
            go "$path" "$line"
            [ "$status" -eq 5 ]
        done
    done
    [ ! -e sub/planted ]
}

@test "no file is made in a directory of PATH, also where that is nameless" {
    for path in ":$PATH" "$PATH:" "$PATH::/nowhere"; do
        go "$path" 'touch ls'
        [ "$status" -eq 5 ]
        [ ! -e ls ]
    done
    go "$PATH" 'touch ls'
    [ "$status" -eq 0 ]
}
