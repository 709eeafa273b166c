#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# shell_call.bats - agentsh called as a shell is called: as login(1), sshd(8),
# editors and scripts call what stands in /etc/passwd.
# shellcheck disable=SC2154,SC2164,SC2016 # set by bats' run; bats ends at
# errors; commands in quotes are for the program

load ../lib/common
bats_require_minimum_version 1.5.0

setup() {
    agentsh=${AGENTSH:-$top_builddir/agentsh}
    home_setup
    cd "$HOME"
    printf '#!/bin/sh\necho "script $0 $*"\nexit 7\n' >script
    echo 'echo profile' >.bash_profile
}

teardown() {
    home_done
}

@test "-c runs a line as bash does: its name, its words, its status" {
    run -3 "$agentsh" -c 'echo "$0 $1"; exit 3' name word
    [ "$output" = "name word" ]
    run -1 "$agentsh" -ec 'false; echo more'
    [ -z "$output" ]
    run -0 "$agentsh" -e -c 'echo both'
    [ "$output" = both ]
    run -2 "$agentsh" -c
    [[ $output == *"-c: option requires an argument"* ]]
}

@test "a login shell, by -l, by --login and by a dash in front of its name" {
    run -0 "$agentsh" -lc 'shopt -q login_shell && echo login'
    [ "$output" = $'profile\nlogin' ]
    run -0 "$agentsh" --login -c 'shopt -q login_shell && echo login'
    [ "$output" = $'profile\nlogin' ]
    run -0 bash -c 'exec -a -agentsh "$1" -c "echo \$0"' - "$agentsh"
    [ "$output" = $'profile\n-bash' ]
    run -0 "$agentsh" -c 'shopt -q login_shell || echo none'
    [ "$output" = none ]
}

@test "what comes on standard input without a terminal is run, by a login shell too" {
    run -0 "$agentsh" <<<'shopt -q login_shell || echo none'
    [ "$output" = none ]
    run -0 "$agentsh" -l <<<'shopt -q login_shell && echo login'
    [ "$output" = $'profile\nlogin' ]
    run -0 "$agentsh" -s one <<<'echo "$1"'
    [ "$output" = one ]
}

@test "a script runs with its words, by a path or from here" {
    run -7 "$agentsh" ./script a 'b c'
    [ "$output" = "script ./script a b c" ]
    run -7 "$agentsh" "$HOME/script"
    run -7 "$agentsh" script a
    [ "$output" = "script script a" ]
    run -7 "$agentsh" -x ./script
    run -127 "$agentsh" ./none
    [[ $output == *"./none: No such file or directory"* ]]
}

@test "a script with agentsh in its first line" {
    printf '#!%s\necho "by $0"\n' "$(realpath "$agentsh")" >by
    chmod +x by
    run -0 ./by
    [ "$output" = "by ./by" ]
}

@test "a file is no script where its name is a verb, or the first word of some" {
    cp script policy
    cp script sysinfo
    run -0 "$agentsh" policy test 'ls'
    run -0 "$agentsh" sysinfo
    [[ $output != *script* ]]
    run -2 "$agentsh" nothing
    [[ $output == *"unknown verb 'nothing'"* ]]
}
