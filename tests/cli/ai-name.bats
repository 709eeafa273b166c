#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# ai-name.bats - the short command is installed beside ours, over nobody's.
# shellcheck disable=SC2154,SC2164 # set by bats' run; bats ends at errors
bats_require_minimum_version 1.5.0

setup() {
    script=${top_srcdir:-.}/tools/ai-name.sh
    dir=$BATS_TEST_TMPDIR/bin
    other=$BATS_TEST_TMPDIR/other
    mkdir "$dir" "$other"
    echo '#!/bin/sh' >"$dir/agentsh"
    chmod +x "$dir/agentsh"
}

rule() {
    run --separate-stderr env PATH="$other:$dir:/usr/bin:/bin" sh "$script" \
        "$1" "$dir" agentsh aye
}

someone_elses() {
    echo '#!/bin/sh' >"$1/aye"
    chmod +x "$1/aye"
}

@test "linked, it is a link to agentsh beside it" {
    rule link
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
    [ "$(readlink "$dir/aye")" = agentsh ]
}

@test "linking twice says nothing" {
    rule link
    rule link
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
}

@test "another command of that name on PATH is worth a warning" {
    someone_elses "$other"
    rule warn
    [ "$status" -eq 0 ]
    [[ "$stderr" == *"another aye is on PATH: $other/aye"* ]]
}

@test "an older link of ours elsewhere is not worth a warning" {
    ln -s agentsh "$other/aye"
    rule warn
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
}

@test "a command in the same place that is not ours is not replaced" {
    someone_elses "$dir"
    rule link
    [ "$status" -eq 0 ]
    [[ "$stderr" == *"is not ours and stays"* ]]
    [ ! -h "$dir/aye" ]
}

@test "unlinking removes our link, and nobody else's file" {
    rule link
    rule unlink
    [ "$status" -eq 0 ]
    [ ! -e "$dir/aye" ]
    [ ! -h "$dir/aye" ]
    someone_elses "$dir"
    rule unlink
    [ -e "$dir/aye" ]
    rm "$dir/aye"
    rule unlink
    [ "$status" -eq 0 ]
}

@test "wrong usage is exit 2" {
    run -2 sh "$script" link
    run -2 sh "$script" upset "$dir" agentsh aye
}
