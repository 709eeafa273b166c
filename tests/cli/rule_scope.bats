#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# rule_scope.bats - a rule of the person's is for what it was given for: for
# that program, those bytes, and a line that loses nothing.
# shellcheck disable=SC2154,SC2164,SC2016 # set by bats' run; bats ends at
# errors; commands in quotes are for the program
bats_require_minimum_version 1.5.0
load ../lib/common

setup() {
    home_setup
    ai=$top_builddir/ai
    mkdir -p "$XDG_CONFIG_HOME/agentsh"
    rules=$XDG_CONFIG_HOME/agentsh/policy
    echo 'preset permissive' >"$rules"
    usual=$PATH
}

teardown() {
    PATH=${usual-$PATH}
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
    [[ $stderr == *"ls is not a system program"* ]]
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

# remember COMMAND FILE: the rule that the review offers for a script.
remember() {
    printf '%s\n    in %s\n    with sha256:%s %s\n' "allow command $1" \
        "$PWD" "$(sha256sum "$2" | cut -d ' ' -f 1)" "$2" >>"$rules"
}

@test "what a script loses is judged at each run" {
    echo 'preset standard' >"$rules"
    echo 'ls > out.txt' >wr.sh
    remember 'sh wr.sh' wr.sh
    # control: while the file is not there nobody is asked
    go "$PATH" 'sh wr.sh'
    [ "$status" -eq 0 ]
    [[ $(cat out.txt) == *wr.sh* ]]
    echo precious >out.txt
    go "$PATH" 'sh wr.sh'
    [ "$status" -eq 5 ]
    [ "$(cat out.txt)" = precious ]
    [[ $stderr == *'wr.sh now does what you did not allow'*out.txt* ]]
    rm out.txt
    ln -s "$HOME/.bashrc" out.txt
    go "$PATH" 'sh wr.sh'
    [ "$status" -eq 5 ]
    rm out.txt
    go "$PATH" 'sh wr.sh'
    [ "$status" -eq 0 ]
}

@test "which programs a script runs is judged at each run" {
    echo 'preset standard' >"$rules"
    mkdir bin
    echo 'ls' >pl.sh
    remember 'sh pl.sh' pl.sh
    go "$PATH" 'sh pl.sh'
    [ "$status" -eq 0 ]
    put_program bin/ls
    # control: the script runs the other one
    [[ $(PATH=$PWD/bin:$PATH sh pl.sh) == 'evil ran' ]]
    rm planted
    for path in "$PWD/bin:$PATH" "bin:$PATH"; do
        go "$path" 'sh pl.sh'
        [ "$status" -eq 5 ]
        [[ $stderr == *"ls is not a system program"* ]]
    done
    put_program ls
    go ":$PATH" 'sh pl.sh'
    [ "$status" -eq 5 ]
    [ ! -e planted ]
}

@test "a script that was made harmful by a step before is asked about" {
    echo 'preset standard' >"$rules"
    echo 'ls > out.txt' >wr.sh
    remember 'sh wr.sh' wr.sh
    COMMAND='' "$PYTHON3" -c '
import json
step = lambda i, c: {"id": str(i), "description": "It", "shell_command": c}
print(json.dumps({"kind": "command_sequence", "summary": "s", "steps": [
    step(1, "echo precious > out.txt"), step(2, "sh wr.sh")]}))' \
        >"$TEST_ROOT/p.json"
    run --separate-stderr "$ai" run --yes --plan "$TEST_ROOT/p.json" </dev/null
    [ "$status" -eq 5 ]
    [ "$(cat out.txt)" = precious ]
}

@test "a rule for what only looks opens nothing: git runs no alien program" {
    echo 'allow command git status --short' >>"$rules"
    git init -q
    put_program watch
    git config core.fsmonitor "$PWD/watch"
    # control: outside it runs
    git status --short >/dev/null 2>&1
    [ -e planted ]
    rm planted
    go "$PATH" 'git status --short'
    [ "$status" -eq 0 ]
    [ ! -e planted ]
}

@test "what is asked about in spite of a rule says why" {
    echo 'allow command rm -f victim' >>"$rules"
    echo x >victim
    go "$PATH" 'rm -f victim'
    [ "$status" -eq 5 ]
    [ -e victim ]
    [[ $stderr == *'no terminal to ask on: rm deletes files'* ]]
    # in the review, too: the step's own lines
    [[ ${stderr%%ai:*} == *'! deletes victim'* ]]
    run --separate-stderr "$top_builddir/agentsh" policy test rm -f victim
    [[ $output == *'rm deletes files'* ]]
}
